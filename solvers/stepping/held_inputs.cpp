#include "solvers/stepping/held_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <variant>

#include "mti/common/at.hpp"

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

}  // namespace mti
