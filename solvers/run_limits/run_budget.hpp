#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "solvers/budget/budget.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// Why a run ends.
struct Ending {
  OutcomeKind kind;
  std::string message = {};
};

/// The budget of a run: its wall-clock limit, the stop request of the user, the call of `progress`.
///
/// The loops of a run call look(). Within one turn of them the work may be long: a step looked at closely, a
/// search among many candidates, a large matrix. There check_budget() is called between two pieces of work,
/// by whatever code does it.
class RunBudget {
 public:
  RunBudget(double max_seconds, std::stop_token stop_token, std::function<void(double time)> progress);

  /// Why the run ends at t: a stop was requested, or `max_seconds` are over. Calls `progress` now and then.
  [[nodiscard]] std::optional<Ending> look(double t);
  /// The same without a call of `progress`.
  [[nodiscard]] std::optional<Ending> end_at(double t) const;

  [[nodiscard]] const Budget& budget() const noexcept { return budget_; }

  /// The clock stands still while nobody waits for the run.
  void pause() { budget_.pause(); }
  void go_on() { budget_.go_on(); }

 private:
  std::function<void(double time)> progress_;
  Budget budget_;
  std::chrono::steady_clock::time_point last_report_ = {};
};

}  // namespace mti
