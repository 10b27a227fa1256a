#include "solvers/stepping/held_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "mti/clocks/clock_binaries.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "solvers/mode/run_text.hpp"

namespace mti {
namespace {

/// What follows from values that were set one after the other: from the last of them on to beyond all times of a run.
/// Linear, so that the form of the input is the same for every slope.
Input held_input(const std::vector<HeldInput>& held, bool binary, double stop) {
  TableInput table;
  if (binary) table.interpolation = Interpolation::previous;
  for (std::size_t k = 0; k < held.size(); ++k) {
    const auto& [input, from, value, slope] = held[k];
    const double beyond = from + 4.0 * std::max(std::abs(stop), std::abs(from)) + 1.0;
    const double end = k + 1 < held.size() ? held[k + 1].from : beyond;
    table.time.insert(table.time.end(), {from, end});
    table.value.insert(table.value.end(), {value, value + slope * (end - from)});
  }
  return Input(std::move(table));
}

}  // namespace

const PulseWidthInput* pulses_of(const Input& input, const std::string& duty) {
  const auto* pulses = std::get_if<PulseWidthInput>(&input.form());
  return pulses != nullptr && pulses->duty_name == duty ? pulses : nullptr;
}

void require_settable(const Model& model, const HeldInput& held) {
  const Signature& signature = model.signature;
  const auto refuse = [&](const std::string& message) {
    throw InvalidOption("bad-option", "set_input", message);
  };
  if (held.input < 0 || held.input >= signature.m())
    refuse("there is no input " + std::to_string(held.input) + " of " + std::to_string(signature.m()));
  const Signal& input = signature.inputs()[at(held.input)];
  const Input::Form& form = model.inputs[at(held.input)].form();
  if (std::holds_alternative<ClockInput>(form)) refuse("'" + input.name + "' is the time itself");
  if (const auto* delayed = std::get_if<DelayedInput>(&form))
    refuse("'" + input.name + "' is " + delayed->of + " some time ago");
  for (const MovedInput& moved : model.moved_inputs)
    if (moved.name == input.name || moved.of == input.name)
      refuse("'" + moved.name + "' is '" + moved.of + "' some time ago, which would not follow");
  const std::string found = "; found " + number(held.value) + " and slope " + number(held.slope);
  if (!std::isfinite(held.value) || !std::isfinite(held.slope))
    refuse("'" + input.name + "' needs finite numbers" + found);
  if (input.binary && ((held.value != 0.0 && held.value != 1.0) || held.slope != 0.0))
    refuse("the binary input '" + input.name + "' is 0 or 1, with slope 0" + found);
}

bool goes_on_as(const Model& model, const std::vector<HeldInput>& list, const HeldInput& held) {
  const Input& input = model.inputs[at(held.input)];
  const InputPiece piece = input.piece(held.from);
  if (list.empty())
    return !std::holds_alternative<SineInput>(input.form()) && std::isinf(input.next_breakpoint(held.from)) &&
           piece.value(held.from) == held.value && piece.derivative(held.from, 1) == held.slope;
  const HeldInput& before = list.back();
  return before.slope == held.slope && (before.value + held.slope * (held.from - before.from) == held.value ||
                                        piece.value(held.from) == held.value);
}

void forget_before(const Model& model, std::vector<HeldInput>& list, const HeldInput& held) {
  const Input before = model.inputs[at(held.input)];
  double longest = 0.0;
  for (const Input& other : model.inputs)
    if (const auto* pulses = pulses_of(other, model.signature.inputs()[at(held.input)].name))
      longest = std::max(longest, pulses->period);
  if (longest == 0.0) {
    list.clear();
    return;
  }
  const double since = held.from - longest;
  if (list.empty()) list.push_back({held.input, since, before.piece(since).value(since), 0.0});
  while (list.size() > 1 && list[1].from <= since) list.erase(list.begin());
}

void hold_input(Model& model, int i, const std::vector<HeldInput>& held, double stop) {
  const Signal& signal = model.signature.inputs()[at(i)];
  const Input input = held_input(held, signal.binary, stop);
  model.inputs[at(i)] = input;
  for (Input& other : model.inputs)
    if (const PulseWidthInput* pulses = pulses_of(other, signal.name)) {
      PulseWidthInput changed = *pulses;
      changed.duty = std::make_shared<const Input>(input);
      other = Input(std::move(changed));
    }
}

void let_clocks_go_on(Model& model, const RunSnapshot& here) {
  const Signature& signature = model.signature;
  for (int binary = 0; binary < signature.q(); ++binary) {
    const int clock = clock_of(model, binary);
    const auto* wave = clock < 0 ? nullptr : std::get_if<PeriodicInput>(&model.inputs[at(clock)].form());
    if (wave == nullptr) continue;
    const auto place = std::count_if(signature.inputs().begin(), signature.inputs().begin() + clock,
                                     [](const Signal& input) { return input.binary; });
    const bool is_on = model.inputs[at(clock)].piece(here.inputs_until).value(here.inputs_until) != 0.0;
    if (is_on == (here.mode.binary_inputs[at(place)] != 0)) continue;
    PeriodicInput turned = *wave;
    for (double& value : turned.table.value) value = 1.0 - value;
    model.inputs[at(clock)] = Input(std::move(turned));
  }
}

}  // namespace mti
