#include "solvers/simulation/discrete_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/simulation/simulation.hpp"
#include "solvers/simulation/user_exception.hpp"

namespace mti {
namespace {

/// The rounding error of a signal, relative to it and to its nominal value.
constexpr double sample_rounding = 1e-12;
/// Quotients of times closer than this to a whole number are one.
constexpr double whole = 1e-9;

long last_sample_of(double duration, double sample_time) {
  const double samples = duration / sample_time;
  return static_cast<long>(std::floor(samples + std::max(whole, 1e-15 * samples)));
}

}  // namespace

long samples_between_outputs(const Model& model, double interval) {
  const double samples = interval / model.sample_time, nearest = std::round(samples);
  const bool fits = nearest >= 1.0 && std::abs(samples - nearest) <= whole * nearest &&
                    nearest < static_cast<double>(std::numeric_limits<int>::max());
  return fits ? static_cast<long>(nearest) : 0;
}

double last_sample_until(const Model& model, double start, double time) {
  return start + static_cast<double>(last_sample_of(time - start, model.sample_time)) * model.sample_time;
}

DiscreteSimulation::DiscreteSimulation(const Model& model, const SimulationOptions& options)
    : model_(model),
      signature_(model.signature),
      options_(options),
      start_(options.start.value_or(model.experiment.start)),
      last_sample_(last_sample_of(options.stop.value_or(model.experiment.stop) - start_, model.sample_time)),
      every_(samples_between_outputs(
          model,
          options.output_interval.value_or(model.experiment.output_interval.value_or(model.sample_time)))),
      accuracy_(model, std::min(sample_rounding, options.rtol.value_or(model.experiment.rtol)),
                std::min(sample_rounding, options.atol.value_or(model.experiment.atol))),
      cache_(model),
      search_(model, cache_, accuracy_,
              {.max_candidates = options.max_candidates,
               .sliding = false,
               .causal = false,
               .explain = options.explain}),
      running_(options.running != nullptr ? *options.running : own_),
      trajectory_(running_.trajectory),
      t_breakpoint_(-std::numeric_limits<double>::infinity()),
      budget_(options_) {
  keep([&] { trajectory_ = empty_trajectory(signature_); });
  const auto n = at(signature_.n());
  here_.v.assign(at(signature_.size()), 0.0);
  std::copy(model.x_start.begin(), model.x_start.end(), here_.v.begin());  // next(x): it stays where it is
  std::copy(model.x_start.begin(), model.x_start.end(), here_.v.begin() + static_cast<std::ptrdiff_t>(n));
  std::copy(model.y_start.begin(), model.y_start.end(), here_.v.begin() + signature_.algebraic_row(0));
  here_.guess = here_.v;
  mode_.z = model.z_start;
  mode_.pre.resize(at(signature_.r()));
}

double DiscreteSimulation::time_of(long sample) const {
  return start_ + static_cast<double>(sample) * model_.sample_time;
}

Trajectory DiscreteSimulation::run() {
  try {
    // A stop that is asked for before the run leaves its start.
    std::optional<RunBudget::Watch> watch;
    if (!budget_.end_at(here_.t)) watch.emplace(budget_);
    run_samples();
  } catch (const UserException& user) {
    std::rethrow_exception(user.thrown);
  } catch (const BudgetEnded&) {
    // The sample that was being solved is none of the run's.
    here_.t = time_of(std::max(trajectory_.statistics.steps - 1, 0L));
    auto end = budget_.end_at(here_.t).value_or(RunBudget::End{OutcomeKind::interrupted, "stopped"});
    finish(end.kind, std::move(end.message));
  } catch (const std::bad_alloc&) {
    finish(OutcomeKind::out_of_memory, "the memory does not suffice to go on from t = " + number(here_.t));
  } catch (const std::exception& error) {
    finish(OutcomeKind::solver_failure, error.what());
  }
  const std::lock_guard hold(running_.guard);
  Statistics& statistics = trajectory_.statistics;
  statistics.modes_visited = static_cast<long>(visited_.size());
  statistics.events = static_cast<long>(trajectory_.events.size());
  statistics.wall_seconds = budget_.seconds();
  return std::move(trajectory_);
}

void DiscreteSimulation::run_samples() {
  // Cheap samples are looked at now and then, in large models each of them.
  const long samples_between_looks = std::clamp(128L * 64 / std::max(model_.signature.size(), 1), 1L, 128L);
  for (sample_ = 0; sample_ <= last_sample_; ++sample_) {
    begin_sample();
    if (!solve_sample()) return;
    keep([&] { ++trajectory_.statistics.steps; });
    if (sample_ % every_ == 0 || sample_ == last_sample_) record(here_.t, v_);
    std::swap(last_, v_);
    if (sample_ < last_sample_ && sample_ % samples_between_looks == 0 && out_of_budget()) return;
    if (static_cast<long>(trajectory_.events.size()) >= options_.max_events) {
      finish(OutcomeKind::event_limit, "more than " + std::to_string(options_.max_events - 1) +
                                           " events, the last at t = " + number(here_.t));
      return;
    }
    here_.v = last_;  // guesses for next(x) and y
    std::copy_n(last_.begin(), signature_.n(), here_.v.begin() + signature_.state_row(0));
  }
  finish(OutcomeKind::reached_stop, "");
}

void DiscreteSimulation::record(double time, std::span<const double> v) {
  keep([&] { trajectory_.append(time, 0, v); });
  if (options_.observe) call_user([&] { options_.observe(time, 0, mode_, v); });
}

/// Time, inputs and remembered binaries of the sample.
void DiscreteSimulation::begin_sample() {
  here_.t = time_of(sample_);
  take_inputs();
  bool same = system_ != nullptr && !inputs_changed_;
  for (std::size_t i = 0; i < mode_.pre.size(); ++i) {
    const char z = mode_.z[at(signature_.pre()[i])];
    same = same && mode_.pre[i] == z;
    mode_.pre[i] = z;
  }
  if (!same) system_ = cache_.get(mode_);
  write_mode(signature_, mode_, here_.v);
}

/// A table jumps at t_k where its time is t_k to rounding.
void DiscreteSimulation::take_inputs() {
  constexpr double few_roundings = 8.0 * machine_epsilon;
  const double t = here_.t, reach = t + few_roundings * std::max(std::abs(t), std::abs(start_));
  inputs_changed_ = false;
  if (reach >= t_breakpoint_) {
    inputs_before_ = mode_.binary_inputs;
    here_.pieces.clear();
    mode_.binary_inputs.clear();
    t_breakpoint_ = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < model_.inputs.size(); ++i) {
      here_.pieces.push_back(model_.inputs[i].piece(reach));
      t_breakpoint_ = std::min(t_breakpoint_, model_.inputs[i].next_breakpoint(reach));
      if (signature_.inputs()[i].binary)
        mode_.binary_inputs.push_back(here_.pieces.back().value(reach) != 0.0 ? 1 : 0);
    }
    inputs_changed_ = sample_ > 0 && inputs_before_ != mode_.binary_inputs;
  }
  for (int i = 0; i < signature_.m(); ++i)
    if (!signature_.inputs()[at(i)].binary)
      here_.v[at(signature_.input_row(i))] = here_.pieces[at(i)].value(t);
}

/// False if the run ended before the sample was solved.
bool DiscreteSimulation::solve_sample() {
  Event event;
  event.time = here_.t;
  event.kind = sample_ == 0      ? EventKind::initial
               : inputs_changed_ ? EventKind::input
                                 : EventKind::switch_mode;
  std::vector<int> flipped;
  if (stays()) {
    ++event.candidates_tried;
  } else {
    Successor successor = search_.find(here_, mode_);
    keep([&] { trajectory_.statistics.candidates += successor.tried; });
    event.explanation = std::move(successor.explained);
    if (successor.status != Successor::Status::found) {
      fail(successor);
      keep([&] { trajectory_.outcome.explanation = std::move(event.explanation); });
      return false;
    }
    event.candidates_tried = successor.tried;
    event.constraints = std::move(successor.triggered);
    for (const std::vector<int>& tie : successor.ties) event.ties.push_back(changes(tie));
    flipped = std::move(successor.flipped);
    v_ = successor.motion->v();
  }
  if (!is_finite()) return false;
  const bool is_new = event.kind == EventKind::initial || !flipped.empty() || inputs_changed_;
  if (is_new) event.changed = changes(flipped);
  if (!flipped.empty()) take_over(flipped);
  if (system_ != accounted_) keep([&] { absences_.enter(*system_, signature_, event, trajectory_); });
  accounted_ = system_;
  if (is_new) {
    note_mode();
    if (!event.changed.empty()) keep([&] { trajectory_.events.push_back(std::move(event)); });
  }
  return true;
}

/// The mode as it is has a solution with g ≤ 0, which is then in v_: what most samples are. Anything else,
/// and all that is close to a boundary, is left to the search.
bool DiscreteSimulation::stays() {
  if (!system_->structurally_solvable() || !system_->broken_constraints.empty()) return false;
  v_ = here_.v;
  for (const SolutionBlock& block : system_->plan->blocks)
    if (!solve_block(system_->f, block, v_, here_.guess, {}).solved()) return false;
  return std::none_of(system_->live_constraints.begin(), system_->live_constraints.end(),
                      [&](int row) { return system_->g.value(row, v_) > 0.0; });
}

void DiscreteSimulation::take_over(const std::vector<int>& flipped) {
  for (const int binary : flipped) mode_.z[at(binary)] ^= 1;
  system_ = cache_.get(mode_);
}

/// A step that overflows ends the run: nothing can follow from it.
bool DiscreteSimulation::is_finite() {
  const auto good = [&](int first, int count) {
    for (int row = first; row < first + count; ++row)
      if (!std::isfinite(v_[at(row)])) {
        finish(OutcomeKind::solver_failure, "at t = " + number(here_.t) + in_mode(signature_, here_.v) +
                                                " the value of " + signature_.row_name(row) +
                                                " is not finite");
        return false;
      }
    return true;
  };
  return good(signature_.derivative_row(0), signature_.n()) &&
         good(signature_.algebraic_row(0), signature_.p());
}

void DiscreteSimulation::fail(const Successor& successor) {
  std::string reached;
  for (const int row : successor.triggered)
    reached += (reached.empty() ? " at " : ", ") + model_.constraint_names[at(row)];
  const std::string why = "at t = " + number(here_.t) + in_mode(signature_, here_.v) + reached + ": " +
                          diagnosis(successor, mode_, model_);
  if (successor.status == Successor::Status::limit)
    finish(OutcomeKind::candidate_limit, successor.limit + " before admissible binaries were found " + why);
  else if (sample_ == 0)
    finish(OutcomeKind::no_consistent_start, "the first sample has no solution " + why);
  else
    finish(OutcomeKind::dead_end, "the sample has no solution " + why);
}

/// The binaries that flip, and the binary inputs that have changed.
std::vector<Change> DiscreteSimulation::changes(const std::vector<int>& flipped) const {
  std::vector<Change> result;
  for (const int binary : flipped) {
    const double before = mode_.z[at(binary)];
    result.push_back({signature_.binary_row(binary), before, 1.0 - before});
  }
  std::size_t next = 0;
  for (int i = 0; inputs_changed_ && i < signature_.m(); ++i) {
    if (!signature_.inputs()[at(i)].binary) continue;
    const double before = inputs_before_[next], after = mode_.binary_inputs[next];
    if (before != after) result.push_back({signature_.input_row(i), before, after});
    ++next;
  }
  return result;
}

/// A mode of the run, whatever its binaries were at the sample before.
void DiscreteSimulation::note_mode() {
  Mode mode = mode_;
  for (std::size_t i = 0; i < mode.pre.size(); ++i) mode.pre[i] = mode.z[at(signature_.pre()[i])];
  for (const int row : system_->undetermined)
    if (std::find(trajectory_.undetermined.begin(), trajectory_.undetermined.end(), row) ==
        trajectory_.undetermined.end())
      keep([&] { trajectory_.undetermined.push_back(row); });
  if (visited_.insert(ModeHash{}(mode)).second && trajectory_.modes.size() < Trajectory::most_modes)
    keep([&] { trajectory_.modes.push_back({here_.t, std::move(mode)}); });
}

bool DiscreteSimulation::out_of_budget() {
  auto end = budget_.look(here_.t);
  if (!end) return false;
  finish(end->kind, std::move(end->message));
  return true;
}

void DiscreteSimulation::finish(OutcomeKind kind, std::string message) {
  // The sample that was solved last belongs to the results.
  const std::size_t rows = trajectory_.size();
  const long solved = trajectory_.statistics.steps - 1;
  if (solved >= 0 && (rows == 0 || trajectory_.time(rows - 1) < time_of(solved))) try {
      record(time_of(solved), last_);
    } catch (const std::bad_alloc&) {  // the rows before it are kept
    }
  keep([&] {
    absences_.finish(here_.t, trajectory_);
    trajectory_.end_point = solved >= 0 ? last_ : here_.v;
    trajectory_.outcome = {kind, std::move(message), here_.t};
  });
}

}  // namespace mti
