#pragma once

#include <functional>
#include <optional>
#include <string>

#include "solvers/run_limits/run_budget.hpp"

namespace mti {

/// What keeps a run from going on in the middle of its work.
struct Interruption {
  enum class Cause {
    budget,   ///< BudgetEnded
    memory,   ///< std::bad_alloc
    numbers,  ///< IntegrationFailure; InvalidModel: coefficients of a mode are not finite
  };
  Cause cause;
  std::string message = {};
};

/// Does the work of a run under its budget; if that is used up before, the work may at least find its start.
///
/// Only what the numbers of a model can bring about is caught. Any other exception comes out: a defect of the program
/// (std::logic_error) says nothing about the model, and what a function of the user's throws is his.
[[nodiscard]] std::optional<Interruption> interruption_of(const RunBudget& budget,
                                                          const std::function<void()>& work);

/// How a run ends that was interrupted at t.
[[nodiscard]] Ending ending_of(Interruption interruption, const RunBudget& budget, double t);

}  // namespace mti
