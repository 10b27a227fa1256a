#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

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

using Values = std::vector<std::pair<std::string, double>>;

Trajectory explained(const Source& source) {
  SimulationOptions options;
  options.explain = true;
  return test::run(source, options);
}

/// What a candidate would set, in one line.
std::string setting(const ExplainedCandidate& candidate) {
  std::string text = std::to_string(candidate.step);
  for (const auto& [name, value] : candidate.changed) text += " " + name + "=" + std::to_string(value);
  for (const ExplainedSurface& surface : candidate.surfaces) {
    text += " on " + surface.constraint;
    for (const auto& [name, value] : surface.below) text += " " + name + ":" + std::to_string(value);
  }
  return text;
}

/// Two relays that know nothing of each other are met at t = 1: a' = 1 − 3p slides with p = 1/3, b' = 1 − 4r with r = 1/4. What
/// is judged: the four assignments, p sliding with r = 0, by which b leaves with b' = 1, the same with r = 1, where it
/// leaves with −b' = 3, and both sliding.
TEST(Explanation, ListsWhatASearchOfPartsJudges) {
  Source source;
  source.states = {{"a", -1.0}, {"b", -1.0}};
  source.binaries = {{"p", 0.0}, {"r", 0.0}};
  source.equations = {"der(a) = 1 - 3*p", "der(b) = 1 - 4*r"};
  source.constraints = {{"ca", "(1 - 2*p)*a <= 0"}, {"cb", "(1 - 2*r)*b <= 0"}};
  source.experiment = {.stop = 2.0, .rtol = 1e-8, .atol = 1e-8};
  const Trajectory trajectory = explained(source);
  ASSERT_EQ(trajectory.events.size(), 1U) << trajectory.outcome.message;
  const std::vector<ExplainedCandidate>& candidates = trajectory.events[0].explanation;
  ASSERT_EQ(candidates.size(), 7U);
  EXPECT_GE(trajectory.events[0].candidates_tried, 7) << "the search may come back to one";
  const Values assignments[] = {{}, {{"p", 1.0}}, {{"r", 1.0}}, {{"p", 1.0}, {"r", 1.0}}};
  for (std::size_t i = 0; i < std::size(assignments); ++i) EXPECT_EQ(candidates[i].changed, assignments[i]);

  const ExplainedCandidate &one = candidates[4], &other = candidates[5], &both = candidates[6];
  EXPECT_FALSE(one.accepted);
  ASSERT_EQ(one.changed.size(), 1U);
  EXPECT_EQ(one.changed[0].first, "p");
  EXPECT_NEAR(one.changed[0].second, 1.0 / 3.0, 1e-12);
  ASSERT_EQ(one.surfaces.size(), 1U);
  EXPECT_EQ(one.surfaces[0].constraint, "ca");
  EXPECT_EQ(one.surfaces[0].below, (std::vector<std::pair<std::string, int>>{{"p", 0}}));
  EXPECT_EQ(one.surfaces[0].above, (std::vector<std::pair<std::string, int>>{{"p", 1}}));
  ASSERT_EQ(one.rows.size(), 1U);
  EXPECT_EQ(one.rows[0].constraint, "cb");
  EXPECT_NEAR(one.rows[0].numbers.at(1).value, 1.0, 1e-12);
  EXPECT_EQ(one.rows[0].deciding, 1);
  EXPECT_FALSE(other.accepted);
  ASSERT_EQ(other.changed.size(), 2U);
  EXPECT_EQ(other.changed[1], (std::pair<std::string, double>("r", 1.0)));
  EXPECT_NEAR(other.rows.at(0).numbers.at(1).value, 3.0, 1e-12);
  EXPECT_TRUE(both.accepted);
  ASSERT_EQ(both.changed.size(), 2U);
  EXPECT_NEAR(both.changed[1].second, 0.25, 1e-12);
}

/// Above x = 0 logic makes z := 1 − pre(z) for ever: each step sets z, by logic alone. No slide is judged, for x rises on both
/// sides.
TEST(Explanation, TellsTheStepsOfACycleApart) {
  Source source;
  source.states = {{"x", -1.0}};
  source.binaries = {{"s", 0.0}, {"z", 0.0}};
  source.equations = {"der(x) = 1", "z = s*(1 - pre(z))"};
  source.constraints = {"(1 - 2*s)*x <= 0"};
  source.experiment = {.stop = 2.0};
  const Trajectory trajectory = explained(source);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::cycle) << trajectory.outcome.message;
  const std::vector<ExplainedCandidate>& candidates = trajectory.outcome.explanation;
  ASSERT_EQ(candidates.size(), 4U);
  const Values expected[] = {{}, {{"s", 1.0}, {"z", 1.0}}, {{"z", 0.0}}, {{"z", 1.0}}};
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(candidates[i].changed, expected[i]) << i;
    EXPECT_EQ(candidates[i].accepted, i > 0) << i;
  }
}

/// p slides when r is met; without its surface z⁻ is a candidate with p = 0, and no two candidates are alike.
TEST(Explanation, TellsCandidatesWithoutASurfaceFromThoseOnIt) {
  Source source;
  source.states = {{"a", 1.0}, {"b", -2.0}};
  source.binaries = {{"p", 0.0}};
  source.equations = {"der(a) = 2 - 4*p", "der(b) = 0.6"};
  source.constraints = {"(1 - 2*p)*(a + b) <= 0", "-a <= 0"};
  source.experiment = {.stop = 5.0};
  const Trajectory trajectory = explained(source);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::dead_end);
  std::set<std::string> settings;
  for (const ExplainedCandidate& candidate : trajectory.outcome.explanation) {
    EXPECT_TRUE(settings.insert(setting(candidate)).second) << setting(candidate);
    EXPECT_FALSE(candidate.accepted);
    EXPECT_FALSE(candidate.why.empty());
  }
  for (const Values& values : {Values{}, Values{{"p", 0.0}}, Values{{"p", 1.0}}})
    EXPECT_TRUE(std::ranges::any_of(trajectory.outcome.explanation, [&](const ExplainedCandidate& candidate) {
      return candidate.changed == values;
    }));
  EXPECT_NE(trajectory.outcome.message.find("p = 0: leaves through c1"), std::string::npos)
      << trajectory.outcome.message;
}

}  // namespace explanation_test
}  // namespace mti
