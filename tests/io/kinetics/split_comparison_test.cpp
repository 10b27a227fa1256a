#include <gtest/gtest.h>

#include <string>

#include "tests/io/kinetics/sbml_model.hpp"

// Triggers and priorities that compare what chooses: a jump changes the choice and the comparison at one instant.
namespace mti::sbml_split_comparison_test {
namespace {

using test::SbmlModel;
using test::SbmlRun;

constexpr double close = 1e-9;

/// x goes from 0.25 up by 1 in a unit of time, and jumps at t = 1; `seen` is when the trigger came true last.
double seen(const std::string& trigger, const std::string& jump, double time) {
  SbmlModel model;
  model.parameter("x", "0.25", false).parameter("seen", "-1", false).parameter("r", "", false);
  model.rate("x", "1").assignment("r", "piecewise(2*x, gt(x, 2), -x)");
  model.event("J", "geq(time, 1)", {{"x", jump}}, {.priority = "2"});
  model.event("E", trigger, {{"seen", "time"}}, {.priority = "1"});
  const SbmlRun run(model, 4);
  EXPECT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << trigger << ": " << run.outcome().message;
  return run("seen", time);
}

TEST(SbmlSplitComparison, OfWhatAJumpTurnsRound) {
  // Before: 0.25 + t, up to 1.25.
  EXPECT_NEAR(seen("gt(abs(x), 1.75)", "-3.125", 2), 1.0, close);         // |−3.125|
  EXPECT_NEAR(seen("gt(abs(x), 1.75)", "1.5", 2), 1.25, close);           // 1.5 + t − 1 = 1.75
  EXPECT_NEAR(seen("lt(max(x, 0.75), 1.125)", "-3.125", 2), 1.0, close);  // true, false at 0.875, true again
  EXPECT_NEAR(seen("lt(1, 2*abs(x) - 0.5)", "-3.125", 2), 0.5, close);    // stays true
  EXPECT_NEAR(seen("gt(min(x, -x), -0.875)", "-0.125", 2), 1.0, close);   // min(−0.125, 0.125)
  EXPECT_NEAR(seen("gt(r, 3)", "-3.125", 2), 1.0, close);  // 3.125 by the other piece of a rule
  EXPECT_NEAR(seen("gt(piecewise(3, lt(x, 0), 1), 2)", "-3.125", 2), 1.0, close);
  EXPECT_NEAR(seen("gt(gt(x, 3) + gt(x, 2.5), 1.5)", "2.125", 3), 1.875, close);  // both, at x = 3
}

TEST(SbmlSplitComparison, OfARuleThatIsACondition) {
  SbmlModel model;
  model.parameter("q", "", false).parameter("y", "0", false).parameter("z", "0", false);
  model.assignment("q", "gt(time, 1.25)").event("E", "q", {{"y", "7"}});
  model.rate("z", "piecewise(2, q, 0)");
  const SbmlRun run(model, 2);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_NEAR(run("y", 1.2), 0.0, close);
  EXPECT_NEAR(run("y", 1.3), 7.0, close);
  EXPECT_NEAR(run("z", 2.0), 1.5, close);
}

TEST(SbmlSplitComparison, OfPrioritiesThatChangeWhereNothingIsDue) {
  // Both are due at t = 2; at t = 1 the priority of A rises above that of B, which then comes last.
  SbmlModel model;
  model.parameter("y", "0", false);
  model.event("A", "geq(time, 2)", {{"y", "1"}}, {.priority = "piecewise(10, gt(time, 1), 0)"});
  model.event("B", "geq(time, 2)", {{"y", "2"}}, {.priority = "5"});
  const SbmlRun run(model, 3);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_NEAR(run("y", 3), 2.0, close);
}

TEST(SbmlSplitComparison, AnAssignmentOfExactlyTheThresholdHasTheSideOfTheOperator) {
  // x from 0.5 to 0.3 at t = 1, where it stays; not below 0.3, and from 2 on at 0.2 it is.
  for (const auto& [op, first] : {std::pair("lt", 0.0), std::pair("leq", 1.0)}) {
    SbmlModel model;
    model.parameter("x", "0.5", false).parameter("count", "0", false);
    model.event("J", "geq(time, 1)", {{"x", "0.3"}}).event("K", "geq(time, 2)", {{"x", "0.2"}});
    model.event("E", std::string(op) + "(x, 0.3)", {{"count", "count + 1"}});
    const SbmlRun run(model, 3);
    ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
    EXPECT_NEAR(run("count", 1.5), first, close) << op;
    EXPECT_NEAR(run("count", 2.5), 1.0, close) << op;
  }
}

TEST(SbmlSplitComparison, APieceThatAlwaysHoldsIsTheOtherwise) {
  SbmlModel model;
  model.parameter("x", "-1", false).rate("x", "1").parameter("y", "", false).parameter("k", "1", false);
  model.assignment("y", "piecewise(5, gt(x, 0), 3, leq(x, 0))").initial("k", "piecewise(4, true)");
  const SbmlRun run(model, 2);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_NEAR(run("y", 0.5), 3.0, close);
  EXPECT_NEAR(run("y", 1.5), 5.0, close);
  EXPECT_NEAR(run("k", 2), 4.0, close);
}

}  // namespace
}  // namespace mti::sbml_split_comparison_test
