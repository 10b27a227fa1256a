#include "solvers/series/series_integrator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "mti/polynomials/polynomial_roots.hpp"
#include "solvers/mode/mode_system.hpp"
#include "solvers/series/step_choice.hpp"
#include "tests/mti/model/model_texts.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

/// Power series against closed forms, and against IDA at tighter tolerances.
namespace mti {
namespace series_integrator_test {

SimulationOptions with_series(double tolerance) {
  SimulationOptions options = test::with_accuracy(tolerance);
  options.integrator = IntegratorChoice::series;
  return options;
}

double end_value(const Trajectory& trajectory, const Model& model, const std::string& name) {
  return trajectory.end_point.at(static_cast<std::size_t>(*model.signature.find(name)));
}

/// x = cos t, v = −sin t over 16 periods: local errors add up over some hundred steps.
TEST(SeriesIntegrator, FollowsAnOscillation) {
  Source source;
  source.states = {{"x", 1.0}, {"v", 0.0}};
  source.equations = {"der(x) = v", "der(v) = -x"};
  source.experiment = {.stop = 100.0};
  const Model model = build(source);
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    const Trajectory trajectory = simulate(model, with_series(tolerance));
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
    EXPECT_NEAR(end_value(trajectory, model, "x"), std::cos(100.0), 20.0 * tolerance + 1e-13);
    EXPECT_NEAR(end_value(trajectory, model, "v"), -std::sin(100.0), 20.0 * tolerance + 1e-13);
    // Coefficients of both signals are 1/k!, of which the last but one decides: h = (tolerance·(p − 1)!/100)^{1/(p−1)}.
    const int last = order_for(tolerance) - 1;
    const double step = std::pow(0.01 * tolerance * std::tgamma(last + 1.0), 1.0 / last);
    EXPECT_LE(trajectory.statistics.steps, 1.1 * 100.0 / step + 5.0) << tolerance;
  }
}

/// x = 1/(1 + 9 e^{−t}): products of a state with itself, and a pole at ln 9 ± iπ that limits the steps.
TEST(SeriesIntegrator, FollowsTheLogisticEquation) {
  Source source;
  source.states = {{"x", 0.1}};
  source.equations = {"der(x) = x*(1 - x)"};
  source.experiment = {.stop = 5.0, .output_interval = 0.25};
  const Model model = build(source);
  for (const double tolerance : {1e-5, 1e-9, 1e-12}) {
    const Trajectory trajectory = simulate(model, with_series(tolerance));
    ASSERT_EQ(trajectory.size(), 21U);
    for (std::size_t row = 0; row < trajectory.size(); ++row)
      EXPECT_NEAR(trajectory.row(row)[0], 1.0 / (1.0 + 9.0 * std::exp(-trajectory.time(row))),
                  5.0 * tolerance + 1e-15);
  }
}

/// y² + y = x with y the positive root, x = 2 e^{−t}: a block that is not linear in its unknown.
TEST(SeriesIntegrator, SolvesNonlinearBlocks) {
  Source source;
  source.states = {{"x", 2.0}, {"q", 0.0}};
  source.algebraic = {{.name = "y", .start = 1.0}};
  source.equations = {"der(x) = -x", "y*y + y = x", "der(q) = y"};
  source.experiment = {.stop = 2.0};
  const Model model = build(source);
  const Trajectory trajectory = simulate(model, with_series(1e-10));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  const double x = 2.0 * std::exp(-2.0);
  EXPECT_NEAR(end_value(trajectory, model, "y"), 0.5 * (std::sqrt(1.0 + 4.0 * x) - 1.0), 1e-9);
  // With x = y² + y, dt = −(2y + 1)/(y² + y) dy: q = ∫ y dt = ∫_{y_e}^{1} (2y + 1)/(y + 1) dy.
  const double y = 0.5 * (std::sqrt(1.0 + 4.0 * x) - 1.0);
  EXPECT_NEAR(end_value(trajectory, model, "q"), 2.0 * (1.0 - y) - std::log(2.0 / (1.0 + y)), 1e-9);
}

/// Two equations that hold both unknowns, with a coefficient that varies: a + x b = 1, b − a = t.
TEST(SeriesIntegrator, SolvesCoupledBlocks) {
  Source source;
  source.states = {{"x", 1.0}, {"q", 0.0}};
  source.algebraic = {{"a"}, {"b"}};
  source.equations = {"der(x) = 1", "a + x*b = 1", "b - a = time", "der(q) = b"};
  source.experiment = {.stop = 1.0};
  const Model model = build(source);
  const Trajectory trajectory = simulate(model, with_series(1e-10));
  // x = 1 + t, so b = (1 + t)/(2 + t), q = t − ln(1 + t/2).
  EXPECT_NEAR(end_value(trajectory, model, "b"), 2.0 / 3.0, 1e-9);
  EXPECT_NEAR(end_value(trajectory, model, "q"), 1.0 - std::log(1.5), 1e-9);
}

/// A sine and a table: x = ∫ u, and steps end where the table bends.
TEST(SeriesIntegrator, FollowsInputs) {
  Source source;
  source.states = {{"x", 0.0}, {"w", 0.0}};
  source.inputs = {{.name = "u", .form = SineSource{2.0, 3.0}},
                   {.name = "r", .form = TableSource{{0.0, 1.0, 2.0}, {0.0, 4.0, 0.0}}}};
  source.equations = {"der(x) = u", "der(w) = r"};
  source.experiment = {.stop = 2.2};
  const Model model = build(source);
  const Trajectory trajectory = simulate(model, with_series(1e-10));
  const double omega = 6.0 * std::numbers::pi;
  EXPECT_NEAR(end_value(trajectory, model, "x"), 2.0 / omega * (1.0 - std::cos(omega * 2.2)), 1e-9);
  EXPECT_NEAR(end_value(trajectory, model, "w"), 4.0, 1e-9);
}

/// What a step costs grows with the digits; the number of steps hardly does.
TEST(SeriesIntegrator, TakesFewStepsAtTightTolerances) {
  const Model model = build(test::three_tank_source());
  const long coarse = simulate(model, with_series(1e-6)).statistics.steps;
  const long fine = simulate(model, with_series(1e-11)).statistics.steps;
  EXPECT_LT(fine, 2 * coarse);
  EXPECT_LT(fine, 150);
}

/// A boundary that is met twice in one long step: cos t passes 1/2 at π/3 and comes back at 5π/3.
TEST(SeriesIntegrator, SeesBothCrossingsOfOneStep) {
  Source source;
  source.states = {{"x", 1.0}, {"v", 0.0}};
  source.binaries = {{"low"}};
  source.equations = {"der(x) = v", "der(v) = -x"};
  source.constraints = {"(1 - 2*low)*(0.5 - x) <= 0"};
  source.experiment = {.stop = 20.0};
  for (const double tolerance : {1e-4, 1e-8, 1e-12}) {
    const std::vector<double> times = test::event_times(test::run(source, with_series(tolerance)));
    ASSERT_EQ(times.size(), 7U) << tolerance;
    for (std::size_t k = 0; k < times.size(); ++k) {
      const std::size_t turns = k / 2;
      const double turn = 2.0 * std::numbers::pi * static_cast<double>(turns);
      EXPECT_NEAR(times[k], turn + (k % 2 == 0 ? 1.0 : 5.0) * std::numbers::pi / 3.0,
                  10.0 * tolerance + 1e-12);
    }
  }
}

/// Modes with time constants of 1e-6 that are not affine are left to IDA, which takes as few steps as ever.
TEST(SeriesIntegrator, LeavesStiffModesToIda) {
  Source source;
  source.states = {{"x", 1.0}, {"f", 0.0}};
  source.equations = {"der(x) = -x", "der(f) = 1e6*(x*x - f)"};
  source.experiment = {.stop = 5.0};
  const Model model = build(source);
  SimulationOptions options = test::with_accuracy(1e-6);
  const Trajectory automatic = simulate(model, options);
  options.integrator = IntegratorChoice::ida;
  const Trajectory ida = simulate(model, options);
  EXPECT_LT(automatic.statistics.steps, ida.statistics.steps + 200);
  EXPECT_LT(automatic.statistics.series_steps, 200);
  EXPECT_EQ(automatic.statistics.flow_steps, 0);
  EXPECT_NEAR(end_value(automatic, model, "x"), std::exp(-5.0), 1e-5);
}

/// g = x v − 0.3 along x = cos t, v = −sin t: at the beginning of a step the bound is g itself, and it is nowhere below it.
TEST(SeriesIntegrator, BoundsConstraintsOverItsStep) {
  Source source;
  source.states = {{"x", 1.0}, {"v", 0.0}};
  source.equations = {"der(x) = v", "der(v) = -x"};
  source.constraints = {"x*v - 0.3 <= 0"};
  const Model model = build(source);
  const ModeSystem system(SignalRows(model), Mode{});
  const std::shared_ptr<const SeriesProgram> program = SeriesProgram::of(model, system);
  ASSERT_NE(program, nullptr);
  const Accuracy accuracy(model, 1e-8, 1e-8);
  SeriesCoefficients coefficients(*program, accuracy);
  SeriesIntegrator integrator(accuracy);
  const std::vector<double> start{0.0, -1.0, 1.0, 0.0};
  std::vector<double> values;
  for (const SeriesProgram::Slot& slot : program->slots()) values.push_back(start[at(slot.row)]);
  ASSERT_TRUE(integrator.start(*program, coefficients, 0.0, start, values, {}));
  const int x = model.signature.state_row(0), v = model.signature.state_row(1);
  for (int step = 0; step < 10; ++step) {
    ASSERT_TRUE(integrator.step(100.0).ok);
    const double h = integrator.last_step(), begin = integrator.time() - h;
    const StepPolynomial constraint = integrator.constraint(0);
    const auto bound = [&](double t) { return upper_bound(constraint.coefficients, constraint.tau(t)); };
    for (int i = 0; i <= 40; ++i) {
      const double t = begin + h * i / 40.0;
      const double g = integrator.derivative(x, t, 0) * integrator.derivative(v, t, 0) - 0.3;
      EXPECT_NEAR(integrator.derivative(x, t, 0), std::cos(t), 1e-7);
      EXPECT_NEAR(value_of(constraint.coefficients, constraint.tau(t)), g, 1e-8);
      EXPECT_GE(bound(t), g - 1e-8) << "t = " << t;
      if (i == 0) {
        EXPECT_NEAR(bound(t), g, 1e-12);
      }
    }
  }
}

/// ‖v_k‖ = 10⁸/2^k: the last but one asks for the hundredth.
TEST(StepChoice, TheLastCoefficientsDecide) {
  std::vector<double> norms;
  for (int k = 0; k <= 12; ++k) norms.push_back(1e8 / std::pow(2.0, k));
  EXPECT_NEAR(1e8 * std::pow(0.5 * step_for(norms, 12), 11), 0.01, 1e-9);
  EXPECT_EQ(step_for(std::vector<double>(13, 0.0), 12), std::numeric_limits<double>::infinity());
}

/// What e^{λτ} and 1/(1 − τ/r) leave out after order p, against the estimate.
TEST(StepChoice, TruncationIsNoLessThanWhatIsLeftOut) {
  constexpr int order = 14;
  constexpr double rtol = 1e-8;
  for (const double tau : {0.05, 0.3, 0.8}) {
    std::vector<double> entire, pole;
    double left_out_entire = 0.0, left_out_pole = 0.0;
    for (int k = 0; k <= 200; ++k) {
      const double a = 1e8 * std::pow(3.0, k) / std::tgamma(k + 1.0), b = 1e8;
      if (k <= order) {
        entire.push_back(a);
        pole.push_back(b);
      } else if (k < 150) {
        left_out_entire += a * std::pow(tau, k);
        left_out_pole += b * std::pow(tau, k);
      }
    }
    const double rounding = 1e-15 * 1e8 * 100.0;
    EXPECT_GE(truncation_of(entire, order, tau, rtol), left_out_entire);
    EXPECT_LE(truncation_of(entire, order, tau, rtol), 100.0 * left_out_entire + rounding);
    EXPECT_GE(truncation_of(pole, order, tau, rtol), left_out_pole);
    EXPECT_LE(truncation_of(pole, order, tau, rtol), 100.0 * left_out_pole + rounding);
  }
  // A polynomial leaves nothing out; terms that grow tell nothing.
  std::vector<double> finite(order + 1, 0.0), growing;
  finite[2] = 1e8;
  for (int k = 0; k <= order; ++k) growing.push_back(std::pow(2.0, k));
  EXPECT_LT(truncation_of(finite, order, 1.0, rtol), 1e-6);
  EXPECT_EQ(truncation_of(growing, order, 1.0, rtol), std::numeric_limits<double>::infinity());
}

/// ε/(1 + (τ − r)²/δ²) beside 1: poles at r ± iδ, whatever their residue; e^τ has none within p orders.
TEST(StepChoice, ReachIsTheDistanceToAPole) {
  constexpr int order = 12;
  for (const double distance : {1e-3, 0.5, 1e4})
    for (const double residue : {1e-9, 1.0}) {
      std::vector<double> c;
      for (int k = 0; k <= order; ++k)
        c.push_back((k == 0 ? 1.0 : 0.0) + residue * (k + 1.0) / std::pow(distance, k));
      EXPECT_NEAR(reach_of(c, order, 2.0 * distance), distance, 0.15 * distance);
      EXPECT_EQ(reach_of(c, order, 0.5 * distance), 0.5 * distance);
    }
  std::vector<double> entire;
  for (int k = 0; k <= order; ++k) entire.push_back(1.0 / std::tgamma(k + 1.0));
  EXPECT_EQ(reach_of(entire, order, 10.0), 10.0);
  // Rounding of a constant.
  std::vector<double> noise{1.0};
  for (int k = 1; k <= order; ++k) noise.push_back(1e-17);
  EXPECT_EQ(reach_of(noise, order, 3.0), std::numeric_limits<double>::infinity());
}

/// Amplitudes of e^{λt}, in units of the tolerance: above and below it, beside a slow motion of any size.
TEST(StepChoice, WhatLimitsTheStepIsLargerThanTheToleranceOrStiff) {
  for (const double rate : {1e-3, 1.0, 1e9})
    for (const double amplitude : {1e-3, 0.1, 100.0, 1e8}) {
      std::vector<double> norms;
      double fast = amplitude, slow = 1e6;
      for (int k = 0; k <= 12; ++k) {
        norms.push_back(std::max(fast, slow));
        fast *= rate / (k + 1.0);
        slow *= 1e-6 * rate;
      }
      EXPECT_EQ(looks_stiff(norms, 12), amplitude < 10.0) << rate << " " << amplitude;
    }
  // Near a pole coefficients fall like a geometric series: not stiff.
  std::vector<double> norms;
  for (int k = 0; k <= 12; ++k) norms.push_back(1e8 * std::pow(3.0, k));
  EXPECT_FALSE(looks_stiff(norms, 12));
}

}  // namespace series_integrator_test
}  // namespace mti
