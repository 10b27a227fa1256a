#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "tests/solvers/sliding/sliding_queries.hpp"

/// Sliding with closed forms: where it begins, what holds on the surface, where it ends. Tolerances are those
/// of states, 50·rtol·(largest |x| + 1); times divide them by the slope of the surface function there.
namespace mti {
namespace sliding_models_test {

using test::add_relay;
using test::expect_course;
using test::expect_kinds;
constexpr auto begins = EventKind::slide_begin, ends = EventKind::slide_end;

/// x' = −2 sgn(x − u), u = 3 sin t. Faster than 2 the surface runs away, and x follows at 2 until they meet.
///
/// Slides from t1 (2t = 3 sin t) to t2 (3 cos t = −2), from t3 (x = 3 sin t2 − 2 (t − t2) meets u) to t4 = t2
/// + π, …
TEST(SlidingModels, ASurfaceThatMovesWithASine) {
  Source source;
  source.states = {{"x", 0.0}};
  source.inputs = {{"u", SineSource{3.0, "1/(2*pi)", 0.0, 0.0}}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x) = -2*(2*z - 1)"};
  add_relay(source, "z", "x - u");
  source.experiment = {.stop = 10.0, .output_interval = Number(0.05)};
  const double pi = std::numbers::pi;
  const double t1 = test::zero([](double t) { return 2.0 * t - 3.0 * std::sin(t); }, 1.0, 2.0);
  const double t2 = std::acos(-2.0 / 3.0);
  const auto behind = [&](double t) { return 3.0 * std::sin(t2) - 2.0 * (t - t2) - 3.0 * std::sin(t); };
  const double t3 = test::zero(behind, t2 + 0.5, t2 + 4.0), t4 = t2 + pi, t5 = t3 + pi, t6 = t2 + 2.0 * pi;
  ASSERT_LT(std::abs(3.0 * std::cos(t1)), 2.0);
  ASSERT_GT(t4, t3);
  ASSERT_GT(t6, t5);
  const auto x = [&](double t) {
    if (t < t1) return 2.0 * t;
    if (t > t2 && t < t3) return 3.0 * std::sin(t2) - 2.0 * (t - t2);
    if (t > t4 && t < t5) return -3.0 * std::sin(t2) + 2.0 * (t - t4);
    if (t > t6) return 3.0 * std::sin(t2) - 2.0 * (t - t6);
    return 3.0 * std::sin(t);
  };
  for (const double accuracy : test::sliding_accuracies) {
    const Trajectory trajectory = test::run(source, test::with_accuracy(accuracy));
    const double error = 50.0 * accuracy * 4.0;
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
    // The slowest meeting: |ṡ| = |3 cos t3 + 2| > 0.6; where it leaves, the weight moves at 3 sin t2/4 > 0.5.
    expect_kinds(trajectory, 0.0,
                 {{t1, begins}, {t2, ends}, {t3, begins}, {t4, ends}, {t5, begins}, {t6, ends}}, error / 0.5);
    expect_course(trajectory, "x", x, error);
    EXPECT_NEAR(test::recorded(trajectory, "z", 2.0), 0.5 - 0.75 * std::cos(2.0), error);
  }
}

/// x' = k (1 − 3z) from −1: on x = 0 from t = 1/k on with z = 1/3, by which y' = k z. In any unit of time, and of x.
TEST(SlidingModels, InEachUnitOfTimeAndOfTheState) {
  for (const double k : {1e-250, 1e-30, 1e-14, 9e-14, 1.0, 1e30})
    for (const bool of_time : {true, false}) {
      Source source;
      const double size = of_time ? 1.0 : k, T = of_time ? 3.0 / k : 3.0;
      source.parameters = {{"k", k}};
      source.states = {{.name = "x", .start = -size, .nominal = size}, {.name = "y", .nominal = size}};
      source.binaries = {{"z", 0.0}};
      source.equations = {"der(x) = k*(1 - 3*z)", "der(y) = k*z"};
      add_relay(source, "z", "x");
      source.experiment = {.stop = T};
      const Trajectory trajectory = test::run(source, test::with_accuracy(1e-6));
      SCOPED_TRACE("k = " + std::to_string(std::log10(k)) + (of_time ? " of time" : ""));
      ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
      expect_kinds(trajectory, 0.0, {{T / 3.0, begins}}, 1e-6 * T);
      EXPECT_NEAR(test::last(trajectory, "y"), 2.0 / 3.0 * size, 1e-6 * size);
      EXPECT_NEAR(test::last(trajectory, "z"), 1.0 / 3.0, 1e-12);
    }
}

/// Below a circle's radius outwards, beyond it inwards, carried round and along by a drift: w = x1 + i x2,
///
///     w' = (a + i − b z) w + c,   z = [|w|² ≥ 1]:
///
/// inside linear; on the circle b ζ = a + c cos θ, θ' = 1 − c sin θ, whose solution is
/// tan(θ/2) = c + √(1−c²) tan(√(1−c²) (t − t0)/2 + κ).
TEST(SlidingModels, ACircle) {
  const double a = 1.0, b = 4.0, c = 0.3;
  Source source;
  source.parameters = {{"a", a}, {"b", b}, {"c", c}};
  source.states = {{"x1", 0.4}, {"x2", 0.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x1) = a*x1 - x2 - b*x1*z + c", "der(x2) = x1 + a*x2 - b*x2*z"};
  add_relay(source, "z", "x1^2 + x2^2 - 1");
  source.experiment = {.stop = 2.5, .output_interval = Number(0.05)};
  const std::complex<double> rate(a, 1.0), fixed = c / rate;
  const auto inside = [&](double t) { return (0.4 + fixed) * std::exp(rate * t) - fixed; };
  const double t0 = test::zero([&](double t) { return std::abs(inside(t)) - 1.0; }, 0.0, 2.0);
  const double theta0 = std::arg(inside(t0)), root = std::sqrt(1.0 - c * c);
  const double kappa = std::atan((std::tan(0.5 * theta0) - c) / root);
  const auto theta = [&](double t) {
    return 2.0 * std::atan(c + root * std::tan(0.5 * root * (t - t0) + kappa));
  };
  ASSERT_LT(theta(2.5), std::numbers::pi) << "before the tangent's pole";
  ASSERT_GT(theta(2.5), theta0 + 1.0);
  for (const double accuracy : test::sliding_accuracies) {
    const Trajectory trajectory = test::run(source, test::with_accuracy(accuracy));
    const double error = 50.0 * accuracy * 2.0;
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
    expect_kinds(trajectory, 0.0, {{t0, begins}}, error);
    expect_course(
        trajectory, "x1", [&](double t) { return t < t0 ? inside(t).real() : std::cos(theta(t)); }, error);
    expect_course(
        trajectory, "x2", [&](double t) { return t < t0 ? inside(t).imag() : std::sin(theta(t)); }, error);
    for (const double t : {1.0, 2.0})
      EXPECT_NEAR(test::recorded(trajectory, "z", t), (a + c * std::cos(theta(t))) / b, error);
  }
}

/// Ten relays beside each other, x_i' = 1 − (1 + i) z_i: each begins at its own time, and those before slide
/// on with the weight 1/(1 + i).
TEST(SlidingModels, ManyRelaysBeginOneAfterTheOther) {
  const int relays = 10;
  Source source;
  test::Kinds expected;
  for (int i = 1; i <= relays; ++i) {
    const std::string number = std::to_string(i);
    source.states.push_back({"x" + number, -0.1 * i});
    source.binaries.push_back({"z" + number, 0.0});
    source.equations.emplace_back("der(x" + number + ") = 1 - (1 + " + number + ")*z" + number);
    add_relay(source, "z" + number, "x" + number);
    expected.emplace_back(0.1 * i, begins);
  }
  source.experiment = {.stop = 2.0, .output_interval = Number(0.0625)};
  for (const double accuracy : test::sliding_accuracies) {
    const Trajectory trajectory = test::run(source, test::with_accuracy(accuracy));
    const double error = 50.0 * accuracy * 2.0;
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
    expect_kinds(trajectory, 0.0, expected, error);
    for (int i = 1; i <= relays; ++i) {
      const std::string number = std::to_string(i);
      expect_course(
          trajectory, "x" + number, [&](double t) { return std::min(t - 0.1 * i, 0.0); }, error);
      EXPECT_NEAR(test::last(trajectory, "z" + number), 1.0 / (1.0 + i), error);
    }
  }
}

/// Two surfaces with a product of both relays, s_i = 2 z_i − 1:
///
///     x1' = c1 − 2 s1 + ½ s1 s2,    x2' = c2 − 2 s2 + 0.3 s1 s2
///
/// On x1 = 0 alone (s2 = 1): s1 = c1/1.5. On both: s1 = c1/(2 − ½ s2) and a quadratic for s2.
TEST(SlidingModels, AnIntersectionBlendsBothRelays) {
  const double c1 = 0.6, c2 = -0.4;
  Source source;
  source.parameters = {{"c1", c1}, {"c2", c2}};
  source.states = {{"x1", 0.2}, {"x2", 1.5}};
  source.algebraic = {{"s1", 0.0}, {"s2", 0.0}};
  source.binaries = {{"z1", 1.0}, {"z2", 1.0}};
  source.equations = {"s1 = 2*z1 - 1", "s2 = 2*z2 - 1", "der(x1) = c1 - 2*s1 + 0.5*s1*s2",
                      "der(x2) = c2 - 2*s2 + 0.3*s1*s2"};
  add_relay(source, "z1", "x1");
  add_relay(source, "z2", "x2");
  source.experiment = {.stop = 2.0, .output_interval = Number(0.0625)};
  const double v1 = c1 - 2.0 + 0.5, v2 = c2 - 2.0 + 0.3, t1 = -0.2 / v1;
  const double s1 = c1 / 1.5, u2 = c2 - 2.0 + 0.3 * s1, t2 = t1 - (1.5 + v2 * t1) / u2;
  const auto blended = [&](double s2) { return c2 - 2.0 * s2 + 0.3 * s2 * c1 / (2.0 - 0.5 * s2); };
  const double s2 = test::zero(blended, -1.0, 1.0);
  ASSERT_GT(std::abs(s2 - c2 / 2.0), 1e-3) << "or blending would not show";
  for (const double accuracy : test::sliding_accuracies) {
    const Trajectory trajectory = test::run(source, test::with_accuracy(accuracy));
    const double error = 50.0 * accuracy * 2.5;
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
    expect_kinds(trajectory, 0.0, {{t1, begins}, {t2, begins}}, error);
    expect_course(
        trajectory, "x1", [&](double t) { return std::max(0.2 + v1 * t, 0.0); }, error);
    expect_course(
        trajectory, "x2",
        [&](double t) { return t < t1 ? 1.5 + v2 * t : std::max(1.5 + v2 * t1 + u2 * (t - t1), 0.0); },
        error);
    EXPECT_NEAR(test::recorded(trajectory, "s1", 0.5), s1, error);
    EXPECT_NEAR(test::last(trajectory, "s1"), c1 / (2.0 - 0.5 * s2), error);
    EXPECT_NEAR(test::last(trajectory, "s2"), s2, error);
  }
}

/// Feedthrough: y = x − z and z = [y ≥ 0]. For 0 < x < 1 neither value holds; y = 0 gives ζ = x.
///
/// x' = 1 + y: x = −1 + ½ eᵗ to x = 0 at ln 2, then slope 1 to x = 1 a unit of time later, then x = e^(t −
/// t2).
TEST(SlidingModels, FeedthroughSlidesBetweenItsTwoEnds) {
  Source source;
  source.states = {{"x", -0.5}};
  source.algebraic = {{"y", 0.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x) = 1 + y", "y = x - z"};
  add_relay(source, "z", "y");
  source.experiment = {.stop = 2.5, .output_interval = Number(0.0625)};
  const double t1 = std::numbers::ln2, t2 = t1 + 1.0;
  const auto x = [&](double t) {
    return t < t1 ? 0.5 * std::exp(t) - 1.0 : t < t2 ? t - t1 : std::exp(t - t2);
  };
  for (const double accuracy : test::sliding_accuracies) {
    const Trajectory trajectory = test::run(source, test::with_accuracy(accuracy));
    const double error = 50.0 * accuracy * 3.3;
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
    expect_kinds(trajectory, 0.0, {{t1, begins}, {t2, ends}}, error);
    expect_course(trajectory, "x", x, error);
    expect_course(
        trajectory, "z", [&](double t) { return std::clamp(x(t), 0.0, 1.0); }, error);
    expect_course(
        trajectory, "y", [&](double t) { return x(t) - std::clamp(x(t), 0.0, 1.0); }, error);
  }
}

}  // namespace sliding_models_test
}  // namespace mti
