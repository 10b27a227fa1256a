// Slides whose weight comes to 0 or 1, and stays there.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace weights_at_their_bounds_test {

/// On y + x + 1 = 0 the weight is (1 − 1.2x)/(x + 2), and x → −5/11, where it is 1. Danger: its row rises and falls by
/// roundings, and each of them is looked at for as long as the run has time.
TEST(WeightsAtTheirBounds, ComeThereInTheLimit) {
  int slides = 0;
  for (const double x : {-1.0, -0.5, 0.5, 1.0, 2.0})
    for (const double y : {-0.5, 0.5, 1.0})
      for (const IntegratorChoice integrator : {IntegratorChoice::automatic, IntegratorChoice::ida})
        for (const double tolerance : {1e-4, 1e-6, 1e-7, 1e-8, 1e-9}) {
          Source source;
          source.states = {{"x", x}, {"y", y}};
          source.binaries = {{"z", 1.0}};
          source.equations = {"der(x) = -0.2*x + y - z*x", "der(y) = -y - x - 2*z + 1"};
          source.constraints = {"(1 - 2*z)*(y + x + 1) <= 0"};
          source.experiment = {.stop = 20.0};
          SimulationOptions options = test::with_accuracy(tolerance);
          options.integrator = integrator;
          options.max_seconds = 20.0;
          const Trajectory run = test::run(source, options);
          ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop)
              << x << ", " << y << ", " << tolerance << ": " << run.outcome.message;
          EXPECT_NEAR(test::last(run, "x"), -5.0 / 11.0, 10.0 * tolerance + 1e-6);
          const double z = test::last(run, "z");
          slides += z > 0.0 ? 1 : 0;
        }
  EXPECT_GT(slides, 0);
}

/// A heater that is just enough, beside a wall and a fast sensor whose rate the heater is no part of.
TEST(WeightsAtTheirBounds, OfAHeaterThatIsJustEnough) {
  for (const double wall : {22.0, 24.0, 28.0})
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      Source source;
      source.states = {{"T", 18.0}, {"W", wall}, {"S", 18.0}};
      source.binaries = {{"on", 1.0}};
      source.equations = {"1e5*der(T) = 1000*on - 50*T - 100*(T - W)", "1e6*der(W) = 100*(T - W)",
                          "der(S) = (T - S)*(1 + 0.1*(T - S)^2)/0.001"};
      source.constraints = {"(20 - T)*(1 - 2*on) <= 0"};
      source.experiment = {.stop = 864000.0};
      SimulationOptions options = test::with_accuracy(tolerance);
      options.max_seconds = 20.0;
      const Trajectory run = test::run(source, options);
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << wall << ": " << run.outcome.message;
      EXPECT_NEAR(test::last(run, "T"), 20.0, 100.0 * tolerance);
      EXPECT_NEAR(test::last(run, "W"), 20.0, 100.0 * tolerance);
      for (const std::string& warning : run.warnings)
        EXPECT_EQ(warning.find("average of both sides"), std::string::npos) << warning;
    }
}

}  // namespace weights_at_their_bounds_test
}  // namespace mti
