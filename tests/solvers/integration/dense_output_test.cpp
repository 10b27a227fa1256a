// A run as a function of time: against closed forms, at its rows, at jumps, at its ends.
#include "solvers/integration/dense_output.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <stdexcept>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti {
namespace dense_output_test {

/// Polynomials of the degree that is kept come back to rounding; of one degree more they do not.
TEST(DenseOutput, KeepsPolynomials) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> coefficient(-1.0, 1.0), part(0.0, 1.0);
  const std::vector<int> rows = {2, 0};
  for (const int n : {1, 2, 5, 20}) {
    std::vector<double> c(at(n) + 1);
    for (double& entry : c) entry = coefficient(random);
    const auto p = [&](double t) {
      double sum = 0.0;
      for (auto k = c.rbegin(); k != c.rend(); ++k) sum = sum * (t - 3.0) + *k;
      return sum;
    };
    std::vector<double> v(3);
    const auto point = [&](double t) -> std::span<const double> {
      v = {7.0, 0.0, p(t)};
      return v;
    };
    DenseOutput kept, too_low;
    kept.add(2.5, 3.5, n, rows, point);
    if (n > 1) too_low.add(2.5, 3.5, n - 1, rows, point);
    double worst = 0.0;
    for (int i = 0; i < 100; ++i) {
      const double t = 2.5 + part(random);
      EXPECT_NEAR(kept.value(t, 0, Side::right), p(t), 1e-14 * (n + 1));
      EXPECT_EQ(kept.value(t, 1, Side::left), 7.0);
      if (n > 1) worst = std::max(worst, std::abs(too_low.value(t, 0, Side::right) - p(t)));
    }
    // The rest is c_n 2^(2−2n) of a Chebyshev polynomial on an interval of length 1, halved at the ends.
    if (n == 2 || n == 5) {
      EXPECT_GT(worst, 0.1 * std::abs(c.back()) * std::pow(2.0, 1 - 2 * n));
    }
  }
}

TEST(DenseOutput, OfNothingThrows) {
  EXPECT_THROW(static_cast<void>(DenseOutput().value(0.0, 0, Side::right)), std::out_of_range);
}

/// x'' = −x: x = cos t, v = −sin t; y = x v.
Model oscillator() {
  Source source;
  source.states = {{.name = "x", .start = 1.0}, {.name = "v"}};
  source.algebraic = {{.name = "y"}};
  source.equations = {"der(x) = v", "der(v) = -x", "y = x*v"};
  source.experiment.stop = 10.0;
  source.experiment.output_interval = 0.1;
  return build(source);
}

/// Random times: power series err by 10·rtol at most. The global error of BDF grows with the periods; between its steps
/// its polynomial is as good as at the rows, where the error is taken from.
TEST(TrajectoryAt, IsTheMotionBetweenRows) {
  const Model model = oscillator();
  std::mt19937 random(11);
  std::uniform_real_distribution<double> times(0.0, 10.0);
  for (const double rtol : {1e-4, 1e-6, 1e-9})
    for (const IntegratorChoice integrator : {IntegratorChoice::automatic, IntegratorChoice::ida}) {
      const Trajectory run =
          simulate(model, {.rtol = rtol, .atol = rtol, .dense = true, .integrator = integrator});
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop);
      double of_rows = 0.0, between = 0.0;
      const auto error = [](std::span<const double> row, double t) {
        return std::max({std::abs(row[0] - std::cos(t)), std::abs(row[1] + std::sin(t)),
                         std::abs(row[2] + 0.5 * std::sin(2.0 * t))});
      };
      for (std::size_t row = 0; row < run.size(); ++row) {
        const double t = run.time(row);
        of_rows = std::max(of_rows, error(run.row(row), t));
        for (std::size_t c = 0; c < run.columns(); ++c)
          EXPECT_NEAR(run.at(t, c), run.value(row, c), 1e-13) << t;
      }
      for (int i = 0; i < 3000; ++i) {
        const double t = times(random);
        between = std::max(between, error(run.at(t), t));
      }
      EXPECT_LE(between, 10.0 * rtol + (integrator == IntegratorChoice::ida ? 2.0 * of_rows : 0.0)) << rtol;
    }
}

/// A ball that falls from 1 under g = 10 and comes back with half its speed: impacts at t_1 = √0.2 and
/// t_{k+1} = t_k + 2·(1/2)^k t_1.
TEST(TrajectoryAt, HasBothSidesOfJumps) {
  Source source;
  source.states = {{.name = "h", .start = 1.0}, {.name = "v"}};
  source.equations = {"der(h) = v", "der(v) = -10"};
  source.constraints = {{"floor", "-h <= 0"}};
  source.transitions = {{"reach(floor)", {}, {"v = -0.5*pre(v)"}}};
  source.experiment.stop = 1.2;
  const Model model = build(source);
  constexpr double rtol = 1e-8;
  const double first = std::sqrt(0.2);
  for (const IntegratorChoice integrator : {IntegratorChoice::automatic, IntegratorChoice::ida}) {
    const Trajectory run =
        simulate(model, {.rtol = rtol, .atol = rtol, .dense = true, .integrator = integrator});
    const std::size_t h = run.column("h"), v = run.column("v");
    ASSERT_GE(run.events.size(), 2U);
    double speed = 10.0 * first, impact = first;
    for (int k = 0; k < 2; ++k, speed *= 0.5) {
      const double t = run.events[at(k)].time;
      EXPECT_NEAR(t, impact, 10.0 * rtol);
      EXPECT_NEAR(run.at(t, v, Side::left), -speed, 100.0 * rtol);
      EXPECT_NEAR(run.at(t, v, Side::right), 0.5 * speed, 100.0 * rtol);
      EXPECT_NEAR(run.at(t, v), 0.5 * speed, 100.0 * rtol) << "the right side unless the left is asked for";
      EXPECT_NEAR(run.at(t, h, Side::left), 0.0, 100.0 * rtol);
      impact += speed / 10.0;
    }
    for (int i = 1; i < 100; ++i) {
      const double t = first * i / 100.0;
      EXPECT_NEAR(run.at(t, h), 1.0 - 5.0 * t * t, 10.0 * rtol);
      const double s = first * i / 100.0, after = first + s;  // the second flight takes as long as the fall
      EXPECT_NEAR(run.at(after, h), 5.0 * first * s - 5.0 * s * s, 100.0 * rtol);
      EXPECT_EQ(run.at(t, h, Side::left), run.at(t, h, Side::right));
    }
  }
}

/// y = u, a table with a step at t = 1, and a relay that changes with it.
TEST(TrajectoryAt, HasBothSidesOfInputs) {
  Source source;
  source.states = {{.name = "x"}};
  source.inputs = {{.name = "u", .form = TableSource{{0.0, 1.0, 1.0, 2.0}, {0.0, 1.0, 5.0, 5.0}, {}}}};
  source.algebraic = {{.name = "y"}};
  source.equations = {"der(x) = y", "y = u"};
  source.experiment.stop = 2.0;
  const Trajectory run = simulate(build(source), {.dense = true});
  EXPECT_NEAR(run.at(1.0, 1, Side::left), 1.0, 1e-9);
  EXPECT_NEAR(run.at(1.0, 1, Side::right), 5.0, 1e-9);
  EXPECT_NEAR(run.at(0.5, 0), 0.125, 1e-5);
  EXPECT_NEAR(run.at(1.5, 0), 3.0, 1e-5);
}

TEST(TrajectoryAt, EndsWhereTheRunEnds) {
  const Model model = oscillator();
  const Trajectory run = simulate(model, {.rtol = 1e-8, .dense = true});
  EXPECT_EQ(run.at(0.0, 0, Side::left), 1.0);
  EXPECT_EQ(run.at(0.0, 0, Side::right), 1.0);
  EXPECT_NEAR(run.at(10.0, 0), std::cos(10.0), 1e-7);
  EXPECT_NEAR(run.at(10.0, 0, Side::left), std::cos(10.0), 1e-7);
  for (const double t : {-1e-9, 10.0 + 1e-9, std::nan("")})
    EXPECT_THROW(static_cast<void>(run.at(t)), std::out_of_range);
  EXPECT_THROW(static_cast<void>(run.at(1.0, 3)), std::out_of_range);
  EXPECT_THROW(static_cast<void>(simulate(model).at(1.0)), std::out_of_range) << "it was not asked for";
}

/// y' = 1 + y² goes to infinity at π/2: what there is can be asked for.
TEST(TrajectoryAt, OfARunThatEndsEarly) {
  Source source;
  source.states = {{.name = "x"}};
  source.equations = {"der(x) = 1 + x^2"};
  source.experiment.stop = 2.0;
  const Trajectory run = simulate(build(source), {.rtol = 1e-8, .dense = true});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::solver_failure);
  EXPECT_NEAR(run.at(1.0, 0), std::tan(1.0), 1e-6);
  EXPECT_GT(run.at(run.outcome.end_time, 0), 1e3);
  EXPECT_THROW(static_cast<void>(run.at(std::numbers::pi / 2 + 1e-3, 0)), std::out_of_range);
}

TEST(TrajectoryAt, OfSamplesIsRefused) {
  Source source;
  source.sample_time = 1.0;
  source.states = {{.name = "x", .start = 1.0}};
  source.equations = {"next(x) = 0.5*x"};
  source.experiment.stop = 10.0;
  EXPECT_THROW(static_cast<void>(simulate(build(source), {.dense = true})), InvalidOption);
}

}  // namespace dense_output_test
}  // namespace mti
