// Runs with smooth(order, …): no event at a kink, and the motion of closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/solvers/sensitivities/differentiated_run.hpp"

namespace mti {
namespace smooth_run_test {

constexpr double pi = std::numbers::pi;

/// x = p·cos t, w = ∫ FORM dt.
Source oscillation(const std::string& form) {
  Source source;
  source.parameters = {{"p", 1.0}};
  source.states = {{"x", "p"}, {"v", 0.0}, {"w", 0.0}};
  source.equations = {"der(x) = v", "der(v) = -x", "der(w) = " + form};
  source.experiment.stop = 10.0;
  return source;
}

double last(const Trajectory& run, const char* name) { return run.value(run.size() - 1, run.column(name)); }

/// ∫ |cos s| ds over [0, t]
double integral_of_abs(double t) {
  const double halves = std::floor((t + 0.5 * pi) / pi);
  return 2.0 * halves + std::sin(t) * (std::fmod(halves, 2.0) == 0.0 ? 1.0 : -1.0);
}

/// ∫ max(cos s, 0) = (∫ |cos s| + sin t)/2. A step over a kink is as exact as the test of errors makes it.
TEST(SmoothRun, KinksHaveNoEvents) {
  for (const IntegratorChoice engine : {IntegratorChoice::automatic, IntegratorChoice::ida})
    for (const double rtol : {1e-5, 1e-7, 1e-9}) {
      SCOPED_TRACE(rtol);
      SimulationOptions options;
      options.integrator = engine;
      options.rtol = options.atol = rtol;
      for (const bool half : {false, true}) {
        const Trajectory run =
            simulate(build(oscillation(half ? "smooth(0, max(x, 0))" : "smooth(0, abs(x))")), options);
        ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
        EXPECT_TRUE(run.events.empty());
        const double whole = integral_of_abs(10.0);
        EXPECT_NEAR(last(run, "w"), half ? 0.5 * (whole + std::sin(10.0)) : whole, 300.0 * rtol);
        EXPECT_NEAR(last(run, "x"), std::cos(10.0), 300.0 * rtol);
      }
    }
}

/// The same without smooth has an event at each of its three kinks.
TEST(SmoothRun, WithoutItTheyHave) {
  const Trajectory run = simulate(build(oscillation("abs(x)")));
  EXPECT_EQ(run.events.size(), 3U);
}

/// From the kink itself to either side: w = t²/2.
TEST(SmoothRun, BeginsAtTheKink) {
  for (const char* rate : {"1", "-1"}) {
    Source source;
    source.states = {{"x"}, {"w"}};
    source.equations = {std::string("der(x) = ") + rate, "der(w) = smooth(0, abs(x))"};
    source.experiment.stop = 2.0;
    const Trajectory run = simulate(build(source));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_NEAR(last(run, "w"), 2.0, 1e-5) << rate;
  }
}

/// x' = −x − |x|/2: x = e^(−t/2)·x₀ below zero; and through a loop, x' = y, y = −x − |y|/2 with y = −x/(1 − 1/2), x > 0.
TEST(SmoothRun, InRelaxationsAndLoops) {
  Source source;
  source.states = {{"x", -1.0}, {"u", 1.0}};
  source.algebraic = {{"y"}};
  source.equations = {"der(x) = -x - smooth(0, abs(x))/2", "der(u) = y", "y = -u - smooth(0, abs(y))/2"};
  source.experiment.stop = 3.0;
  source.experiment.rtol = 1e-8;
  source.experiment.atol = 1e-10;
  for (const IntegratorChoice engine : {IntegratorChoice::automatic, IntegratorChoice::ida}) {
    SimulationOptions options;
    options.integrator = engine;
    const Trajectory run = simulate(build(source), options);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_NEAR(last(run, "x"), -std::exp(-1.5), 1e-6);
    EXPECT_NEAR(last(run, "u"), std::exp(-6.0), 1e-6);
  }
}

TEST(SmoothRun, DerivativesGoThroughKinks) {
  const Trajectory run =
      test::differentiated_run(oscillation("smooth(0, abs(x))"), {"p"},
                               {.stop = 10.0, .rtol = 1e-9, .atol = 1e-11, .output_interval = 1.0});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(test::derivative(run, "w", "p"), integral_of_abs(10.0), 1e-6);
}

TEST(SmoothRun, InDiscreteTime) {
  Source source;
  source.sample_time = 1.0;
  source.experiment.stop = 20.0;
  source.states = {{"x", 1.0}};
  source.equations = {"next(x) = smooth(0, clamp(1 - 1.9*abs(x), -0.8, 0.9))"};
  const Trajectory run = simulate(build(source));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_TRUE(run.events.empty());
  for (std::size_t row = 1; row < run.size(); ++row) {
    const double x = run.value(row - 1, run.column("x"));
    EXPECT_NEAR(run.value(row, run.column("x")), std::min(std::max(1.0 - 1.9 * std::abs(x), -0.8), 0.9),
                1e-14);
  }
}

}  // namespace smooth_run_test
}  // namespace mti
