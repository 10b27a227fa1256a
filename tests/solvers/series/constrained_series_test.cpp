#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "tests/solvers/dense_algebra.hpp"
#include "tests/solvers/series/series_run.hpp"
#include "tests/solvers/sliding/sliding_queries.hpp"

/// Power series of modes whose equations are differentiated, and of modes that slide: against closed forms, matrix
/// exponentials and coordinates without constraints.
namespace mti {
namespace constrained_series_test {

using test::series_run;
using test::with_series;

constexpr double gravity = 9.81;

/// m = l = 1 on x² + y² = 1, λ the force in the rod: index 3.
Source pendulum() {
  Source source;
  source.parameters = {{"g", gravity}};
  source.states = {{"x", 1.0}, {"y", 0.0}, {"u", 0.0}, {"w", 0.0}};
  source.algebraic = {{"lambda"}};
  source.equations = {"der(x) = u", "der(y) = w", "der(u) = -lambda*x", "der(w) = -lambda*y - g",
                      "x^2 + y^2 = 1"};
  source.experiment = {.stop = 100.0, .output_interval = 0.5};
  return source;
}

/// The same by cosine and sine of the angle from the vertical: x = s, y = −c.
Source pendulum_by_angle() {
  Source source;
  source.parameters = {{"g", gravity}};
  source.states = {{"c", 0.0}, {"s", 1.0}, {"omega", 0.0}};
  source.equations = {"der(c) = -s*omega", "der(s) = c*omega", "der(omega) = -g*s"};
  source.experiment = {.stop = 100.0, .output_interval = 0.5};
  return source;
}

/// 100 s: as near to the motion of the angle as 10·rtol·T, with its length and energy, in as many steps.
TEST(ConstrainedSeries, APendulumOfIndex3IsAsGoodAsItsAngle) {
  const Trajectory exact = test::run(pendulum_by_angle(), with_series(1e-12));
  const Model model = build(pendulum());
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    const Trajectory trajectory = series_run(model, tolerance);
    ASSERT_EQ(trajectory.size(), exact.size());
    const auto of = [&](std::size_t row, const char* name) {
      return trajectory.value(row, trajectory.column(name));
    };
    for (std::size_t row = 0; row < exact.size(); ++row) {
      const double error = 10.0 * tolerance * 100.0;
      EXPECT_NEAR(of(row, "x"), exact.value(row, exact.column("s")), error);
      EXPECT_NEAR(of(row, "y"), -exact.value(row, exact.column("c")), error);
      const double x = of(row, "x"), y = of(row, "y"), u = of(row, "u"), w = of(row, "w");
      EXPECT_NEAR(x * x + y * y, 1.0, tolerance);
      EXPECT_NEAR(x * u + y * w, 0.0, 10.0 * tolerance);
      EXPECT_NEAR(0.5 * (u * u + w * w) + gravity * y, 0.0, 10.0 * tolerance * 100.0);
      // m·u²/l + m·g·(−y)/l, with u² = −2 g y: three times the weight's part along the rod.
      EXPECT_NEAR(of(row, "lambda"), -3.0 * gravity * y, error * 3.0 * gravity);
    }
    EXPECT_LT(
        trajectory.statistics.steps,
        1.5 * static_cast<double>(test::run(pendulum_by_angle(), with_series(tolerance)).statistics.steps));
  }
}

/// Two rods of length 1 with masses 2 and 1, against the equations of their angles, whose slopes are a linear system.
TEST(ConstrainedSeries, ADoublePendulumOfIndex3IsAsGoodAsItsAngles) {
  Source source;
  source.parameters = {{"g", gravity}};
  source.states = {{"x1", 0.6}, {"y1", -0.8}, {"x2", 1.6}, {"y2", -0.8},
                   {"u1", 0.0}, {"w1", 0.0},  {"u2", 0.0}, {"w2", 0.0}};
  source.algebraic = {{"first"}, {"second"}};
  source.equations = {"der(x1) = u1",
                      "der(y1) = w1",
                      "der(x2) = u2",
                      "der(y2) = w2",
                      "2*der(u1) = -first*x1 + second*(x2 - x1)",
                      "2*der(w1) = -first*y1 + second*(y2 - y1) - 2*g",
                      "der(u2) = -second*(x2 - x1)",
                      "der(w2) = -second*(y2 - y1) - g",
                      "x1^2 + y1^2 = 1",
                      "(x2 - x1)^2 + (y2 - y1)^2 = 1"};
  source.experiment = {.stop = 4.0, .output_interval = 0.25};
  Source angles;
  angles.parameters = {{"g", gravity}};
  angles.states = {{"c1", 0.8}, {"s1", 0.6}, {"c2", 0.0}, {"s2", 1.0}, {"p", 0.0}, {"q", 0.0}};
  angles.algebraic = {{"cd"}, {"sd"}, {"pp"}, {"qq"}};
  angles.equations = {"der(c1) = -s1*p",
                      "der(s1) = c1*p",
                      "der(c2) = -s2*q",
                      "der(s2) = c2*q",
                      "cd = c1*c2 + s1*s2",
                      "sd = s1*c2 - c1*s2",
                      "pp = p*p",
                      "qq = q*q",
                      "3*der(p) + cd*der(q) + sd*qq + 3*g*s1 = 0",
                      "der(q) + cd*der(p) - sd*pp + g*s2 = 0"};
  angles.experiment = source.experiment;
  const Trajectory exact = test::run(angles, with_series(1e-12));
  const double tolerance = 1e-8;
  const Trajectory trajectory = series_run(build(source), tolerance);
  ASSERT_EQ(trajectory.size(), exact.size());
  for (std::size_t row = 0; row < exact.size(); ++row) {
    const auto of = [&](const char* name) { return trajectory.value(row, trajectory.column(name)); };
    const auto exactly = [&](const char* name) { return exact.value(row, exact.column(name)); };
    // Errors grow by the motion's own instability: less than e^{2t} here.
    const double error = 10.0 * tolerance * std::exp(2.0 * exact.time(row));
    EXPECT_NEAR(of("x2"), exactly("s1") + exactly("s2"), error);
    EXPECT_NEAR(of("y2"), -exactly("c1") - exactly("c2"), error);
    EXPECT_NEAR(std::hypot(of("x2") - of("x1"), of("y2") - of("y1")), 1.0, tolerance);
  }
}

std::string number_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string linear_form(const Eigen::RowVectorXd& coefficients, const std::string& name) {
  std::string text = "0";
  for (Eigen::Index i = 0; i < coefficients.size(); ++i)
    text += " + (" + number_text(coefficients[i]) + ")*" + name + std::to_string(i);
  return text;
}

std::string indexed(const char* name, Eigen::Index i) { return name + std::to_string(i); }

/// ẋ = A x + B λ, C x = 0 with C B regular: λ = −(C B)⁻¹ C A x, so x = exp((I − B (C B)⁻¹ C) A t) x₀.
TEST(ConstrainedSeries, LinearSystemsOfIndex2FollowTheirMatrixExponential) {
  std::mt19937 random(20261);
  std::uniform_real_distribution<double> entry(-1.0, 1.0);
  for (int draw = 0; draw < 12; ++draw) {
    const Eigen::Index n = 2 + draw % 4, m = 1 + draw % 2 * (n > 2 ? 1 : 0);
    const auto matrix = [&](Eigen::Index rows, Eigen::Index columns) {
      return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return entry(random); }).eval();
    };
    const Eigen::MatrixXd A = matrix(n, n), C = matrix(m, n);
    const Eigen::MatrixXd B = C.transpose() + 0.2 * matrix(n, m);
    const Eigen::MatrixXd to_constraint = B * (C * B).inverse() * C;
    const Eigen::MatrixXd P = Eigen::MatrixXd::Identity(n, n) - to_constraint;
    const Eigen::VectorXd x0 = P * matrix(n, 1);
    Source source;
    for (Eigen::Index i = 0; i < n; ++i) source.states.push_back({indexed("x", i), x0[i]});
    for (Eigen::Index i = 0; i < m; ++i) source.algebraic.push_back({indexed("f", i)});
    for (Eigen::Index i = 0; i < n; ++i)
      source.equations.emplace_back("der(" + indexed("x", i) + ") = " + linear_form(A.row(i), "x") + " + " +
                                    linear_form(B.row(i), "f"));
    for (Eigen::Index i = 0; i < m; ++i) source.equations.emplace_back(linear_form(C.row(i), "x") + " = 0");
    source.experiment = {.stop = 5.0, .output_interval = 0.5};
    for (const double tolerance : {1e-6, 1e-10}) {
      const Trajectory trajectory = series_run(build(source), tolerance);
      for (std::size_t row = 0; row < trajectory.size(); ++row) {
        const Eigen::MatrixXd flow = test::exponential(P * A * trajectory.time(row));
        const Eigen::VectorXd x = flow * x0, f = -(C * B).inverse() * C * A * x;
        // Errors of x₀ grow like the flow; (C B)⁻¹ magnifies what λ has of them.
        const double error = 10.0 * tolerance * 5.0 * (1.0 + flow.norm()) * (1.0 + x0.norm());
        for (Eigen::Index i = 0; i < n; ++i)
          EXPECT_NEAR(trajectory.value(row, trajectory.column(indexed("x", i))), x[i], error) << draw;
        for (Eigen::Index i = 0; i < m; ++i)
          EXPECT_NEAR(trajectory.value(row, trajectory.column(indexed("f", i))), f[i],
                      error * (1.0 + ((C * B).inverse() * C * A).norm()))
              << draw;
      }
    }
  }
}

/// q̇ = v, v̇ = K q + D v + Gᵀλ, G q = 0: with Q = I − Gᵀ(G Gᵀ)⁻¹G the flow of (q, v) is exp([[0, I], [Q K, Q D]] t).
TEST(ConstrainedSeries, LinearMechanismsOfIndex3FollowTheirMatrixExponential) {
  std::mt19937 random(20262);
  std::uniform_real_distribution<double> entry(-1.0, 1.0);
  for (int draw = 0; draw < 8; ++draw) {
    const Eigen::Index n = 2 + draw % 3;
    const auto matrix = [&](Eigen::Index rows, Eigen::Index columns) {
      return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return entry(random); }).eval();
    };
    const Eigen::MatrixXd K = matrix(n, n), D = matrix(n, n), G = matrix(1, n);
    const Eigen::MatrixXd Q =
        Eigen::MatrixXd::Identity(n, n) - G.transpose() * (G * G.transpose()).inverse() * G;
    Eigen::VectorXd start(2 * n);
    start << Q * matrix(n, 1), Q * matrix(n, 1);
    Eigen::MatrixXd generator = Eigen::MatrixXd::Zero(2 * n, 2 * n);
    generator.topRightCorner(n, n).setIdentity();
    generator.bottomLeftCorner(n, n) = Q * K;
    generator.bottomRightCorner(n, n) = Q * D;
    Source source;
    for (Eigen::Index i = 0; i < n; ++i) source.states.push_back({indexed("q", i), start[i]});
    for (Eigen::Index i = 0; i < n; ++i) source.states.push_back({indexed("v", i), start[n + i]});
    source.algebraic = {{"force"}};
    for (Eigen::Index i = 0; i < n; ++i) {
      source.equations.emplace_back("der(" + indexed("q", i) + ") = " + indexed("v", i));
      source.equations.emplace_back("der(" + indexed("v", i) + ") = " + linear_form(K.row(i), "q") + " + " +
                                    linear_form(D.row(i), "v") + " + (" + number_text(G(0, i)) + ")*force");
    }
    source.equations.emplace_back(linear_form(G.row(0), "q") + " = 0");
    source.experiment = {.stop = 4.0, .output_interval = 0.5};
    const double tolerance = 1e-9;
    const Trajectory trajectory = series_run(build(source), tolerance);
    for (std::size_t row = 0; row < trajectory.size(); ++row) {
      const Eigen::MatrixXd flow = test::exponential(generator * trajectory.time(row));
      const Eigen::VectorXd exact = flow * start;
      const double error = 10.0 * tolerance * 4.0 * (1.0 + flow.norm()) * (1.0 + start.norm());
      for (Eigen::Index i = 0; i < n; ++i) {
        EXPECT_NEAR(trajectory.value(row, trajectory.column(indexed("q", i))), exact[i], error) << draw;
        EXPECT_NEAR(trajectory.value(row, trajectory.column(indexed("v", i))), exact[n + i], error) << draw;
      }
    }
  }
}

/// A capacitor at a sine voltage, u = sin ωt, carries C ω cos ωt; an inductor at a sine current has L ω cos ωt.
TEST(ConstrainedSeries, CapacitorLoopsAndCutSetsOfSources) {
  Source source;
  source.states = {{"u", 0.0}, {"i", 0.0}, {"charge", 0.0}};
  source.inputs = {{.name = "drive", .form = SineSource{1.0, 0.5}}};
  source.algebraic = {{"into_capacitor"}, {"over_inductor"}};
  source.equations = {"0.2*der(u) = into_capacitor", "u = drive", "3*der(i) = over_inductor", "i = drive",
                      "der(charge) = into_capacitor + over_inductor"};
  source.experiment = {.stop = 10.0, .output_interval = 0.3};
  const Trajectory trajectory = series_run(build(source), 1e-9);
  const double omega = std::numbers::pi, error = 50.0 * 1e-9;
  test::expect_course(
      trajectory, "into_capacitor", [&](double t) { return 0.2 * omega * std::cos(omega * t); }, error);
  test::expect_course(
      trajectory, "over_inductor", [&](double t) { return 3.0 * omega * std::cos(omega * t); }, 10.0 * error);
  test::expect_course(
      trajectory, "charge", [&](double t) { return 3.2 * std::sin(omega * t); }, error);
}

/// Gear and Petzold: a + ηt b = q, ȧ + ηt ḃ + (1 + η) b = 0 have b = −q̇ once the first is taken off the second.
TEST(ConstrainedSeries, RecombinedRowsHoldDerivativesOfInputs) {
  Source source;
  source.states = {{"a", 1.0}, {"b", 0.0}};
  source.inputs = {{.name = "q", .form = SineSource{1.0, 1.0, "pi/2"}},
                   {.name = "t", .form = TableSource{{0.0, 2.0}, {0.0, 2.0}}}};
  source.equations = {"a - 0.5*t*b = q", "der(a) - 0.5*t*der(b) + 0.5*b = 0"};
  source.experiment = {.stop = 1.5, .output_interval = 0.1};
  const Trajectory trajectory = series_run(build(source), 1e-9);
  const double turn = 2.0 * std::numbers::pi;
  const auto b = [&](double t) { return turn * std::sin(turn * t); };
  test::expect_course(trajectory, "b", b, 1e-7);
  test::expect_course(
      trajectory, "a", [&](double t) { return std::cos(turn * t) + 0.5 * t * b(t); }, 1e-7);
}

/// x = sin ωt is no differential equation, and der(x) is asked for by a constraint: it changes sign where the cosine does.
TEST(ConstrainedSeries, SlopesOfAlgebraicStatesInConstraints) {
  Source source;
  source.states = {{"x", 0.0}, {"r", 0.0}};
  source.inputs = {{.name = "u", .form = SineSource{1.0, "1/(2*pi)"}}};
  source.binaries = {{"falls"}};
  source.equations = {"x = u", "der(r) = x"};
  source.constraints = {"(2*falls - 1)*der(x) <= 0"};
  source.experiment = {.stop = 10.0};
  const std::vector<double> times = test::event_times(series_run(build(source), 1e-9));
  ASSERT_EQ(times.size(), 3U);
  for (std::size_t k = 0; k < times.size(); ++k)
    EXPECT_NEAR(times[k], (static_cast<double>(k) + 0.5) * std::numbers::pi, 1e-7);
}

/// x' = −2 sgn(x − u) + y on x = u = sin t, y' = x: the weight is such that x' = cos t, and y = 1 − cos t.
TEST(ConstrainedSeries, SlidesOnASurface) {
  Source source;
  source.states = {{"x", 0.0}, {"y", 0.0}};
  source.inputs = {{"u", SineSource{1.0, "1/(2*pi)", 0.0, 0.0}}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x) = -4*(2*z - 1) + y", "der(y) = x"};
  test::add_relay(source, "z", "x - u");
  source.experiment = {.stop = 20.0, .output_interval = 0.25};
  const double tolerance = 1e-9, error = 100.0 * tolerance;
  const Trajectory trajectory = series_run(build(source), tolerance);
  test::expect_course(
      trajectory, "x", [](double t) { return std::sin(t); }, error);
  test::expect_course(
      trajectory, "y", [](double t) { return 1.0 - std::cos(t); }, error);
  EXPECT_NEAR(test::recorded(trajectory, "z", 5.0), 0.5 + (1.0 - 2.0 * std::cos(5.0)) / 8.0, error);
  EXPECT_LT(trajectory.statistics.steps, 60);
}

/// Two coupled relays hold x₁ = x₂ = 0 against sines: weights from the linear system of both slopes.
TEST(ConstrainedSeries, SlidesOnTwoSurfaces) {
  Source source;
  source.states = {{"x1", 0.0}, {"x2", 0.0}};
  source.inputs = {{"d", SineSource{1.0, "1/(2*pi)", 0.0, 0.0}}};
  source.binaries = {{"z1", 0.0}, {"z2", 0.0}};
  source.equations = {"der(x1) = d - 3*(2*z1 - 1) - (2*z2 - 1)", "der(x2) = -d - (2*z1 - 1) - 4*(2*z2 - 1)"};
  test::add_relay(source, "z1", "x1");
  test::add_relay(source, "z2", "x2");
  source.experiment = {.stop = 12.0, .output_interval = 0.25};
  const double tolerance = 1e-9, error = 100.0 * tolerance;
  const Trajectory trajectory = series_run(build(source), tolerance);
  // 3 a + b = d, a + 4 b = −d with a = 2 z₁ − 1, b = 2 z₂ − 1: a = 5 d/11, b = −4 d/11.
  for (const double t : {1.0, 4.0, 9.0}) {
    EXPECT_NEAR(test::recorded(trajectory, "z1", t), 0.5 + 2.5 * std::sin(t) / 11.0, error);
    EXPECT_NEAR(test::recorded(trajectory, "z2", t), 0.5 - 2.0 * std::sin(t) / 11.0, error);
  }
  test::expect_course(
      trajectory, "x1", [](double) { return 0.0; }, error);
}

/// A constrained mode with a time constant of 1e-6 is left to IDA like any other.
TEST(ConstrainedSeries, StiffConstrainedModesAreLeftToIda) {
  Source source = pendulum();
  source.states.push_back({"fast", 1.0});
  source.equations.emplace_back("der(fast) = 1e6*(x - fast)");
  source.experiment.stop = 0.5;
  const Model model = build(source);
  const Trajectory automatic = simulate(model, test::with_accuracy(1e-6));
  ASSERT_EQ(automatic.outcome.kind, OutcomeKind::reached_stop) << automatic.outcome.message;
  EXPECT_LT(automatic.statistics.series_steps, 200);
  EXPECT_LT(automatic.statistics.series_steps, automatic.statistics.steps);
  const Trajectory exact = test::run(pendulum_by_angle(), with_series(1e-12));
  EXPECT_NEAR(test::recorded(automatic, "x", 0.5), test::recorded(exact, "s", 0.5), 1e-4);
}

}  // namespace constrained_series_test
}  // namespace mti
