#include "fmi/cosimulation/co_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include "fmi/cosimulation/event_text.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"

namespace mti::fmi {
namespace {

/// Horizons lie beyond the last time that is known by this factor: at its stop time a run is over, and the instance is not.
constexpr double beyond = 1.0 + 1.0 / 1024.0;

std::string number(double value) { return text::format_number(value); }

/// A defect of numbers, or the end of a motion that the model has.
bool is_failure(OutcomeKind kind) {
  switch (kind) {
    case OutcomeKind::solver_failure:
    case OutcomeKind::candidate_limit:
    case OutcomeKind::event_limit:
    case OutcomeKind::time_budget:
    case OutcomeKind::interrupted:
    case OutcomeKind::out_of_memory:
    case OutcomeKind::no_consistent_start:
      return true;
    default:
      return false;
  }
}

/// Pulses whose width is a copy of the input follow it.
void replace_input(Model& model, int index, const Input& input) {
  model.inputs[at(index)] = input;
  const std::string& name = model.signature.inputs()[at(index)].name;
  for (Input& other : model.inputs)
    if (const auto* pulses = std::get_if<PulseWidthInput>(&other.form());
        pulses != nullptr && pulses->duty_name == name) {
      PulseWidthInput changed = *pulses;
      changed.duty = std::make_shared<const Input>(input);
      other = Input(std::move(changed));
    }
}

}  // namespace

CoSimulation::CoSimulation(std::shared_ptr<const FmuModel> fmu, const Log& log, Use use)
    : fmu_(std::move(fmu)), log_(log), use_(std::move(use)) {
  reset();
}

void CoSimulation::reset() {
  run_.reset();
  forget_equations();
  inputs_are_new_ = parameters_are_new_ = false;
  told_.clear();
  now_ = {};
  now_.experiment.start = fmu_->model.experiment.start;
  now_.time = now_.experiment.start;
  now_.inputs.resize(fmu_->model.inputs.size());
  now_.start_inputs = now_.inputs;
  for (const Variable& variable : fmu_->variables)
    if (variable.causality == Causality::input) now_.inputs[at(variable.index)].value = variable.start;
}

void CoSimulation::set_experiment(const Experiment& experiment) {
  const Experiment of_model = {.start = fmu_->model.experiment.start, .stop = fmu_->model.experiment.stop};
  if (!std::isfinite(experiment.start))
    throw Refused("expected a finite start time, found " + number(experiment.start));
  if (experiment.stop && !(*experiment.stop >= experiment.start && std::isfinite(*experiment.stop)))
    throw Refused("expected a stop time not before the start time " + number(experiment.start) + ", found " +
                  number(*experiment.stop));
  if (experiment.tolerance && !(*experiment.tolerance > 0.0 && *experiment.tolerance < 1.0))
    throw Refused("expected 0 < tolerance < 1, found " + number(*experiment.tolerance));
  now_.experiment = experiment;
  now_.time = experiment.start;
  indicators_.reset();
  double length = experiment.stop.value_or(experiment.start) - experiment.start;
  if (!(length > 0.0)) length = *of_model.stop - of_model.start;
  now_.horizon = experiment.start + beyond * length + until_next_sample();
}

void CoSimulation::enter_initialization() { now_.phase = Phase::initialization; }

void CoSimulation::exit_initialization() {
  require_run();
  for (const Variable& variable : fmu_->variables)
    if (variable.causality == Causality::input && now_.inputs[at(variable.index)].slope != 0.0)
      hold_input(variable, now_.inputs[at(variable.index)]);
  now_.ticks = is_sampled_in_event_mode();
  now_.phase = use_.event_mode ? Phase::event : Phase::step;
}

void CoSimulation::enter_event_mode() { now_.phase = Phase::event; }

void CoSimulation::enter_step_mode() {
  go_on_with_new_parameters();
  if (is_sampled_in_event_mode() && take_sample() == StepEnd::event) tell_event();
  now_.shown.reset();
  now_.phase = Phase::step;
}

void CoSimulation::terminate() { now_.phase = Phase::terminated; }

void CoSimulation::place_inputs(Model& model, const std::vector<InputValue>& inputs) const {
  for (const Variable& variable : fmu_->variables) {
    if (variable.causality != Causality::input) continue;
    const InputValue& input = inputs[at(variable.index)];
    const bool is_function = !std::holds_alternative<ConstantInput>(model.inputs[at(variable.index)].form());
    if (input.is_set || is_function) replace_input(model, variable.index, Input(ConstantInput{input.value}));
  }
}

/// What inputs the model is run with at first, as constants: what is set later is for the run to hold.
Model CoSimulation::model_to_run() const {
  Model model = fmu_->with(now_.settings);
  place_inputs(model, now_.start_inputs);
  return model;
}

SimulationOptions CoSimulation::options() {
  SimulationOptions options{.start = now_.experiment.start,
                            .stop = now_.horizon,
                            .rtol = now_.experiment.tolerance,
                            .max_events = std::numeric_limits<long>::max()};
  if (!fmu_->model.is_discrete()) options.output_interval = now_.horizon - now_.experiment.start;
  options.observe = [this](double time, int side, const Mode& mode, std::span<const double> v) {
    if (side < 0 && keeps_left_limits_)
      now_.shown = Point{.time = time, .v = {v.begin(), v.end()}, .z = mode.z};
  };
  options.sink = [](const Trajectory&) {};  // rows are not kept
  return options;
}

/// The run stands at its start.
void CoSimulation::require_run() {
  if (run_ || now_.phase != Phase::initialization) return;
  now_.start_inputs = now_.inputs;
  run_ = Run(model_to_run(), options());
  if (run_->ended() && run_->outcome().kind != OutcomeKind::reached_stop) {
    const Outcome outcome = run_->outcome();
    run_.reset();
    throw Refused(text_of(outcome));
  }
  tell_assertions();
}

/// In event mode inputs are decided by the update of the discrete states, which tells what has jumped.
void CoSimulation::prepare_values() {
  require_run();
  if (now_.phase != Phase::event) decide_inputs();
}

/// What follows at once, until nothing more does; each event is told.
CoSimulation::Settled CoSimulation::settle_all() {
  Settled settled{run_->settle(), false};
  for (; settled.end == StepEnd::event; settled.end = run_->settle()) {
    settled.has_event = true;
    tell_event();
  }
  return settled;
}

/// What follows from new inputs at once.
void CoSimulation::decide_inputs() {
  if (!run_ || !std::exchange(inputs_are_new_, false)) return;
  const StepEnd end = settle_all().end;
  tell_assertions();
  if (end == StepEnd::ended && run_->outcome().kind != OutcomeKind::reached_stop) {
    now_.phase = Phase::discarded;
    throw Refused(text_of(run_->outcome()),
                  is_failure(run_->outcome().kind) ? Status::error : Status::discard);
  }
}

/// A run in discrete time is over with its last sample, and an instance holds its values beyond.
double CoSimulation::until_next_sample() const {
  constexpr double samples = 2.0;
  return fmu_->model.is_discrete() ? samples * fmu_->model.sample_time : 0.0;
}

StepEnd CoSimulation::extend_horizon(double time) {
  const double start = now_.experiment.start, length = time - start;
  if (0.5 * (1.0 + beyond) * length <= now_.horizon - until_next_sample() - start) return StepEnd::reached;
  bool has_event = false;
  if (!fmu_->model.is_discrete()) {
    keeps_left_limits_ = use_.event_mode;
    const Settled settled = settle_all();
    keeps_left_limits_ = false;
    if (settled.end == StepEnd::ended) return settled.end;
    has_event = settled.has_event;
  }
  now_.horizon = start + 2.0 * beyond * length + until_next_sample();
  const Model model = run_->model();
  const SavedRun saved = run_->save();
  if (!run_->ended()) run_ = Run(model, options(), saved);
  return has_event ? StepEnd::event : StepEnd::reached;
}

UpdateReport CoSimulation::update_discrete_states() {
  UpdateReport report;
  const Signature& signature = fmu_->model.signature;
  const auto states = [&](std::span<const double> v) {
    return std::vector<double>(v.begin() + signature.n(), v.begin() + 2L * signature.n());
  };
  const std::vector<double> before = states(now_.shown ? now_.shown->v : run_->v());
  now_.shown.reset();
  inputs_are_new_ = false;
  go_on_with_new_parameters();
  const StepEnd end = take_sample();
  if (end == StepEnd::event) tell_event();
  report.needs_update = end == StepEnd::event && !fmu_->model.is_discrete();
  tell_assertions();
  if (end == StepEnd::ended) {
    static_cast<void>(tell_end());
    report.ended = true;
  }
  report.states_changed = !fmu_->model.is_discrete() && states(run_->v()) != before;
  report.next_event = next_known_event();
  return report;
}

/// Inputs that are functions of time change their pieces, and models of discrete time are sampled, when it is known.
std::optional<double> CoSimulation::next_known_event() const {
  const Model& model = fmu_->model;
  double next = std::numeric_limits<double>::infinity();
  if (model.is_discrete()) next = next_sample();
  for (const Variable& variable : fmu_->variables)
    if (variable.role == Role::input && variable.causality != Causality::input)
      next = std::min(next, run_->model().inputs[at(variable.index)].next_breakpoint(now_.time));
  return std::isfinite(next) ? std::optional(next) : std::nullopt;
}

void CoSimulation::tell_event() const {
  if (const Event* event = run_->event(); event != nullptr && log_.tells_events())
    log_.tell_event(text_of(*event, fmu_->model));
}

bool CoSimulation::tell_assertions() {
  bool any = false;
  for (const auto& [assertion, time] : run_->trajectory().broken_assertions) {
    if (!told_.insert(assertion.row).second) continue;
    log_.tell(Status::warning,
              assertion.name + " is broken at t = " + number(time) + ": " + assertion.message);
    any = true;
  }
  return any;
}

Status CoSimulation::tell_end() {
  const Outcome& outcome = run_->outcome();
  if (outcome.kind == OutcomeKind::reached_stop) return Status::ok;
  const Status status = is_failure(outcome.kind) ? Status::error : Status::discard;
  log_.tell(status, text_of(outcome));
  now_.phase = Phase::discarded;
  return status;
}

SavedState CoSimulation::save() {
  // To write the run down decides inputs. In event mode that is not to be seen before the update of the discrete states.
  if (now_.phase == Phase::event && inputs_are_new_ && !now_.shown) show_here();
  SavedState state = now_;
  const bool is_between = now_.phase == Phase::event || now_.phase == Phase::step;
  if (is_between && run_ && !run_->ended()) {
    state.run = run_->save();
    inputs_are_new_ = false;
  } else if (run_ && !state.shown && now_.phase != Phase::initialization) {
    show_here();
    state.shown = std::exchange(now_.shown, std::nullopt);
  }
  return state;
}

/// Getters show what is known now, whatever becomes of the run.
void CoSimulation::show_here() {
  const auto v = run_->v();
  now_.shown = Point{.time = now_.time, .v = {v.begin(), v.end()}, .z = run_->mode().z};
}

void CoSimulation::take_up(const SavedState& state) {
  std::optional<Run> run;
  const SavedState before = std::exchange(now_, state);
  now_.run.reset();
  try {
    if (state.run) run.emplace(model_to_run(), options(), *state.run);
  } catch (...) {
    now_ = before;
    throw;
  }
  run_ = std::move(run);
  forget_equations();
  inputs_are_new_ = parameters_are_new_ = false;
}

}  // namespace mti::fmi
