#include <cmath>
#include <string>
#include <utility>

#include "fmi/cosimulation/co_simulation.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"

// What getters and setters do.

namespace mti::fmi {
namespace {

std::string name_of(VariableType type) {
  return type == VariableType::boolean ? "Boolean"
         : type == VariableType::clock ? "clock"
                                       : "floating-point number";
}

}  // namespace

const Variable& CoSimulation::variable(std::uint32_t place, VariableType type, const char* access) const {
  if (place >= fmu_->variables.size())
    throw Refused("there is no variable with value reference " + std::to_string(place));
  const Variable& found = fmu_->variables[place];
  if (found.type != type)
    throw Refused(quoted(found) + " (value reference " + std::to_string(place) + ") is a " +
                  name_of(found.type) + " and cannot be " + access + " as another variable");
  return found;
}

bool CoSimulation::may_depend_on_inputs(const Variable& variable) const {
  return variable.role != Role::time && variable.role != Role::parameter && variable.role != Role::clock &&
         variable.role != Role::dae_mode && variable.causality != Causality::input;
}

void CoSimulation::check_intermediate(std::span<const std::uint32_t> places) const {
  for (const std::uint32_t place : places)
    if (place >= fmu_->variables.size())
      throw Refused("there is no variable with value reference " + std::to_string(place));
}

void CoSimulation::get(std::span<const std::uint32_t> places, VariableType type,
                       const std::function<void(std::size_t, double)>& take) {
  bool of_run = false;
  for (const std::uint32_t place : places)
    of_run = may_depend_on_inputs(variable(place, type, "read")) || of_run;
  if (of_run) prepare_values();
  for (std::size_t k = 0; k < places.size(); ++k) take(k, value_of(places[k], fmu_->variables[places[k]]));
}

double CoSimulation::value_of(std::size_t place, const Variable& variable) {
  const Signature& signature = fmu_->model.signature;
  const int i = variable.index;
  if (variable.role == Role::time) return now_.time;
  if (variable.role == Role::parameter) return parameter(place, variable);
  if (variable.role == Role::clock) return now_.ticks ? 1.0 : 0.0;
  if (variable.role == Role::dae_mode) return now_.dae ? 1.0 : 0.0;
  if (variable.causality == Causality::input) {
    const InputValue& input = now_.inputs[at(i)];
    if (input.is_set && input.slope == 0.0) return input.value;
    if (!run_) return input.value;
    // With a slope: what follows from it is perhaps not decided yet.
    if (input.is_set) return run_->model().inputs[at(i)].piece(now_.time).value(now_.time);
  }
  if (!run_ && !now_.shown) throw Refused("the run has no values");
  const std::span<const double> v = now_.shown ? std::span<const double>(now_.shown->v) : run_->v();
  switch (variable.role) {
    case Role::state:
      return v[at(signature.state_row(i))];
    case Role::derivative:
      return v[at(signature.derivative_row(i))];
    case Role::input:
      return v[at(signature.input_row(i))];
    case Role::algebraic:
      return v[at(signature.algebraic_row(i))];
    case Role::indicator:
      return indicator(i, v);
    case Role::residual:
    case Role::residual_rate:
      return residual(variable, v);
    case Role::weight:
      return v[at(signature.binary_row(i))];
    default:
      return (now_.shown ? now_.shown->z : run_->mode().z)[at(i)] != 0 ? 1.0 : 0.0;
  }
}

const EventIndicators& CoSimulation::indicators() {
  if (!indicators_) {
    const Experiment& experiment = now_.experiment;
    const Model model = fmu_->with(now_.settings);
    indicators_.emplace(model, experiment.tolerance.value_or(model.experiment.rtol), model.experiment.atol);
  }
  return *indicators_;
}

const RowMap& CoSimulation::residual_rows() {
  if (!residual_rows_) residual_rows_.emplace(fmu_->with(now_.settings).f());
  return *residual_rows_;
}

double CoSimulation::residual(const Variable& variable, std::span<const double> v) {
  const int row = fmu_->residuals->at(at(variable.index)).row;
  if (variable.role == Role::residual) return residual_rows().value(row, v);
  double rate = 0.0;  // d/dt f(x) = ∂f/∂x ẋ
  residual_rows().gradient(row, v, [&](int signal, double slope) {
    const int derivative = signal - fmu_->model.signature.n();
    if (derivative >= 0 && derivative < fmu_->model.signature.n()) rate += slope * v[at(derivative)];
  });
  return rate;
}

void CoSimulation::choose_dae_mode(bool on) {
  if (on) throw Refused("in Co-Simulation the run solves its equations; dae_mode is for Model Exchange");
}

double CoSimulation::parameter(std::size_t place, const Variable& variable) {
  if (const auto set = now_.settings.find(place); set != now_.settings.end()) return set->second;
  if (variable.causality == Causality::parameter || now_.settings.empty()) return variable.start;
  if (!parameters_) parameters_ = fmu_->parameters(now_.settings);
  return (*parameters_)[at(variable.index)];
}

void CoSimulation::check_setting(const Variable& variable, double value) const {
  if (!std::isfinite(value))
    throw Refused(quoted(variable) + " needs a finite number; found " + text::format_number(value));
  if (is_importers(variable)) return;
  const bool is_structural = variable.causality == Causality::structural_parameter;
  if (is_structural != (now_.phase == Phase::configuration))
    throw Refused(quoted(variable) + (is_structural ? " can" : " cannot") + " be set in Configuration Mode" +
                  (is_structural ? " only" : ""));
  if (is_structural) return;
  if (!variable.is_settable()) throw Refused(quoted(variable) + " is calculated and cannot be set");
  if (now_.phase == Phase::continuous && variable.variability == Variability::discrete)
    throw Refused(quoted(variable) + " can be set in Event Mode only");
  const bool before_start = now_.phase == Phase::instantiated || now_.phase == Phase::initialization;
  const bool is_tunable = variable.role == Role::parameter && now_.phase == Phase::event;
  if (variable.causality != Causality::input && !before_start && !is_tunable)
    throw Refused(quoted(variable) + " can be set before the end of the initialization" +
                  (variable.role == Role::parameter ? " or in Event Mode only" : " only"));
}

void CoSimulation::set(std::span<const std::uint32_t> places, VariableType type,
                       const std::function<double(std::size_t)>& value) {
  for (std::size_t k = 0; k < places.size(); ++k) check_setting(variable(places[k], type, "set"), value(k));
  Settings settings;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const Variable& changed = fmu_->variables[places[k]];
    if (is_importers(changed))
      take_value(changed, value(k));
    else if (changed.role == Role::dae_mode)
      choose_dae_mode(value(k) != 0.0);
    else if (changed.causality != Causality::input)
      settings[places[k]] = value(k);
  }
  if (!settings.empty() && now_.phase == Phase::event) {
    tune(settings);
  } else if (!settings.empty()) {
    for (const auto& [place, number] : settings) now_.settings[place] = number;
    forget_equations();
    run_.reset();
  }
  for (std::size_t k = 0; k < places.size(); ++k)
    if (const Variable& changed = fmu_->variables[places[k]]; changed.causality == Causality::input)
      hold_input(changed, {.is_set = true, .value = value(k)});
}

void CoSimulation::set_slopes(std::span<const std::uint32_t> places,
                              const std::function<double(std::size_t)>& slope) {
  for (std::size_t k = 0; k < places.size(); ++k) {
    const Variable& changed = variable(places[k], VariableType::real, "set");
    if (changed.causality != Causality::input) throw Refused(quoted(changed) + " is no input");
    if (!std::isfinite(slope(k))) throw Refused(quoted(changed) + " needs a finite slope");
  }
  for (std::size_t k = 0; k < places.size(); ++k) {
    const Variable& changed = fmu_->variables[places[k]];
    const InputValue& before = now_.inputs[at(changed.index)];
    if (before.slope == slope(k)) continue;
    hold_input(changed, {.is_set = true, .value = value_of(places[k], changed), .slope = slope(k)});
  }
}

/// Before the start it is what the run begins with.
void CoSimulation::hold_input(const Variable& variable, const InputValue& input) {
  InputValue& held = now_.inputs[at(variable.index)];
  const bool is_same = held.is_set && held.value == input.value && held.slope == 0.0 && input.slope == 0.0;
  held = input;
  if (now_.phase == Phase::instantiated || (now_.phase == Phase::initialization && input.slope == 0.0)) {
    if (!is_same) run_.reset();
  } else if (run_ && !is_same) {
    run_->set_input(variable.index, input.value, input.slope);
    inputs_are_new_ = true;
  }
}

}  // namespace mti::fmi
