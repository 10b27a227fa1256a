#include "solvers/simulation/run_budget.hpp"

#include "solvers/mode/run_text.hpp"
#include "solvers/simulation/user_exception.hpp"

namespace mti {

RunBudget::RunBudget(const SimulationOptions& options)
    : options_(options), budget_(options.max_seconds, options.stop_token) {}

std::optional<Ending> RunBudget::end_at(double t) const {
  if (budget_.stop_requested()) return Ending{OutcomeKind::interrupted, "stopped at t = " + number(t)};
  if (budget_.time_is_over())
    return Ending{OutcomeKind::time_budget, "the time budget was used up at t = " + number(t)};
  return std::nullopt;
}

std::optional<Ending> RunBudget::look(double t) {
  if (auto end = end_at(t)) return end;
  constexpr std::chrono::milliseconds between_reports(100);
  if (const auto now = std::chrono::steady_clock::now();
      options_.progress && now - last_report_ > between_reports) {
    last_report_ = now;
    call_user([&] { options_.progress(t); });
  }
  return std::nullopt;
}

}  // namespace mti
