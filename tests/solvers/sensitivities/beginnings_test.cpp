#include <gtest/gtest.h>

#include <cmath>

#include "tests/solvers/sensitivities/differentiated_run.hpp"

/// Derivatives of runs that begin exactly at a threshold, or go on behind an impulse that a breakpoint of an input brings. Closed forms.
namespace beginnings_test {
namespace {

using mti::Source;
using mti::test::derivative;
using mti::test::differentiated_run;

constexpr double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10};

mti::SimulationOptions until(double stop, double rtol) { return {.stop = stop, .rtol = rtol, .atol = rtol}; }

/// v' = F − k·v|v| from rest: v = sqrt(F/k)·tanh(ωt) with ω = sqrt(F k), and ∂v/∂v0 = 1/cosh²(ωt), ∂x/∂v0 = tanh(ωt)/ω: to either
/// side of 0 the drag of v0 is of second order.
TEST(BeginningsAtThresholds, DragOnABodyThatStartsFromRest) {
  const double F = 1.3, k = 0.5, omega = std::sqrt(F * k);
  for (const char* drag : {"v*abs(v)", "v*v*sign(v)", "v*max(v, -v)", "(if v > 0 then v*v else -v*v)"})
    for (const double rtol : tolerances) {
      Source source;
      source.parameters = {{"F", F}, {"k", k}};
      source.states = {{.name = "x"}, {.name = "v"}};
      source.equations = {"der(x) = v", std::string("der(v) = F - k*") + drag};
      const mti::Trajectory run = differentiated_run(source, {"start(v)", "F"}, until(1.0, rtol));
      const double cosh = std::cosh(omega);
      EXPECT_NEAR(derivative(run, "v", "start(v)"), 1.0 / (cosh * cosh), 1e2 * rtol) << drag;
      EXPECT_NEAR(derivative(run, "x", "start(v)"), std::tanh(omega) / omega, 1e2 * rtol) << drag;
      const double by_F = 0.5 * std::tanh(omega) / std::sqrt(F * k) + 0.5 / (cosh * cosh);
      EXPECT_NEAR(derivative(run, "v", "F"), by_F, 1e2 * rtol) << drag;
    }
}

/// x' = 1 + max(x − c, 0) from x = c = 0: x = e^t − 1, and ∂x/∂x0 = e^t, ∂x/∂c = −(e^t − 1).
TEST(BeginningsAtThresholds, ALeakThatBeginsAtOnce) {
  for (const double rtol : tolerances) {
    Source source;
    source.parameters = {{"c", 0.0}};
    source.states = {{.name = "x"}};
    source.equations = {"der(x) = 1 + max(x - c, 0)"};
    const mti::Trajectory run = differentiated_run(source, {"start(x)", "c"}, until(1.0, rtol));
    EXPECT_NEAR(derivative(run, "x", "start(x)"), std::exp(1.0), 1e2 * rtol);
    EXPECT_NEAR(derivative(run, "x", "c"), 1.0 - std::exp(1.0), 1e2 * rtol);
  }
}

/// x' = 2 + sign(x) from Δ: for Δ > 0 x(t) moves by Δ, for Δ < 0 it takes −Δ to come to 0, and x(t) moves by 3Δ.
TEST(BeginningsAtThresholds, AreUndefinedWhereTheMotionHasAnotherRate) {
  for (const char* equation : {"der(x) = 2 + sign(x)", "der(x) = 1 + (x > 0)"}) {
    Source source;
    source.states = {{.name = "x"}};
    source.equations = {equation};
    const mti::Trajectory run = differentiated_run(source, {"start(x)"}, until(1.0, 1e-8));
    EXPECT_TRUE(std::isnan(derivative(run, "x", "start(x)"))) << equation;
  }
}

TEST(BeginningsAtThresholds, AreUndefinedWhereAStateIsSet) {
  Source source;
  source.states = {{.name = "x"}, {.name = "n"}};
  source.equations = {"der(x) = 1", "der(n) = -n"};
  source.whens = {{.condition = "x > 0", .set = {{"n", "1"}}}};
  const mti::Trajectory run = differentiated_run(source, {"start(x)"}, until(1.0, 1e-8));
  EXPECT_TRUE(std::isnan(derivative(run, "n", "start(x)")));
}

/// A coil at 12 V is left to its diode at t = 0.1: i = E/R·(1 − q) + i0·q with q = e^(−R·0.1/L), and i·e^(−R(t − 0.1)/L) from there on.
/// Danger: the voltage that is zero behind the impulse was taken for one that arrives at zero just then.
TEST(BeginningsBehindImpulses, ADiodeTakesOver) {
  const double E = 12.0, L = 0.5, R = 5.0, i0 = 0.4, on = 0.1, off = 0.07;
  for (const double rtol : tolerances) {
    Source source;
    source.parameters = {{"E", E}, {"L", L}};
    source.states = {{.name = "i", .start = i0}};
    source.inputs = {{.name = "sw",
                      .form = mti::TableSource{.time = {0.0, on, on + 1.0}, .value = {1.0, 0.0, 0.0}},
                      .binary = true}};
    source.algebraic = {{"di"}, {"vs"}};
    source.binaries = {{"z"}};
    source.equations = {"L*der(i) = vs - 5*i", "sw*(vs - E) + (1 - sw)*(i - di) = 0",
                        "z*vs + (1 - z)*di = 0"};
    source.constraints = {"di >= 0", "vs >= 0"};
    const mti::Trajectory run = differentiated_run(source, {"E", "L", "start(i)"}, until(on + off, rtol));
    ASSERT_EQ(run.outcome.kind, mti::OutcomeKind::reached_stop) << run.outcome.message;
    const double q = std::exp(-R * on / L), later = std::exp(-R * off / L),
                 reached = E / R * (1.0 - q) + i0 * q;
    EXPECT_NEAR(derivative(run, "i", "E"), (1.0 - q) / R * later, 1e2 * rtol);
    EXPECT_NEAR(derivative(run, "i", "start(i)"), q * later, 1e2 * rtol);
    const double q_L = q * R * on / (L * L), later_L = later * R * off / (L * L);
    EXPECT_NEAR(derivative(run, "i", "L"), (i0 - E / R) * q_L * later + reached * later_L, 1e3 * rtol);
  }
}

/// The same where the run begins.
TEST(BeginningsBehindImpulses, ADiodeThatStartsAsOff) {
  for (const double rtol : tolerances) {
    Source source;
    source.states = {{.name = "i", .start = 0.4}};
    source.algebraic = {{"vs"}};
    source.binaries = {{"z"}};
    source.equations = {"0.5*der(i) = vs - 5*i", "z*vs + (1 - z)*i = 0"};
    source.constraints = {"i >= 0", "vs >= 0"};
    const mti::Trajectory run = differentiated_run(source, {"start(i)"}, until(0.1, rtol));
    EXPECT_NEAR(derivative(run, "i", "start(i)"), std::exp(-1.0), 1e2 * rtol);
  }
}

}  // namespace
}  // namespace beginnings_test
