#include "solvers/run_limits/interruption.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <new>
#include <stdexcept>
#include <stop_token>
#include <utility>

#include "mti/common/fault.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/integration/integrator.hpp"
#include "solvers/simulation/simulate.hpp"

/// What of a run becomes its outcome, and what comes out of it.
namespace mti {
namespace interruption_test {

OutcomeKind outcome_of(const std::function<void()>& work, const SimulationOptions& options = {}) {
  const RunBudget budget(options.max_seconds, options.stop_token, options.progress);
  auto interruption = interruption_of(budget, work);
  return interruption ? ending_of(*std::move(interruption), budget, 1.0).kind : OutcomeKind::reached_stop;
}

TEST(Interruption, WhatTheNumbersOfAModelBringAboutIsAnOutcome) {
  EXPECT_EQ(outcome_of([] {}), OutcomeKind::reached_stop);
  EXPECT_EQ(outcome_of([] { throw IntegrationFailure("no step"); }), OutcomeKind::solver_failure);
  EXPECT_EQ(outcome_of([] { throw InvalidModel("not-finite", "", "a coefficient"); }),
            OutcomeKind::solver_failure);
  EXPECT_EQ(outcome_of([] { throw std::bad_alloc(); }), OutcomeKind::out_of_memory);
}

// Danger: a defect of the program, or memory that ends, is told to the user as a fault of his model.
TEST(Interruption, ADefectOfTheProgramIsNoOutcome) {
  EXPECT_THROW(outcome_of([] { throw std::logic_error("a defect"); }), std::logic_error);
  EXPECT_THROW(outcome_of([] { throw std::out_of_range("a defect"); }), std::out_of_range);
  EXPECT_THROW(outcome_of([] { throw std::runtime_error("of no kind that a run knows"); }),
               std::runtime_error);
}

TEST(Interruption, TheBudgetEndsLongWorkWithTheReasonOfTheBudget) {
  std::stop_source stop;
  const SimulationOptions options{.stop_token = stop.get_token()};
  const auto work = [&] {
    check_budget();
    stop.request_stop();
    check_budget();
    ADD_FAILURE() << "the work goes on";
  };
  EXPECT_EQ(outcome_of(work, options), OutcomeKind::interrupted);
  EXPECT_NO_THROW(check_budget()) << "nothing is watched outside of a run";
}

// A stop that is asked for before the run leaves its start.
TEST(Interruption, ABudgetThatIsUsedUpBeforeDoesNotEndTheWork) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(outcome_of([] { check_budget(); }, {.stop_token = stop.get_token()}), OutcomeKind::reached_stop);
}

}  // namespace interruption_test
}  // namespace mti
