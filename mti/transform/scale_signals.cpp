#include "mti/transform/scale_signals.hpp"

#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/common/number.hpp"
#include "mti/transform/model_change.hpp"

namespace mti {
namespace {

void check(const std::vector<Signal>& signals, const std::vector<SignalUnit>& units,
           std::vector<Fault>& faults) {
  if (signals.size() != units.size()) {
    faults.push_back({"matrix-size", "",
                      "found units for " + std::to_string(units.size()) + " signals, expected " +
                          std::to_string(signals.size())});
    return;
  }
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const auto& [offset, scale, unit] = units[i];
    if (!std::isfinite(offset) || !std::isfinite(scale) || scale == 0.0)
      faults.push_back({"bad-option", signals[i].name,
                        "found offset " + text::format_number(offset) + " and scale " +
                            text::format_number(scale) +
                            ", expected finite numbers and a scale that is not 0"});
    else if (signals[i].binary && (offset != 0.0 || scale != 1.0))
      faults.push_back({"bad-option", signals[i].name, "a binary input takes 0 and 1 and cannot be scaled"});
  }
}

/// A duty is a part of a period, whatever the units are.
void check_duties(const Model& model, const std::vector<SignalUnit>& units, std::vector<Fault>& faults) {
  for (const Input& input : model.inputs) {
    const auto* pulses = std::get_if<PulseWidthInput>(&input.form());
    if (pulses == nullptr) continue;
    for (std::size_t i = 0; i < units.size(); ++i)
      if (model.signature.inputs()[i].name == pulses->duty_name &&
          (units[i].offset != 0.0 || units[i].scale != 1.0))
        faults.push_back({"bad-option", pulses->duty_name,
                          "the duty of pulses is a part of their period and cannot be scaled"});
  }
}

void check(const Model& model, const Scaling& scaling) {
  std::vector<Fault> faults;
  check(model.signature.states(), scaling.states, faults);
  check(model.signature.inputs(), scaling.inputs, faults);
  check_duties(model, scaling.inputs, faults);
  check(model.signature.algebraic(), scaling.algebraic, faults);
  if (!(scaling.time > 0.0) || !std::isfinite(scaling.time))
    faults.push_back({"bad-option", "time",
                      "found the time scale " + text::format_number(scaling.time) +
                          ", expected a positive finite number"});
  if (!faults.empty()) throw InvalidOption(std::move(faults));
}

bool is_clock(const Input& input) { return std::holds_alternative<ClockInput>(input.form()); }

std::vector<SignalUnit> units_of(const std::vector<Signal>& signals) {
  std::vector<SignalUnit> units;
  units.reserve(signals.size());
  for (const Signal& signal : signals) units.push_back({.unit = signal.unit});
  return units;
}

std::vector<SignalUnit> nominal_units_of(const std::vector<Signal>& signals) {
  std::vector<SignalUnit> units;
  for (const Signal& signal : signals) {
    if (signal.binary || signal.nominal == 1.0)
      units.push_back({.unit = signal.unit});
    else
      units.push_back(
          {.scale = signal.nominal,
           .unit = text::format_number(signal.nominal) + (signal.unit.empty() ? "" : " ") + signal.unit});
  }
  return units;
}

std::vector<SignalUnit> inverse_units(const std::vector<SignalUnit>& units,
                                      const std::vector<Signal>& signals) {
  std::vector<SignalUnit> result;
  for (std::size_t i = 0; i < units.size(); ++i)
    result.push_back({-units[i].offset / units[i].scale, 1.0 / units[i].scale, signals[i].unit});
  return result;
}

std::vector<Signal> in_units(std::vector<Signal> signals, const std::vector<SignalUnit>& units) {
  for (std::size_t i = 0; i < signals.size(); ++i) {
    signals[i].nominal /= std::abs(units[i].scale);
    signals[i].unit = units[i].unit;
  }
  return signals;
}

}  // namespace

Scaling no_scaling(const Model& model) {
  const Signature& signature = model.signature;
  return {units_of(signature.states()), units_of(signature.inputs()), units_of(signature.algebraic())};
}

Scaling nominal_scaling(const Model& model) {
  const Signature& signature = model.signature;
  return {nominal_units_of(signature.states()), nominal_units_of(signature.inputs()),
          nominal_units_of(signature.algebraic())};
}

Scaling inverse(const Scaling& scaling, const Model& model) {
  const Signature& signature = model.signature;
  return {inverse_units(scaling.states, signature.states()),
          inverse_units(scaling.inputs, signature.inputs()),
          inverse_units(scaling.algebraic, signature.algebraic()), 1.0 / scaling.time};
}

Transformed scale_signals(const Model& model, const Scaling& wanted) {
  check(model, wanted);
  const Signature& old = model.signature;
  Scaling scaling = wanted;
  for (int i = 0; i < old.m(); ++i)
    if (is_clock(model.inputs[at(i)])) scaling.inputs[at(i)] = {0.0, scaling.time, old.inputs()[at(i)].unit};
  transform::ModelChange change = transform::no_change(model);
  change.time_scale = scaling.time;
  const auto enter = [&](int row, const SignalUnit& unit) {
    change.rows[at(row)] = {row, unit.offset, unit.scale};
  };
  for (int i = 0; i < old.n(); ++i) {
    const SignalUnit& unit = scaling.states[at(i)];
    enter(old.derivative_row(i), old.is_discrete() ? unit : SignalUnit{0.0, unit.scale / scaling.time});
    enter(old.state_row(i), unit);
  }
  for (int i = 0; i < old.m(); ++i) enter(old.input_row(i), scaling.inputs[at(i)]);
  for (int i = 0; i < old.p(); ++i) enter(old.algebraic_row(i), scaling.algebraic[at(i)]);
  change.signature =
      Signature(in_units(old.states(), scaling.states), in_units(old.inputs(), scaling.inputs),
                in_units(old.algebraic(), scaling.algebraic), old.binaries(), old.pre(), old.first_rows());
  return transform::apply(model, change);
}

}  // namespace mti
