#include "solvers/recording/run_recorder.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>
#include <variant>

#include "mti/common/at.hpp"
#include "solvers/mode/run_text.hpp"
#include "solvers/run_limits/user_exception.hpp"

namespace mti {
namespace {

/// No rows yet; columns for states, algebraic signals and binaries without the auxiliary ones, for inputs that follow
/// from the run, and for ẋ if they are asked for.
Trajectory empty_trajectory(const Model& model, bool rates) {
  const Signature& signature = model.signature;
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
  for (int i = 0; i < signature.m(); ++i) {
    if (!std::holds_alternative<DelayedInput>(model.inputs[at(i)].form())) continue;
    names.push_back(signature.inputs()[at(i)].name);
    rows.push_back(signature.input_row(i));
  }
  std::vector<int> inputs;
  for (int i = 0; i < signature.m(); ++i) inputs.push_back(signature.input_row(i));
  for (int i = 0; rates && i < signature.n(); ++i) {
    if (signature.states()[at(i)].auxiliary) continue;
    rows.push_back(signature.derivative_row(i));
    names.push_back(signature.row_name(rows.back()));
  }
  return {std::move(names), std::move(rows), std::move(inputs)};
}

}  // namespace

RunRecorder::RunRecorder(const Model& model, const SimulationOptions& options)
    : model_(model),
      options_(options),
      running_(options.running != nullptr ? *options.running : own_),
      trajectory_(running_.trajectory),
      assertions_(assertions_of(model.signature)) {
  keep([&] { trajectory_ = empty_trajectory(model, options.rates); });
}

bool RunRecorder::is_full() const { return static_cast<long>(events()) >= options_.max_events; }

/// Enough to be worth the handing on: about a megabyte, or some hundred events.
bool RunRecorder::has_a_part() const {
  constexpr std::size_t numbers_of_a_part = 1 << 17, events_of_a_part = 256;
  const std::size_t width =
      trajectory_.columns() + trajectory_.inputs() + trajectory_.sensitivities.width() + 2;
  return options_.sink &&
         (trajectory_.size() * width >= numbers_of_a_part || trajectory_.events.size() >= events_of_a_part);
}

/// All rows and events to the sink.
void RunRecorder::hand_on() {
  try {
    options_.sink(trajectory_);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    throw UserException{std::current_exception()};
  }
  trajectory_.let_go();
}

/// Rows before a new one are final: events take the place of the last row only, before they add theirs.
void RunRecorder::append(double time, int side, std::span<const double> v,
                         std::span<const double> derivatives) {
  if (side >= 0 && !std::exchange(has_begun_, true))  // what was before the start says nothing
    for (const Assertion& assertion : std::vector(assertions_))
      if (v[at(assertion.row)] < 0.5) break_assertion(assertion.row, time);
  keep([&] {
    if (has_a_part()) hand_on();
    trajectory_.append(time, side, v, derivatives);
    last_time_ = time;
    // Both sides of the start and the right one of an event: its left one is where the motion before has come.
    DenseOutput& dense = trajectory_.dense;
    if (options_.dense && (side > 0 || (side < 0 && dense.empty())))
      dense.add(time, trajectory_.rows_of_S(), v);
  });
}

/// If it is one that has held so far.
void RunRecorder::break_assertion(int row, double time) {
  const auto found = std::ranges::find(assertions_, row, &Assertion::row);
  if (found == assertions_.end()) return;
  keep([&] {
    trajectory_.warnings.push_back(found->name + " is broken at t = " + number(time) + ": " + found->message);
    trajectory_.broken_assertions.push_back({*found, time});
  });
  assertions_.erase(found);
}

void RunRecorder::add_event(Event event) {
  for (const Change& change : event.changed)
    if (change.after < 0.5) break_assertion(change.row, event.time);
  keep([&] { trajectory_.events.push_back(std::move(event)); });
}

void RunRecorder::add_row(double time, int side, const Mode& mode, std::span<const double> v,
                          std::span<const double> derivatives) {
  append(time, side, v, derivatives);
  if (options_.observe) call_user([&] { options_.observe(time, side, mode, v); });
}

void RunRecorder::renew_last_row(double time, const Mode& mode, std::span<const double> v) {
  if (trajectory_.size() == 0 || last_time_ != time) return;
  const int side = trajectory_.side(trajectory_.size() - 1);
  remove_last_row();
  add_row(time, side, mode, v);
}

void RunRecorder::add_last_row(double time, int side, std::span<const double> v,
                               std::span<const double> derivatives) {
  try {
    append(time, side, v, derivatives);
  } catch (const std::bad_alloc&) {
  }
}

void RunRecorder::account_absences(const ModeSystem& system, Event& event) {
  keep([&] { absences_.enter(system, model_.signature, event, trajectory_); });
}

void RunRecorder::add_mode(double time, const Mode& mode) {
  if (visited_.insert(ModeHash{}(mode)).second && trajectory_.modes.size() < Trajectory::most_modes)
    keep([&] { trajectory_.modes.push_back({time, mode}); });
}

void RunRecorder::add_undetermined(std::span<const int> rows) {
  for (const int row : rows)
    if (std::ranges::find(trajectory_.undetermined, row) == trajectory_.undetermined.end())
      keep([&] { trajectory_.undetermined.push_back(row); });
}

void RunRecorder::warn_of_redundant_rows(const ModeSystem& system, std::span<const double> v) {
  if (!system.recombination) return;
  for (const int row : values(system.recombination->redundant)) {
    if (!redundant_.insert(row).second) continue;
    warn(redundancy_text(system, row, model_) + in_mode(model_.signature, v) + ": left out");
  }
}

void RunRecorder::warn_of_coarse_tolerance(const Mode& mode, int constraint, double time, Ball value) {
  if (!coarse_.insert(constraint).second) return;
  warn("constraint " + constraint_name(model_, mode, constraint) + " is passed by " + number(value.value) +
       " at t = " + number(time) + " and the mode goes on, because its error bound at this tolerance is " +
       number(value.error) +
       ": a smaller rtol, or atol, or nominal values tell whether the mode changes there");
}

void RunRecorder::warn_of_undecided(const Mode& mode, const EventLocation::Undecided& kept) {
  if (!coarse_.insert(kept.constraint).second) return;
  warn("constraint " + constraint_name(model_, mode, kept.constraint) +
       " is above zero from t = " + number(kept.since) + " on, by " + number(kept.value) +
       ", within its error bound of " + number(kept.bound) +
       ": whether the mode changes there is not known; a smaller tolerance tells, or a signal for a small "
       "difference");
}

bool RunRecorder::is_first_slide(const Mode& mode) {
  std::vector<int> surfaces;
  for (const Slide& slide : mode.slides) surfaces.push_back(slide.constraint);
  return !surfaces.empty() && slides_.insert(std::move(surfaces)).second;
}

void RunRecorder::warn(const std::string& warning) {
  keep([&] { trajectory_.warnings.push_back(warning); });
  if (options_.warn) call_user([&] { options_.warn(warning); });
}

void RunRecorder::warn_once(const std::string& warning, const std::string& where) {
  if (warned_.insert(warning).second) warn(warning + where);
}

void RunRecorder::finish(Ending ending, double time, std::span<const double> v) {
  keep([&] {
    absences_.finish(time, trajectory_);
    if (options_.dense) trajectory_.dense.add(time, trajectory_.rows_of_S(), v);
    trajectory_.end_point.assign(v.begin(), v.end());
    trajectory_.outcome = {ending.kind, std::move(ending.message), time};
  });
}

Trajectory RunRecorder::take(double wall_seconds, const IntegratorStatistics& counted) {
  const std::lock_guard hold(running_.guard);
  Statistics& statistics = trajectory_.statistics;
  statistics.steps += counted.steps;
  statistics.series_steps = counted.series_steps;
  statistics.flow_steps = counted.flow_steps;
  statistics.residual_evaluations = counted.residual_evaluations;
  statistics.jacobian_evaluations = counted.jacobian_evaluations;
  statistics.error_test_failures = counted.error_test_failures;
  statistics.modes_visited = static_cast<long>(visited_.size());
  statistics.events = static_cast<long>(events());
  statistics.wall_seconds = wall_seconds;
  if (options_.sink) hand_on();
  running_.taken = true;
  return std::move(trajectory_);
}

}  // namespace mti
