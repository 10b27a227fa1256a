// An instant at which the mode may change, and the event that is recorded of it.
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "solvers/blocks/start_point.hpp"
#include "solvers/laws/transition_laws.hpp"
#include "solvers/mode/mode_outputs.hpp"
#include "solvers/mode/run_text.hpp"
#include "solvers/simulation/simulation.hpp"
#include "solvers/trajectory/event_record.hpp"

namespace mti {
bool Simulation::enter_mode(EventKind kind) {
  Instant& here = state_.here;
  // Where switches have accumulated, motions come back to the surfaces of the limit for as long as it slides on them. Where
  // turns become ever shorter, and all surfaces are within their errors before the law of the turns is known, too.
  const bool closes_in = is_switch(kind) && accumulations_.closes_in();
  here.accumulates = kind == EventKind::zeno || closes_in ||
                     (here.accumulates && !gathered_.empty() && state_.mode.slides == gathered_);
  if (sensitivities_)
    sensitivities_->arrive(state_, kind, dense_unknowns(), segment_.reads_all_derivatives());
  const std::shared_ptr<const ModeSystem> before = state_.system;
  std::optional<EventInstant> posed;
  auto ending = pose(kind, posed);
  EventInstant& instant = *posed;
  if (ending) {
    end_at_instant(*std::move(ending), kind);
    if (ended_) recorder_.explain_outcome(instant.explanation());
    return !ended_;
  }
  if (const auto pole = pole_at_event(before, instant.left_limits())) {
    here.v = instant.left_limits();
    state_.mode = before->mode;
    state_.system = before;
    finish(ending_at(*pole));
    return false;
  }
  if (closes_in && gathers_surfaces(instant.before(), state_.mode)) gathered_ = state_.mode.slides;
  recorder_.add_mode(here.t, state_.mode);
  Event event = instant.conclude();
  recorder_.account_absences(*state_.system, event);
  here.has_past = true;
  if (is_switch(kind) && has_laws_of_motions(model_))
    forget_turned_by(event, before->mode, instant.left_limits());
  singular_.forget();
  if (sensitivities_)
    sensitivities_->depart(state_, instant.restarts(), has_happened(event) ? &event : nullptr);
  if (has_happened(event)) {
    poles_.jump(instant.left_limits(), here.v);
    pole_ahead_.reset();
    record_event(std::move(event), instant);
  }
  return !ended_;
}

/// Once more where what happens moves the argument of a function that has rested, or where nothing follows while it does.
std::optional<Ending> Simulation::pose(EventKind kind, std::optional<EventInstant>& instant) {
  const bool rests = !state_.mode.resting.empty();
  const bool begins = kind == EventKind::initial && !model_.sign_binaries.empty();
  const auto arrived = rests || begins || has_ends_at_zero_ ? std::optional(state_) : std::nullopt;
  instant.emplace(tools_, state_, kind);
  auto ending = instant->settle();
  if (begins && !ending) {
    const std::vector<char> z = with_conditions_at_zero(model_, state_.mode, state_.here.v);
    if (z != state_.mode.z) return pose_with_ties(z, *arrived, instant);
  }
  if (ending && has_ends_at_zero_ && poses_at_rest(kind, *ending, *arrived, instant)) return std::nullopt;
  if (!rests) return ending;
  std::vector<int> resting;
  if (!ending) resting = still_at_rest(model_, state_.mode, accuracy_, state_.here.v);
  if (!ending && resting == state_.mode.resting) return ending;
  state_ = *arrived;
  state_.mode.resting = std::move(resting);
  return pose(kind, instant);
}

/// The start once more, where conditions are at zero that guesses have decided: they are what their operators say, if that follows.
std::optional<Ending> Simulation::pose_with_ties(const std::vector<char>& z, const RunState& arrived,
                                                 std::optional<EventInstant>& instant) {
  std::vector<int> tied;
  for (int i = 0; i < signature_.q(); ++i)
    if (z[at(i)] != state_.mode.z[at(i)]) tied.push_back(i);
  state_ = arrived;
  for (const int binary : tied) state_.mode.z[at(binary)] = z[at(binary)];
  remember(signature_, state_.mode);
  instant.emplace(tools_, state_, EventKind::initial);
  const auto ending = instant->settle();
  const bool follows = !ending && std::ranges::all_of(tied, [&](int binary) {
    return state_.mode.z[at(binary)] == z[at(binary)] && slide_of(state_.mode, binary) == nullptr;
  });
  if (follows) return std::nullopt;
  state_ = arrived;
  instant.emplace(tools_, state_, EventKind::initial);
  return instant->settle();
}

/// What comes to rest at the very instant of something else has no motion in either of its modes then: the same is posed with
/// its functions at rest. False, with all as it was, if that is no way out either.
bool Simulation::poses_at_rest(EventKind kind, const Ending& ending, const RunState& arrived,
                               std::optional<EventInstant>& instant) {
  if (ending.kind != OutcomeKind::dead_end || kind == EventKind::initial || kind == EventKind::zeno ||
      accumulations_.near(state_.here.t, event_resolution_))
    return false;
  Mode mode = arrived.mode;
  settle_outputs(cache_.outputs(), mode);  // as of a clock
  const auto rest = motion_at_rest(model_, cache_, accuracy_, arrived.here, mode, Rest::stays);
  if (!rest) return false;
  RunState moves = std::exchange(state_, arrived);
  state_.mode.resting = rest->system().mode.resting;
  std::optional<EventInstant> at_rest;
  at_rest.emplace(tools_, state_, kind);
  if (at_rest->settle()) {
    state_ = std::move(moves);
    return false;
  }
  instant.emplace(*std::move(at_rest));
  return true;
}

/// Inputs take their new pieces; the successor problem decides whether the mode changes with them.
void Simulation::cross_breakpoint(double t) {
  const double before = std::min(t, state_.here.t);
  stand_at(t, before, 0.0);
  state_.here.vouched = inputs_jump(t) ? segment_.vouched_states_at(before, state_)
                                       : segment_.vouched_values_at(before, state_);
  const Turns turns = turns_ahead();
  take_inputs(t);
  forget_turned(turns);
  if (enter_mode(EventKind::input)) record_outputs_here(t);
}

/// Rows through which the motion would leave, if inputs went on as they have come: laws of what becomes true by that are due.
std::vector<int> Simulation::rows_arrived_at() const {
  if (!has_risen_laws(model_)) return {};
  const Admissibility same = search_.check_unchanged(state_.here, state_.mode);
  return same.rejection == Rejection::constraint_rising ? same.constraints : std::vector<int>();
}

/// Where nothing happens by them, a row that stands here already shows what follows from them all the same.
void Simulation::decide_inputs() {
  const std::size_t events = recorder_.events();
  if (!enter_mode(EventKind::input)) return;
  if (recorder_.events() == events) recorder_.renew_last_row(state_.here.t, state_.mode, state_.here.v);
  record_outputs_here(state_.here.t);
}

/// A dead end that is close to where switches accumulate is one of the limit: the errors there leave no mode admissible.
void Simulation::end_at_instant(Ending ending, EventKind kind) {
  if (kind == EventKind::initial && ending.kind == OutcomeKind::no_consistent_start && begins_at_rest()) {
    enter_mode(kind);
    return;
  }
  if (ending.kind == OutcomeKind::dead_end) {
    const auto limit =
        kind == EventKind::zeno ? std::nullopt : accumulations_.near(state_.here.t, event_resolution_);
    if (limit) return end_at_limit(*limit, "; there is no admissible mode " + ending.message);
    // Where a function or divisor comes to its end at a boundary, no mode has a value for it.
    const bool has_domains = !model_.is_multilinear() || !model_.divisors.empty();
    if (kind != EventKind::initial && state_.system && has_domains && dead_end_is_of_a_domain()) return;
    ending.message = "no admissible mode follows " + ending.message;
  }
  finish(std::move(ending));
}

/// Where a function ends at a threshold, no row says what was met: those of the binaries that have changed.
std::vector<int> Simulation::rows_of_changes(const Event& event) const {
  const auto& g = cache_.rows().g;
  std::set<int> rows;
  for (const Change& change : event.changed)
    if (change.row >= signature_.binary_row(0) && change.row < signature_.pre_row(0))
      for (const int row : g.with(change.row))
        if (!g.is_logic(row)) rows.insert(row);
  return {rows.begin(), rows.end()};
}

void Simulation::record_event(Event event, const EventInstant& instant) {
  const double time = event.time;
  const bool may_accumulate = is_switch(event.kind);
  const auto gathered_at = gathers_surfaces(instant.before(), state_.mode)
                               ? accumulations_.tendency(time, event_resolution_)
                               : std::nullopt;
  if (may_accumulate && gathered_at) event.kind = EventKind::zeno;
  const Trajectory& trajectory = recorder_.trajectory();
  // An output time that coincides with an event has the event's two rows only.
  const std::size_t rows = trajectory.size();
  if (rows > 0 && trajectory.side(rows - 1) == 0 && outputs_.coincide(trajectory.time(rows - 1), time))
    recorder_.remove_last_row();
  outputs_.skip_through(time);
  const bool derives = sensitivities_.has_value();
  recorder_.add_row(time, -1, instant.before(), instant.left_limits(),
                    derives ? sensitivities_->left_row() : std::span<const double>());
  recorder_.add_row(time, 1, state_.mode, state_.here.v,
                    derives ? sensitivities_->row(time) : std::span<const double>());
  const std::vector<int> constraints = event.constraints.empty() ? rows_of_changes(event) : event.constraints;
  recorder_.add_event(std::move(event));
  if (recorder_.is_full())
    finish({OutcomeKind::event_limit, "at t = " + number(time) + " after " +
                                          std::to_string(recorder_.events()) + " events, the most recent" +
                                          in_mode(signature_, state_.here.v)});
  if (!may_accumulate) return;
  approach_.note(time, constraints, instant.left_limits(), state_.here.v);
  // What has laws is met one by one, each as well as times are asked for; IDA knows it to its tolerances alone.
  const bool one_by_one =
      segment_.reads_all_derivatives() && std::ranges::all_of(constraints, [&](const int& row) {
        return !reach_laws(model_, std::span(&row, 1)).empty();
      });
  const double known =
      one_by_one ? std::min(event_resolution_, accuracy_.asked_of_times()) : event_resolution_;
  auto found = accumulations_.add(time, event_resolution_, known, constraints);
  if (!found) found = gathered_at;
  if (!found || ended_ || follows_each_) return;
  auto way = way_to_limit(*found);
  if (way && (way->time > limit_ || to_events_))  // the limit is an instant of its own
    ahead_ = std::move(way);
  else if (way)
    pass_limit(*way);
}

}  // namespace mti
