#include "solvers/run_limits/run_budget.hpp"

#include <utility>

#include "solvers/mode/run_text.hpp"
#include "solvers/run_limits/user_exception.hpp"

namespace mti {

RunBudget::RunBudget(double max_seconds, std::stop_token stop_token,
                     std::function<void(double time)> progress)
    : progress_(std::move(progress)), budget_(max_seconds, std::move(stop_token)) {}

std::optional<Ending> RunBudget::end_at(double t) const {
  if (budget_.stop_requested()) return Ending{OutcomeKind::interrupted, "stopped at t = " + number(t)};
  if (budget_.time_is_over())
    return Ending{OutcomeKind::time_budget, "the time budget was used up at t = " + number(t)};
  return std::nullopt;
}

std::optional<Ending> RunBudget::look(double t) {
  if (auto end = end_at(t)) return end;
  constexpr std::chrono::milliseconds between_reports(100);
  if (const auto now = std::chrono::steady_clock::now(); progress_ && now - last_report_ > between_reports) {
    last_report_ = now;
    call_user([&] { progress_(t); });
  }
  return std::nullopt;
}

}  // namespace mti
