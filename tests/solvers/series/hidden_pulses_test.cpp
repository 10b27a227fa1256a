// Pulses that are 0 to any tolerance where a step begins and where it would end: the step must not be made across them.
// Against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/functions/function_bounds.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace hidden_pulses_test {

/// (t − place)/width as a state of its own: as a square of time minus place, expanded, its digits would cancel.
struct Moved {
  double place = 0.0, width = 1.0;
};

/// x at the end of x' = slope from 0, by power series; `moved` are s0, s1, … in the slope.
double integral(const std::string& slope, double rtol, const std::vector<Moved>& moved = {},
                long* steps = nullptr) {
  Source source;
  source.states = {{"x", 0.0}};
  source.equations = {"der(x) = " + slope};
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const std::string name = "s" + std::to_string(i);
    source.states.push_back({name, -moved[i].place / moved[i].width});
    source.equations.push_back("der(" + name + ") = 1/" + text::format_number(moved[i].width));
  }
  SimulationOptions options = test::with_accuracy(rtol);
  options.integrator = IntegratorChoice::series;
  options.stop = 100.0;
  const Trajectory run = simulate(build(source), options);
  EXPECT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  if (steps != nullptr) *steps = run.statistics.steps;
  return run.value(run.size() - 1, run.column("x"));
}

/// ∫ exp(−((t − c)/w)²) dt from a to b.
double gaussian(double c, double w, double a, double b) {
  return 0.5 * std::sqrt(std::numbers::pi) * w * (std::erf((b - c) / w) - std::erf((a - c) / w));
}

/// C' = exp(−((t − 50)/5)²) − C/100: with s = t − 50, C(100) = e^(−1) + ∫ exp(−s²/25 − (50 − s)/100) ds, the square completed.
TEST(HiddenPulses, ADoseIsNotPassedOver) {
  Source source;
  source.states = {{"C", 1.0}};
  source.equations = {"der(C) = exp(-((time-50)/5)^2) - 0.01*C"};
  const double shift = 0.125;  // −s²/25 + s/100 = −(s − 1/8)²/25 + 1/1600
  const double exact = std::exp(-1.0) + std::exp(-0.5 + 1.0 / 1600.0) * gaussian(shift, 5.0, -50.0, 50.0);
  for (const double rtol : {1e-4, 1e-6, 1e-9}) {
    SimulationOptions options = test::with_accuracy(rtol);
    options.stop = 100.0;
    const Trajectory run = simulate(build(source), options);
    EXPECT_NEAR(run.value(run.size() - 1, run.column("C")), exact, 50.0 * rtol) << rtol;
    EXPECT_LE(run.statistics.steps, 400) << rtol;
  }
}

/// Pulses of time and of a state, alone and in sums, at random places, also across an end of the run, down to a
/// hundred-thousandth of its length.
TEST(HiddenPulses, AtRandomPlacesOfRandomWidths) {
  std::mt19937_64 random(20240611);
  std::uniform_real_distribution<double> place(-2.0, 102.0), exponent(-3.0, 1.0), one(0.0, 1.0);
  constexpr double stop = 100.0;
  for (int i = 0; i < 60; ++i)
    for (const double rtol : {1e-4, 1e-6, 1e-9}) {
      std::string slope = "0";
      std::vector<Moved> states;
      double exact = 0.0;
      const int pulses = 1 + i % 3;
      for (int pulse = 0; pulse < pulses; ++pulse) {
        const double c = place(random), w = std::pow(10.0, exponent(random));
        const bool of_time = w > 0.5 && one(random) < 0.5;
        const std::string moved =
            of_time ? "((time - " + text::format_number(c) + ")/" + text::format_number(w) + ")"
                    : "(s" + std::to_string(states.size()) + ")";
        if (!of_time) states.push_back({c, w});
        const double from = (0.0 - c) / w, to = (stop - c) / w;
        switch (static_cast<int>(4.0 * one(random))) {
          case 0:
            slope += " + exp(-" + moved + "^2)";
            exact += gaussian(c, w, 0.0, stop);
            break;
          case 1:
            slope += " + 1/(1 + " + moved + "^2)";
            exact += w * (std::atan(to) - std::atan(from));
            break;
          case 2: {  // ∫ tanh = ln cosh
            const auto log_cosh = [](double z) {
              return std::abs(z) + std::log1p(std::exp(-2.0 * std::abs(z))) - std::numbers::ln2;
            };
            slope += " + tanh" + moved;
            exact += w * (log_cosh(to) - log_cosh(from));
            break;
          }
          default:  // ∫ (1 − tanh²) = tanh
            slope += " + 1 - tanh" + moved + "^2";
            exact += w * (std::tanh(to) - std::tanh(from));
        }
      }
      const double found = integral(slope, rtol, states);
      // A pulse is seen where it rises above the tolerance, so that as much may be missed of it for as long as the run is.
      EXPECT_NEAR(found, exact, 100.0 * rtol * (1.0 + std::abs(exact))) << slope << ", rtol = " << rtol;
    }
}

/// Narrow as it may be: a Gaussian and a quotient of a millionth of the run.
TEST(HiddenPulses, OfAMillionthOfTheRun) {
  for (const double w : {5e-2, 1e-3, 1e-4}) {
    EXPECT_NEAR(integral("exp(-s0^2)", 1e-8, {{37.3, w}}), std::sqrt(std::numbers::pi) * w, 1e-6) << w;
    EXPECT_NEAR(integral("1/(1 + s0^2)", 1e-8, {{37.3, w}}), w * (std::atan(62.7 / w) + std::atan(37.3 / w)),
                1e-6)
        << w;
  }
}

/// The same as an equation that is solved for a signal, or for a slope.
TEST(HiddenPulses, OfEquationsThatAreSolved) {
  Source source;
  source.states = {{"x", 0.0}, {"xi", 0.0}, {"w", 0.0}};
  source.algebraic = {{"p"}};
  source.equations = {"p*(1 + 1e6*(xi - 50)^2) = 1", "der(x) = p", "der(xi) = 1",
                      "(1 + 1e6*(xi - 50)^2)*der(w) = 1"};
  const double exact = 2e-3 * std::atan(5e4);
  for (const double rtol : {1e-5, 1e-8}) {
    SimulationOptions options = test::with_accuracy(rtol);
    options.stop = 100.0;
    const Trajectory run = simulate(build(source), options);
    EXPECT_NEAR(run.value(run.size() - 1, run.column("x")), exact, 30.0 * rtol) << rtol;
    EXPECT_NEAR(run.value(run.size() - 1, run.column("w")), exact, 30.0 * rtol) << rtol;
  }
}

/// x' = x(1 − x) from 1e-30, x = 1/(1 + 1e30·e^(−t)): all of its series is below the tolerance. Where it passes that its relative
/// error is what the tolerance leaves open there, and stays.
TEST(HiddenPulses, WhatGrowsOutOfTheToleranceIsFollowed) {
  Source source;
  source.states = {{"x", 1e-30}};
  source.equations = {"der(x) = x*(1 - x)"};
  for (const double rtol : {1e-4, 1e-6, 1e-9}) {
    SimulationOptions options = test::with_accuracy(rtol);
    options.integrator = IntegratorChoice::series;
    options.stop = 100.0;
    const Trajectory run = simulate(build(source), options);
    EXPECT_NEAR(run.value(run.size() - 1, run.column("x")), 1.0, 10.0 * rtol) << rtol;
    EXPECT_LE(run.statistics.steps, 250) << rtol;
    for (std::size_t row = 0; row < run.size(); ++row)
      EXPECT_NEAR(run.value(row, run.column("x")), 1.0 / (1.0 + 1e30 * std::exp(-run.time(row))), 0.01)
          << "rtol = " << rtol << ", t = " << run.time(row);
  }
}

/// A limit that a pulse passes twice within what was one step: exp(−s²) = 1/2 at s = −√(ln 2).
TEST(HiddenPulses, HaveTheirEvents) {
  Source source;
  source.states = {{"x", 0.0}};
  source.algebraic = {{"p"}};
  source.binaries = {{"seen"}};
  source.equations = {"p = exp(-((time - 50)/0.05)^2)", "der(x) = 1"};
  source.constraints = {"(p - 0.5)*(1 - seen) <= 0"};
  for (const double rtol : {1e-4, 1e-6, 1e-9}) {
    SimulationOptions options = test::with_accuracy(rtol);
    options.stop = 100.0;
    const Trajectory run = simulate(build(source), options);
    ASSERT_EQ(run.events.size(), 1U) << rtol;
    EXPECT_NEAR(run.events[0].time, 50.0 - 0.05 * std::sqrt(std::numbers::ln2), 10.0 * rtol) << rtol;
  }
}

/// Functions that move far without a trace cost no steps.
TEST(HiddenPulses, WhereNothingHidesAStepIsLong) {
  const std::vector<std::string> slopes = {"exp(-50 - time)", "exp(-((time - 500)/5)^2)", "tanh(40 + time)",
                                           "1e-3/(1 + s0)^2"};
  for (const std::string& slope : slopes) {
    long steps = 0;
    (void)integral(slope, 1e-6, {{0.0, 1.0}}, &steps);
    EXPECT_LE(steps, 20) << slope;
  }
}

/// What functions do within a range and on a disc is within the bounds that are given: by samples.
TEST(HiddenPulses, BoundsOfFunctionsHold) {
  using Kind = ElementaryFunction::Kind;
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> one(0.0, 1.0);
  for (int kind = 0; kind <= static_cast<int>(Kind::erf); ++kind)
    for (int i = 0; i < 400; ++i) {
      ElementaryFunction phi{static_cast<Kind>(kind)};
      if (phi.kind == Kind::power) phi.exponent = std::vector{-1.0, -2.0, 0.5, 2.5, -1.5}[at(i % 5)];
      const double low = 4.0 * one(random) - 2.0;
      const ValueRange range{low, low + std::pow(10.0, 2.0 * one(random) - 1.5)};
      const double spread = spread_of(phi, range);
      if (!std::isfinite(spread)) continue;
      double least = phi.value(range.low), most = least;
      for (int k = 1; k <= 50; ++k) {
        const double value = phi.value(range.low + range.width() * k / 50.0);
        least = std::min(least, value);
        most = std::max(most, value);
      }
      EXPECT_LE(most - least, spread * (1.0 + 1e-12))
          << phi.name() << " on " << range.low << " … " << range.high;
      const double radius = one(random), bound = bound_on_disc(phi, low, radius);
      for (const double z : {low - radius, low, low + radius})
        EXPECT_LE(std::isfinite(bound) ? std::abs(phi.value(z)) : 0.0, bound * (1.0 + 1e-12)) << phi.name();
    }
}

}  // namespace hidden_pulses_test
}  // namespace mti
