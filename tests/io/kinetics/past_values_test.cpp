#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/io/kinetics/sbml_model.hpp"

// The symbol `delay`: before the start variables have what they begin with, and rules hold (SBML level 3 version 2, section 3.4.6).
namespace mti::sbml_past_values_test {
namespace {

using test::SbmlModel;
using test::SbmlRun;

constexpr double close = 2e-8;

TEST(SbmlPastValues, OfAConcentrationByItsAmount) {
  // S1' = −S1/5 from 5, as 2 S1 → 2 S2 would; y = S1 one unit of time ago.
  SbmlModel model;
  model.compartment("C").species("S1", "initialConcentration='5'").species("S2", "initialConcentration='1'");
  model.parameter("y", "", false).parameter("T", "1").assignment("y", "delay(S1, T)");
  model.reaction("J", "S1", "S2", "C*S1/5");
  const SbmlRun run(model, 3);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  for (const double t : {0.0, 0.5, 1.0, 1.7, 3.0})
    EXPECT_NEAR(run("y", t), 5.0 * std::exp(-std::max(t - 1.0, 0.0) / 5.0), close) << t;
}

TEST(SbmlPastValues, OfTimeAndOfRulesHoldBeforeTheStart) {
  SbmlModel model;
  for (const char* name : {"a", "b", "c", "d"}) model.parameter(name, "", false);
  model.parameter("x", "2", false).rate("x", "3");
  model.assignment("a", "2*time + 1").assignment("b", "delay(a, 1.5)");
  model.assignment("c", "delay(a*x, 0.5)").assignment("d", "delay(delay(x, 0.5), 0.25)");
  const SbmlRun run(model, 2);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  const auto x = [](double t) { return t < 0.0 ? 2.0 : 2.0 + 3.0 * t; };
  for (const double t : {0.0, 0.3, 0.5, 1.1, 2.0}) {
    EXPECT_NEAR(run("b", t), 2.0 * (t - 1.5) + 1.0, close) << t;
    EXPECT_NEAR(run("c", t), (2.0 * (t - 0.5) + 1.0) * x(t - 0.5), close) << t;
    EXPECT_NEAR(run("d", t), x(t - 0.75), close) << t;
  }
}

TEST(SbmlPastValues, StandInTriggersAndFollowEvents) {
  // x jumps to 1 at t = 1; E sees that at 1.5. F is triggered at the start, for time was below −0.5 a unit before.
  SbmlModel model;
  model.parameter("x", "0", false)
      .parameter("y", "0", false)
      .parameter("z", "0", false)
      .parameter("a", "", false);
  model.assignment("a", "time");
  model.event("D", "geq(time, 1)", {{"x", "1"}});
  model.event("E", "gt(delay(x, 0.5), 0.5)", {{"y", "7"}});
  model.event("F", "lt(delay(a, 1), -0.5)", {{"z", "3"}}, {.initial_value = false});
  const SbmlRun run(model, 2);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  EXPECT_NEAR(run("y", 1.45), 0, close);
  EXPECT_NEAR(run("y", 1.55), 7, close);
  EXPECT_NEAR(run("z", 0.0), 3, close);
}

TEST(SbmlPastValues, OfAConcentrationInACompartmentThatGrows) {
  // 6 units in C = 2 + t.
  SbmlModel model;
  model.compartment("C", "size='2'", false).rate("C", "1").species("S", "initialAmount='6'");
  model.parameter("y", "", false).assignment("y", "delay(S, 1)");
  const SbmlRun run(model, 3);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  for (const double t : {0.0, 0.5, 1.5, 3.0})
    EXPECT_NEAR(run("y", t), 6.0 / (2.0 + std::max(t - 1.0, 0.0)), close) << t;
}

TEST(SbmlPastValues, InitialAssignmentsByTimeHoldBeforeTheStart) {
  // x begins with sin(10 t) + p, p with 2 t + 1, and both stay; T = 0.5.
  SbmlModel model;
  model.parameter("x", "", false).parameter("p", "", false).parameter("y", "", false);
  model.initial("x", "sin(10*time) + p").initial("p", "2*time + 1").assignment("y", "2 + delay(x, 0.5)");
  const SbmlRun run(model, 1);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  for (const double t : {0.0, 0.2, 0.45}) {
    const double before = t - 0.5;
    EXPECT_NEAR(run("y", t), 2.0 + std::sin(10.0 * before) + 2.0 * before + 1.0, close) << t;
  }
  for (const double t : {0.55, 1.0}) EXPECT_NEAR(run("y", t), 3.0, close) << t;
}

TEST(SbmlPastValues, OfRatesAreZeroBeforeTheStart) {
  // S' = −S/5 from 5; by its rate, by a rule that takes the rate, and of a rule with another delay in it.
  SbmlModel model;
  model.compartment("C").species("S", "initialConcentration='5'").parameter("r", "", false);
  model.parameter("a", "", false).parameter("b", "", false).reaction("J", "S", "", "C*S/5");
  model.assignment("a", "delay(rateOf(S), 1)")
      .assignment("r", "2*rateOf(S)")
      .assignment("b", "delay(r, 0.5)");
  const SbmlRun run(model, 3);
  ASSERT_EQ(run.outcome().kind, OutcomeKind::reached_stop) << run.outcome().message;
  const auto rate = [](double t) { return t < 0.0 ? 0.0 : -std::exp(-t / 5.0); };
  for (const double t : {0.0, 0.3, 0.7, 1.1, 2.0, 3.0}) {
    EXPECT_NEAR(run("a", t), rate(t - 1.0), close) << t;
    EXPECT_NEAR(run("b", t), 2.0 * rate(t - 0.5), close) << t;
  }
}

}  // namespace
}  // namespace mti::sbml_past_values_test
