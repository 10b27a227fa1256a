#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "tests/solvers/sensitivities/differentiated_run.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

// What a law sets counts however small it is beside the tolerance, and its derivatives where it sets what is there already.
namespace mti::small_settings_test {
namespace {

/// u > 0.5 once in a period of 0.02, from 0 on.
Source pulsed(std::vector<StateSource> states, std::vector<WhenSource> whens) {
  Source source;
  source.states = std::move(states);
  for (const StateSource& state : source.states) source.equations.push_back("der(" + state.name + ") = 0");
  source.inputs = {{.name = "w", .form = SineSource{.amplitude = 1.0, .frequency = 1.0}}};
  source.whens = std::move(whens);
  return source;
}

TEST(SmallSettings, OfAWhenAreCountedAtAnySize) {
  // sin(2π t) passes 1/2 upwards once a second.
  for (const double start : {0.0, 4.9e5, 5e5, 5e6, 1e12}) {
    const Source source = pulsed({{.name = "n", .start = start}, {.name = "q"}},
                                 {{.condition = "w > 0.5", .set = {{"n", "n + 1"}, {"q", "q + 5e-9"}}}});
    const Trajectory run = test::run(source, {.stop = 40.0, .rtol = 1e-4, .atol = 1e-6});
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_EQ(test::last(run, "n"), start + 40.0);
    EXPECT_NEAR(test::last(run, "q"), 40.0 * 5e-9, 1e-20);
  }
}

TEST(SmallSettings, OfALawAreCountedAtAnySize) {
  Source source = pulsed({{.name = "n", .start = 5e6}}, {});
  source.binaries = {{"z"}};
  source.constraints = {{"up", "(w - 0.5)*(1 - z) <= 0"}, {"down", "(0.5 - w)*z <= 0"}};
  source.equations = {{"count", "der(n) = 0"}};
  source.transitions = {
      {.when = "reach(up)", .replaces = {"count"}, .equations = {"n = pre(n) + 1"}, .emit = "one"}};
  const Trajectory run = test::run(source, {.stop = 40.0, .rtol = 1e-5, .atol = 1e-6});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_EQ(test::last(run, "n"), 5e6 + 40.0);
  int emitted = 0;
  for (const Event& event : run.events) emitted += static_cast<int>(event.emitted.size());
  EXPECT_EQ(emitted, 40);
}

TEST(SmallSettings, OfWhatIsThereAlreadyHaveDerivatives) {
  // s⁺ = −3 s + 2 a at t = 0.5, with s = a = 0.
  Source source;
  source.parameters = {{"a", 0.0}};
  source.states = {{.name = "s"}};
  source.equations = {"der(s) = 0"};
  source.whens = {{.condition = "time > 0.5", .set = {{"s", "-3*s + 2*a"}}}};
  const Trajectory run = test::differentiated_run(source, {"start(s)", "a"}, {.stop = 1.0});
  EXPECT_NEAR(test::derivative(run, "s", "start(s)"), -3.0, 1e-9);
  EXPECT_NEAR(test::derivative(run, "s", "a"), 2.0, 1e-9);
}

TEST(SmallSettings, AComparisonAtItsThresholdThatNothingMovesHasTheValueOfItsOperator) {
  for (const auto& [condition, slope] :
       {std::pair("k >= 0.3", 1.0), std::pair("k > 0.3", 0.0), std::pair("0.3 <= k", 1.0),
        std::pair("k <= 0.3", 1.0), std::pair("0.3 < k", 0.0), std::pair("not (k < 0.3)", 1.0)}) {
    Source source;
    source.states = {{.name = "k", .start = 0.3}, {.name = "x"}};
    source.equations = {"der(k) = 0", std::string("der(x) = if ") + condition + " then 1 else 0"};
    EXPECT_NEAR(test::last(test::run(source, {.stop = 2.0}), "x"), 2.0 * slope, 1e-9) << condition;
  }
}

/// u is 1 up to t = 5 and 0 from there on: at the start the comparison is at its threshold, and says what its operator says.
TEST(SmallSettings, AComparisonAtItsThresholdIsThatOfTheTimeAtWhichARunBegins) {
  Source source;
  source.states = {{.name = "x"}};
  source.inputs = {{.name = "u",
                    .form = TableSource{
                        .time = {0.0, 5.0}, .value = {1.0, 0.0}, .interpolation = Interpolation::previous}}};
  source.equations = {"der(x) = if u > 0 then 1 else 0"};
  EXPECT_NEAR(test::last(test::run(source, {.start = 6.0, .stop = 10.0}), "x"), 0.0, 1e-9);
  EXPECT_NEAR(test::last(test::run(source, {.start = 1.0, .stop = 4.0}), "x"), 3.0, 1e-6);
  source.equations = {"der(x) = if u >= 0 then 1 else 0"};
  EXPECT_NEAR(test::last(test::run(source, {.start = 6.0, .stop = 10.0}), "x"), 4.0, 1e-9);
}

}  // namespace
}  // namespace mti::small_settings_test
