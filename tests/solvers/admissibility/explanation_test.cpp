#include <gtest/gtest.h>

#include "tests/solvers/simulation/run_queries.hpp"

/// What a run tells of its candidates if it is asked to.
namespace mti {
namespace explanation_test {

/// x' = v, v' = −2 from x = 1, v = 0: at t = 1 the row −x ≤ 0 of z = 0 has g = 0, Dg = 2; with z = 1 it is x
/// ≤ 0, where g = 0, Dg = −2, D²g = −2.
Source falling(bool can_follow) {
  Source source;
  source.states = {{"x", 1.0}, {"v", 0.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x) = v", "der(v) = -2"};
  source.constraints = {can_follow ? "-x*(1 - 2*z) <= 0" : "-x - 0*z <= 0"};
  if (!can_follow) source.constraints = {"-x <= 0"};
  if (!can_follow) source.equations[1] = "der(v) = -2 - z";
  source.experiment = {.stop = 2.0, .rtol = 1e-9, .atol = 1e-9};
  return source;
}

TEST(Explanation, HoldsTheNumbersOfTheDecision) {
  SimulationOptions options;
  options.explain = true;
  const Trajectory trajectory = test::run(falling(true), options);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  ASSERT_EQ(trajectory.events.size(), 1U);
  const std::vector<ExplainedCandidate>& candidates = trajectory.events[0].explanation;
  ASSERT_EQ(candidates.size(), 2U);

  EXPECT_FALSE(candidates[0].accepted);
  EXPECT_TRUE(candidates[0].changed.empty());
  EXPECT_NE(candidates[0].why.find("c1"), std::string::npos) << candidates[0].why;
  ASSERT_EQ(candidates[0].rows.size(), 1U);
  const ExplainedRow& broken = candidates[0].rows[0];
  EXPECT_EQ(broken.constraint, "c1");
  EXPECT_EQ(broken.deciding, 1);
  ASSERT_EQ(broken.numbers.size(), 3U);
  EXPECT_NEAR(broken.numbers[0].value, 0.0, broken.numbers[0].error);
  EXPECT_NEAR(broken.numbers[1].value, 2.0, 1e-6);
  EXPECT_NEAR(broken.numbers[2].value, 2.0, 1e-9);
  EXPECT_LT(broken.numbers[1].error, 1e-6);

  EXPECT_TRUE(candidates[1].accepted);
  ASSERT_EQ(candidates[1].changed.size(), 1U);
  EXPECT_EQ(candidates[1].changed[0].first, "z");
  EXPECT_EQ(candidates[1].changed[0].second, 1.0);
  ASSERT_EQ(candidates[1].rows.size(), 1U);
  EXPECT_NEAR(candidates[1].rows[0].numbers.at(1).value, -2.0, 1e-6);
  EXPECT_EQ(candidates[1].rows[0].deciding, 1);
}

TEST(Explanation, IsToldOfADeadEnd) {
  SimulationOptions options;
  options.explain = true;
  const Trajectory trajectory = test::run(falling(false), options);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::dead_end);
  ASSERT_EQ(trajectory.outcome.explanation.size(), 2U);
  for (const ExplainedCandidate& candidate : trajectory.outcome.explanation) {
    EXPECT_FALSE(candidate.accepted);
    ASSERT_EQ(candidate.rows.size(), 1U);
    EXPECT_EQ(candidate.rows[0].deciding, 1);
  }
  // −D²x: 2 with z = 0, 3 with z = 1.
  EXPECT_NEAR(trajectory.outcome.explanation[0].rows[0].numbers.at(2).value, 2.0, 1e-9);
  EXPECT_NEAR(trajectory.outcome.explanation[1].rows[0].numbers.at(2).value, 3.0, 1e-9);
}

TEST(Explanation, IsNotMadeUnasked) {
  const Trajectory trajectory = test::run(falling(true));
  EXPECT_TRUE(trajectory.events.at(0).explanation.empty());
  EXPECT_TRUE(trajectory.outcome.explanation.empty());
}

/// Steps of memory are told with their numbers: z⁻, s = 1, the step; then z⁻ of the next, s = 0.
TEST(Explanation, TellsTheStepsOfAnInstant) {
  Source source;
  source.states = {{"i", 0.0}};
  source.binaries = {{"s", 0.0}, {"o", 0.0}};
  source.equations = {"der(i) = (1 - o) - 10*o*i", "o - s - pre(o) + s*pre(o) = 0"};
  source.constraints = {"(1 - 2*s)*(i - 1) <= 0"};
  source.experiment = {.stop = 2.0, .rtol = 1e-8, .atol = 1e-8};
  SimulationOptions options;
  options.explain = true;
  const Trajectory trajectory = test::run(source, options);
  ASSERT_EQ(trajectory.events.size(), 1U);
  const std::vector<ExplainedCandidate>& candidates = trajectory.events[0].explanation;
  ASSERT_FALSE(candidates.empty());
  EXPECT_EQ(candidates.front().step, 1);
  EXPECT_EQ(candidates.back().step, 2);
  EXPECT_TRUE(candidates.back().accepted);
  const auto step = std::find_if(
      candidates.begin(), candidates.end(),
      [](const ExplainedCandidate& candidate) { return candidate.why.starts_with("a step of memory"); });
  ASSERT_NE(step, candidates.end());
  EXPECT_EQ(step->changed.size(), 2U);
}

}  // namespace explanation_test
}  // namespace mti
