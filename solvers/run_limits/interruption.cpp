#include "solvers/run_limits/interruption.hpp"

#include <new>
#include <utility>

#include "mti/common/fault.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/integration/integrator.hpp"
#include "solvers/mode/run_text.hpp"

namespace mti {

std::optional<Interruption> interruption_of(const RunBudget& budget, const std::function<void()>& work) {
  using Cause = Interruption::Cause;
  try {
    std::optional<BudgetWatch> watch;
    if (!budget.budget().is_over()) watch.emplace(budget.budget());
    work();
    return std::nullopt;
  } catch (const BudgetEnded&) {
    return Interruption{Cause::budget};
  } catch (const std::bad_alloc&) {
    return Interruption{Cause::memory};
  } catch (const IntegrationFailure& failure) {
    return Interruption{Cause::numbers, failure.what()};
  } catch (const InvalidModel& mode) {
    return Interruption{Cause::numbers, mode.what()};
  }
}

Ending ending_of(Interruption interruption, const RunBudget& budget, double t) {
  switch (interruption.cause) {
    case Interruption::Cause::budget:
      return budget.end_at(t).value_or(Ending{OutcomeKind::interrupted, "stopped"});
    case Interruption::Cause::memory:
      return {OutcomeKind::out_of_memory, "the memory does not suffice to go on from t = " + number(t)};
    case Interruption::Cause::numbers:
      break;
  }
  return {OutcomeKind::solver_failure, std::move(interruption.message)};
}

}  // namespace mti
