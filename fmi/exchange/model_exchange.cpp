#include "fmi/exchange/model_exchange.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fmi/cosimulation/event_text.hpp"
#include "fmi/variables/dae_residuals.hpp"
#include "fmi/variables/model_exchange.hpp"
#include "mti/clocks/clock_binaries.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/model/freeze.hpp"
#include "solvers/blocks/start_point.hpp"
#include "solvers/motion/motion.hpp"
#include "solvers/stepping/saved_contents.hpp"

namespace mti::fmi {

ModelExchange::ModelExchange(std::shared_ptr<const FmuModel> fmu, const Log& log)
    : CoSimulation(std::move(fmu), log, {.event_mode = true}) {
  check_parameters(fmu_->model);
  reset();
}

/// Other parameters may be zeros that take terms away. Clocks tick where their importer has been told before.
void ModelExchange::check_parameters(const Model& model) const {
  CoSimulation::check_parameters(model);
  if (const auto why = fmu_->residuals ? why_no_dae(model) : why_no_model_exchange(model))
    throw Refused("the model has no FMU for Model Exchange: " + *why);
  if (now_.phase != Phase::event) return;
  const Model before = fmu_->with(now_.settings);
  for (int binary = 0; binary < model.signature.q(); ++binary)
    if (const int clock = clock_of(model, binary);
        clock >= 0 && model.inputs[at(clock)] != before.inputs[at(clock)])
      throw Refused("the times of the clock " + model.signature.inputs()[at(clock)].name +
                    " can be set before the end of the initialization only");
}

void ModelExchange::reset() {
  CoSimulation::reset();
  forget_motion();
  is_stale_ = true;
  decides_anew_ = false;
}

/// Nothing is known of a mode and of what holds in it.
void ModelExchange::forget_motion() {
  equations_.reset();
  mode_ = {};
  v_.clear();
  pieces_.clear();
  next_event_.reset();
}

ModelExchange::Equations& ModelExchange::equations() {
  if (!equations_) {
    Model model = fmu_->with(now_.settings);
    const double rtol = now_.experiment.tolerance.value_or(model.experiment.rtol);
    equations_ = std::make_shared<Equations>(std::move(model), rtol);
  }
  return *equations_;
}

void ModelExchange::exit_initialization() {
  if (!now_.settings.empty()) check_parameters(fmu_->with(now_.settings));
  CoSimulation::exit_initialization();
  equations_.reset();
  try {
    refuse_slides();
  } catch (...) {
    now_.phase = Phase::initialization;
    throw;
  }
  begin_inputs();
  adopt_run();
  change_nominals();
  next_event_ = next_known_event();
}

/// The run stands at the present time, at right limits.
void ModelExchange::adopt_run() {
  const auto v = run_->v();
  v_.assign(v.begin(), v.end());
  mode_ = run_->mode();
  mode_.resting.clear();  // an importer moves states, and functions follow them
  pieces_.clear();
  for (const Input& input : run_->model().inputs) pieces_.push_back(input.piece(now_.time));
  decides_anew_ = false;
  is_stale_ = true;
}

void ModelExchange::refuse_slides() const {
  if (now_.dae && !run_->mode().slides.empty())
    throw Refused(
        "at t = " + text::format_number(now_.time) +
            " the motion begins to slide, which is nothing that equations of a mode tell: dae_mode ends",
        Status::discard);
  for (const Slide& slide : run_->mode().slides)
    if (slide.pinned)
      throw Refused(
          "at t = " + text::format_number(now_.time) + " the surface of " +
              fmu_->model.constraint_names[at(slide.constraint)] +
              ", on which the motion begins to slide, follows from others, which FMUs for Model Exchange "
              "do not offer; those for Co-Simulation do",
          Status::discard);
}

void ModelExchange::enter_event_mode() {
  // Onto the surfaces as they are up to here: with inputs and parameters that are set now they may be elsewhere at once.
  if (!mode_.slides.empty() && now_.phase == Phase::continuous) try {
      evaluate();
      project(v_);
    } catch (const Refused&) {  // what follows is for the update to say
    }
  now_.phase = Phase::event;
  decides_anew_ = true;
  has_moved_ = false;
  now_.at_event.clear();
  for (const InputValue& input : now_.inputs) now_.at_event.push_back(input.value);
}

void ModelExchange::enter_continuous_time() {
  now_.phase = Phase::continuous;
  is_stale_ = true;
  remember_point();
}

void ModelExchange::hold_input(const Variable& variable, const InputValue& input) {
  if (now_.phase != Phase::event && now_.phase != Phase::continuous)
    return CoSimulation::hold_input(variable, input);
  if (input.slope != 0.0)
    throw Refused(quoted(variable) + " has no slope: set its value as the time goes on");
  now_.inputs[at(variable.index)] = input;
  is_stale_ = true;
  if (now_.phase == Phase::event) decides_anew_ = true;
}

void ModelExchange::take_new_parameters() {
  v_ = now_.shown->v;
  equations_.reset();
  is_stale_ = false;
  decides_anew_ = true;
}

std::vector<InputPiece> ModelExchange::present_pieces() const {
  std::vector<InputPiece> pieces = pieces_;
  for (const Variable& variable : fmu_->variables)
    if (variable.causality == Causality::input)
      pieces[at(variable.index)] = InputPiece(now_.time, now_.inputs[at(variable.index)].value,
                                              mode_.slides.empty() ? 0.0 : running_slope(variable.index));
  return pieces;
}

/// Rates and algebraic signals from states and inputs, in the present mode.
void ModelExchange::evaluate() {
  if (!is_stale_ && now_.shown) return;
  const Signature& signature = fmu_->model.signature;
  if (now_.dae) {
    const std::vector<InputPiece> pieces = present_pieces();
    for (int i = 0; i < signature.m(); ++i) v_[at(signature.input_row(i))] = pieces[at(i)].value(now_.time);
    write_mode(signature, mode_, v_);
  } else {
    std::vector<double> solved = solve_here();
    std::copy_n(v_.begin() + signature.state_row(0), signature.n(), solved.begin() + signature.state_row(0));
    write_mode(signature, mode_, solved);
    v_ = std::move(solved);
  }
  now_.shown = Point{.time = now_.time, .v = v_, .z = mode_.z};
  is_stale_ = false;
}

std::vector<double> ModelExchange::solve_here() {
  const Signature& signature = fmu_->model.signature;
  Equations& known = equations();
  Instant instant;
  instant.t = now_.time;
  instant.pieces = present_pieces();
  instant.v = v_;
  for (int i = 0; i < signature.m(); ++i)
    instant.v[at(signature.input_row(i))] = instant.pieces[at(i)].value(now_.time);
  write_mode(signature, mode_, instant.v);
  if (!mode_.slides.empty() && now_.phase != Phase::event) project(instant.v);
  instant.guess = instant.v;
  instant.has_past = true;
  const Motion motion(known.model, known.cache.get(mode_), known.accuracy, instant);
  if (!motion.solved())
    throw Refused("at t = " + text::format_number(now_.time) +
                      " the equations of the mode have no solution for these states and inputs",
                  Status::discard);
  return motion.v();
}

void ModelExchange::prepare_values() {
  const bool is_event = now_.phase == Phase::event && decides_anew_;
  if (now_.phase == Phase::continuous || is_event)
    evaluate();
  else if (now_.phase == Phase::initialization)
    prepare_start();
  else if (now_.phase != Phase::event)
    CoSimulation::prepare_values();
}

/// Indicators are those of the mode that a run begins in.
void ModelExchange::prepare_start() {
  if (!run_) equations_.reset();
  CoSimulation::prepare_values();
  mode_ = run_->mode();
}

/// The successor problem at the present point, of which the values up to here are the left limits.
void ModelExchange::pose_again() {
  if (mode_.slides.empty()) try {
      evaluate();
      if (now_.dae) v_ = solve_here();
    } catch (
        const Refused&) {  // the equations of the mode end here, and what follows is for the update to say
    }
  const double start = now_.experiment.start;
  if (!(now_.time < now_.horizon)) now_.horizon = start + 2.0 * (now_.time - start) + 1.0;
  const Model& model = equations().model;
  now_.start_inputs = now_.inputs;
  hold_inputs_here();
  const RunSnapshot snapshot{.time = now_.time,
                             .inputs_until = now_.time,
                             .constraints = model.constraints(),
                             .mode = mode_,
                             .v = v_,
                             .guess = v_,
                             .has_past = true};
  run_ = Run(model, options(), SavedRun({.snapshot = snapshot, .inputs = now_.held, .clocks_go_on = false}));
}

/// A run that begins at an event takes it for one of its inputs.
void ModelExchange::tell_event_here(bool inputs_are_others) const {
  if (run_->event() == nullptr || !log_.tells_events()) return;
  Event event = *run_->event();
  if (event.kind == EventKind::input && !inputs_are_others) event.kind = EventKind::switch_mode;
  log_.tell_event(text_of(event, fmu_->model));
}

UpdateReport ModelExchange::update_discrete_states() {
  const Mode mode_before = mode_;
  const std::vector<InputValue> inputs_before = now_.start_inputs;
  std::vector<double> x(states()), x_before(states());
  get_states(x_before);
  const bool is_posed = decides_anew_;
  if (is_posed) pose_again();
  const bool inputs_are_others =
      (next_event_ && now_.time >= *next_event_) ||
      !std::ranges::equal(now_.start_inputs, inputs_before, {}, &InputValue::value, &InputValue::value);
  now_.shown.reset();
  UpdateReport report;
  StepEnd end = run_->settle();
  if (is_posed && end == StepEnd::ended && run_->outcome().kind == OutcomeKind::dead_end &&
      return_to_passed_constraints()) {
    pose_again();
    end = run_->settle();
  }
  report.needs_update = end == StepEnd::event;
  tell_event_here(inputs_are_others);
  tell_assertions();
  report.ended = end == StepEnd::ended;
  if (report.ended) static_cast<void>(tell_end());
  try {
    if (!report.ended) refuse_slides();
  } catch (const Refused& refused) {
    log_.tell(Status::discard, refused.what());
    now_.phase = Phase::discarded;
    report.ended = true;
  }
  if (report.ended) return report;
  adopt_run();
  get_states(x);
  report.states_changed = x != x_before;
  has_moved_ =
      has_moved_ || report.needs_update || report.states_changed || mode_ != mode_before || inputs_are_others;
  report.nominals_changed = has_moved_;
  if (report.nominals_changed) change_nominals();
  report.next_event = next_event_ = next_known_event();
  return report;
}

/// Others than before, also where the states are the same.
void ModelExchange::change_nominals() {
  const Signature& signature = fmu_->model.signature;
  const std::vector<double> before = std::exchange(now_.nominals, {});
  for (int i = 0; i < signature.n(); ++i)
    now_.nominals.push_back(std::hypot(signature.states()[at(i)].nominal, v_[at(signature.state_row(i))]));
  constexpr double a_little = 1.0 + 1.0 / 1024.0;
  if (now_.nominals == before && !before.empty()) now_.nominals.front() *= a_little;
}

SavedState ModelExchange::save() {
  if (now_.phase != Phase::event && now_.phase != Phase::continuous) return CoSimulation::save();
  prepare_values();
  if (!now_.shown && run_ && run_->ended()) show_here();
  SavedState state = now_;
  if (run_ && !run_->ended()) state.run = run_->save();
  return state;
}

void ModelExchange::take_up(const SavedState& state) {
  CoSimulation::take_up(state);
  forget_motion();
  if (now_.phase != Phase::event && now_.phase != Phase::continuous) return;
  if (!run_) {  // it had ended
    now_.phase = Phase::discarded;
    return;
  }
  const double time = std::exchange(now_.time, run_->time());
  adopt_run();
  next_event_ = next_known_event();
  now_.time = time;
  if (!now_.shown) return;
  v_ = now_.shown->v;
  is_stale_ = false;
  decides_anew_ = now_.phase == Phase::event;
}

void ModelExchange::set_time(double time) {
  if (!std::isfinite(time)) throw Refused("expected a finite time, found " + text::format_number(time));
  if (time == now_.time) return;
  if (run_ && time < run_->time())
    throw Refused("expected a time not before " + text::format_number(run_->time()) +
                  ", that of the last event, found " + text::format_number(time));
  now_.time = time;
  is_stale_ = true;
  if (now_.phase == Phase::event) decides_anew_ = true;
}

void ModelExchange::check_size(std::size_t found, std::size_t expected, const char* of) const {
  if (found != expected)
    throw Refused("expected " + std::to_string(expected) + " " + of + ", found " + std::to_string(found));
}

void ModelExchange::set_states(std::span<const double> x) {
  check_size(x.size(), states(), "states");
  if (!std::ranges::all_of(x, [](double value) { return std::isfinite(value); }))
    throw Refused("states need finite numbers", Status::discard);
  const auto first = v_.begin() + fmu_->model.signature.state_row(0);
  if (std::equal(x.begin(), x.end(), first)) return;
  std::copy(x.begin(), x.end(), first);
  is_stale_ = true;
}

void ModelExchange::get_states(std::span<double> x) {
  check_size(x.size(), states(), "states");
  const Signature& signature = fmu_->model.signature;
  if (v_.empty()) prepare_values();
  const std::span<const double> v = v_.empty() ? run_->v() : std::span<const double>(v_);
  std::copy_n(v.begin() + signature.state_row(0), x.size(), x.begin());
}

void ModelExchange::get_derivatives(std::span<double> rates) {
  check_size(rates.size(), states(), "states");
  prepare_values();
  const std::span<const double> v = now_.shown ? std::span<const double>(now_.shown->v) : run_->v();
  std::copy_n(v.begin() + fmu_->model.signature.derivative_row(0), rates.size(), rates.begin());
}

void ModelExchange::get_indicators(std::span<double> values) {
  check_size(values.size(), number_of_indicators(), "event indicators");
  prepare_values();
  const std::span<const double> v = now_.shown ? std::span<const double>(now_.shown->v) : run_->v();
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = indicator(static_cast<int>(k), v);
}

void ModelExchange::get_nominals(std::span<double> nominals) const {
  check_size(nominals.size(), states(), "states");
  for (std::size_t i = 0; i < nominals.size(); ++i)
    nominals[i] = now_.nominals.empty() ? fmu_->model.signature.states()[i].nominal : now_.nominals[i];
}

bool ModelExchange::completed_step() {
  evaluate();
  remember_point();
  for (int k = 0; k < fmu_->model.constraints(); ++k)
    if (indicator(k, v_) < 0.0) return true;
  if (mode_.slides.empty()) return false;
  constexpr double farthest = 20.0;  // some steps of an importer, each of which is off by about its tolerance
  std::vector<double> on_surfaces = v_;
  return project(on_surfaces) > farthest;
}

}  // namespace mti::fmi
