#include <gtest/gtest.h>

#include <cmath>

#include "tests/io/kinetics/sbml_model.hpp"

// Reactions that are in balance at all times (SBML level 3 version 1, section 4.11.1): slow ones move what the balance leaves free.
namespace mti::sbml_fast_reactions_test {
namespace {

using test::SbmlModel;
using test::SbmlRun;

constexpr double close = 1e-7;

SbmlModel decaying(const char* a, const char* b) {
  SbmlModel model(3, 1);
  model.compartment("C")
      .species("A", std::string("initialAmount='") + a + "'")
      .species("B", std::string("initialAmount='") + b + "'")
      .fast_reaction("J", "A", "B", "C*(A - 2*B)")
      .reaction("K", "B", "", "C*B");
  return model;
}

TEST(SbmlFastReactions, SlowOnesMoveTheSumOfWhatIsInBalance) {
  // A = 2 B, T = A + B, T' = −B = −T/3; at the start 3 + 3 becomes 4 + 2.
  const SbmlRun run(decaying("3", "3"), 4);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  for (const double t : {0.0, 0.5, 2.0, 4.0}) {
    EXPECT_NEAR(run("A", t), 4.0 * std::exp(-t / 3.0), close) << t;
    EXPECT_NEAR(run("B", t), 2.0 * std::exp(-t / 3.0), close) << t;
  }
}

TEST(SbmlFastReactions, WhatOnlyGoesOneWayIsUsedUp) {
  // A → 2 B with A = 0: 2 + 2·1 at the start, and twice what comes to A.
  SbmlModel model(3, 1);
  model.compartment("C").species("A", "initialAmount='1'").species("B", "initialAmount='2'");
  model.fast_reaction("J", "A", "2 B", "C*A/10").reaction("K", "", "A", "C*3");
  const SbmlRun run(model, 2);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  for (const double t : {0.0, 0.5, 2.0}) {
    EXPECT_NEAR(run("A", t), 0.0, close) << t;
    EXPECT_NEAR(run("B", t), 4.0 + 6.0 * t, close) << t;
  }
}

/// k·A·B = 0 where A is used up, or B: the one that the reaction comes to.
TEST(SbmlFastReactions, ComeToTheBalanceInTheirDirection) {
  struct Case {
    const char *a, *b, *law;
    double a_end, b_end;
  };
  for (const Case& one : {Case{"2", "3", "C*A*B", 0, 5},
                          {"3", "2", "C*A*B", 0, 5},
                          {"2", "2", "C*A*B", 0, 4},
                          {"5", "5", "-C*A*B", 10, 0},
                          {"2", "3", "-0.01*C*A*B", 5, 0},
                          {"2.99", "3", "-C*A*B", 5.99, 0},
                          {"1.5", "9", "C*(A - 1)*(A - 2)*(A - 3)", 1, 9.5},
                          {"2.1", "9", "C*(A - 1)*(A - 2)*(A - 3)", 3, 8.1}}) {
    SbmlModel model(3, 1);
    model.compartment("C").species("A", std::string("initialAmount='") + one.a + "'");
    model.species("B", std::string("initialAmount='") + one.b + "'").fast_reaction("J", "A", "B", one.law);
    const SbmlRun run(model, 1);
    ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << one.law << run.outcome().message;
    EXPECT_NEAR(run("A", 1), one.a_end, close) << one.a << ", " << one.law;
    EXPECT_NEAR(run("B", 1), one.b_end, close) << one.a << ", " << one.law;
  }
}

/// However much or little there is of others, and of products that come into being.
TEST(SbmlFastReactions, ComeToTheirBalanceAtAnyScale) {
  for (const char* b : {"9", "1000", "1e6"}) {
    SbmlModel model(3, 1);
    model.compartment("C").species("A", "initialAmount='2.1'");
    model.species("B", std::string("initialAmount='") + b + "'");
    model.fast_reaction("J", "A", "B", "C*(A - 1)*(A - 2)*(A - 3)");
    EXPECT_NEAR(SbmlRun(model, 1)("A", 1), 3.0, close) << b;
  }
  struct Case {
    const char *a, *b, *law;
    bool uses_a;
  };
  for (const Case& one :
       {Case{"1e4", "1", "C*A*B", true}, {"1e-6", "1e6", "-C*A*B", false}, {"1e-9", "3", "C*A*B", true}}) {
    SbmlModel model(3, 1);
    model.compartment("C").species("A", std::string("initialAmount='") + one.a + "'");
    model.species("B", std::string("initialAmount='") + one.b + "'").fast_reaction("J", "A", "B", one.law);
    const SbmlRun run(model, 1);
    const double sum = std::stod(one.a) + std::stod(one.b);
    EXPECT_NEAR(run("A", 1), one.uses_a ? 0.0 : sum, close * sum) << one.law << one.a;
    EXPECT_NEAR(run("B", 1), one.uses_a ? sum : 0.0, close * sum) << one.law << one.a;
  }
}

/// Nothing is made of nothing where a start is a parameter, by an initial assignment.
TEST(SbmlFastReactions, KeepWhatParametersBeginWith) {
  SbmlModel model(3, 1);
  model.compartment("C").parameter("p", "2").species("A", "").species("B", "initialAmount='3'");
  model.initial("A", "p").fast_reaction("J", "A", "B", "C*A*B");
  const SbmlRun run(model, 1);
  EXPECT_NEAR(run("A", 1), 0.0, close);
  EXPECT_NEAR(run("B", 1), 5.0, close);
}

/// It has no rate, and no balance to keep.
TEST(SbmlFastReactions, OfALawThatIsZeroMoveNothing) {
  SbmlModel model(3, 1);
  model.compartment("C").species("A", "initialAmount='2'").species("B", "initialAmount='3'");
  model.fast_reaction("J", "A", "B", "A*B*ln(1)");
  const SbmlRun run(model, 1);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_NEAR(run("A", 1), 2.0, close);
}

TEST(SbmlFastReactions, OfTwoThatMeetBothAreInBalance) {
  // A·B = D and D = 3 E, with A − B and A + D + E kept: A + A² + A²/3 = 5 where B = A.
  SbmlModel model(3, 1);
  model.compartment("C").species("A", "initialAmount='5'").species("B", "initialAmount='5'");
  model.species("D", "initialAmount='0'").species("E", "initialAmount='0'");
  model.fast_reaction("J", "A + B", "D", "C*(A*B - D)").fast_reaction("K", "D", "E", "C*(D - 3*E)");
  const SbmlRun run(model, 1);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  const double A = (std::sqrt(1.0 + 4.0 * 5.0 * 4.0 / 3.0) - 1.0) / (8.0 / 3.0);
  EXPECT_NEAR(run("A", 1), A, close);
  EXPECT_NEAR(run("B", 1), A, close);
  EXPECT_NEAR(run("D", 1), A * A, close);
  EXPECT_NEAR(run("E", 1), A * A / 3.0, close);
}

TEST(SbmlFastReactions, WithASpeciesThatCannotChangeMoveNothing) {
  SbmlModel model(3, 1);
  model.compartment("C").species("A", "initialAmount='3' boundaryCondition='true'");
  model.species("D", "initialAmount='5'").fast_reaction("J", "A", "D", "C*(A - 2*D)");
  model.species("B", "initialAmount='1'").reaction("K", "B", "", "C*B");
  const SbmlRun run(model, 1);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_NEAR(run("A", 1), 3.0, close);
  EXPECT_NEAR(run("D", 1), 5.0, close);
  EXPECT_NEAR(run("J", 1), -7.0, close);
  EXPECT_NEAR(run("B", 1), std::exp(-1.0), close);
}

TEST(SbmlFastReactions, TriggersBeginOnTheSideOfTheBalance) {
  // A begins with 1, and the balance makes it 4: "A < 3" is false until 4·exp(−t/3) = 3.
  SbmlModel model = decaying("1", "5");
  model.parameter("x", "0", false).event("E", "lt(A, 3)", {{"x", "1"}}, {.initial_value = false});
  const SbmlRun run(model, 2);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  const double time = 3.0 * std::log(4.0 / 3.0);
  EXPECT_NEAR(run("x", time - 1e-3), 0.0, close);
  EXPECT_NEAR(run("x", time + 1e-3), 1.0, close);
}

}  // namespace
}  // namespace mti::sbml_fast_reactions_test
