#include "solvers/simulation/run_budget.hpp"

#include "solvers/simulation/simulation.hpp"
#include "solvers/simulation/user_exception.hpp"

namespace mti {
namespace {

thread_local const RunBudget* of_this_thread = nullptr;

}  // namespace

RunBudget::RunBudget(const SimulationOptions& options) : options_(options) {}

bool RunBudget::over() const {
  return options_.stop_token.stop_requested() || seconds() > options_.max_seconds;
}

std::optional<RunBudget::End> RunBudget::end_at(double t) const {
  if (options_.stop_token.stop_requested())
    return End{OutcomeKind::interrupted, "stopped at t = " + number(t)};
  if (seconds() > options_.max_seconds)
    return End{OutcomeKind::time_budget, "the time budget was used up at t = " + number(t)};
  return std::nullopt;
}

std::optional<RunBudget::End> RunBudget::look(double t) {
  if (auto end = end_at(t)) return end;
  constexpr std::chrono::milliseconds between_reports(100);
  if (const auto now = Clock::now(); options_.progress && now - last_report_ > between_reports) {
    last_report_ = now;
    call_user([&] { options_.progress(t); });
  }
  return std::nullopt;
}

double RunBudget::seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }

RunBudget::Watch::Watch(const RunBudget& budget) : before_(of_this_thread) { of_this_thread = &budget; }

RunBudget::Watch::~Watch() { of_this_thread = before_; }

bool budget_is_over() { return of_this_thread != nullptr && of_this_thread->over(); }

void check_budget() {
  if (budget_is_over()) throw BudgetEnded{};
}

}  // namespace mti
