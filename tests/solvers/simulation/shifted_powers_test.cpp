// Powers and products of differences, far from zero: multiplied out, (p − c)³ would be known to the rounding of c³ only.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace shifted_powers_test {

/// p − c = e^(−t/2)/2, q' = (p − c)³.
TEST(ShiftedPowers, OfADifferenceOfPressures) {
  for (const IntegratorChoice integrator : {IntegratorChoice::automatic, IntegratorChoice::ida})
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
      Source source;
      source.states = {{"p", 101325.5}, {"q", 0.0}};
      source.algebraic = {{"y", 0.0}};
      source.equations = {"der(p) = -0.5*(p - 101325)", "y = (p - 101325)^3", "der(q) = y"};
      source.experiment = {.stop = 4.0};
      SimulationOptions options = test::with_accuracy(tolerance);
      options.integrator = integrator;
      options.atol = 1e-3 * tolerance;
      const Trajectory run = test::run(source, options);
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      EXPECT_EQ(test::recorded(run, "y", 0.0), 0.125);
      // p is known to rtol of itself; BDF leaves that much of it.
      const double part = integrator == IntegratorChoice::ida ? 1e5 * tolerance : tolerance;
      EXPECT_NEAR(test::last(run, "q"), 0.125 * (1.0 - std::exp(-6.0)) / 1.5, 10.0 * part) << tolerance;
    }
}

/// (p − c)³ = 8 where p = c + 2.
TEST(ShiftedPowers, OpenAReliefValveOnTime) {
  Source source;
  source.states = {{"p", 101325.0}};
  source.binaries = {{"open", 0.0}};
  source.equations = {"der(p) = 1"};
  source.constraints = {"(1 - 2*open)*((p - 101325)^3 - 8) <= 0"};
  source.experiment = {.stop = 4.0, .rtol = 1e-9, .atol = 1e-9};
  const Trajectory run = test::run(source);
  const std::vector<double> times = test::event_times(run);
  ASSERT_EQ(times.size(), 1U);
  EXPECT_NEAR(times[0], 2.0, 1e-3);  // p is known to 10⁻⁹ of itself
}

/// A throw at a time of the day in seconds since 1970, and a smooth step a million seconds after the start of time.
TEST(ShiftedPowers, OfATimeFarFromZero) {
  Source source;
  source.states = {{"q", 0.0}};
  source.algebraic = {{"h", 0.0}, {"s", 0.0}};
  source.equations = {"h = 20*(time - 1.7e9) - 4.905*(time - 1.7e9)^2",
                      "s = 3*(0.25*(time - 1.7e9))^2 - 2*(0.25*(time - 1.7e9))^3", "der(q) = s"};
  source.experiment = {.start = 1.7e9, .stop = 1.7e9 + 4.0};
  const Trajectory run = test::run(source);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  for (std::size_t row = 0; row < run.size(); ++row) {
    const double t = run.time(row) - 1.7e9;
    EXPECT_NEAR(run.value(row, run.column("h")), 20.0 * t - 4.905 * t * t, 1e-5) << t;
  }
  EXPECT_NEAR(test::last(run, "q"), 2.0, 1e-5);
}

/// d' = −d³ of two pressures that follow each other: d = 1/√(1/d₀² + 2t), in a mode that is not stiff, and far from zero.
TEST(ShiftedPowers, OfTwoStates) {
  Source source;
  source.states = {{"p1", 5e5 + 1.0}, {"p2", 5e5}};
  source.equations = {"der(p1) = -0.5*(p1 - p2)^3", "der(p2) = 0.5*(p1 - p2)*(p1 - p2)*(p1 - p2)"};
  source.experiment = {.stop = 4.0, .rtol = 1e-9, .atol = 1e-9};
  const Trajectory run = test::run(source);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(test::last(run, "p1") - test::last(run, "p2"), 1.0 / 3.0, 1e-8);
}

/// What slides has z² = z in products, as before: ẋ = −(1 − 2z)² x + 1 − 2z at x = 0 keeps ζ = 1/2 and no square of it.
TEST(ShiftedPowers, AreMultipliedOutWithBinaries) {
  Source source;
  source.states = {{"x", -1.0}, {"w", 0.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x) = 1 - 2*z", "der(w) = (w + 1 - 2*z)^2 - w*w"};
  source.constraints = {"(1 - 2*z)*x <= 0"};
  source.experiment = {.stop = 3.0, .rtol = 1e-8, .atol = 1e-8};
  const Trajectory run = test::run(source);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  // w' = 2w + 1 up to t = 1; then the average of 2w + 1 and −2w + 1
  EXPECT_NEAR(test::last(run, "w"), 0.5 * (std::exp(2.0) - 1.0) + 2.0, 1e-6);
}

}  // namespace shifted_powers_test
}  // namespace mti
