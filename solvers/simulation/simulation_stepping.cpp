// A run that begins, and that is left at some time: it is taken up again there, by itself or by another, or ends.
#include <new>
#include <span>

#include "solvers/initialization/start_search.hpp"
#include "solvers/simulation/simulation.hpp"
#include "solvers/trajectory/event_record.hpp"

namespace mti {

void Simulation::begin() {
  work([&] {
    if (const auto warning = coarse_times(resolved_.start, resolved_.stop, accuracy_.resolution))
      recorder_.warn(*warning);
    if (model_.solves_start() && !find_start()) return;
    if (enter_mode(EventKind::initial)) record_outputs_here(state_.here.t);
  });
}

/// x and z by the initial equations; false if there are none, with which the run has ended.
bool Simulation::find_start() {
  const FoundStart start = StartSearch(model_, cache_, accuracy_, search_).enter(state_.here, state_.mode);
  recorder_.count_candidates(start.tried);
  if (!start.warning.empty()) recorder_.warn(start.warning);
  const bool limit = start.status == FoundStart::Status::limit;
  if (!start.found())
    finish({limit ? OutcomeKind::candidate_limit : OutcomeKind::no_consistent_start, start.message});
  else if (sensitivities_)
    sensitivities_->take_start(cache_.get(state_.mode), state_.here);
  return start.found();
}

std::span<const double> Simulation::v() {
  if (ahead_ && paused_at_) {
    const std::vector<double> point = values_on(*ahead_, *paused_at_);
    on_way_.assign(point.begin(), point.end());  // where it was: who asks twice may hold both
    return on_way_;
  }
  if (!moving_ || ended_ || !segment_.has_stepped()) return state_.here.v;
  return segment_.output(time(), *state_.system, true);
}

/// The run stands at time() itself; the rest of the step, or of the way to a limit, is given up.
void Simulation::leave_step() {
  if (ahead_ && paused_at_) {
    keep_dense_on(*ahead_, *paused_at_);
    state_.here.v = values_on(*ahead_, *paused_at_);
    state_.here.t = *paused_at_;
    state_.here.time_uncertainty = 0.0;
  }
  ahead_.reset();
  if (moving_) {
    keep_dense(time());
    stand_at(time(), time(), 0.0);
  }
  state_.here.vouched.reset();
  step_.reset();
  poles_.forget();
  singular_.forget();
  pole_ahead_.reset();  // with other inputs there may be none
  paused_at_.reset();
  between_ = true;
}

void Simulation::take_new_inputs() {
  leave_step();
  work([&] {
    const Turns turns = turns_ahead();
    take_inputs(state_.here.t);
    forget_turned(turns);
  });
  new_inputs_ = true;
}

RunSnapshot Simulation::snapshot() {
  leave_step();
  return as_it_stands();
}

std::optional<RunSnapshot> Simulation::before_limit() const {
  return ahead_ && paused_at_ ? std::optional(as_it_stands()) : std::nullopt;
}

RunSnapshot Simulation::as_it_stands() const {
  const Instant& here = state_.here;
  return {.time = here.t,
          .inputs_until = std::max(here.t, inputs_until_),
          .constraints = model_.constraints(),
          .mode = state_.mode,
          .v = here.v,
          .guess = here.guess,
          .has_past = here.has_past,
          .accumulates = here.accumulates,
          .gathered = gathered_,
          .accumulations = accumulations_,
          .approach = approach_.events(),
          .slid = segment_.has_slid(),
          .accumulated_error = segment_.accumulated_error(),
          .ida_steps = segment_.ida_steps(),
          .failed_at = failed_at_,
          .failures_here = failures_here_,
          .tiny_steps = tiny_steps_};
}

void Simulation::resume(const RunSnapshot& snapshot, bool inputs_are_new) {
  Instant& here = state_.here;
  here.t = snapshot.time;
  here.v = snapshot.v;
  here.guess = snapshot.guess;
  here.has_past = snapshot.has_past;
  here.accumulates = snapshot.accumulates;
  state_.mode = snapshot.mode;
  inputs_until_ = snapshot.inputs_until;
  take_inputs(here.t);
  gathered_ = snapshot.gathered;
  accumulations_ = snapshot.accumulations;
  approach_.take_up(snapshot.approach);
  segment_.take_up(snapshot.slid, snapshot.accumulated_error, snapshot.ida_steps);
  failed_at_ = snapshot.failed_at;
  failures_here_ = snapshot.failures_here;
  tiny_steps_ = snapshot.tiny_steps;
  while (outputs_.next() <= here.t) outputs_.advance();
  new_inputs_ = inputs_are_new || state_.mode.binary_inputs != snapshot.mode.binary_inputs;
  if (!new_inputs_) work([&] { new_inputs_ = !begins_here(); });
}

/// The motion goes on from v in its mode. With other coefficients than it came with the mode may not follow itself, or
/// only by a jump: then v are left limits.
bool Simulation::begins_here() {
  const Admissibility same = search_.check_unchanged(state_.here, state_.mode);
  Event event;
  if (!same.admissible() || same.system->mode != state_.mode ||
      note_restart(*same.motion, state_.here, signature_, event) || !event.impulses.empty())
    return false;
  state_.system = same.system;
  state_.motion = same.motion;
  state_.here.v = same.motion->v();
  recorder_.add_mode(state_.here.t, state_.mode);
  return true;
}

/// A run may have to end while the rows of its last step are written.
void Simulation::warn_of_rows_left_out() {
  try {
    recorder_.warn("rows from t = " + number(outputs_.next()) + " on, before the last at t = " +
                   number(state_.here.t) + ", are left out: the run was ended while they were written");
  } catch (const std::bad_alloc&) {  // what there is is kept
  }
}

}  // namespace mti
