// Impacts that are left at once, beside what slides and with it. Closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace impacts_beside_slides_test {

double last(const Trajectory& run, const std::string& name) {
  return run.value(run.size() - 1, run.column(name));
}

/// A ball that is thrown against a ceiling, h = 1, and falls from there, beside a block that sticks to the floor.
TEST(ImpactsBesideSlides, OfABallBesideABlockThatSticks) {
  for (const double start : {0.0, 1.0}) {  // it sticks from the beginning, or is still slipping
    Source source;
    source.states = {{"h", 0.0}, {"v", 5.0}, {"w", start}};
    source.algebraic = {{"N"}};
    source.binaries = {{"c"}};
    source.equations = {"der(h) = v", "der(v) = -9.81 - N", "c*(1 - h) + (1 - c)*N = 0",
                        "der(w) = 0.5 - sign(w)"};
    source.constraints = {"h <= 1", "N >= 0"};
    SimulationOptions options = test::with_accuracy(1e-8);
    options.stop = 0.6;
    const Trajectory run = simulate(build(source), options);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << start << ": " << run.outcome.message;
    const double met = (5.0 - std::sqrt(25.0 - 2.0 * 9.81)) / 9.81, fall = 0.6 - met;
    EXPECT_NEAR(last(run, "h"), 1.0 - 0.5 * 9.81 * fall * fall, 1e-6) << start;
    EXPECT_NEAR(last(run, "v"), -9.81 * fall, 1e-6) << start;
    EXPECT_NEAR(last(run, "w"), std::max(start - 0.5 * 0.6, 0.0), 1e-6) << start;
  }
}

/// Two blocks of mass 1 that friction up to 1 holds together, of which the second one is pulled back by 1.5. It meets a stop; the
/// first one slips on, and the stop is left, for friction is less than the pull.
TEST(ImpactsBesideSlides, OfABlockThatAnotherOneStuckTo) {
  Source source;
  source.states = {{"q", 0.0}, {"v", 2.0}, {"w", 2.0}};
  source.algebraic = {{"F"}, {"N"}};
  source.binaries = {{"c"}};
  source.equations = {"F = sign(w - v)", "der(q) = v", "der(v) = -1.5 + F - N", "der(w) = -F",
                      "c*(1 - q) + (1 - c)*N = 0"};
  source.constraints = {"q <= 1", "N >= 0"};
  const double v = std::sqrt(4.0 - 1.5), met = (2.0 - v) / 0.75;
  SimulationOptions options = test::with_accuracy(1e-8);
  options.stop = met + 2.0;
  const Trajectory run = simulate(build(source), options);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(last(run, "v"), -0.5 * 2.0, 1e-6);
  EXPECT_NEAR(last(run, "w"), v - 2.0, 1e-6);
  EXPECT_NEAR(last(run, "q"), 1.0 - 0.25 * 4.0, 1e-6);
}

}  // namespace impacts_beside_slides_test
}  // namespace mti
