// Events: when they happen, with which values, in which order; and what is refused while a run goes on.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/io/kinetics/sbml_model.hpp"

namespace mti {
namespace events_test {

using test::SbmlModel;
using test::SbmlRun;
using Form = SbmlModel::EventForm;

constexpr double close = 1e-7;

/// x' = 1 from 0.
SbmlModel ramp() {
  SbmlModel model;
  model.parameter("x", "0", false).rate("x", "1");
  return model;
}

TEST(SbmlEvents, ResetTheirOwnTrigger) {
  SbmlModel model = ramp();
  model.event("E", "geq(x, 1)", {{"x", "x - 1"}});
  const SbmlRun run(model, 5.5);
  EXPECT_EQ(run.outcome().kind, OutcomeKind::reached_stop);
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(run("x", k + 0.25), 0.25, close);
}

TEST(SbmlEvents, HappenOnceForEachRise) {
  // sin(2πt) > 0.5 becomes true once in each period
  SbmlModel model;
  model.parameter("n", "0", false).event("E", "gt(sin(2*pi*time), 0.5)", {{"n", "n + 1"}});
  const SbmlRun run(model, 3);
  EXPECT_EQ(run("n", 0.05), 0.0);
  EXPECT_EQ(run("n", 0.5), 1.0);
  EXPECT_EQ(run("n", 1.05), 1.0);
  EXPECT_EQ(run("n", 1.5), 2.0);
  EXPECT_EQ(run("n", 3), 3.0);
}

TEST(SbmlEvents, AtTheStart) {
  // True at the start is no rise, unless it is said to have been false before.
  SbmlModel model = ramp();
  model.parameter("a", "0", false).parameter("b", "0", false).parameter("c", "0", false).parameter("p", "4");
  model.event("A", "lt(x, 5)", {{"a", "1"}})
      .event("B", "lt(x, 5)", {{"b", "2*p + x"}}, {.initial_value = false});
  model.event("D", "gt(x, 0)", {{"c", "time + 1"}});
  const SbmlRun run(model, 1);
  EXPECT_EQ(run("a", 1), 0.0);
  EXPECT_NEAR(run("b", 0), 8.0, close);
  EXPECT_NEAR(run("c", 1), 1.0, 1e-5);  // at 0 it is not above 0: it becomes true right behind
}

TEST(SbmlEvents, TriggersOfLogic) {
  // between 1 and 2, or from 3 on; true at 1 and at 3
  SbmlModel model = ramp();
  model.parameter("n", "0", false).parameter("last", "0", false).parameter("one", "1");
  model.event("E", "or(and(gt(x, one), lt(x, 2)), not(lt(x, 3)))", {{"n", "n + 1"}, {"last", "x"}});
  const SbmlRun run(model, 4);
  EXPECT_EQ(run("n", 0.9), 0.0);
  EXPECT_EQ(run("n", 1.5), 1.0);
  EXPECT_NEAR(run("last", 1.5), 1.0, close);
  EXPECT_EQ(run("n", 4), 2.0);
  EXPECT_NEAR(run("last", 4), 3.0, close);
}

TEST(SbmlEvents, ExchangeValuesAtOnce) {
  SbmlModel model;
  model.parameter("a", "1", false)
      .parameter("b", "2", false)
      .event("E", "geq(time, 1)", {{"a", "b"}, {"b", "a"}});
  const SbmlRun run(model, 2);
  EXPECT_NEAR(run("a", 2), 2, close);
  EXPECT_NEAR(run("b", 2), 1, close);
}

TEST(SbmlEvents, FollowEachOtherAtOneInstant) {
  // A at t = 1 makes b = 5, which triggers B, which sees what A has done
  SbmlModel model;
  model.parameter("b", "0", false).parameter("c", "0", false);
  model.event("A", "geq(time, 1)", {{"b", "5"}}).event("B", "gt(b, 2)", {{"c", "10*b"}});
  const SbmlRun run(model, 2);
  EXPECT_NEAR(run("c", 0.99), 0, close);
  EXPECT_NEAR(run("c", 1.01), 50, close);
}

// Conditions in values are those behind the earlier event.
TEST(SbmlEvents, ThatFollowTakeValuesOfTheSideThatIsReached) {
  for (const auto& [formula, value] :
       {std::pair("piecewise(10, gt(n, 0.5), 5)", 10.0), std::pair("abs(n - 3.5)", 0.5),
        std::pair("2*max(n, 1, -n) - min(n, 2.5)", 3.5), std::pair("gt(n, 2.5) + 4*lt(n, 0)", 1.0)}) {
    SbmlModel model;
    model.parameter("n", "0", false).parameter("y", "0", false);
    model.event("A", "geq(time, 1)", {{"n", "3"}}).event("B", "gt(n, 2)", {{"y", formula}});
    const SbmlRun run(model, 2);
    EXPECT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << formula << run.outcome().message;
    EXPECT_NEAR(run("y", 2), value, close) << formula;
  }
}

TEST(SbmlEvents, SpeciesAndCompartments) {
  // S is set by its concentration; a compartment that shrinks leaves amounts
  SbmlModel model;
  model.compartment("C", "size='2'", false)
      .species("S", "initialAmount='4'")
      .species("N", "initialAmount='3'", true);
  model.event("A", "geq(time, 1)", {{"S", "S + 1"}}).event("B", "geq(time, 2)", {{"C", "C/2"}});
  model.event("D", "geq(time, 3)", {{"C", "4"}, {"S", "7"}});
  const SbmlRun run(model, 4);
  EXPECT_NEAR(run("S", 1.5), 3, close);
  EXPECT_NEAR(run("S.amount", 1.5), 6, close);
  EXPECT_NEAR(run("S", 2.5), 6, close);
  EXPECT_NEAR(run("S.amount", 2.5), 6, close);
  EXPECT_NEAR(run("N", 2.5), 3, close);
  // The concentration is one of the size before: 7·1.
  EXPECT_NEAR(run("S", 4), 1.75, close);
  EXPECT_NEAR(run("S.amount", 4), 7, close);
}

// Semantic test suite, 01779: 0.2 in 0.5 is an amount of 0.1, in 0.2 from there on.
TEST(SbmlEvents, PublishedCase1779) {
  SbmlModel model(2, 4);
  model.compartment("C1", "size='0.5'", false).species("S1", "initialConcentration='2'", false, "C1");
  model.parameter("x", "0", false).assignment("x", "S1");
  model.event("E0", "geq(time, 0.45)", {{"S1", "0.2"}, {"C1", "0.2"}});
  const SbmlRun run(model, 1);
  EXPECT_NEAR(run("x", 0.4), 2, close);
  EXPECT_NEAR(run("x", 0.5), 0.5, close);
  EXPECT_NEAR(run("S1.amount", 1), 0.1, close);
}

// 01505: a concentration with a rate of its own stays where its compartment jumps.
TEST(SbmlEvents, PublishedCase1505) {
  SbmlModel model;
  model.compartment("C1", "size='0.5'", false)
      .species("S1", "initialConcentration='0' boundaryCondition='true'", false, "C1");
  model.rate("S1", "0.4").rate("C1", "0.2").event("E0", "geq(time, 0.45)", {{"C1", "0.2"}});
  const SbmlRun run(model, 1);
  EXPECT_NEAR(run("S1", 0.5), 0.2, close);
  EXPECT_NEAR(run("S1.amount", 0.5), 0.042, close);
  EXPECT_NEAR(run("S1", 1), 0.4, close);
  EXPECT_NEAR(run("S1.amount", 1), 0.124, close);
}

TEST(SbmlEvents, DelaysTakeValuesOfTheTriggerOrOfTheirEnd) {
  SbmlModel model = ramp();
  model.parameter("early", "0", false).parameter("late", "0", false).parameter("d", "0.5", false);
  model.event("A", "geq(x, 1)", {{"early", "x"}}, {.delay = "2*d"});
  model.event("B", "geq(x, 1)", {{"late", "x"}}, {.delay = "2*d", .values_of_trigger_time = false});
  model.event("D", "geq(x, 1.2)", {{"d", "100"}});  // the delay is that of the trigger
  const SbmlRun run(model, 3);
  EXPECT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_NEAR(run("early", 1.99), 0, close);
  EXPECT_NEAR(run("early", 2.01), 1, close);
  EXPECT_NEAR(run("late", 2.01), 2, close);
}

TEST(SbmlEvents, ThatDoNotPersistAreDropped) {
  SbmlModel model = ramp();
  model.parameter("a", "0", false).parameter("b", "0", false);
  model.event("A", "and(gt(x, 1), lt(x, 1.5))", {{"a", "1"}}, {.delay = "1", .persistent = false});
  model.event("B", "and(gt(x, 1), lt(x, 1.5))", {{"b", "1"}}, {.delay = "1"});
  const SbmlRun run(model, 3);
  EXPECT_EQ(run("a", 3), 0.0);
  EXPECT_EQ(run("b", 1.9), 0.0);
  EXPECT_EQ(run("b", 3), 1.0);
}

TEST(SbmlEvents, GoByTheirPriorities) {
  // Both assign one variable: the one of lower priority comes last, in whatever order they are written
  for (const bool exchanged : {false, true}) {
    SbmlModel model;
    model.parameter("a", "0", false).parameter("n", "0", false);
    const Form high{.priority = "10"}, low{.priority = "5"};
    model.event("A", "geq(time, 1)", {{"a", "2*n + 3"}, {"n", "n + 1"}}, exchanged ? low : high);
    model.event("B", "geq(time, 1)", {{"a", "7"}}, exchanged ? high : low);
    const SbmlRun run(model, 2);
    EXPECT_NEAR(run("a", 2), exchanged ? 3 : 7, close);
    EXPECT_NEAR(run("n", 2), 1, close);
  }
}

TEST(SbmlEvents, OfOneInstantTakeAwayEachOthersTrigger) {
  // A comes first and ends what triggered B, which does not persist; C persists
  SbmlModel model = ramp();
  model.parameter("b", "0", false).parameter("c", "0", false);
  model.event("A", "geq(x, 1)", {{"x", "-10"}}, {.priority = "3"});
  model.event("B", "geq(x, 1)", {{"b", "1"}}, {.priority = "2", .persistent = false});
  model.event("D", "geq(x, 1)", {{"c", "1"}}, {.priority = "1"});
  const SbmlRun run(model, 2);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_EQ(run("b", 2), 0.0);
  EXPECT_EQ(run("c", 2), 1.0);
  EXPECT_NEAR(run("x", 2), -9, close);
}

TEST(SbmlEvents, OfNoOrderHappenByChance) {
  SbmlModel model;
  model.parameter("a", "0", false)
      .event("A", "geq(time, 1)", {{"a", "3"}})
      .event("B", "geq(time, 1)", {{"a", "7"}});
  const SbmlRun run(model, 2);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_TRUE(run("a", 2) == 3.0 || run("a", 2) == 7.0) << run("a", 2);
  // Each drops the other ones: of 200 turns about a third are each one's, as of lots (standard deviation 7), and none is nobody's.
  SbmlModel turns;
  turns.parameter("reset", "0", false).parameter("a", "0", false).parameter("b", "0", false);
  turns.parameter("c", "0", false);
  const SbmlModel::EventForm dropped{.priority = "1", .persistent = false};
  turns.event("A", "geq(time - reset, 0.01)", {{"a", "a + 1"}, {"reset", "time"}}, dropped);
  turns.event("B", "geq(time - reset, 0.01)", {{"b", "b + 1"}, {"reset", "time"}}, dropped);
  turns.event("D", "geq(time - reset, 0.01)", {{"c", "c + 1"}, {"reset", "time"}}, dropped);
  const SbmlRun of_three(turns, 2.005);
  ASSERT_EQ(of_three.outcome().kind, OutcomeKind::reached_stop) << of_three.outcome().message;
  EXPECT_EQ(of_three("a", 2.005) + of_three("b", 2.005) + of_three("c", 2.005), 200.0);
  constexpr double third = 200.0 / 3.0, four_deviations = 28.0;
  for (const char* const one : {"a", "b", "c"})
    EXPECT_NEAR(of_three(one, 2.005), third, four_deviations) << one;
  // At different times there is no question.
  SbmlModel apart;
  apart.parameter("a", "0", false)
      .event("A", "geq(time, 1)", {{"a", "3"}})
      .event("B", "geq(time, 1.5)", {{"a", "7"}});
  EXPECT_NEAR(SbmlRun(apart, 2)("a", 2), 7, close);
}

TEST(SbmlEvents, ATriggerDuringADelayEndsTheRun) {
  SbmlModel model;
  model.parameter("n", "0", false).event("E", "gt(sin(2*pi*time), 0.5)", {{"n", "n + 1"}}, {.delay = "1.5"});
  const SbmlRun run(model, 3);
  EXPECT_EQ(run.outcome().kind, OutcomeKind::dead_end);
  EXPECT_NE(run.outcome().message.find("E.one_at_a_time"), std::string::npos) << run.outcome().message;
  SbmlModel shorter;
  shorter.parameter("n", "0", false)
      .event("", "gt(sin(2*pi*time), 0.5)", {{"n", "n + 1"}}, {.delay = "0.75"});
  const SbmlRun passes(shorter, 3);
  EXPECT_EQ(passes("n", 0.8), 0.0);
  EXPECT_EQ(passes("n", 0.9), 1.0);
  EXPECT_EQ(passes("n", 2.9), 3.0);
}

TEST(SbmlEvents, CountersAreComparedAtWholeNumbers) {
  // n counts the seconds; three, equal to two, and more than two become true by jumps alone
  SbmlModel model = ramp();
  model.parameter("n", "0", false)
      .parameter("a", "0", false)
      .parameter("b", "0", false)
      .parameter("c", "0", false);
  model.parameter("p", "", false).assignment("p", "piecewise(1, and(geq(n, 2), neq(n, 4)), 0)");
  model.event("E", "geq(x, 1)", {{"x", "0"}, {"n", "n + 1"}});
  model.event("A", "geq(n, 3)", {{"a", "time"}})
      .event("B", "eq(n, 2)", {{"b", "time"}})
      .event("D", "gt(n, 2)", {{"c", "time"}});
  const SbmlRun run(model, 5.5);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_EQ(run("n", 5.5), 5.0);
  EXPECT_NEAR(run("a", 5.5), 3, close);
  EXPECT_NEAR(run("b", 5.5), 2, close);
  EXPECT_NEAR(run("c", 5.5), 3, close);
  EXPECT_EQ(run("p", 1.5), 0.0);
  EXPECT_EQ(run("p", 2.5), 1.0);
  EXPECT_EQ(run("p", 4.5), 0.0);
}

TEST(SbmlEvents, PublishedCase41) {
  // S1 → S2 with k = 1; S1 := 1 below 0.1, S2 := 0 above 0.5. Between events S1 falls as exp(−t), S1 + S2 is constant.
  SbmlModel model(2, 4);
  model.compartment("C")
      .species("S1", "initialAmount='1'")
      .species("S2", "initialAmount='0'")
      .parameter("k", "1");
  model.reaction("R", "S1", "S2", "k*S1*C").event("E1", "lt(S1, 0.1)", {{"S1", "1"}});
  model.event("E2", "gt(S2, 0.5)", {{"S2", "0"}});
  const SbmlRun run(model, 2.4);
  const double half = std::log(2.0), tenth = std::log(10.0);
  EXPECT_NEAR(run("S2", half + 0.1), 0.5 * (1 - std::exp(-0.1)), close);
  EXPECT_NEAR(run("S1", tenth - 1e-3), 0.1 * std::exp(1e-3), close);
  EXPECT_NEAR(run("S1", 2.4), std::exp(tenth - 2.4), close);
  EXPECT_NEAR(run("S2", 2.4), 0.4 + 1 - std::exp(tenth - 2.4), close);
}

// false at the start and true with the motion is a transition like any other, also where no formula tells on which side it begins.
TEST(SbmlEvents, ATriggerAtItsThresholdComesTrueWithTheMotion) {
  for (const bool grows : {false, true}) {
    SbmlModel model;
    model.compartment("C", "size='1'", !grows).species("A", "initialAmount='1'").parameter("n", "0", false);
    if (grows) model.rate("C", "0.1");
    model.reaction("R", "", "A", "0.5").event("E", "gt(A, 1)", {{"n", "n + 1"}});
    EXPECT_NEAR(SbmlRun(model, 1)("n", 1), 1, 1e-9) << grows;
  }
  SbmlModel algebraic;
  algebraic.parameter("x", "1", false).rate("x", "1").parameter("y", "", false).algebraic("y - x^2");
  algebraic.parameter("n", "0", false).parameter("m", "0", false);
  algebraic.event("E", "gt(y, 1)", {{"n", "n + 1"}}).event("F", "gt(y, 0.5)", {{"m", "m + 1"}});
  const SbmlRun run(algebraic, 1);
  EXPECT_NEAR(run("n", 1), 1, 1e-9);
  EXPECT_NEAR(run("m", 1), 0, 1e-9) << "it is true from the start on";
}

TEST(SbmlEvents, SeveralConditionsMayBeEqual) {
  SbmlModel model;
  model.parameter("n", "0", false);
  model.event("E", "eq(gt(time, 1), gt(time, 2), lt(time, 3))", {{"n", "n + 1"}});
  const SbmlRun run(model, 4);
  EXPECT_NEAR(run("n", 1.9), 0, 1e-9);
  EXPECT_NEAR(run("n", 2.5), 1, 1e-9);
}

}  // namespace events_test
}  // namespace mti
