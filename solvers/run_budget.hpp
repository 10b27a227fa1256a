#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "solvers/simulate.hpp"

namespace mti {

/// What a run is allowed to take: the clock of its wall time, the user's stop, the call of `progress`.
class RunBudget {
 public:
  explicit RunBudget(const SimulationOptions& options);

  struct End {
    OutcomeKind kind;
    std::string message;
  };
  /// Why the run ends at t: a stop was requested, or `max_seconds` are over. Calls `progress` now and then.
  [[nodiscard]] std::optional<End> look(double t);

  [[nodiscard]] double seconds() const;  ///< since the run began

 private:
  using Clock = std::chrono::steady_clock;
  const SimulationOptions& options_;
  Clock::time_point begun_ = Clock::now(), last_report_ = {};
};

}  // namespace mti
