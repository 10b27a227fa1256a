// Blocks with functions that few of the digits of their equations are left for, and functions far from their singular points.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace steep_blocks_test {

Trajectory run_of(const Source& source, double stop, double rtol) {
  SimulationOptions options = test::with_accuracy(rtol);
  options.stop = stop;
  return simulate(build(source), options);
}

/// A diode behind 1.3 mΩ that a falling voltage turns off within 20 ms: below the knee its current is lost beside u/R, and
/// exp(d/V_T) goes on to follow it. Without a current the capacitor discharges over its load, v = v(0.1)·exp(−0.8·(t − 0.1)).
TEST(SteepBlocks, ADiodeBehindASmallResistanceTurnsOff) {
  Source source;
  source.states = {{"v", 5.0}};
  source.algebraic = {{"i"}, {"d"}};
  source.inputs = {{.name = "u", .form = TableSource{{0.0, 1.0}, {6.5, -96.0}}}};
  source.equations = {"i = 4e-14*(exp(d/0.026) - 1)", "u = d + 0.0013*i + v", "0.002*der(v) = i - 0.0016*v"};
  for (const double rtol : {1e-6, 1e-8}) {
    const Trajectory off = run_of(source, 0.1, rtol), run = run_of(source, 1.0, rtol);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_LT(run.statistics.steps, 20000) << rtol;
    EXPECT_NEAR(run.value(run.size() - 1, run.column("v")),
                off.value(off.size() - 1, off.column("v")) * std::exp(-0.8 * 0.9), 100.0 * rtol)
        << rtol;
    EXPECT_NEAR(run.value(run.size() - 1, run.column("i")), -4e-14, 100.0 * rtol) << rtol;
  }
}

/// v = 1 − exp(−t) passes from zero to 10⁸ times the scale of φ, whose integral by v is known: q = ∫φ(v/s)·v̇ dt.
TEST(SteepBlocks, FunctionsFarFromTheirSingularPointsTakeFewSteps) {
  constexpr double s = 1e-8, rtol = 1e-8;
  const std::function<double(double)> of_asinh = [](double a) {
    return a * std::asinh(a) - std::hypot(1.0, a);
  };
  const std::function<double(double)> of_atan = [](double a) {
    return a * std::atan(a) - 0.5 * std::log1p(a * a);
  };
  const std::function<double(double)> of_acosh = [](double a) {
    const double b = a + 2.0;
    return b * std::acosh(b) - std::sqrt(b * b - 1.0);
  };
  const std::pair<std::string, std::function<double(double)>> functions[] = {
      {"asinh(v/1e-8)", of_asinh}, {"atan(v/1e-8)", of_atan}, {"acosh(v/1e-8 + 2)", of_acosh}};
  for (const auto& [text, integral] : functions) {
    Source source;
    source.states = {{"v", 0.0}, {"q", 0.0}};
    source.algebraic = {{"w"}};
    source.equations = {"der(v) = 1 - v", "w = " + text, "der(q) = w*(1 - v)"};
    const Trajectory run = run_of(source, 1.0, rtol);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_LT(run.statistics.steps, 1000) << text;
    const double end = (1.0 - std::exp(-1.0)) / s;
    EXPECT_NEAR(run.value(run.size() - 1, run.column("q")), s * (integral(end) - integral(0.0)),
                10.0 * rtol * s * std::abs(integral(end)))
        << text;
  }
}

}  // namespace steep_blocks_test
}  // namespace mti
