// Inputs that are polynomials, in every engine and mode: beside closed forms, and beside the functions that they agree with.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/polynomials/interpolated_input.hpp"
#include "mti/transform/scale_signals.hpp"
#include "solvers/linearization/linearize.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti::test {
namespace polynomial_inputs_test {

PolynomialSource source_of(const PolynomialInput& input) {
  PolynomialSource source{.time = input.time, .coefficients = {}};
  for (std::size_t i = 0; i + 1 < input.time.size(); ++i) {
    const auto first = input.coefficients->begin() + static_cast<std::ptrdiff_t>(i) * (input.degree + 1);
    source.coefficients.emplace_back(first, first + input.degree + 1);
  }
  return source;
}

Trajectory run_of(const Source& source, IntegratorChoice integrator, double rtol, double stop) {
  return simulate(
      build(source),
      {.stop = stop, .rtol = rtol, .atol = rtol, .output_interval = stop / 50, .integrator = integrator});
}

double end_of(const Trajectory& run, int row) { return run.end_point[at(row)]; }

/// x' = u − x with u = 3 t² up to 1 and 3 − 1.5 (t − 1) up to 3, 0 after that: by hand, in all engines.
TEST(PolynomialInputs, OfALinearSystem) {
  Source source;
  source.states = {{.name = "x"}};
  source.inputs = {
      {.name = "u",
       .form = PolynomialSource{.time = {0.0, 1.0, 3.0}, .coefficients = {{0, 0, 3}, {3, -1.5}}}}};
  source.equations = {"der(x) = u - x"};
  // x = 3 t² − 6 t + 6 − 6 e^(−t); then 6 − 1.5 t… from 3 − 1.5 s: x = 4.5 − 1.5 s + (x1 − 4.5) e^(−s).
  const double x1 = 3.0 - 6.0 * std::exp(-1.0), x3 = 1.5 + (x1 - 4.5) * std::exp(-2.0);
  for (const IntegratorChoice integrator :
       {IntegratorChoice::automatic, IntegratorChoice::series, IntegratorChoice::ida, IntegratorChoice::flow})
    for (const double rtol : {1e-6, 1e-9}) {
      const Trajectory run = run_of(source, integrator, rtol, 4.0);
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      EXPECT_NEAR(run.end_point[1], x3 * std::exp(-1.0), 30.0 * rtol) << static_cast<int>(integrator);
    }
}

/// A sine and the polynomials that agree with it to 1e-12: the same events, and the same motion, for states that the input drives, an algebraic
/// constraint that follows it by its derivative, thresholds on it, stiff and not.
TEST(PolynomialInputs, AreTheFunctionThatTheyAgreeWith) {
  Source with_sine;
  with_sine.states = {{.name = "x"}, {.name = "w"}, {.name = "s"}};
  with_sine.algebraic = {{.name = "force"}};
  with_sine.binaries = {{"z"}};
  with_sine.inputs = {{.name = "u", .form = SineSource{.amplitude = 2.0, .frequency = 0.7, .phase = 0.4}}};
  // w = u by a force: index 2, force = u'. s is stiff.
  with_sine.equations = {"der(x) = u*(1 - 0.5*z) - x", "der(w) = force", "w = u", "der(s) = -1000*(s - u)"};
  with_sine.constraints = {"(u - 1)*(1 - z) <= 0", "(0.5 - u)*z <= 0"};
  with_sine.experiment.fixed_start = false;
  Source with_polynomials = with_sine;
  with_polynomials.inputs[0].form = source_of(interpolated_input(
      [](double t) { return 2.0 * std::sin(2.0 * std::numbers::pi * 0.7 * t + 0.4); }, 0.0, 6.0, 1e-12));
  const Signature signature = build(with_sine).signature;
  for (const IntegratorChoice integrator : {IntegratorChoice::automatic, IntegratorChoice::ida})
    for (const double rtol : {1e-6, 1e-9}) {
      SCOPED_TRACE(std::to_string(static_cast<int>(integrator)) + " " + std::to_string(rtol));
      const Trajectory a = run_of(with_sine, integrator, rtol, 5.5),
                       b = run_of(with_polynomials, integrator, rtol, 5.5);
      ASSERT_EQ(b.outcome.kind, OutcomeKind::reached_stop) << b.outcome.message;
      ASSERT_EQ(a.events.size(), b.events.size());
      EXPECT_GE(a.events.size(), 7U);
      for (std::size_t k = 0; k < a.events.size(); ++k) {
        EXPECT_EQ(a.events[k].constraints, b.events[k].constraints);
        EXPECT_NEAR(a.events[k].time, b.events[k].time, 20.0 * rtol);
      }
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(end_of(a, signature.state_row(i)), end_of(b, signature.state_row(i)), 200.0 * rtol) << i;
      // u' is known to 1e3 times what u is.
      EXPECT_NEAR(end_of(a, signature.algebraic_row(0)), end_of(b, signature.algebraic_row(0)), 1e4 * rtol);
    }
}

/// Affine and stiff, with diodes' slopes: flows must not hold what is a polynomial.
TEST(PolynomialInputs, AreNotHeldByExactFlows) {
  Source source;
  source.states = {{.name = "x"}, {.name = "y"}};
  source.inputs = {{.name = "u", .form = PolynomialSource{.time = {0.0, 2.0}, .coefficients = {{0, 1, 1}}}}};
  source.equations = {"der(x) = -1e6*(x - u)", "der(y) = x - y"};
  const Trajectory run = run_of(source, IntegratorChoice::automatic, 1e-8, 2.0);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  // x follows u with a delay of 1e-6; y' = t + t² − y: y = t² − t + 1 − e^(−t).
  EXPECT_NEAR(run.end_point[2], 6.0 - 5e-6, 1e-6);
  EXPECT_NEAR(run.end_point[3], 3.0 - std::exp(-2.0), 1e-5);
}

/// A pulse of an input alone, between two breakpoints, is seen by a constraint on the input.
TEST(PolynomialInputs, ShowWhatTheyDoBetweenBreakpoints) {
  Source source;
  source.states = {{.name = "x"}};
  source.binaries = {{"seen"}};
  // 16 s² (1 − s)² has its maximum 1 at s = 1/2, and is 0 with slope 0 at both ends.
  source.inputs = {
      {.name = "u", .form = PolynomialSource{.time = {0.0, 1.0}, .coefficients = {{0, 0, 16, -32, 16}}}}};
  source.equations = {"der(x) = 1"};
  source.constraints = {"(u - 0.9999)*(1 - seen) <= 0"};
  for (const IntegratorChoice integrator : {IntegratorChoice::automatic, IntegratorChoice::ida}) {
    const Trajectory run = run_of(source, integrator, 1e-6, 1.0);
    ASSERT_EQ(run.events.size(), 1U) << static_cast<int>(integrator);
    // 4 s (1 − s) = √0.9999
    EXPECT_NEAR(run.events[0].time, 0.5 * (1.0 - std::sqrt(1.0 - std::sqrt(0.9999))), 1e-5);
  }
}

/// In other units of value and time it is the same course, and a delayed one is moved.
TEST(PolynomialInputs, GoThroughTransformations) {
  Source source;
  source.states = {{.name = "x", .nominal = 10.0}};
  source.inputs = {
      {.name = "u",
       .form = PolynomialSource{.time = {1.0, 2.0, 4.0}, .coefficients = {{1, 2, -0.5}, {2.5, 0, 0.25}}},
       .nominal = 4.0},
      {.name = "late", .form = DelaySource{.of = "u", .time = 0.5}}};
  source.equations = {"der(x) = u + late - 0.1*x"};
  const Model model = build(source);
  for (const double t : {0.0, 1.2, 2.4, 3.9, 4.4, 9.0})
    EXPECT_DOUBLE_EQ(model.inputs[1].piece(t).value(t), model.inputs[0].piece(t - 0.5).value(t - 0.5));
  source.inputs.pop_back();
  source.equations = {"der(x) = u - 0.1*x"};
  const Model alone = build(source);
  Scaling scaling = nominal_scaling(alone);
  scaling.time = 3.0;
  const Model scaled = scale_signals(alone, scaling).model;
  for (const double t : {1.2, 2.4, 3.9, 9.0})
    EXPECT_NEAR(4.0 * scaled.inputs[0].piece(t / 3.0).value(t / 3.0), alone.inputs[0].piece(t).value(t),
                1e-13);
  EXPECT_EQ(build(source).inputs, alone.inputs);
}

}  // namespace polynomial_inputs_test
}  // namespace mti::test
