#include "solvers/flow/flow_integrator.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "solvers/mode/mode_system.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

/// Runs by exact flows against closed forms.
namespace mti {
namespace flow_integrator_test {

SimulationOptions with_flow(double tolerance) {
  SimulationOptions options = test::with_accuracy(tolerance);
  options.integrator = IntegratorChoice::flow;
  return options;
}

double end_value(const Trajectory& trajectory, const Model& model, const std::string& name) {
  return trajectory.end_point.at(static_cast<std::size_t>(*model.signature.find(name)));
}

/// A relay behind three lags: x' = s − x, 0.02 a' = x − a, 1e-4 b' = a − b, s = ±1 turning where b reaches ±1/2.
Source stiff_relay() {
  Source source;
  source.states = {{"x", 0.0}, {"a", 0.0}, {"b", 0.0}};
  source.binaries = {{"down"}};
  source.equations = {"der(x) = 1 - 2*down - x", "der(a) = 50*(x - a)", "der(b) = 10000*(a - b)"};
  source.constraints = {"(b - 0.5)*(1 - down) <= 0", "(-0.5 - b)*down <= 0"};
  source.experiment = {.stop = 40.0};
  return source;
}

/// Its switching times: e^{−t}, e^{−50t} and e^{−10⁴t} between them, bisected in long double.
std::vector<long double> switching_times(long double stop) {
  constexpr long double p = 50.0L, q = 1e4L;
  std::vector<long double> times;
  long double t = 0.0L, x = 0.0L, a = 0.0L, b = 0.0L, s = 1.0L;
  while (true) {
    const long double X = x - s, A = a - s - X * p / (p - 1.0L);
    const long double of_x = X * p / (p - 1.0L) * q / (q - 1.0L), of_a = A * q / (q - p);
    const long double B = b - s - of_x - of_a;
    const auto value = [&](long double h) {
      return s + of_x * std::exp(-h) + of_a * std::exp(-p * h) + B * std::exp(-q * h);
    };
    long double low = 0.01L, high = 10.0L;
    for (int i = 0; i < 80; ++i) {
      const long double middle = 0.5L * (low + high);
      (s * value(middle) < 0.5L ? low : high) = middle;
    }
    t += high;
    if (t > stop) return times;
    times.push_back(t);
    b = value(high);
    x = s + X * std::exp(-high);
    a = s + X * p / (p - 1.0L) * std::exp(-high) + A * std::exp(-p * high);
    s = -s;
  }
}

TEST(FlowIntegrator, StiffRelaySwitchesOnTimeInAFewSteps) {
  const std::vector<long double> expected = switching_times(40.0L);
  const Model model = build(stiff_relay());
  for (const auto& [tolerance, steps_per_event] :
       std::vector<std::pair<double, double>>{{1e-6, 4.0}, {1e-8, 7.0}, {1e-10, 12.0}}) {
    for (const IntegratorChoice choice : {IntegratorChoice::flow, IntegratorChoice::automatic}) {
      SimulationOptions options = with_flow(tolerance);
      options.integrator = choice;
      const Trajectory trajectory = simulate(model, options);
      const std::vector<double> times = test::event_times(trajectory);
      ASSERT_EQ(times.size(), expected.size());
      for (std::size_t i = 0; i < times.size(); ++i)
        EXPECT_NEAR(times[i], static_cast<double>(expected[i]), 10.0 * tolerance);
      const Statistics& statistics = trajectory.statistics;
      const auto events = static_cast<double>(times.size());
      EXPECT_LE(static_cast<double>(statistics.flow_steps), steps_per_event * (events + 1.0));
      EXPECT_EQ(statistics.steps, statistics.series_steps + statistics.flow_steps);  // none of IDA
    }
  }
}

/// n nodes, resistors of 1 between them and to the source u, capacitors of c: c v' = K v + e_1 u with K symmetric.
Source rc_ladder(int n, double c) {
  Source source;
  for (int i = 0; i < n; ++i) {
    const std::string v = "v" + std::to_string(i), left = i == 0 ? "u" : "v" + std::to_string(i - 1);
    source.states.push_back({v, 0.0});
    std::string text = std::to_string(c) + "*der(" + v + ") = " + left + " - " + v;
    if (i + 1 < n) text += " + v" + std::to_string(i + 1) + " - " + v;
    source.equations.push_back(text);
  }
  source.experiment = {.stop = 1.0};
  return source;
}

/// v at time 1 by the eigenvectors sin(iθ) of v_i' = v_(i−1) − 2v_i + v_(i+1), where the last one has no neighbour,
/// θ = (2k − 1)π/(2n + 1): each coordinate is q' = λ q + b u, λ = −4 sin²(θ/2)/c, and `response(λ)` its value for b = 1.
template <class Response>
std::vector<double> ladder_at_1(int n, long double c, Response response) {
  const long double squared_norm = (2.0L * n + 1.0L) / 4.0L;
  std::vector<double> v(static_cast<std::size_t>(n), 0.0);
  for (int i = 1; i <= n; ++i) {
    long double sum = 0.0L;
    for (int k = 1; k <= n; ++k) {
      const long double theta = (2.0L * k - 1.0L) * std::numbers::pi_v<long double> / (2.0L * n + 1.0L);
      const long double half = std::sin(theta / 2.0L);
      sum += std::sin(i * theta) * std::sin(theta) / squared_norm / c * response(-4.0L * half * half / c);
    }
    v[static_cast<std::size_t>(i - 1)] = static_cast<double>(sum);
  }
  return v;
}

/// λ from −1e4·4 to −1e4·0.02, and a source of 3 periods.
TEST(FlowIntegrator, RcLadderFollowsASine) {
  constexpr int n = 12;
  constexpr long double c = 1e-4L;
  Source source = rc_ladder(n, 1e-4);
  source.inputs = {{.name = "u", .form = SineSource{2.0, 3.0, 0.3, 0.5}}};
  const Model model = build(source);
  const long double omega = 6.0L * std::numbers::pi_v<long double>;
  // q' = λ q + A sin(ωt + φ) + d, q(0) = 0.
  const std::vector<double> expected = ladder_at_1(n, c, [&](long double lambda) {
    const auto forced = [&](long double t) {
      const long double angle = omega * t + 0.3L;
      return -2.0L * (lambda * std::sin(angle) + omega * std::cos(angle)) /
                 (lambda * lambda + omega * omega) -
             0.5L / lambda;
    };
    return forced(1.0L) - forced(0.0L) * std::exp(lambda);
  });
  for (const double tolerance : {1e-5, 1e-8, 1e-11}) {
    const Trajectory trajectory = simulate(model, with_flow(tolerance));
    EXPECT_EQ(trajectory.statistics.steps, trajectory.statistics.flow_steps);
    EXPECT_LE(trajectory.statistics.steps, 60);
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(end_value(trajectory, model, "v" + std::to_string(i)),
                  expected[static_cast<std::size_t>(i)], tolerance);
  }
}

/// Three pieces and a jump: the last piece, from 0.9 on, begins at 0.5 and ends at 0.7.
TEST(FlowIntegrator, RcLadderFollowsATable) {
  constexpr int n = 12;
  Source source = rc_ladder(n, 1e-3);
  source.inputs = {
      {.name = "u", .form = TableSource{{0.0, 0.2, 0.5, 0.9, 0.9, 1.0}, {0.0, 1.0, -1.0, 2.0, 0.5, 0.7}}}};
  const Model model = build(source);
  const std::array<long double, 6> time{0.0L, 0.2L, 0.5L, 0.9L, 0.9L, 1.0L},
      value{0.0L, 1.0L, -1.0L, 2.0L, 0.5L, 0.7L};
  const std::vector<double> expected = ladder_at_1(n, 1e-3L, [&](long double lambda) {
    long double q = 0.0L;
    for (std::size_t i = 0; i + 1 < time.size(); ++i) {
      const long double h = time[i + 1] - time[i];
      if (h == 0.0L) continue;
      // q' = λ q + c0 + c1 t has the motion −(c0 + c1 t)/λ − c1/λ².
      const long double c1 = (value[i + 1] - value[i]) / h;
      const auto forced = [&](long double u) { return -u / lambda - c1 / (lambda * lambda); };
      q = (q - forced(value[i])) * std::exp(lambda * h) + forced(value[i + 1]);
    }
    return q;
  });
  for (const double tolerance : {1e-5, 1e-8, 1e-11}) {
    const Trajectory trajectory = simulate(model, with_flow(tolerance));
    EXPECT_EQ(trajectory.statistics.steps, trajectory.statistics.flow_steps);
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(end_value(trajectory, model, "v" + std::to_string(i)),
                  expected[static_cast<std::size_t>(i)], tolerance);
  }
}

/// Eigenvalues −1, −300, −1e5, −1e8 in random bases of integers: x(1) = T e^Λ T⁻¹ x(0), of which only e⁻¹ is left.
TEST(FlowIntegrator, RandomStiffSystems) {
  std::mt19937 random(20'251'102);
  std::uniform_int_distribution<int> entry(-1, 1);
  for (int trial = 0; trial < 30; ++trial) {
    Eigen::Matrix4d L = Eigen::Matrix4d::Identity(), U = L;
    for (int i = 0; i < 4; ++i)
      for (int k = 0; k < i; ++k) {
        L(i, k) = entry(random);
        U(k, i) = entry(random);
      }
    const Eigen::Matrix4d T = L * U, inverse = T.inverse().array().round();
    const Eigen::Vector4d lambda(-1.0, -300.0, -1e5, -1e8);
    const Eigen::Matrix4d M = T * lambda.asDiagonal() * inverse;
    Source source;
    Eigen::Vector4d start;
    for (int i = 0; i < 4; ++i) {
      start[i] = entry(random) + 0.5;
      source.states.push_back({"x" + std::to_string(i), start[i]});
      std::string text = "der(x" + std::to_string(i) + ") = 0";
      for (int k = 0; k < 4; ++k)
        text += " + (" + std::to_string(static_cast<long>(M(i, k))) + ")*x" + std::to_string(k);
      source.equations.push_back(text);
    }
    source.experiment = {.stop = 1.0};
    const Model model = build(source);
    Eigen::Vector4d decayed = inverse * start;
    for (int i = 0; i < 4; ++i) decayed[i] *= std::exp(lambda[i]);
    const Eigen::Vector4d expected = T * decayed;
    for (const double tolerance : {1e-5, 1e-8}) {
      // In bases where rounding hides the slow motion at the second tolerance, others go on where the flow ends.
      const Trajectory trajectory = simulate(model, with_flow(tolerance));
      ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop);
      EXPECT_GT(trajectory.statistics.flow_steps, 0);
      if (tolerance > 1e-6) {
        EXPECT_EQ(trajectory.statistics.steps, trajectory.statistics.flow_steps);
      }
      for (int i = 0; i < 4; ++i)
        EXPECT_NEAR(end_value(trajectory, model, "x" + std::to_string(i)), expected[i],
                    tolerance * (1.0 + 10.0 * start.cwiseAbs().maxCoeff()))
            << trial;
    }
  }
}

/// x'' = −ω² x beside a lag of 1e-6: an imaginary pair that the steps must resolve, and what decays must not limit them.
TEST(FlowIntegrator, OscillationBesideAFastLag) {
  Source source;
  source.states = {{"x", 1.0}, {"v", 0.0}, {"f", 0.0}};
  source.algebraic = {{"y"}};
  source.equations = {"der(x) = 10*v", "der(v) = -10*x", "der(f) = 1e6*(y - f)", "y = x + 2*v"};
  source.experiment = {.stop = 10.0};
  const Model model = build(source);
  for (const double tolerance : {1e-6, 1e-10}) {
    const Trajectory trajectory = simulate(model, with_flow(tolerance));
    EXPECT_NEAR(end_value(trajectory, model, "x"), std::cos(100.0), 10.0 * tolerance);
    EXPECT_NEAR(end_value(trajectory, model, "y"), std::cos(100.0) - 2.0 * std::sin(100.0), 30.0 * tolerance);
    // f' = 10⁶ (y − f): f = Re(Y e^{10it}/(1 + 10⁻⁵ i)) with Y = 1 + 2i.
    const double c = std::cos(100.0), s = std::sin(100.0), d = 1.0 + 1e-10;
    EXPECT_NEAR(end_value(trajectory, model, "f"), ((1.0 + 2e-5) * c - (2.0 - 1e-5) * s) / d,
                30.0 * tolerance);
    EXPECT_LE(trajectory.statistics.steps, 120);
  }
}

/// A product of states has no flow of this kind: the mode is left to others, and the result is the same.
TEST(FlowIntegrator, LeavesNonlinearModesToOthers) {
  Source source;
  source.states = {{"x", 0.1}};
  source.equations = {"der(x) = x*(1 - x)"};
  source.experiment = {.stop = 5.0};
  const Model model = build(source);
  const Trajectory trajectory = simulate(model, with_flow(1e-8));
  EXPECT_EQ(trajectory.statistics.flow_steps, 0);
  EXPECT_NEAR(end_value(trajectory, model, "x"), 1.0 / (1.0 + 9.0 * std::exp(-5.0)), 1e-7);
}

/// c' = a(u − c), u = 10 sin wt, behind b of 1e-9 ohm into 1e-6 F, which is u: c = 10(a² sin wt − aw cos wt + aw e^{−at})/(a² + w²).
/// Both begin at zero, where the rounding of a long step is above any absolute tolerance, and below what is known of them
/// by its end.
TEST(FlowIntegrator, AStateThatBeginsAtZeroNeedsNoShorterSteps) {
  constexpr double a = 1e3, w = 2.0 * std::numbers::pi * 50.0;
  Source source;
  source.states = {{"b", 0.0}, {"c", 0.0}};
  source.algebraic = {{"i"}};
  source.inputs = {{.name = "u", .form = SineSource{10.0, 50.0, 0.0, 0.0}}};
  source.equations = {"i = 1e9*(u - b)", "1e-6*der(b) = i - (b - c)", "1e-3*der(c) = b - c"};
  source.constraints = {"i <= 100"};
  source.experiment = {.stop = 0.04, .output_interval = Number(1e-3)};
  const Model model = build(source);
  constexpr double rtol = 1e-8;
  for (const double atol : {1e-12, 1e-14, 1e-15, 1e-16, 1e-20, 0.0}) {
    SimulationOptions options;
    options.rtol = rtol;
    options.atol = atol;
    const Trajectory trajectory = simulate(model, options);
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << atol << trajectory.outcome.message;
    EXPECT_LE(trajectory.statistics.steps, 100) << atol;
    for (const double t : {1e-3, 4e-3, 0.013, 0.025, 0.04}) {
      const double c = 10.0 * (a * a * std::sin(w * t) - a * w * std::cos(w * t) + a * w * std::exp(-a * t)) /
                       (a * a + w * w);
      EXPECT_NEAR(test::recorded(trajectory, "c", t), c, 10.0 * rtol * 10.0) << atol << " at " << t;
    }
  }
}

/// Rates of −1 along (1, 1) and −10¹⁴ along (1, 2): one is 10⁻¹⁴ of the numbers that it is made of.
TEST(FlowIntegrator, KeepsASlowRateAmongFastOnes) {
  Source source;
  source.states = {{"x", 1.0}, {"f", 1.5}};
  source.equations = {"der(x) = 99999999999998*x - 99999999999999*f",
                      "der(f) = 199999999999998*x - 199999999999999*f"};
  source.experiment = {.stop = 2.0};
  SimulationOptions options = test::with_accuracy(1e-9);
  options.integrator = IntegratorChoice::flow;
  const Trajectory trajectory = test::run(source, options);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_GT(trajectory.statistics.flow_steps, 0);
  for (const char* signal : {"x", "f"})
    EXPECT_NEAR(trajectory.value(trajectory.size() - 1, trajectory.column(signal)), 0.5 * std::exp(-2.0),
                1e-8);
}

/// Slow beside fast by 10¹⁴ in a basis that mixes them, eigenvectors (1, 1) of −1 and (1, 2) of −10¹⁴: no digits of a
/// double are left of the slow motion, and the flow says so. What it gave before stays readable.
TEST(FlowIntegrator, GivesUpWhatRoundingHides) {
  Source source;
  // Growth by 1 and 2 along (1, k) and (1, k + 1), k = 10⁵: no gap, and roundings times k².
  source.states = {{"x", 1.0}, {"f", 1e5}};
  source.equations = {"der(x) = f - 99999*x", "der(f) = 100002*f - 10000100000*x"};
  const Model model = build(source);
  const ModeSystem system(SignalRows(model), Mode{});
  const std::shared_ptr<const SeriesProgram> program = SeriesProgram::of(model, system);
  ASSERT_NE(program, nullptr);
  const std::unique_ptr<FlowMode> mode = FlowMode::of(model, system, program, 20.0);
  ASSERT_NE(mode, nullptr);
  const Accuracy accuracy(model, 1e-9, 1e-9);
  FlowIntegrator integrator(accuracy);
  const std::vector<double> start{0.0, 0.0, 1.0, 1e5};
  ASSERT_TRUE(integrator.start(*mode, 0.0, start, {}));
  const SegmentUnknowns unknowns(model.signature, {}, {});
  double t = 0.0;
  std::vector<double> before(2), after(2);
  while (true) {
    if (t > 0.0) integrator.interpolate(t, 0, unknowns, before);
    const StepResult step = integrator.step(t + 0.25);
    if (!step.ok) break;
    t = step.t;
    ASSERT_LT(t, 20.0);
  }
  ASSERT_GT(t, 0.0);
  integrator.interpolate(t, 0, unknowns, after);
  EXPECT_EQ(before, after);
}

/// g = x + f − 3/2 along x = e^{−t}, f = e^{−100t}: nowhere above its bound, and not far below it.
TEST(FlowIntegrator, BoundsConstraintsOverItsStep) {
  Source source;
  source.states = {{"x", 1.0}, {"f", 1.0}};
  source.equations = {"der(x) = -x", "der(f) = -100*f"};
  source.constraints = {"x + f - 1.5 <= 0", "x*f - 2 <= 0"};
  const Model model = build(source);
  const ModeSystem system(SignalRows(model), Mode{});
  const std::shared_ptr<const SeriesProgram> program = SeriesProgram::of(model, system);
  ASSERT_NE(program, nullptr);
  const std::unique_ptr<FlowMode> mode = FlowMode::of(model, system, program, 10.0);
  ASSERT_NE(mode, nullptr);
  const Accuracy accuracy(model, 1e-8, 1e-8);
  FlowIntegrator integrator(accuracy);
  const std::vector<double> start{-1.0, -100.0, 1.0, 1.0};
  ASSERT_TRUE(integrator.start(*mode, 0.0, start, {}));
  const SegmentUnknowns unknowns(model.signature, {}, {});
  std::vector<double> w(2), slope(2);
  for (double t = 0.0; t < 10.0;) {
    const StepResult step = integrator.step(10.0);
    ASSERT_TRUE(step.ok) << step.message;
    const double bound = integrator.constraint_bound(0);
    for (int i = 0; i <= 40; ++i) {
      const double s = t + (step.t - t) * i / 40.0;
      integrator.interpolate(s, 0, unknowns, w);
      integrator.interpolate(s, 1, unknowns, slope);
      EXPECT_NEAR(w[0], std::exp(-s), 1e-9);
      EXPECT_NEAR(w[1], std::exp(-100.0 * s), 1e-9);
      EXPECT_NEAR(slope[0], -std::exp(-s), 1e-6);
      EXPECT_LE(w[0] + w[1] - 1.5, bound + 1e-12);
      if (i == 0) {
        EXPECT_NEAR(bound, w[0] + w[1] - 1.5, 1e-9);  // both fall: the bound is reached at the beginning
      }
    }
    EXPECT_EQ(integrator.constraint_bound(1), std::numeric_limits<double>::infinity());
    t = step.t;
  }
}

}  // namespace flow_integrator_test
}  // namespace mti
