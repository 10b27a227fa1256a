// Oscillations with a whole number of periods between any two points of the grid that a step of the exact flow is compared
// on: they have the same value at all of them. Steps are powers of two, so frequencies in whole Hertz come upon that by
// themselves.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace flow_aliasing_test {

constexpr double two_pi = 2.0 * std::numbers::pi;

Trajectory run_of(const Source& source, double tolerance) {
  SimulationOptions options = test::with_accuracy(tolerance);
  options.integrator = IntegratorChoice::flow;
  const Trajectory run = simulate(build(source), options);
  EXPECT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_EQ(run.statistics.steps, run.statistics.flow_steps);
  return run;
}

/// x' = λ(u − x), u = sin 2πft: x = λ Im((e^{iωt} − e^{−λt})/(λ + iω)).
TEST(FlowAliasing, ALagFollowsASineOfAnyFrequency) {
  for (const double lambda : {1e3, 2e4})
    for (const double f : {1.0, 2.0, 8.0, 10.0, 16.0, 50.0, 50.001, 60.0, 64.0, 1.0 / 3.0}) {
      Source source;
      source.states = {{"x", 0.0}};
      source.inputs = {{.name = "u", .form = SineSource{1.0, f}}};
      source.equations = {"der(x) = k*(u - x)"};
      source.parameters = {{"k", lambda}};
      source.experiment = {.stop = 300.0};
      const Trajectory run = run_of(source, 1e-7);
      const double omega = two_pi * f;
      for (std::size_t row = 1; row < run.size(); row += 50) {
        const double t = run.time(row), phase = two_pi * std::remainder(f * t, 1.0);
        const double exact =
            lambda * (lambda * std::sin(phase) - omega * std::cos(phase)) / (lambda * lambda + omega * omega);
        EXPECT_NEAR(run.value(row, run.column("x")), exact, 1e-6) << f << " Hz, t = " << t;
      }
    }
}

/// ẍ = −ω²x, x(0) = 1, beside a fast lag: at whole periods x stands still, and v is 0.
TEST(FlowAliasing, AFreeOscillationBesideALag) {
  for (const double f : {1.0, 16.0, 50.0}) {
    Source source;
    source.parameters = {{"w", two_pi * f}};
    source.states = {{"x", 1.0}, {"v", 0.0}, {"a", 0.0}};
    source.equations = {"der(x) = w*v", "der(v) = -w*x", "der(a) = 10000*(x - a)"};
    source.experiment = {.stop = 100.0};
    const Trajectory run = run_of(source, 1e-7);
    for (std::size_t row = 1; row < run.size(); row += 50) {
      const double phase = two_pi * std::remainder(f * run.time(row), 1.0);
      EXPECT_NEAR(run.value(row, run.column("x")), std::cos(phase), 1e-6) << f << " Hz";
      EXPECT_NEAR(run.value(row, run.column("v")), -std::sin(phase), 1e-6) << f << " Hz";
    }
  }
}

/// sin 2π·50t of a lag of 10⁻⁴ s reaches 2 − t/100 first when that is just below its amplitude.
TEST(FlowAliasing, ACrossingBetweenTheSamplesIsFound) {
  Source source;
  source.states = {{"x", 0.0}, {"level", 2.0}};
  source.inputs = {{.name = "u", .form = SineSource{1.0, 50.0}}};
  source.binaries = {{"tripped"}};
  source.equations = {"der(x) = 10000*(u - x)", "der(level) = -0.01"};
  source.constraints = {"(x - level)*(1 - tripped) <= 0"};
  source.experiment = {.stop = 200.0};
  const Trajectory run = run_of(source, 1e-8);
  ASSERT_GE(run.events.size(), 1U);
  // The first crossing of A sin(ωt − φ) and 2 − t/100, by bisection between the lowest point before it and the crest.
  const double omega = two_pi * 50.0, k = 1e4, A = k / std::hypot(k, omega), phi = std::atan2(omega, k);
  const auto above = [&](double t) { return A * std::sin(omega * t - phi) - 2.0 + 0.01 * t; };
  double crest = (std::numbers::pi / 2.0 + phi) / omega;
  while (above(crest) < 0.0) crest += 0.02;
  double low = crest - 0.01, high = crest;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (above(middle) < 0.0 ? low : high) = middle;
  }
  EXPECT_NEAR(run.events[0].time, high, 1e-5);
}

}  // namespace flow_aliasing_test
}  // namespace mti
