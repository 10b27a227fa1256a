#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "solvers/budget/check_budget.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti {

/// The budget of a run: its wall-clock limit, the stop request of the user, the call of `progress`.
///
/// The loops of a run call look(). Within one turn of them the work may be long: a step looked at closely, a
/// search among many candidates, a large matrix. There check_budget() is called between two pieces of work,
/// by whatever code does it; it finds the budget of the run that its thread computes.
class RunBudget {
 public:
  explicit RunBudget(const SimulationOptions& options);

  struct End {
    OutcomeKind kind;
    std::string message;
  };
  /// Why the run ends at t: a stop was requested, or `max_seconds` are over. Calls `progress` now and then.
  [[nodiscard]] std::optional<End> look(double t);
  /// The same without a call of `progress`.
  [[nodiscard]] std::optional<End> end_at(double t) const;

  [[nodiscard]] double seconds() const;  ///< since the run began

  /// While it lives, check_budget() on this thread is about `budget`.
  class Watch {
   public:
    explicit Watch(const RunBudget& budget);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    const RunBudget* before_;
  };

 private:
  friend bool budget_is_over();
  [[nodiscard]] bool over() const;

  using Clock = std::chrono::steady_clock;
  const SimulationOptions& options_;
  Clock::time_point begun_ = Clock::now(), last_report_ = {};
};

}  // namespace mti
