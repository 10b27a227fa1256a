// Runs with atan2 of signals against std::atan2 and closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "solvers/motion/system_jacobian_rank.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/solvers/sensitivities/differentiated_run.hpp"

namespace mti {
namespace angle_run_test {

constexpr double pi = std::numbers::pi;

/// (a, b) on a circle from the angle φ₀, at rate 1; w is the integral of the angle.
Source circle(double phi_0, double rate = 1.0) {
  Source source;
  source.parameters = {{"rate", rate}};
  source.states = {{"a", std::cos(phi_0)}, {"b", std::sin(phi_0)}, {"w"}};
  source.algebraic = {{"angle"}};
  source.equations = {"der(a) = -rate*b", "der(b) = rate*a", "angle = atan2(b, a)", "der(w) = angle"};
  source.experiment.stop = 9.0;
  source.experiment.rtol = 1e-9;
  source.experiment.atol = 1e-11;
  return source;
}

double last(const Trajectory& run, const char* name) { return run.value(run.size() - 1, run.column(name)); }

/// ∫ over [0, t] of the angle φ₀ + s, wrapped into (−π, π].
double integral(double phi_0, double t) {
  const auto primitive = [](double phi) {  // of the sawtooth: even and 2π-periodic
    const double wrapped = std::remainder(phi, 2.0 * pi);
    return 0.5 * wrapped * wrapped;
  };
  return primitive(phi_0 + t) - primitive(phi_0);
}

TEST(AngleRun, FollowsThePointAndJumpsAtTheCut) {
  for (const IntegratorChoice engine : {IntegratorChoice::automatic, IntegratorChoice::ida})
    for (const double phi_0 : {0.0, 0.3, 2.5, -2.0}) {
      SCOPED_TRACE(phi_0);
      SimulationOptions options;
      options.integrator = engine;
      const Trajectory run = simulate(build(circle(phi_0)), options);
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      const double tolerance = engine == IntegratorChoice::ida ? 1e-6 : 1e-7;
      std::vector<double> jumps;
      for (std::size_t row = 0; row < run.size(); ++row) {
        const double angle = run.value(row, run.column("angle")), phi = phi_0 + run.time(row);
        EXPECT_NEAR(std::remainder(angle - phi, 2.0 * pi), 0.0, tolerance);
        EXPECT_LE(std::abs(angle), pi + tolerance);
        if (row > 0 && angle - run.value(row - 1, run.column("angle")) < -pi) jumps.push_back(run.time(row));
      }
      std::vector<double> expected;
      for (int turn = 0; pi - phi_0 + 2.0 * pi * turn < 9.0; ++turn)
        if (const double t = pi - phi_0 + 2.0 * pi * turn; t > 0.0) expected.push_back(t);
      ASSERT_EQ(jumps.size(), expected.size());
      for (std::size_t i = 0; i < jumps.size(); ++i) EXPECT_NEAR(jumps[i], expected[i], 10.0 * tolerance);
      EXPECT_NEAR(last(run, "w"), integral(phi_0, 9.0), 30.0 * tolerance);
    }
}

/// At rest on an axis, and from the cut to either side.
TEST(AngleRun, BeginsOnTheAxes) {
  struct Start {
    double a, b, rate, angle;
  };
  for (const Start& start :
       {Start{1, 0, 0, 0}, Start{0, 1, 0, 0.5 * pi}, Start{-1, 0, 0, pi}, Start{0, -1, 0, -0.5 * pi},
        Start{-1, 0, -1, pi}, Start{-1, 0, 1, -pi}, Start{1, 0, 1, 0}, Start{0, 1, -1, 0.5 * pi}}) {
    SCOPED_TRACE(std::to_string(start.a) + ", " + std::to_string(start.b) + ", " +
                 std::to_string(start.rate));
    Source source = circle(0.0, start.rate);
    source.states[0].start = start.a;
    source.states[1].start = start.b;
    source.experiment.stop = 0.5;
    const Trajectory run = simulate(build(source));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    const std::size_t first = run.size() > 1 && run.time(1) == 0.0 ? 1 : 0;  // behind an event at the start
    EXPECT_NEAR(run.value(first, run.column("angle")), start.angle, 1e-12);
    EXPECT_NEAR(last(run, "angle"), start.angle + 0.5 * start.rate, 1e-7);
  }
}

TEST(AngleRun, EndsAtTheOrigin) {
  Source source = circle(0.0);
  source.states[1].start = 1.0;
  source.equations = {"der(a) = -1", "der(b) = -1", "angle = atan2(b, a)", "der(w) = angle"};
  const Trajectory run = simulate(build(source));
  EXPECT_EQ(run.outcome.kind, OutcomeKind::left_domain) << run.outcome.message;
  EXPECT_NEAR(run.outcome.end_time, 1.0, 1e-4);
  EXPECT_NE(run.outcome.message.find("|a| + |b| of atan2(b, a)"), std::string::npos) << run.outcome.message;
  EXPECT_NEAR(last(run, "angle"), 0.25 * pi, 1e-6);
}

/// b' = −angle beyond a < 0 presses onto the cut from both sides: the point stays on it.
TEST(AngleRun, SlidesOnTheCutWhereBothSidesPress) {
  Source source = circle(0.0);
  source.states[0].start = -1.0;
  source.states[1].start = 0.5;
  source.equations = {"der(a) = 0", "der(b) = -angle", "angle = atan2(b, a)", "der(w) = 0"};
  source.experiment.stop = 1.0;
  const Trajectory run = simulate(build(source));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(last(run, "b"), 0.0, 1e-8);
  ASSERT_FALSE(run.events.empty());
  EXPECT_EQ(run.events.back().kind, EventKind::slide_begin);
}

/// Algebraic arguments and an angle of an angle: nothing of it is known before the start is solved.
TEST(AngleRun, OfAlgebraicSignals) {
  Source source;
  source.states = {{"phi", 2.0}};
  source.algebraic = {{"x"}, {"y"}, {"angle"}, {"nested"}};
  source.equations = {"der(phi) = 1", "x = cos(phi)", "y = sin(phi)", "angle = atan2(y, x)",
                      "nested = atan2(angle, x - 2)"};
  source.experiment.stop = 6.0;
  const Trajectory run = simulate(build(source));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  for (std::size_t row = 0; row < run.size(); ++row) {
    if (row == 0 && run.side(row) < 0) continue;  // guesses
    const double phi = run.value(row, run.column("phi")), angle = run.value(row, run.column("angle"));
    EXPECT_NEAR(std::remainder(angle - phi, 2.0 * pi), 0.0, 1e-5);
    EXPECT_NEAR(std::remainder(run.value(row, run.column("nested")) - std::atan2(angle, std::cos(phi) - 2.0),
                               2.0 * pi),
                0.0, 1e-5);
  }
}

TEST(AngleRun, InDiscreteTime) {
  Source source;
  source.sample_time = 1.0;
  source.experiment.stop = 40.0;
  source.states = {{"a", -1.0}, {"b", 0.0}, {"before"}};
  source.algebraic = {{"angle"}};
  source.equations = {"next(a) = 0.8*a - 0.6*b", "next(b) = 0.6*a + 0.8*b", "angle = atan2(b, a)",
                      "next(before) = angle"};
  const Trajectory run = simulate(build(source));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(run.value(0, run.column("angle")), pi, 1e-15);
  for (std::size_t row = 0; row < run.size(); ++row) {
    const double a = run.value(row, run.column("a")), b = run.value(row, run.column("b"));
    EXPECT_NEAR(run.value(row, run.column("angle")), std::atan2(b, a), 1e-14);
    if (row == 0) continue;
    EXPECT_EQ(run.value(row, run.column("before")), run.value(row - 1, run.column("angle")));
  }
}

/// w = ∫ angle from φ₀ = 0 with the rate ω: ((ωT − 2π)² − 0)/(2ω) behind one cut, so dw/dω = T²/2 − 2π²/ω².
TEST(AngleRun, DerivativesGoThroughTheCut) {
  const double T = 4.0, omega = 1.1;
  const Trajectory run = test::differentiated_run(
      circle(0.0, omega), {"rate"}, {.stop = T, .rtol = 1e-10, .atol = 1e-12, .output_interval = 1.0});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(last(run, "w"), std::pow(omega * T - 2.0 * pi, 2.0) / (2.0 * omega), 1e-7);
  EXPECT_NEAR(test::derivative(run, "angle", "rate"), T, 1e-7);
  EXPECT_NEAR(test::derivative(run, "w", "rate"), 0.5 * T * T - 2.0 * pi * pi / (omega * omega), 1e-7);
}

/// |a| + |b| of another quadrant is 0 on its diagonal: no motion of that quadrant passes through the start.
TEST(AngleRun, RanksOfOtherQuadrantsSayNothing) {
  for (const double a : {-1.0, 0.0, 1.0})
    for (const double b : {-1.0, 0.0, 1.0}) {
      if (a == 0.0 && b == 0.0) continue;
      Source source = circle(0.0);
      source.states[0].start = a;
      source.states[1].start = b;
      const Model model = build(source);
      for (unsigned bits = 0; bits < 4; ++bits) {
        const auto rank =
            examine_rank(model, {.z = {static_cast<char>(bits & 1U), static_cast<char>(bits >> 1U)},
                                 .pre = {},
                                 .binary_inputs = {}});
        ASSERT_TRUE(rank.has_value());
        EXPECT_TRUE(rank->full() || rank->excluded) << a << ' ' << b << ' ' << bits;
      }
    }
}

}  // namespace angle_run_test
}  // namespace mti
