#pragma once

#include <functional>
#include <limits>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "mti/model/model.hpp"
#include "solvers/events/event_location.hpp"
#include "solvers/integration/integrator.hpp"
#include "solvers/mode/mode_system.hpp"
#include "solvers/run_limits/run_budget.hpp"
#include "solvers/run_options/simulation_options.hpp"
#include "solvers/trajectory/absences.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// Writes down what a run finds: rows, events, modes, statistics, and how it ends.
///
/// Where the options have a sink, rows and events are kept only until there are enough of them to be handed on; the
/// last row always stays, for an event may take its place.
/// Another thread may look at the trajectory meanwhile, so that each entry is made under its guard.
class RunRecorder {
 public:
  /// Both outlive it.
  RunRecorder(const Model& model, const SimulationOptions& options);

  [[nodiscard]] const Trajectory& trajectory() const noexcept { return trajectory_; }
  /// Rows hold the rates ẋ, or are shown to `observe` with them.
  [[nodiscard]] bool shows_rates() const { return options_.rates || options_.observe != nullptr; }
  /// `max_events` are recorded.
  [[nodiscard]] bool is_full() const;
  [[nodiscard]] std::size_t events() const noexcept { return trajectory_.events_in_all(); }
  [[nodiscard]] bool has_rows() const noexcept { return trajectory_.rows_in_all() > 0; }
  /// No row stands at t or later.
  [[nodiscard]] bool ends_before(double t) const { return last_time_ < t; }

  /// A row of the trajectory, which the user's `observe` sees.
  /// `derivatives` as in SensitivityTable::row; none: they are not known.
  void add_row(double time, int side, const Mode& mode, std::span<const double> v,
               std::span<const double> derivatives = {});
  /// Rows have derivatives from now on.
  void show_sensitivities(SensitivityTable table) {
    keep([&] { trajectory_.sensitivities = std::move(table); });
  }
  [[nodiscard]] bool keeps_dense() const noexcept { return options_.dense; }
  /// v(t) from `begin` to `end` is a polynomial of degree n.
  void add_dense(double begin, double end, int n, const std::function<std::span<const double>(double t)>& v) {
    keep([&] { trajectory_.dense.add(begin, end, n, trajectory_.rows_of_S(), v); });
  }
  /// The point at which a run ended early, which `observe` does not see. Where memory does not suffice for it the rows
  /// before it are kept.
  void add_last_row(double time, int side, std::span<const double> v,
                    std::span<const double> derivatives = {});
  void remove_last_row() {
    keep([&] { trajectory_.remove_last(); });
  }
  /// The last row with these values, if it stands at this time.
  void renew_last_row(double time, const Mode& mode, std::span<const double> v);
  void add_event(Event event);
  void add_accumulation(Accumulation accumulation) {
    keep([&] { trajectory_.accumulations.push_back(std::move(accumulation)); });
  }
  void count_candidates(long candidates) {
    keep([&] { trajectory_.statistics.candidates += candidates; });
  }
  void count_step() {
    keep([&] { ++trajectory_.statistics.steps; });
  }
  /// From an event on the run is in this mode; enters into the event which signals left or returned with it.
  void account_absences(const ModeSystem& system, Event& event);
  /// A mode is entered, perhaps again.
  void add_mode(double time, const Mode& mode);
  /// Signals that the present mode leaves open.
  void add_undetermined(std::span<const int> rows);
  /// Warns of equations that were left out since they follow from others: of each once, in the first such mode.
  void warn_of_redundant_rows(const ModeSystem& system, std::span<const double> v);
  /// Warns that only its error bound keeps a constraint of a mode's g with this value at `time`: of each once.
  void warn_of_coarse_tolerance(const Mode& mode, int constraint, double time, Ball value);
  /// Warns that whether a constraint of a mode's g has been passed is not told: of each once.
  void warn_of_undecided(const Mode& mode, const EventLocation::Undecided& kept);
  /// No mode with a slide on the same surfaces was asked about before.
  [[nodiscard]] bool is_first_slide(const Mode& mode);
  void warn(const std::string& warning);
  void warn_once(const std::string& warning, const std::string& where);
  void explain_outcome(std::vector<ExplainedCandidate> explanation) {
    keep([&] { trajectory_.outcome.explanation = std::move(explanation); });
  }

  /// The run has ended at v.
  void finish(Ending ending, double time, std::span<const double> v);
  /// What the run has, with what the integrator counted beside the steps counted here; the recorder is empty then.
  [[nodiscard]] Trajectory take(double wall_seconds, const IntegratorStatistics& counted = {});

 private:
  template <class Change>
  void keep(Change change) {
    const std::lock_guard hold(running_.guard);
    change();
  }

  void append(double time, int side, std::span<const double> v, std::span<const double> derivatives);
  [[nodiscard]] bool has_a_part() const;
  void break_assertion(int row, double time);
  void hand_on();

  const Model& model_;
  const SimulationOptions& options_;
  RunningTrajectory own_;  ///< if the options name no other place
  RunningTrajectory& running_;
  Trajectory& trajectory_;  ///< changed by the holder of its guard only
  Absences absences_;
  std::vector<Assertion> assertions_;                            ///< that have held so far
  bool has_begun_ = false;                                       ///< a row of the right limit is there
  double last_time_ = -std::numeric_limits<double>::infinity();  ///< of the last row
  std::unordered_set<std::size_t> visited_;                      ///< hashes of the modes that were entered
  std::unordered_set<std::string> warned_;
  std::unordered_set<int> redundant_, coarse_;  ///< equations, constraints that a warning has named
  std::set<std::vector<int>> slides_;           ///< surfaces of modes that were asked about their averages
};

}  // namespace mti
