#pragma once

namespace mti {

/// Thrown by check_budget(). No std::exception: nothing but the run itself deals with it.
struct BudgetEnded {};

/// Throws BudgetEnded if the budget that this thread works under (BudgetWatch, solvers/budget/budget.hpp) is used up;
/// under none it does nothing. To be called between two pieces of work of which a run may need many: it takes some
/// ten nanoseconds.
void check_budget();

/// What check_budget() asks, for where nothing may be thrown, as within a library.
bool budget_is_over();

}  // namespace mti
