// Impacts where the tolerance at the boundary is below the rounding of the way there: heights of 1 to 1e8, and other units.
// They end at √(2h/g) (1 + e)/(1 − e), whatever the tolerance.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "mti/build/build.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti {
namespace impacts_from_far_test {

Source ball(double height, double g, double e, double stop) {
  Source source;
  source.parameters = {{"g", g}, {"e", e}};
  source.states = {{.name = "h", .start = height}, {.name = "v"}};
  source.algebraic = {{.name = "force"}};
  source.binaries = {{.name = "rests"}};
  source.equations = {"der(h) = v", "der(v) = force - g", {"support", "rests*h + (1 - rests)*force = 0"}};
  source.constraints = {{"floor", "-h <= 0"}, "force >= 0"};
  source.transitions = {{.when = "reach(floor)", .replaces = {"support"}, .equations = {"v = -e*pre(v)"}}};
  source.experiment.stop = stop;
  return source;
}

TEST(ImpactsFromFar, EndAtTheLimitOfTheSeries) {
  for (const double height : {1.0, 37.0, 1e3, 1e4, 5e5, 9680257.33, 1e8})
    for (const double e : {0.3, 0.5, 0.7, 0.8})
      for (const double rtol : {1e-6, 1e-8, 1e-9, 1e-10, 1e-12}) {
        SCOPED_TRACE(std::to_string(height) + " " + std::to_string(e) + " " + std::to_string(rtol * 1e9));
        const double limit = std::sqrt(2.0 * height / 9.81) * (1.0 + e) / (1.0 - e);
        const Trajectory run =
            simulate(build(ball(height, 9.81, e, 1.2 * limit)), {.rtol = rtol, .atol = 1e-2 * rtol});
        ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
        ASSERT_EQ(run.accumulations.size(), 1U);
        EXPECT_NEAR(run.accumulations.front().time, limit, 1e-6 * limit);
        EXPECT_NEAR(run.accumulations.front().ratio, e, 1e-3);
      }
}

// A metre in nanometres.
TEST(ImpactsFromFar, OfOtherUnitsAreTheSame) {
  for (const double e : {0.5, 0.7, 0.8}) {
    const double limit = std::sqrt(2.0 / 9.81) * (1.0 + e) / (1.0 - e);
    const Trajectory run = simulate(build(ball(1e9, 9.81e9, e, 1.2 * limit)));
    ASSERT_EQ(run.accumulations.size(), 1U) << run.outcome.message;
    EXPECT_NEAR(run.accumulations.front().time, limit, 1e-6 * limit) << e;
  }
}

// Without loss: h(t) is that of the last impact at 2k + 1 times √(2h/g).
TEST(ImpactsFromFar, AnElasticBallGoesOn) {
  for (const double height : {1e3, 1e5, 1e7})
    for (const double rtol : {1e-6, 1e-8, 1e-10}) {
      Source source = ball(height, 9.81, 1.0, 10.3 * std::sqrt(2.0 * height / 9.81));
      source.binaries.clear();
      source.algebraic.clear();
      source.equations = {"der(h) = v", "der(v) = -g"};
      source.constraints = {{"floor", "-h <= 0"}};
      source.transitions[0].replaces.clear();
      const Trajectory run = simulate(build(source), {.rtol = rtol, .atol = 1e-2 * rtol});
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop)
          << height << " " << rtol << " " << run.outcome.message;
      // In units of the time of a fall impacts are at 1, 3, 5, 7, 9, and the ball is at its top at 10.
      const double expected = height * (1.0 - 0.3 * 0.3);
      EXPECT_NEAR(run.value(run.size() - 1, run.column("h")), expected, 1e-4 * height)
          << height << " " << rtol;
    }
}

}  // namespace impacts_from_far_test
}  // namespace mti
