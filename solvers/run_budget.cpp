#include "solvers/run_budget.hpp"

#include "solvers/simulation.hpp"

namespace mti {

RunBudget::RunBudget(const SimulationOptions& options) : options_(options) {}

std::optional<RunBudget::End> RunBudget::look(double t) {
  if (options_.stop_token.stop_requested())
    return End{OutcomeKind::interrupted, "stopped at t = " + number(t)};
  if (seconds() > options_.max_seconds)
    return End{OutcomeKind::time_budget, "the time budget was used up at t = " + number(t)};
  constexpr std::chrono::milliseconds between_reports(100);
  if (const auto now = Clock::now(); options_.progress && now - last_report_ > between_reports) {
    last_report_ = now;
    options_.progress(t);
  }
  return std::nullopt;
}

double RunBudget::seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }

}  // namespace mti
