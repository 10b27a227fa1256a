#include <utility>

#include "fmi/cosimulation/co_simulation.hpp"

// Parameters that change at events.

namespace mti::fmi {

void CoSimulation::check_parameters(const Model& model) const {
  if (model.equations() != fmu_->model.equations() || model.constraints() != fmu_->model.constraints())
    throw Refused("with these parameters the model has other equations or constraints than the FMU");
  if (run_ && now_.phase == Phase::event && model.sample_time != run_->model().sample_time)
    throw Refused("the sample time can be set before the end of the initialization only");
}

/// What was made of the parameters.
void CoSimulation::forget_equations() {
  parameters_.reset();
  tangent_.reset();
  indicators_.reset();
  residual_rows_.reset();
}

void CoSimulation::tune(const Settings& changed) {
  Settings settings = now_.settings;
  for (const auto& [place, number] : changed) settings[place] = number;
  check_parameters(fmu_->with(settings));
  prepare_values();
  if (!now_.shown) show_here();
  now_.settings = std::move(settings);
  forget_equations();
  take_new_parameters();
}

void CoSimulation::require_input(std::uint32_t place) const {
  if (place < fmu_->variables.size() && fmu_->variables[place].causality != Causality::input)
    throw Refused(quoted(fmu_->variables[place]) + " is no input, and can be set before the start only");
}

/// Inputs that were set at the same time count with them: what they were up to here is what the run has decided.
void CoSimulation::go_on_with_new_parameters() {
  if (!run_ || run_->ended() || !std::exchange(parameters_are_new_, false)) return;
  const SavedRun saved = run_->save();
  if (run_->ended()) return;
  run_ = Run(model_to_run(), options(), saved);
}

}  // namespace mti::fmi
