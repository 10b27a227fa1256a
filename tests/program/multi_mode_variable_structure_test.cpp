// Equations that determine a state in one mode and its derivative in another. Closed forms: straight lines.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/program/restart.hpp"

namespace mti::test {
namespace multi_mode_variable_structure_test {

// [E22] 2.1: 1 = if x ≥ 1 then x else x'. x = t until 1, then 1 for ever, without a jump.
TEST(TwoEquations, GrowsToOneAndStays) {
  for (const double rtol : accuracies) {
    const SimulationRun run = completed(case_model("two_equations"), rtol);
    const std::vector<Instant> events = instants(run);
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].kind(), "switch");
    EXPECT_EQ(events[0].changed_to("p"), 1);
    EXPECT_NEAR(events[0].time(), 1.0, error_bound(rtol));
    EXPECT_EQ(events[0].jumped(), Names{});
    EXPECT_EQ(events[0].impulsive(), Names{});
    for (const auto& row : run.rows)
      EXPECT_NEAR(run.value(row, "x"), std::min(row.time, 1.0), error_bound(rtol)) << row.time;
  }
}

// From above, x jumps to 1 at the start: a state whose derivative is absent follows its equation.
TEST(TwoEquations, JumpsToOneFromAbove) {
  nlohmann::json model = case_model("two_equations");
  set_start(model, "x", 2.5);
  set_start(model, "p", 1.0);
  const SimulationRun run = completed(model, 1e-8);
  const std::vector<Instant> events = instants(run);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].kind(), "initial");
  EXPECT_EQ(events[0].jumped(), Names{"x"});
  EXPECT_EQ(events[0].before("x"), 2.5);
  for (const auto& row : run.rows)
    if (row.side != -1) {
      EXPECT_NEAR(run.value(row, "x"), 1.0, restart_accuracy);
    }
}

// OpenModelica issue 13861.
TEST(ConstraintReleased, FollowsAAndThenItsOwnEquation) {
  for (const double rtol : accuracies) {
    const SimulationRun run = completed(case_model("om13861_constraint_released"), rtol);
    const std::vector<Instant> events = instants(run);
    ASSERT_EQ(events.size(), 1U);
    EXPECT_NEAR(events[0].time(), 3.0, 1e-12);
    EXPECT_EQ(events[0].jumped(), Names{});
    EXPECT_NEAR(events[0].before("b"), 4.0, error_bound(rtol, 4.0));
    for (const auto& row : run.rows) {
      const double t = row.time;
      EXPECT_NEAR(run.value(row, "a"), 1.0 + t, error_bound(rtol, 4.0)) << t;
      EXPECT_NEAR(run.value(row, "b"), t <= 3.0 ? 1.0 + t : 7.0 - t, error_bound(rtol, 4.0)) << t;
    }
  }
}

// The way back: b is free first and forced to a then, by a jump; a carries no weight.
TEST(ConstraintReleased, IsCaughtAgainWithAJump) {
  nlohmann::json model = case_model("om13861_constraint_released");
  set_equation(model, "law", "released*(b - a) + (1 - released)*(der(b) + 1) = 0");
  const SimulationRun run = completed(model, 1e-8);
  const std::vector<Instant> events = instants(run);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].jumped(), Names{"b"});
  EXPECT_NEAR(events[0].before("b"), -2.0, 1e-6);
  EXPECT_NEAR(events[0].after("b"), events[0].after("a"), restart_accuracy * 4.0);
  EXPECT_EQ(events[0].impulsive(), Names{}) << "nothing balances the jump";
  EXPECT_NEAR(run.value(run.rows.back(), "b"), 5.0, 1e-6);
}

// OpenModelica issue 10787: the branches are written in an order that pairs a differential equation with an
// algebraic one. The order of the rows must not matter.
TEST(OrderMixedIf, StopsAtZeroWhateverTheOrder) {
  const nlohmann::json written = case_model("om10787_order_mixed_if");
  nlohmann::json reversed = written, paired = written;
  std::swap(reversed["equations"][0], reversed["equations"][1]);
  set_equation(paired, "first", "running*(a - time - 2) + (1 - running)*a = 0");
  set_equation(paired, "second", "running*(der(b) + 1) + (1 - running)*b = 0");
  for (const nlohmann::json& model : {written, reversed, paired})
    for (const double rtol : accuracies) {
      const SimulationRun run = completed(model, rtol);
      const std::vector<Instant> events = instants(run);
      ASSERT_EQ(events.size(), 1U);
      EXPECT_NEAR(events[0].time(), 10.0, 1e-11);
      EXPECT_NEAR(events[0].before("a"), 12.0, error_bound(rtol, 12.0));
      EXPECT_NEAR(events[0].before("b"), 0.0, error_bound(rtol, 10.0));
      EXPECT_NEAR(events[0].after("a"), 0.0, restart_accuracy);
      EXPECT_NEAR(events[0].after("b"), 0.0, restart_accuracy);
      for (const auto& row : run.rows) {
        const bool running = row.time < events[0].time() || row.side == -1;
        EXPECT_NEAR(run.value(row, "a"), running ? row.time + 2.0 : 0.0, error_bound(rtol, 12.0));
        EXPECT_NEAR(run.value(row, "b"), running ? 10.0 - row.time : 0.0, error_bound(rtol, 10.0));
      }
    }
}

// b jumps where it is not 0 when the run stops.
TEST(OrderMixedIf, JumpsToZeroFromElsewhere) {
  nlohmann::json model = case_model("om10787_order_mixed_if");
  set_start(model, "b", 13.0);
  const SimulationRun run = completed(model, 1e-8);
  ASSERT_EQ(run.events.size(), 1U);
  const Instant event = instants(run)[0];
  EXPECT_EQ(event.jumped(), Names{"b"});
  EXPECT_NEAR(event.before("b"), 3.0, 1e-6);
  EXPECT_NEAR(event.after("b"), 0.0, restart_accuracy);
}

}  // namespace multi_mode_variable_structure_test
}  // namespace mti::test
