// What a run keeps of its past where the argument of a root passes zero: the motion is made again a little beyond, and nothing
// of what was before is lost.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "io/model/read_model.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti {
namespace past_of_ends_test {

/// y' = 0.2 − y from 0.3, and what a delay of 0.2 makes of it.
double y_at(double t) { return 0.2 + 0.1 * std::exp(-t); }
constexpr double before = -0.494;
double delayed(double t) { return t < 0.2 ? before : y_at(t - 0.2); }

/// x' = −1 − sign(x) φ(|x|) + 0.1 d by Runge and Kutta's method; at the zero of x a step is off by no more than its length
/// times what φ changes in it: 2e-6·sqrt(2e-6) = 3e-9 of a root, 3e-8 of a cubic one.
template <class Phi>
double by_hand(double stop, Phi phi) {
  constexpr int steps = 1'000'000;
  const double h = stop / steps;
  const auto slope = [&](double t, double x) {
    return -1.0 - std::copysign(phi(std::abs(x)), x) + 0.1 * delayed(t);
  };
  double x = 1.0;
  for (int k = 0; k < steps; ++k) {
    const double t = k * h, k1 = slope(t, x), k2 = slope(t + 0.5 * h, x + 0.5 * h * k1),
                 k3 = slope(t + 0.5 * h, x + 0.5 * h * k2), k4 = slope(t + h, x + h * k3);
    x += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return x;
}

Trajectory run_of(const std::string& slope, double rtol, bool dense = false) {
  SimulationOptions options;
  options.rtol = options.atol = rtol;
  options.dense = dense;
  return simulate(
      read_model_text(
          R"json({"format": "mti-model", "version": 1, "experiment": {"stop": 2, "output_interval": 0.02},
    "states": [{"name": "x", "start": 1}, {"name": "y", "start": 0.3}],
    "inputs": [{"name": "d", "delay": {"of": "y", "time": 0.2, "before": -0.494}}],
    "equations": ["der(x) = )json" +
          slope + R"json( + 0.1*d", "der(y) = -y + 0.2"]})json"),
      options);
}

TEST(PastOfEnds, DelayedSignalsKeepTheirHistory) {
  const double by_root = by_hand(2.0, [](double x) { return std::sqrt(x); });
  for (const double rtol : {1e-6, 1e-8}) {
    const Trajectory run = run_of("-1 - sign(x)*sqrt(abs(x))", rtol);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    for (std::size_t row = 0; row < run.size(); ++row)
      if (run.time(row) > 0.2001) {
        ASSERT_NEAR(run.input(row, 0), delayed(run.time(row)), 10.0 * rtol) << run.time(row);
      }
    EXPECT_NEAR(run.value(run.size() - 1, run.column("x")), by_root, 10.0 * rtol * 2.0 + 3e-9);
  }
  const Trajectory cubic = run_of("-1 - cbrt(x)", 1e-8);
  EXPECT_NEAR(cubic.value(cubic.size() - 1, cubic.column("x")),
              by_hand(2.0, [](double x) { return std::cbrt(x); }), 10.0 * 1e-8 * 2.0 + 3e-8);
}

/// x' = −1 − sqrt(|x|) from 1: with u = sqrt(x), t = 2(1 − u) − 2 ln(2/(1 + u)) up to x = 0.
TEST(PastOfEnds, DenseOutputHasNoHole) {
  SimulationOptions options;
  options.rtol = options.atol = 1e-8;
  options.dense = true;
  const Trajectory run =
      simulate(read_model_text(R"json({"format": "mti-model", "version": 1, "experiment": {"stop": 2},
    "states": [{"name": "x", "start": 1}], "equations": ["der(x) = -1 - sqrt(abs(x))"]})json"),
               options);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop);
  const double zero = 2.0 - 2.0 * std::log(2.0), te = run.events.back().time;
  EXPECT_NEAR(te, zero, 1e-7);
  const std::size_t x = run.column("x");
  for (const double distance : {1e-3, 1e-6, 1e-8, 1e-9, 1e-10, 1e-11})
    for (const double t : {te - distance, te + distance})
      EXPECT_NEAR(run.at(t, x, Side::left), zero - t, 2.0 * std::sqrt(distance) * distance + 1e-7) << t - te;
  for (std::size_t row = 0; row < run.size(); ++row)
    for (std::size_t column = 0; column < run.columns(); ++column)
      if (run.time(row) == te) {
        EXPECT_EQ(run.at(te, column, run.side(row) < 0 ? Side::left : Side::right), run.value(row, column));
      }

  const Trajectory enters =
      simulate(read_model_text(R"json({"format": "mti-model", "version": 1, "experiment": {"stop": 2},
    "states": [{"name": "x"}], "equations": ["der(x) = 1 - sqrt(x)"]})json"),
               options);
  EXPECT_EQ(enters.at(0.0, 0, Side::right), 0.0);
  EXPECT_NEAR(enters.at(1e-6, 0, Side::right), 1e-6, 1e-8);
}

}  // namespace past_of_ends_test
}  // namespace mti
