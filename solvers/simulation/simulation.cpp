#include "solvers/simulation/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/model/delays.hpp"
#include "solvers/blocks/larger_errors.hpp"
#include "solvers/blocks/smaller_errors.hpp"
#include "solvers/blocks/start_point.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/mode/run_text.hpp"
#include "solvers/motion/branches.hpp"

#include "solvers/laws/transition_laws.hpp"
#include "solvers/run_limits/interruption.hpp"
#include "solvers/run_options/run_memory.hpp"
#include "solvers/run_options/run_output_times.hpp"
#include "solvers/sliding/average_of_sides.hpp"

namespace mti {
namespace {

/// Times closer than this part of |t| count as one: the integrator could not step from one to the other.
constexpr double same_time = 1e-14;

}  // namespace

Simulation::Simulation(const Model& model, const SimulationOptions& options, RunRecorder& recorder,
                       RunBudget& budget)
    : model_(model),
      signature_(model.signature),
      resolved_(resolve(model, options)),
      accuracy_(model, resolved_.rtol, resolved_.atol),
      cache_(model, options.memory != nullptr ? &options.memory->plans : nullptr),
      search_(model, cache_, accuracy_,
              {.max_candidates = options.max_candidates,
               .sliding = options.sliding,
               .explain = options.explain,
               .remember = options.remember,
               .memory = options.memory != nullptr ? &options.memory->transitions : nullptr}),
      segment_(model, accuracy_, resolved_.stop,
               has_delays(model) ? IntegratorChoice::ida : options.integrator, options.linear_solver),
      poles_(model, accuracy_),
      singular_(model.signature.n()),
      has_ends_at_zero_(has_functions_that_may_rest(model)),
      budget_(budget),
      recorder_(recorder),
      tools_{model, accuracy_, cache_, search_, recorder_, budget_, !options.sensitivities.empty()},
      outputs_(output_times(options, resolved_)),
      delays_(model, accuracy_),
      approach_(accuracy_, signature_) {
  accuracy_.resolution = resolved_.rtol * (resolved_.stop - resolved_.start);
  state_.mode = start_mode(model, resolved_.start);
  state_.here = start_instant(model, resolved_.start, state_.mode);
  state_.here.same_instant = accuracy_.same_instant();
  state_.here.asked_of_times = accuracy_.asked_of_times();
  state_.here.last_met = std::make_shared<const std::function<double(int)>>(
      [this](int constraint) { return accumulations_.last_met(constraint); });
  state_.here.waited_for = search_.rows_waited_for();
  take_inputs(resolved_.start);
  if (options.sensitivities.empty()) return;
  sensitivities_.emplace(model, accuracy_, cache_.outputs(), search_, options.sensitivities,
                         options.start.has_value());
  recorder_.show_sensitivities(sensitivities_->table());
}

/// Does a part of the run's work under its budget.
void Simulation::work(const std::function<void()>& part) {
  auto interruption = interruption_of(budget_, part);
  if (!interruption) return;
  using Cause = Interruption::Cause;
  // Everything is decided up to the time of the state; its v may be older.
  if (moving_ && interruption->cause != Cause::numbers) segment_.read(state_.here.t, state_, state_.here.v);
  if (interruption->cause == Cause::memory) {
    state_.motion.reset();
    segment_.release();  // room for what is left to do
  }
  paused_at_.reset();
  finish(ending_of(*std::move(interruption), budget_, state_.here.t));
}

void Simulation::advance(double limit, bool to_events) {
  work([&] { run_segments(limit, to_events); });
}

void Simulation::run_segments(double limit, bool to_events) {
  if (ended_) return;
  const std::size_t events = recorder_.events();
  limit_ = limit;
  to_events_ = to_events;
  paused_at_.reset();
  pause_asked_ = false;
  if (std::exchange(new_inputs_, false)) decide_inputs();
  while (!ended_ && !std::exchange(pause_asked_, false)) {
    if (between_) {
      const bool at_limit = state_.here.t >= limit && state_.here.t < std::min(resolved_.stop, t_breakpoint_);
      if (at_limit || (to_events && recorder_.events() != events)) return;
      if (ahead_) {
        if (goes_ahead()) continue;
        return;
      }
      start_segment();
      if (out_of_budget()) return;  // each step may end in an event, so steps alone do not see to it
    }
    const Progress course = integrate(limit);
    between_ = course == Progress::segment_ends;
    if (course == Progress::pauses) return;
  }
}

/// The pieces that inputs follow to the right of t, the values of binary inputs, and the next breakpoint.
void Simulation::take_inputs(double t) {
  InputsFrom inputs = inputs_from(model_, std::max(t, inputs_until_));
  inputs_until_ = inputs.end_of_instant;
  state_.here.pieces = std::move(inputs.pieces);
  state_.mode.binary_inputs = std::move(inputs.binary);
  t_breakpoint_ = inputs.next_breakpoint;
  singular_.forget();  // what jumps with an input has passed no pole
}

void Simulation::start_segment() {
  // A mode may leave signals open and its motion be unique all the same: they keep their values. So do binaries on a
  // surface that follows from others, whose weights are pinned.
  recorder_.add_undetermined(open_signals(*state_.system, signature_));
  for (const Slide& slide : state_.mode.slides) {
    if (!slide.pinned) continue;
    for (const int binary : slide.binaries) {
      const int row = signature_.binary_row(binary);
      recorder_.add_undetermined({&row, 1});
    }
  }
  recorder_.warn_of_redundant_rows(*state_.system, state_.here.v);
  if (recorder_.is_first_slide(state_.mode))
    if (const auto off = rate_off_average(model_, cache_, accuracy_, state_.here, state_.mode))
      recorder_.warn(describe(*off, state_.mode, signature_, state_.here.t));
  begin_past();
  segment_.start(state_);
  singular_.begin(state_.system, state_.here.v);
  if (sensitivities_) sensitivities_->begin_segment(state_);
  step_.reset();
  dense_to_ = state_.here.t;
}

Simulation::Progress Simulation::integrate(double limit) {
  // A segment ends where an input leaves its piece: the right-hand side is smooth up to there, and no farther.
  Instant& here = state_.here;
  const double t_goal = std::min({resolved_.stop, t_breakpoint_, beside_pole()});
  if (!step_) {
    if (t_goal - here.t <= same_time * std::max(std::abs(t_goal), std::abs(here.t))) {
      reach_goal(t_goal);
      return Progress::segment_ends;
    }
    if (here.t >= limit) return pause(limit);
    moving_ = true;
    const StepResult step = segment_.step(t_goal);
    const bool stays = step.ok && step.t < t_goal && stands_still(step.t);
    if (!step.ok || stays) {
      fail_step(stays ? StepResult{false, step.t, "its steps are too small to advance the time"} : step);
      return Progress::segment_ends;
    }
    step_ = Step{.end = step.t};
    const auto v = [&](double t) { return std::span(segment_.output(t, *state_.system, false)); };
    if (const auto pole = pole_in_step(step.t)) {
      go_up_to(*pole);
      return Progress::segment_ends;
    }
    if (const auto t = end_of_rest(model_, state_.mode, accuracy_, here.t, step.t, v))
      step_ = Step{.end = *t, .ends_rest = true};
  }

  // One step may cross several boundaries. Each is decided in turn, from the left: a later crossing counts only if the
  // mode goes on after those before it.
  while (!step_->has_none) {
    if (!step_->crossing) step_->crossing = segment_.next_crossing(step_->end);
    step_->has_none = !step_->crossing;
    if (step_->has_none) break;
    if (step_->crossing->t > limit) return pause(limit);
    const EventLocation::Crossing crossing = *std::exchange(step_->crossing, std::nullopt);
    record_outputs(crossing.t, false);
    keep_dense(crossing.t);
    const bool with_breakpoint = t_breakpoint_ - crossing.t <= same_time * std::abs(crossing.t);
    if (with_breakpoint) {
      here.t = step_->end;
      cross_breakpoint(t_breakpoint_);
      return Progress::segment_ends;
    }
    if (!cross_boundary(crossing, step_->end)) return Progress::segment_ends;
    if (segment_.accept(*state_.motion, crossing.constraint))
      recorder_.warn_of_coarse_tolerance(state_.mode, crossing.constraint, crossing.t,
                                         state_.motion->constraint(crossing.constraint, 0));
  }
  if (step_->end > limit) return pause(limit);
  const double end = step_->end;
  const bool ends_rest = step_->ends_rest;
  step_.reset();
  if (const auto kept = segment_.undecided()) recorder_.warn_of_undecided(state_.mode, *kept);
  here.t = end;
  keep_dense(end);
  if (end >= t_goal) {
    reach_goal(t_goal);
    return Progress::segment_ends;
  }
  record_outputs(end, true);
  advance_derivatives(end);
  if (ends_rest) {
    end_rest(end);
    return Progress::segment_ends;
  }
  if (rests_at(end)) return Progress::segment_ends;

  // Which of a constrained mode's signals are integrated, and by what, was chosen at the segment's start; where they
  // have turned away from that choice, another one begins.
  if (segment_.should_begin_anew(end, state_) && restart_segment()) return Progress::segment_ends;
  return out_of_budget() ? Progress::segment_ends : Progress::goes_on;
}

/// All up to `limit` is decided. What was found of the step beyond it is kept for when the run goes on.
Simulation::Progress Simulation::pause(double limit) {
  record_outputs(limit, true);
  paused_at_ = limit;
  return Progress::pauses;
}

/// After rejected steps the integrator's derivatives may be too far off to go on with; fresh ones are not.
/// A solution that ends, as at a pole, must not be approached by ever shorter segments.
void Simulation::fail_step(const StepResult& step) {
  constexpr double part_of_run = 1e-6;
  constexpr int most_without_getting_ahead = 16;  // where another choice of what is integrated may do
  Instant& here = state_.here;
  segment_.read(here.t, state_, here.v);
  singular_.note(here.v);
  const bool got_ahead = here.t - failed_at_ >= part_of_run * (resolved_.stop - resolved_.start);
  failures_here_ = got_ahead ? 0 : failures_here_ + 1;
  failed_at_ = here.t;
  // Beside the end of a domain another engine has nothing but roundings to go by.
  if (end_of_domain() && goes_on_from_end_of_domain()) return;
  if (segment_.change_engine() && restart_segment()) return;
  const int most_failures = state_.system->plan->differentiated() ? most_without_getting_ahead : 0;
  if (segment_.has_stepped() && failures_here_ <= most_failures && restart_segment()) return;
  if (auto end = end_of_domain()) return finish(*std::move(end));
  if (gets_away_from_end()) return;
  finish({OutcomeKind::solver_failure, "near t = " + number(step.t) + in_mode(signature_, here.v) +
                                           " the integrator stopped: " + step.message});
}

/// The same mode from here on, with another choice of what is integrated. False if no motion begins here.
bool Simulation::restart_segment() {
  state_.here.time_uncertainty = 0.0;
  const auto motion = std::make_shared<Motion>(model_, state_.system, accuracy_, state_.here);
  if (!motion->solved() || is_on_another_branch(*motion, signature_, state_.here.v)) return false;
  state_.motion = motion;
  state_.here.v = motion->v();
  return true;
}

/// The run stands at t, with what the last step gives at `read_at`.
void Simulation::stand_at(double t, double read_at, double time_uncertainty) {
  segment_.read(read_at, state_, state_.here.v);
  state_.here.t = t;
  state_.here.time_uncertainty = time_uncertainty;
  state_.here.same_instant = accuracy_.same_instant();
  event_resolution_ = time_uncertainty;
  moving_ = false;
}

/// The stop time or a breakpoint is reached without a crossing before it.
void Simulation::reach_goal(double t) {
  if (t == beside_pole()) {
    record_outputs(t, true);
    segment_.read(state_.here.t, state_, state_.here.v);
    return finish({OutcomeKind::left_domain, describe(*pole_ahead_, in_mode(signature_, state_.here.v))});
  }
  record_outputs(t, false);
  // What an input does at the stop time, and not after it, still belongs to the run, and what roundings alone put behind it.
  const bool at_breakpoint =
      t_breakpoint_ - t <= same_time * std::abs(t) || t_breakpoint_ <= inputs_from(model_, t).end_of_instant;
  if (!at_breakpoint || (t >= resolved_.stop && !inputs_jump(t_breakpoint_))) return reach_stop(t);
  cross_breakpoint(t_breakpoint_);
  if (!ended_ && t >= resolved_.stop) finish({OutcomeKind::reached_stop});
}

/// A boundary crossed exactly at the stop time is an event like any other.
void Simulation::reach_stop(double t) {
  const double before = state_.here.t;
  stand_at(t, before, same_time * std::abs(t));
  state_.here.vouched = segment_.vouched_at(before, state_);
  if (switches_here() && !enter_mode(EventKind::switch_mode)) return;
  advance_derivatives(t);
  record_outputs_here(t);
  finish({OutcomeKind::reached_stop});
}

/// A law is due at the present instant, or another mode follows.
bool Simulation::switches_here() const {
  const Successor next = search_.find(state_.here, state_.mode);
  if (next.status == Successor::Status::step || next.status == Successor::Status::jump) return true;
  if (next.status == Successor::Status::found && next.mode != state_.mode) return true;
  return has_reach_laws(model_) &&
         !reach_laws(model_, search_.check_unchanged(state_.here, state_.mode).constraints).empty();
}

/// Some input has another value to the right of t than the piece that ends there.
bool Simulation::inputs_jump(double t) const {
  for (std::size_t i = 0; i < model_.inputs.size(); ++i)
    if (model_.inputs[i].piece(t).value(t) != state_.here.pieces[i].value(t)) return true;
  return false;
}

/// Poses the successor problem at a crossing; true if the mode goes on and integration with it.
bool Simulation::cross_boundary(const EventLocation::Crossing& crossing, double step_end) {
  // What moves slowly where it is met leaves its time open, but not by that much whether others are met then: they are
  // still on their way, and their own times are known better.
  stand_at(crossing.t, crossing.t, std::min(crossing.time_uncertainty, accuracy_.resolution));
  event_resolution_ = crossing.time_uncertainty;
  state_.here.vouched = segment_.vouched_at(crossing.t, state_);
  const RunState arrived = state_;
  const std::size_t events = recorder_.events();
  const LargerErrors larger(accuracy_, signature_.state_row(0),
                            segment_.allowed_beyond(crossing.t, step_end, state_.here.v));
  if (!enter_mode(EventKind::switch_mode)) return false;
  // States may have jumped, and after a limit of switches the run stands elsewhere, be it in the same mode.
  if (state_.mode != arrived.mode || recorder_.events() != events) return false;
  if (crosses_within_errors(arrived)) return false;
  moving_ = true;
  return true;
}

/// What a row rises by less than ε switches nothing, unless it is more than what the steps up to here have left out.
/// True if the segment ends.
bool Simulation::crosses_within_errors(const RunState& arrived) {
  const double part = segment_.accumulated_error();
  if (part >= 1.0) return false;
  const SmallerErrors smaller(accuracy_, part);
  const RunState goes_on = std::exchange(state_, arrived);
  Instant& here = state_.here;
  here.time_uncertainty = part * here.time_uncertainty + 4.0 * machine_epsilon * std::abs(here.t);
  here.vouched.reset();
  if (switches_here()) {
    enter_mode(EventKind::switch_mode);
    return true;
  }
  state_ = goes_on;
  return false;
}

/// Output times on the dense output of the last step.
void Simulation::record_outputs(double up_to, bool including) {
  constexpr int rows_between_looks = 256;
  int rows = 0;
  for (double t = outputs_.next(); including ? t <= up_to : outputs_.precedes(up_to); t = outputs_.next()) {
    if (++rows % rows_between_looks == 0) check_budget();
    recorder_.add_row(t, 0, state_.mode, segment_.output(t, *state_.system, recorder_.shows_rates()),
                      derivatives_at(t));
    outputs_.advance();
  }
}

/// Output times of an instant that has been decided: the point itself counts, not the dense output.
void Simulation::record_outputs_here(double up_to) {
  while (outputs_.next() <= up_to) {
    recorder_.add_row(outputs_.next(), 0, state_.mode, state_.here.v,
                      sensitivities_ ? sensitivities_->row(state_.here.t) : std::span<const double>());
    outputs_.advance();
  }
}

bool Simulation::out_of_budget() {
  auto ending = budget_.look(state_.here.t);
  if (!ending) return false;
  segment_.read(state_.here.t, state_, state_.here.v);
  finish(*std::move(ending));
  return true;
}

void Simulation::finish(Ending ending) {
  ended_ = true;
  const Instant& here = state_.here;
  // The point where an early end was reached belongs to the results: as a left limit, for nothing follows it.
  const bool begun = recorder_.has_rows() || here.has_past;  // a run that was taken up has no rows at first
  const bool early = ending.kind != OutcomeKind::reached_stop && begun;
  finish_derivatives();
  if (early && outputs_.precedes(here.t)) warn_of_rows_left_out();
  if (early && recorder_.ends_before(here.t))
    recorder_.add_last_row(here.t, -1, here.v,
                           sensitivities_ ? sensitivities_->row(here.t) : std::span<const double>());
  recorder_.finish(std::move(ending), here.t, here.v);
}

}  // namespace mti
