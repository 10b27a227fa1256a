#include "solvers/simulation/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <limits>
#include <new>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/blocks/larger_errors.hpp"
#include "solvers/simulation/user_exception.hpp"

namespace mti {
namespace {

/// Times closer than this part of |t| count as one: the integrator could not step from one to the other.
constexpr double same_time = 1e-14;
/// Local errors add up: half of what is allowed keeps many periods of an oscillation within some tens of it.
/// Motions within a surface are often unstable, and when they leave it depends on a derivative; impacts under a
/// law follow each other ever faster and multiply what the first one is off: then a tenth. What is integrated
/// of constrained motions changes on the way: then a fifth.
constexpr double usual_caution = 0.5, greater_caution = 0.2, greatest_caution = 0.1;
constexpr std::size_t most_segments_kept = 128, most_large_segments_kept = 4;

bool has_laws(const Model& model, bool of_reaching) {
  return std::any_of(model.transitions.begin(), model.transitions.end(), [&](const Transition& law) {
    return (law.when == Transition::When::reach) == of_reaching;
  });
}

}  // namespace

Trajectory empty_trajectory(const Signature& signature) {
  std::vector<std::string> names;
  std::vector<int> rows;
  const auto add = [&](const std::vector<Signal>& signals, int first_row) {
    for (std::size_t i = 0; i < signals.size(); ++i) {
      if (signals[i].auxiliary) continue;
      names.push_back(signals[i].name);
      rows.push_back(first_row + static_cast<int>(i));
    }
  };
  add(signature.states(), signature.state_row(0));
  add(signature.algebraic(), signature.algebraic_row(0));
  add(signature.binaries(), signature.binary_row(0));
  return {std::move(names), std::move(rows)};
}

void keep_weights_in_range(const ModeSystem& system, std::span<double> v) {
  for (const int row : system.sliding) v[at(row)] = std::clamp(v[at(row)], 0.0, 1.0);
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

Simulation::Simulation(const Model& model, const SimulationOptions& options)
    : model_(model),
      signature_(model.signature),
      options_(options),
      has_reach_laws_(has_laws(model, true)),
      has_change_laws_(has_laws(model, false)),
      t_stop_(options.stop.value_or(model.experiment.stop)),
      rtol_(options.rtol.value_or(model.experiment.rtol)),
      atol_(options.atol.value_or(model.experiment.atol)),
      interval_(options.output_interval.value_or(model.experiment.output_interval.value_or(
          default_output_interval(options.start.value_or(model.experiment.start), t_stop_)))),
      accuracy_(model, rtol_, atol_),
      cache_(model),
      search_(
          model, cache_, accuracy_,
          {.max_candidates = options.max_candidates, .sliding = options.sliding, .explain = options.explain}),
      integrator_(rtol_, options.linear_solver),
      approach_(signature_),
      running_(options.running != nullptr ? *options.running : own_),
      trajectory_(running_.trajectory),
      outputs_(options.output_times.empty()
                   ? OutputTimes(options.start.value_or(model.experiment.start), t_stop_, interval_)
                   : OutputTimes(interval_, options.output_times)),
      budget_(options_) {
  keep([&] { trajectory_ = empty_trajectory(signature_); });
  start_ = options.start.value_or(model.experiment.start);
  accuracy_.resolution = rtol_ * (t_stop_ - start_);
  const auto size = at(signature_.size());
  here_.t = options.start.value_or(model.experiment.start);
  here_.v.assign(size, 0.0);
  std::copy(model.x_start.begin(), model.x_start.end(), here_.v.begin() + signature_.state_row(0));
  std::copy(model.y_start.begin(), model.y_start.end(), here_.v.begin() + signature_.algebraic_row(0));
  here_.guess = here_.v;
  mode_.z = model.z_start;
  for (const int binary : signature_.pre()) mode_.pre.push_back(model.z_start[at(binary)]);
  if (WholeModelKernels::suit(model)) whole_ = std::make_shared<const WholeModelKernels>(model);
  take_inputs(here_.t);
  for (int i = 0; i < signature_.m(); ++i)  // the left row of an event at the start shows them
    here_.v[at(signature_.input_row(i))] = here_.pieces[at(i)].value(here_.t);
  write_mode(signature_, mode_, here_.v);
  point_.assign(size, 0.0);
  rate_.assign(size, 0.0);
}

Trajectory Simulation::run() {
  try {
    // A stop that is asked for before the run leaves its start.
    std::optional<RunBudget::Watch> watch;
    if (!budget_.end_at(here_.t)) watch.emplace(budget_);
    run_segments();
  } catch (const UserException& user) {
    std::rethrow_exception(user.thrown);
  } catch (const BudgetEnded&) {
    stand_where_settled();
    auto end = budget_.end_at(here_.t).value_or(RunBudget::End{OutcomeKind::interrupted, "stopped"});
    finish(end.kind, std::move(end.message));
  } catch (const std::bad_alloc&) {
    stand_where_settled();
    motion_.reset();
    segments_.clear();  // room for what is left to do
    finish(OutcomeKind::out_of_memory, "the memory does not suffice to go on from t = " + number(here_.t));
  } catch (const std::exception& error) {
    finish(OutcomeKind::solver_failure, error.what());
  }
  const std::lock_guard hold(running_.guard);
  const IntegratorStatistics counted = integrator_.statistics();
  Statistics& statistics = trajectory_.statistics;
  statistics.steps = counted.steps;
  statistics.residual_evaluations = counted.residual_evaluations;
  statistics.jacobian_evaluations = counted.jacobian_evaluations;
  statistics.error_test_failures = counted.error_test_failures;
  statistics.modes_visited = static_cast<long>(visited_.size());
  statistics.events = static_cast<long>(trajectory_.events.size());
  statistics.wall_seconds = budget_.seconds();
  return std::move(trajectory_);
}

void Simulation::run_segments() {
  if (!enter_mode(EventKind::initial)) return;
  record_outputs(here_.t, true);
  while (!ended_) {
    start_segment();
    if (out_of_budget()) return;  // each step may end in an event, so steps alone do not see to it
    while (integrate()) {
    }
  }
}

/// After interrupted work: v at the time up to which everything is decided.
void Simulation::stand_where_settled() {
  if (moving_) read_point(here_.t, here_.v);
}

Simulation::Segment& Simulation::segment(const std::shared_ptr<const ModeSystem>& system) {
  if (const auto found = segments_.find(system.get()); found != segments_.end()) return *found->second;
  if (segments_.size() >= (whole_ ? most_large_segments_kept : most_segments_kept)) segments_.clear();
  auto made = std::make_unique<Segment>(model_, accuracy_, integrator_, system, whole_);
  Segment& result = *made;
  segments_.emplace(system.get(), std::move(made));
  return result;
}

void Simulation::start_segment() {
  stepped_ = false;
  segment_ = &segment(system_);
  segment_->dae.set_segment(here_.t, here_.pieces, here_.v);
  list_undetermined();
  warn_of_redundant_rows();
  // One order more than f gives: ẏ for the integrator's first step, Dg at the start for the monitor.
  Motion& motion = *motion_;
  const std::vector<SegmentUnknowns::Slot>& slots = segment_->dae.unknowns().slots();
  w_.resize(slots.size());
  wp_.resize(slots.size());
  double curvature = 0.0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto [row, order] = slots[i];
    w_[i] = order == 0 ? here_.v[at(row)] : factorial(order) * motion.signal(row, order).value;
    wp_[i] = factorial(order + 1) * motion.signal(row, order + 1).value;
    if (order > 0 || row < signature_.state_row(0)) continue;  // follows from the others
    curvature = std::max(curvature, std::abs(2.0 * motion.signal(row, 2).value) / accuracy_.of(row, w_[i]));
  }
  // A first-order step of length h errs by ½h²|ẅ|: half of what is allowed.
  // Where the curvature happens to vanish that says little.
  constexpr double most_of_the_rest = 0.01;
  const double first_step =
      curvature > 0.0 ? std::min(std::sqrt(1.0 / curvature), most_of_the_rest * (t_stop_ - here_.t)) : 0.0;
  slid_ = slid_ || !system_->sliding.empty();
  segment_->dae.set_caution(slid_ || has_reach_laws_          ? greatest_caution
                            : system_->plan->differentiated() ? greater_caution
                                                              : usual_caution);
  segment_->dae.set_length_of_steps(first_step > 0.0 ? first_step : t_stop_ - here_.t);
  for (int row = 0; row < signature_.binary_row(0); ++row) rate_[at(row)] = motion.signal(row, 1).value;
  for (int row = signature_.binary_row(0); row < signature_.size(); ++row) rate_[at(row)] = 0.0;
  for (const int row : system_->sliding) rate_[at(row)] = motion.signal(row, 1).value;
  integrator_.start(segment_->dae.dae(), here_.t, w_, wp_, first_step);
  segment_->monitor.begin(here_.t, here_.v, rate_);
  std::copy_n(here_.v.begin() + signature_.input_row(0), signature_.m(),
              point_.begin() + signature_.input_row(0));
  write_mode(signature_, mode_, point_);
}

/// Of each equation once, in the first mode in which it follows from others.
void Simulation::warn_of_redundant_rows() {
  if (!system_->recombination) return;
  for (const int row : values(system_->recombination->redundant)) {
    if (!redundant_.insert(row).second) continue;
    const std::string warning = redundancy_text(*system_, row, model_) +
                                (signature_.q() > 0 ? " in mode " + mode_text() : "") + ": left out";
    keep([&] { trajectory_.warnings.push_back(warning); });
    if (options_.warn) call_user([&] { options_.warn(warning); });
  }
}

void Simulation::record_outputs(double up_to, bool including) {
  constexpr int rows_between_looks = 256;
  int rows = 0;
  for (double t = outputs_.next(); including ? t <= up_to : outputs_.precedes(up_to); t = outputs_.next()) {
    if (++rows % rows_between_looks == 0) check_budget();
    if (segment_ == nullptr) {
      record_row(t, 0, mode_, here_.v);
    } else {
      read_output(t);
      record_row(t, 0, mode_, point_);
    }
    outputs_.advance();
  }
}

void Simulation::record_row(double time, int side, const Mode& mode, std::span<const double> v) {
  keep([&] { trajectory_.append(time, side, v); });
  if (options_.observe) call_user([&] { options_.observe(time, side, mode, v); });
}

bool Simulation::integrate() {
  const double t_goal = std::min(t_stop_, t_breakpoint_);
  if (t_goal - here_.t <= same_time * std::max(std::abs(t_goal), std::abs(here_.t))) return arrive(t_goal);
  moving_ = true;
  const StepResult step = integrator_.step(t_goal);
  if (!step.ok) {
    read_point(here_.t, here_.v);
    // After rejected steps the integrator's derivatives may be too far off to go on with; fresh ones are not.
    // A solution that ends, as at a pole, must not be approached by ever shorter segments.
    constexpr double part_of_run = 1e-6;
    const bool got_ahead = here_.t - failed_at_ >= part_of_run * (t_stop_ - start_);
    failed_at_ = here_.t;
    if (stepped_ && (got_ahead || system_->plan->differentiated()) && begin_anew()) return false;
    finish(OutcomeKind::solver_failure, "near t = " + number(step.t) + in_mode(signature_, here_.v) +
                                            " the integrator stopped: " + step.message);
    return false;
  }
  stepped_ = true;
  while (const auto crossing = segment_->monitor.advance(step.t)) {
    record_outputs(crossing->t, false);
    const bool with_breakpoint = t_breakpoint_ - crossing->t <= same_time * std::abs(crossing->t);
    if (with_breakpoint) {
      here_.t = step.t;
      return cross_breakpoint();
    }
    if (!cross_boundary(*crossing, step.t)) return false;
    const int row = crossing->constraint;
    segment_->monitor.accept(row, motion_->constraint(row, 0), motion_->constraint(row, 1));
  }
  here_.t = step.t;
  if (step.t >= t_goal) return arrive(t_goal);
  record_outputs(step.t, true);
  if (system_->plan->differentiated()) {
    read_point(step.t, here_.v);
    if (segment_->dae.is_worn_out(step.t, here_.v) && begin_anew()) return false;
  }
  return !out_of_budget();
}

/// The same mode from here on, with another choice of what is integrated. False if no motion begins here.
bool Simulation::begin_anew() {
  here_.time_uncertainty = 0.0;
  const auto motion = std::make_shared<Motion>(model_, system_, accuracy_, here_);
  if (motion->status() != Motion::Status::solved) return false;
  motion_ = motion;
  here_.v = motion->v();
  return true;
}

/// The stop time or a breakpoint is reached without a crossing before it.
bool Simulation::arrive(double t) {
  if (t >= t_breakpoint_ && (t < t_stop_ || inputs_jump(t))) {
    record_outputs(t, false);
    cross_breakpoint();
    if (!ended_ && t >= t_stop_) finish(OutcomeKind::reached_stop, "");
    return false;
  }
  // A boundary crossed exactly at the stop time is an event like any other.
  record_outputs(t, false);
  const double before = here_.t;
  here_.t = t;
  here_.time_uncertainty = same_time * std::abs(t);
  read_point(before, here_.v);
  moving_ = false;
  here_.vouched = vouched_at(before);
  const Successor next = search_.find(here_, mode_);
  const bool reaches =
      has_reach_laws_ && !reach_laws(model_, search_.check_unchanged(here_, mode_).constraints).empty();
  const bool switches = reaches || next.status == Successor::Status::step ||
                        (next.status == Successor::Status::found && next.mode != mode_);
  if (switches && !enter_mode(EventKind::switch_mode)) return false;
  segment_ = nullptr;  // from here on the point itself counts, not the dense output
  record_outputs(t, true);
  finish(OutcomeKind::reached_stop, "");
  return false;
}

/// Some input has another value to the right of t than the piece that ends there.
bool Simulation::inputs_jump(double t) const {
  for (std::size_t i = 0; i < model_.inputs.size(); ++i)
    if (model_.inputs[i].piece(t).value(t) != here_.pieces[i].value(t)) return true;
  return false;
}

/// Poses the successor problem at a crossing; true if the mode goes on and integration with it.
bool Simulation::cross_boundary(const EventLocation::Crossing& crossing, double step_end) {
  here_.t = crossing.t;
  here_.time_uncertainty = crossing.time_uncertainty;
  read_point(crossing.t, here_.v);
  moving_ = false;
  here_.vouched = vouched_at(crossing.t);
  const Mode before = mode_;
  passed_event_ = false;
  const LargerErrors larger(accuracy_, signature_.state_row(0), allowed_beyond(step_end));
  if (!enter_mode(EventKind::switch_mode)) return false;
  // After a limit of switches the run stands elsewhere, be it in the same mode.
  if (mode_ != before || jumped_ || passed_event_) return false;
  moving_ = true;
  return true;
}

/// Inputs take their new pieces; the successor problem decides whether the mode changes with them.
bool Simulation::cross_breakpoint() {
  const double t = t_breakpoint_;
  read_point(std::min(t, here_.t), here_.v);
  moving_ = false;
  here_.t = t;
  here_.time_uncertainty = 0.0;
  take_inputs(t);
  if (!enter_mode(EventKind::input)) return false;
  segment_ = nullptr;
  record_outputs(t, true);
  return false;
}

bool Simulation::out_of_budget() {
  auto end = budget_.look(here_.t);
  if (!end) return false;
  read_point(here_.t, here_.v);
  finish(end->kind, std::move(end->message));
  return true;
}

void Simulation::finish(OutcomeKind kind, std::string message) {
  const std::lock_guard hold(running_.guard);
  ended_ = true;
  absences_.finish(here_.t, trajectory_);
  // The point where an early end was reached belongs to the results: as a left limit, for nothing follows it.
  const std::size_t rows = trajectory_.size();
  if (kind != OutcomeKind::reached_stop && rows > 0 && trajectory_.time(rows - 1) < here_.t) try {
      trajectory_.append(here_.t, -1, here_.v);
    } catch (const std::bad_alloc&) {  // the rows before it are kept
    }
  trajectory_.end_point = here_.v;
  trajectory_.outcome = {kind, std::move(message), here_.t};
}

std::string Simulation::mode_text() const { return mti::mode_text(signature_, here_.v); }

std::string mode_text(const Signature& signature, std::span<const double> v) {
  constexpr int most = 12;
  std::string text = "(";
  for (int i = 0; i < std::min(signature.q(), most); ++i)
    text += (i == 0 ? "" : ", ") + signature.binaries()[at(i)].name + " = " +
            number(v[at(signature.binary_row(i))]);
  return text + (signature.q() > most ? ", …)" : ")");
}

std::string in_mode(const Signature& signature, std::span<const double> v) {
  return signature.q() == 0 ? "" : " in mode " + mode_text(signature, v);
}

}  // namespace mti
