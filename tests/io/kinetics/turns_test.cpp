// Events of one instant: how often they happen, in which order, and with which values.
#include <gtest/gtest.h>

#include "tests/io/kinetics/sbml_model.hpp"

namespace mti {
namespace turns_test {

using test::refusals_of;
using test::SbmlModel;
using test::SbmlRun;
using Form = SbmlModel::EventForm;
using Ids = std::vector<std::string>;

constexpr double close = 1e-7;

/// At t = 1 m is 2, 0 and 2 again, and n is 1 and then `last`; F, which m > 1 triggers, comes behind them all.
SbmlModel twice(const std::string& last, const Form& form) {
  SbmlModel model;
  model.parameter("m", "0", false).parameter("n", "0", false).parameter("y", "0", false);
  model.event("A", "geq(time, 1)", {{"m", "2"}, {"n", "1"}}, {.priority = "9"});
  model.event("B", "geq(time, 1)", {{"m", "0"}}, {.priority = "8"});
  model.event("D", "geq(time, 1)", {{"m", "2"}, {"n", last}}, {.priority = "7"});
  model.event("F", "gt(m, 1)", {{"y", "y + n"}}, form);
  return model;
}

TEST(SbmlTurns, WhatIsTriggeredTwiceHappensTwice) {
  const SbmlRun late(twice("5", {.priority = "1", .values_of_trigger_time = false}), 2);
  ASSERT_EQ(late.outcome().kind, OutcomeKind::reached_stop) << late.outcome().message;
  EXPECT_NEAR(late("y", 2), 10, close);
  // Values of the trigger time: both times y = 0 + 1.
  const SbmlRun same(twice("1", {.priority = "1"}), 2);
  ASSERT_EQ(same.outcome().kind, OutcomeKind::reached_stop) << same.outcome().message;
  EXPECT_NEAR(same("y", 2), 1, close);
  // What does not persist is dropped by B.
  const SbmlRun once(twice("5", {.priority = "1", .persistent = false, .values_of_trigger_time = false}), 2);
  ASSERT_EQ(once.outcome().kind, OutcomeKind::reached_stop) << once.outcome().message;
  EXPECT_NEAR(once("y", 2), 5, close);
}

TEST(SbmlTurns, TwoValuesOfTheTriggerTimeEndTheRun) {
  const SbmlRun run(twice("5", {.priority = "1"}), 2);
  EXPECT_EQ(run.outcome().kind, OutcomeKind::dead_end);
  EXPECT_NE(run.outcome().message.find("F.y.one_at_a_time"), std::string::npos) << run.outcome().message;
}

TEST(SbmlTurns, TwoDelaysOfOneInstantEndTheRun) {
  // Two delays, of 5 and of 0: nothing happens by the second one alone.
  SbmlModel model;
  model.parameter("m", "0", false).parameter("d", "0", false).parameter("y", "0", false);
  model.event("A", "geq(time, 1)", {{"m", "2"}, {"d", "5"}}, {.priority = "9"});
  model.event("B", "geq(time, 1)", {{"m", "0"}}, {.priority = "8"});
  model.event("D", "geq(time, 1)", {{"m", "2"}, {"d", "0"}}, {.priority = "7"});
  model.event("F", "gt(m, 1)", {{"y", "y + 1"}}, {.delay = "d", .values_of_trigger_time = false});
  const SbmlRun run(model, 8);
  EXPECT_EQ(run.outcome().kind, OutcomeKind::dead_end);
  EXPECT_NE(run.outcome().message.find("F.one_at_a_time"), std::string::npos) << run.outcome().message;
}

TEST(SbmlTurns, PrioritiesAreComparedWhenTheirTurnComes) {
  // A comes first and makes u; then B by its priority u, and D by 2: the later one leaves its number in a.
  for (const auto& [u, last] : {std::pair("1", 1.0), std::pair("3", 2.0)}) {
    SbmlModel model;
    model.parameter("u", "0", false).parameter("a", "0", false);
    model.event("D", "geq(time, 1)", {{"a", "2"}}, {.priority = "2"});
    model.event("A", "geq(time, 1)", {{"u", u}}, {.priority = "10"});
    model.event("B", "geq(time, 1)", {{"a", "1"}}, {.priority = "u"});
    const SbmlRun run(model, 2);
    ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
    EXPECT_NEAR(run("a", 2), last, close) << u;
  }
}

TEST(SbmlTurns, PrioritiesThatCross) {
  // x = t is above y = 1 + 0.3 t from 10/7 on; rateOf(y) is 0.3.
  SbmlModel model;
  model.parameter("x", "0", false).rate("x", "1").parameter("y", "1", false).rate("y", "3/10");
  for (const char* name : {"a", "b", "c"}) model.parameter(name, "0", false);
  model.event("A1", "geq(time, 1)", {{"a", "1"}}, {.priority = "x"});
  model.event("A2", "geq(time, 1)", {{"a", "2"}}, {.priority = "y"});
  model.event("B1", "geq(time, 2)", {{"b", "1"}}, {.priority = "x"});
  model.event("B2", "geq(time, 2)", {{"b", "2"}}, {.priority = "y"});
  model.event("D1", "geq(time, 2)", {{"c", "1"}}, {.priority = "1/4"});
  model.event("D2", "geq(time, 2)", {{"c", "2"}}, {.priority = "rateOf(y)"});
  const SbmlRun run(model, 3);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_NEAR(run("a", 3), 1, close);
  EXPECT_NEAR(run("b", 3), 2, close);
  EXPECT_NEAR(run("c", 3), 1, close);
}

TEST(SbmlTurns, EqualPrioritiesThatChangeLeaveItToChance) {
  SbmlModel model;
  model.parameter("x", "0", false).rate("x", "1").parameter("a", "0", false);
  model.event("A", "geq(time, 1)", {{"a", "1"}}, {.priority = "x + 1"});
  model.event("B", "geq(time, 1)", {{"a", "2"}}, {.priority = "1 + x"});
  const SbmlRun run(model, 2);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_TRUE(run("a", 2) == 1.0 || run("a", 2) == 2.0) << run("a", 2);
}

TEST(SbmlTurns, PrioritiesThatCompareAsTheTriggerDoesAreRefused) {
  SbmlModel model;
  model.parameter("a", "0", false);
  model.event("A", "gt(time, 1)", {{"a", "1"}}, {.priority = "piecewise(1, gt(time, 1), 3)"});
  model.event("B", "gt(time, 1)", {{"a", "2"}}, {.priority = "2"});
  EXPECT_EQ(refusals_of(model.text()), Ids{"sbml-event /A"});
}

TEST(SbmlTurns, ConditionsOfConstantsAreAssigned) {
  SbmlModel model;
  model.parameter("k", "2").parameter("y", "0", false).parameter("z", "0", false).parameter("w", "0", false);
  model.event("A", "geq(time, 1)",
              {{"y", "piecewise(3, gt(k, 1), 7)"}, {"z", "abs(-k) + max(k, 5)"}, {"w", "gt(k, 3)"}});
  model.event("B", "geq(time, 2)", {{"w", "true"}}, {.delay = "true"});
  const SbmlRun run(model, 4);
  EXPECT_NEAR(run("y", 1.5), 3, close);
  EXPECT_NEAR(run("z", 1.5), 7, close);
  EXPECT_NEAR(run("w", 2.9), 0, close);
  EXPECT_NEAR(run("w", 3.1), 1, close);
}

}  // namespace turns_test
}  // namespace mti
