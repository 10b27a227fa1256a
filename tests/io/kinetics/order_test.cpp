#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/io/kinetics/sbml_model.hpp"

// What simultaneous events leave follows from the order that SBML gives them: the one of higher priority has happened, and what
// it triggers has been queued, before the next one is looked at (SBML level 3 version 2, section 4.11.6).
namespace mti::sbml_order_test {
namespace {

using test::SbmlModel;
using test::SbmlRun;

constexpr double close = 1e-9;

/// E sets the size, F a concentration in it.
SbmlModel size_and_concentration(const std::string& first, const std::string& second) {
  SbmlModel model;
  model.compartment("C", "size='2'", false);
  model.species("A", "initialConcentration='1'");
  model.event("E", "geq(time, 1)", {{"C", "8"}}, {.priority = first});
  model.event("F", "geq(time, 1)", {{"A", "3"}}, {.priority = second});
  return model;
}

TEST(SbmlOrder, AConcentrationIsThatInTheSizeWhichAnEarlierEventHasLeft) {
  const SbmlRun size_first(size_and_concentration("2", "1"), 2);
  ASSERT_EQ(size_first.outcome().kind, OutcomeKind::reached_stop) << size_first.outcome().message;
  EXPECT_NEAR(size_first("A", 2), 3, close);
  EXPECT_NEAR(size_first("A.amount", 2), 24, close);

  const SbmlRun size_last(size_and_concentration("1", "2"), 2);  // 6 in 2, then in 8
  ASSERT_EQ(size_last.outcome().kind, OutcomeKind::reached_stop) << size_last.outcome().message;
  EXPECT_NEAR(size_last("A.amount", 2), 6, close);
  EXPECT_NEAR(size_last("A", 2), 0.75, close);
}

TEST(SbmlOrder, WithoutPrioritiesASizeAndAConcentrationComeInOneOrder) {
  const SbmlRun run(size_and_concentration("", ""), 2);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_NEAR(std::min(std::abs(run("A.amount", 2) - 24), std::abs(run("A.amount", 2) - 6)), 0.0, close);
}

/// E1 sets x, which triggers E2; E3 sets z. E2 comes between them.
SbmlModel in_between(const std::string& trigger, const std::string& value, const SbmlModel::EventForm& form) {
  SbmlModel model;
  model.parameter("x", "0", false).parameter("z", "0", false).parameter("y", "-1", false);
  model.event("E1", "geq(time, 1)", {{"x", "1"}}, {.priority = "3"});
  model.event("E2", trigger, {{"y", value}}, form);
  model.event("E3", "geq(time, 1)", {{"z", "5"}}, {.priority = "1"});
  return model;
}

TEST(SbmlOrder, AnEventIsTriggeredBetweenTwoOthers) {
  const SbmlRun run(in_between("and(gt(x, 0.5), lt(z, 1))", "1", {.priority = "2"}), 2);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_NEAR(run("y", 2), 1, close);
  EXPECT_NEAR(run("z", 2), 5, close);
}

TEST(SbmlOrder, ValuesOfTheTriggerTimeAreThoseBetweenTwoOthers) {
  const SbmlRun run(in_between("gt(x, 0.5)", "z", {.priority = "2"}), 2);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_NEAR(run("y", 2), 0, close);
}

TEST(SbmlOrder, ADelayIsThatBetweenTwoOthers) {
  SbmlModel model;
  model.parameter("x", "0", false).parameter("z", "1.5", false).parameter("y", "0", false);
  model.event("E1", "geq(time, 1)", {{"x", "1"}}, {.priority = "3"});
  model.event("E2", "gt(x, 0.5)", {{"y", "1"}}, {.delay = "z", .priority = "2"});
  model.event("E3", "geq(time, 1)", {{"z", "0.5"}}, {.priority = "1"});
  const SbmlRun run(model, 4);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_NEAR(run("y", 2.4), 0, close);
  EXPECT_NEAR(run("y", 2.6), 1, close);
}

TEST(SbmlOrder, OfTwoThatExcludeEachOtherOneHappensInAnyOrder) {
  SbmlModel model;
  model.parameter("x", "0", false).parameter("z", "0", false);
  model.parameter("xf", "0", false).parameter("zf", "0", false);
  model.event("E1", "geq(time, 1)", {{"x", "1"}});
  model.event("E3", "geq(time, 1)", {{"z", "1"}});
  model.event("E2", "and(gt(x, 0.5), lt(z, 0.5))", {{"xf", "1"}});
  model.event("E4", "and(gt(z, 0.5), lt(x, 0.5))", {{"zf", "1"}});
  const SbmlRun run(model, 2);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_NEAR(run("xf", 2) + run("zf", 2), 1, close);
}

TEST(SbmlOrder, RatesFollowWhatTheyAreMadeOf) {
  SbmlModel model;
  model.parameter("k", "1", false).parameter("x", "0", false).parameter("y", "0", false);
  model.rate("x", "k");
  model.event("E1", "geq(time, 1)", {{"k", "5"}}, {.priority = "3"});
  model.event("E2", "geq(time, 1)", {{"y", "rateOf(x)"}}, {.priority = "2", .values_of_trigger_time = false});
  const SbmlRun run(model, 2);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_NEAR(run("y", 2), 5, close);
}

TEST(SbmlOrder, ATriggerThatAnEarlierEventEndsThroughARateDoesNotHappen) {
  SbmlModel model;
  model.compartment("C").species("A", "initialConcentration='10'");
  model.parameter("k", "1", false).parameter("y", "0", false);
  model.reaction("R", "A", "", "k*A");
  model.event("E1", "geq(time, 1)", {{"k", "-1"}}, {.priority = "3"});
  model.event("E2", "and(geq(time, 1), lt(rateOf(A), 0))", {{"y", "1"}},
              {.priority = "2", .persistent = false});
  const SbmlRun run(model, 2);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_NEAR(run("y", 2), 0, close);
}

TEST(SbmlGuards, ABranchThatIsNotChosenNeedsNoValue) {
  SbmlModel model;
  model.parameter("z", "0").parameter("c", "7", false);
  model.parameter("a", "1").parameter("b", "1", false).parameter("d", "1", false).parameter("e", "1", false);
  model.initial("a", "piecewise(3, eq(z, 0), 1/z)");
  model.assignment("b", "piecewise(1/z, gt(z, 0), 4)");
  model.rate("d", "piecewise(2, leq(z, 0), log(z)/z)");
  model.event("E", "geq(time, 1)", {{"e", "piecewise(1/z, gt(z, 0), 5)"}, {"c", "8"}});
  const SbmlRun run(model, 2);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_NEAR(run("a", 2), 3, close);
  EXPECT_NEAR(run("b", 2), 4, close);
  EXPECT_NEAR(run("d", 2), 5, close);
  EXPECT_NEAR(run("e", 2), 5, close);
}

TEST(SbmlFunctions, CotangentsAreRegularWhereTheTangentIsNot) {
  SbmlModel model;
  model.parameter("zero", "0").parameter("c", "0");
  model.initial("c", "arccot(zero)");
  for (const char* name : {"a", "b", "cot_"}) model.parameter(name, "0", false);
  model.assignment("a", "arccot(time)")
      .assignment("b", "arccot(-time)")
      .assignment("cot_", "cot(time + 0.5)");
  const SbmlRun run(model, 2);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_NEAR(run("c", 0), 0.5 * std::numbers::pi, close);
  EXPECT_NEAR(run("a", 0), 0.5 * std::numbers::pi, close);
  EXPECT_NEAR(run("b", 0), -0.5 * std::numbers::pi, close);
  for (const double t : {0.25, 1.0, 1.9}) {
    EXPECT_NEAR(run("a", t), std::atan(1 / t), close) << t;
    EXPECT_NEAR(run("b", t), -std::atan(1 / t), close) << t;
    EXPECT_NEAR(run("cot_", t), std::cos(t + 0.5) / std::sin(t + 0.5), close) << t;
  }
  EXPECT_NEAR(run("cot_", 0.5 * std::numbers::pi - 0.5), 0, close);
}

TEST(SbmlConstants, OneThatIsGivenWhatHasNoValueIsRefused) {
  SbmlModel of_nothing;
  of_nothing.parameter("q", "").parameter("p", "0").initial("p", "q + 1");
  of_nothing.parameter("x", "0", false).rate("x", "1");
  EXPECT_TRUE(std::ranges::any_of(test::refusals_of(of_nothing.text()), [](const std::string& refusal) {
    return refusal.starts_with("sbml-no-value");
  }));

  SbmlModel of_a_rule;  // k = 3 is known to the run alone
  of_a_rule.parameter("k", "", false).parameter("p", "").algebraic("k - 3").initial("p", "k");
  EXPECT_TRUE(std::ranges::any_of(test::refusals_of(of_a_rule.text()), [](const std::string& refusal) {
    return refusal.starts_with("sbml-no-value");
  }));

  SbmlModel of_no_piece;
  of_no_piece.parameter("x", "0", false).rate("x", "1").parameter("p", "").parameter("z", "1");
  of_no_piece.initial("p", "piecewise(2, eq(z, 0))");
  EXPECT_TRUE(std::ranges::any_of(test::refusals_of(of_no_piece.text()), [](const std::string& refusal) {
    return refusal.starts_with("sbml-piecewise");
  }));
}

/// S = 1 in C = 2, which grows: S >= 1 holds at the start, before S falls.
TEST(SbmlOrder, TriggersThatHoldAtTheStartAloneAreSeenThere) {
  SbmlModel model;
  model.compartment("C", "size='2'", false).rate("C", "0.1").species("S", "initialConcentration='1'");
  model.parameter("q", "0", false).event("E", "geq(S, 1)", {{"q", "1"}}, {.initial_value = false});
  const SbmlRun run(model, 2);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_NEAR(run("q", 1), 1.0, close);
  EXPECT_NEAR(run("S", 2), 2.0 / 2.2, 1e-7);
}

}  // namespace
}  // namespace mti::sbml_order_test
