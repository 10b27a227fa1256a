// Motions whose power series have gaps: between powers of t^m all coefficients vanish, and so may the last of those that are
// found. Against closed forms, over tolerances, since the order follows from rtol.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace lacunary_series_test {

std::string power_of_time(int m) {
  std::string result = "1";
  for (int i = 0; i < m; ++i) result += "*time";
  return result;
}

Trajectory run_of(const Source& source, double rtol, double stop) {
  SimulationOptions options = test::with_accuracy(rtol);
  options.integrator = IntegratorChoice::series;
  options.stop = stop;
  const Trajectory run = simulate(build(source), options);
  EXPECT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  return run;
}

constexpr std::array tolerances = {1e-4, 1e-5, 1e-6, 1e-7, 1.5e-8, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12};

/// S' = −m t^(m−1) S, S = exp(−t^m): reliability after Weibull.
TEST(LacunarySeries, ExponentialsOfPowersOfTime) {
  for (const int m : {1, 2, 3, 5, 7, 12, 30})
    for (std::size_t i = 0; i < tolerances.size();
         i += m < 10 ? 1 : 3) {  // many copies of the time take their time
      const double rtol = tolerances[i];
      Source source;
      source.states = {{"S", 1.0}};
      source.equations = {"der(S) = -" + std::to_string(m) + "*S*" + power_of_time(m - 1)};
      const Trajectory run = run_of(source, rtol, 1.5);
      for (std::size_t row = 0; row < run.size(); row += 20)
        EXPECT_NEAR(run.value(row, run.column("S")), std::exp(-std::pow(run.time(row), m)), 10.0 * rtol)
            << "m = " << m << ", rtol = " << rtol << ", t = " << run.time(row);
    }
}

/// x' = (m + 1) t^m, x = t^(m+1): x begins with one order more than all that is known of x'.
TEST(LacunarySeries, PowersOfTime) {
  for (int m = 0; m <= 40; ++m)
    for (const double rtol : tolerances) {
      Source source;
      source.states = {{"x", 0.0}};
      source.equations = {"der(x) = " + std::to_string(m + 1) + "*" + power_of_time(m)};
      const Trajectory run = run_of(source, rtol, 1.0);
      EXPECT_NEAR(run.value(run.size() - 1, run.column("x")), 1.0, 10.0 * rtol)
          << "m = " << m << ", rtol = " << rtol;
    }
}

/// ẍ = −t²x, x(0) = 1, ẋ(0) = 0, in powers of t⁴: x_(k+4) = −x_k/((k + 4)(k + 3)).
TEST(LacunarySeries, ASpringThatStiffens) {
  constexpr long double t = 3.0L;
  long double term = 1.0L, exact = 0.0L;
  for (int k = 0; k < 400; k += 4) {
    exact += term;
    term *= -t * t * t * t / ((k + 4.0L) * (k + 3.0L));
  }
  for (const double rtol : tolerances) {
    Source source;
    source.states = {{"x", 1.0}, {"v", 0.0}};
    source.equations = {"der(x) = v", "der(v) = -time*time*x"};
    const Trajectory run = run_of(source, rtol, 3.0);
    EXPECT_NEAR(run.value(run.size() - 1, run.column("x")), static_cast<double>(exact), 30.0 * rtol) << rtol;
  }
}

/// The limit S ≤ 1/10 is passed at t = (ln 10)^(1/3).
TEST(LacunarySeries, HaveTheirEvents) {
  for (const double rtol : tolerances) {
    Source source;
    source.states = {{"S", 1.0}};
    source.binaries = {{"low"}};
    source.equations = {"der(S) = -3*time*time*S"};
    source.constraints = {"(0.1 - S)*(1 - low) <= 0"};
    const Trajectory run = run_of(source, rtol, 3.0);
    ASSERT_EQ(run.events.size(), 1U) << rtol;
    EXPECT_NEAR(run.events[0].time, std::cbrt(std::log(10.0)), 30.0 * rtol) << rtol;
  }
}

/// What is a polynomial is one step, however long.
TEST(LacunarySeries, PolynomialsAreOneStep) {
  Source source;
  source.states = {{"h", 0.0}, {"v", 3.0}, {"a", 0.0}};
  source.algebraic = {{"E"}};
  source.equations = {"der(h) = v", "der(v) = -2", "der(a) = h*v", "E = h + v*v"};
  for (const double rtol : {1e-4, 1e-8, 1e-12}) {
    const Trajectory run = run_of(source, rtol, 1000.0);
    EXPECT_EQ(run.statistics.steps, 1) << rtol;
    // a = h²/2, h = 3t − t²
    const double h = 3.0 * 1000.0 - 1e6;
    EXPECT_NEAR(run.value(run.size() - 1, run.column("a")), 0.5 * h * h, 1e-12 * h * h);
  }
}

}  // namespace lacunary_series_test
}  // namespace mti
