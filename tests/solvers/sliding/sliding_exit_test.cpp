#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/solvers/sliding/sliding_queries.hpp"

/// Where sliding ends, and what looks like sliding but is not.
namespace mti {
namespace sliding_exit_test {

using test::add_relay;
using test::expect_course;
using test::expect_kinds;
constexpr auto begins = EventKind::slide_begin, ends = EventKind::slide_end, passes = EventKind::switch_mode;

/// x' = w − sgn x: on x = 0 the relay takes w, until |w| = 1. w' = rate from 0: ζ runs to 1 or to 0.
class SlidingExit : public testing::TestWithParam<double> {};

TEST_P(SlidingExit, WhereTheWeightReachesItsBound) {
  const double rate = GetParam(), t1 = 1.0 / std::abs(rate), sign = rate > 0.0 ? 1.0 : -1.0;
  Source source;
  source.parameters = {{"rate", rate}};
  source.states = {{"w", 0.0}, {"x", 0.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(w) = rate", "der(x) = w - (2*z - 1)"};
  add_relay(source, "z", "x");
  source.experiment = {.stop = 4.0, .output_interval = Number(0.0625)};
  for (const double accuracy : test::sliding_accuracies) {
    const Trajectory trajectory = test::run(source, test::with_accuracy(accuracy));
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
    const double error = 50.0 * accuracy * 6.0;
    expect_kinds(trajectory, 0.0, {{t1, ends}}, error);
    expect_course(
        trajectory, "x", [&](double t) { return t < t1 ? 0.0 : 0.5 * rate * (t - t1) * (t - t1); }, error);
    expect_course(
        trajectory, "z", [&](double t) { return t < t1 ? 0.5 + 0.5 * rate * t : 0.5 + 0.5 * sign; }, error);
  }
}
INSTANTIATE_TEST_SUITE_P(Both, SlidingExit, testing::Values(0.5, -0.5),
                         [](const auto& instance) { return instance.param > 0.0 ? "up" : "down"; });

/// A block on a belt of speed V, Coulomb friction that falls with slip: with s = v − V
///
///     x' = v,   v' = −x − F sgn s + d s
///
/// It sticks (v = V, F sgn = −x) until x = F, slips back along x'' − d x' + x = F − d V and sticks again.
struct Belt {
  double F = 1.0, V = 0.5, d = 0.1;
  double beta = 0.5 * d, omega = std::sqrt(1.0 - beta * beta), centre = F - d * V;
  /// τ after leaving: x = centre + e^(βτ) (A cos ωτ + B sin ωτ), x(0) = F, x'(0) = V.
  double A = F - centre, B = (V - beta * A) / omega;
  [[nodiscard]] double x(double tau) const {
    return centre + std::exp(beta * tau) * (A * std::cos(omega * tau) + B * std::sin(omega * tau));
  }
  [[nodiscard]] double v(double tau) const {
    return std::exp(beta * tau) *
           ((beta * A + omega * B) * std::cos(omega * tau) + (beta * B - omega * A) * std::sin(omega * tau));
  }
};

TEST(SlidingExit, ABlockOnABeltSticksAndSlips) {
  const Belt belt;
  // Sticks from x = 0 on; slips for as long as v < V, less than a turn.
  const double stick = belt.F / belt.V;
  const double slip = test::zero([&](double tau) { return belt.v(tau) - belt.V; }, 4.0, 6.9);
  const double caught = belt.x(slip), again = (belt.F - caught) / belt.V;
  ASSERT_NEAR(belt.v(slip), belt.V, 1e-12);
  ASSERT_LT(std::abs(caught), belt.F) << "it sticks when it is caught";
  Source source;
  source.parameters = {{"F", belt.F}, {"V", belt.V}, {"d", belt.d}};
  source.states = {{"x", 0.0}, {"v", belt.V}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x) = v", "der(v) = -x - F*(2*z - 1) + d*(v - V)"};
  add_relay(source, "z", "v - V");
  const double period = slip + again;
  source.experiment = {.stop = stick + 2.5 * period, .output_interval = Number(0.1)};
  test::Kinds expected;
  for (int turn = 0; turn < 3; ++turn) {
    expected.emplace_back(stick + turn * period, ends);
    if (turn < 2) expected.emplace_back(stick + turn * period + slip, begins);
  }
  if (2.5 * period > 2.0 * period + slip) expected.emplace_back(stick + 2.0 * period + slip, begins);
  const auto position = [&](double t) {
    if (t < stick) return belt.V * t;
    const double tau = std::fmod(t - stick, period);
    return tau < slip ? belt.x(tau) : caught + belt.V * (tau - slip);
  };
  // Where it is caught s rises at −x − F + … > 0.1; the time of leaving is that of x = F at speed V.
  const double slope = std::abs(-caught + belt.F);
  for (const double accuracy : test::sliding_accuracies) {
    const Trajectory trajectory = test::run(source, test::with_accuracy(accuracy));
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
    const double error = 50.0 * accuracy * 2.5;
    expect_kinds(trajectory, 0.0, expected, error / std::min(slope, belt.V));
    expect_course(trajectory, "x", position, error);
  }
}

/// Negative control: with a band of width 2h the relay oscillates, and every event is a switch. Up at 1, down
/// at −2: from 0 at h, then 2h/2, 2h/1, …
TEST(SlidingExit, ARelayWithHysteresisOscillates) {
  for (const double h : {0.25, 1e-3}) {
    Source source;
    source.parameters = {{"h", h}};
    source.states = {{"x", 0.0}};
    source.binaries = {{"z", 0.0}};
    source.equations = {"der(x) = 1 - 3*z"};
    source.constraints = {"(x - h)*(1 - z) <= 0", "(-h - x)*z <= 0"};
    source.experiment = {.stop = 31.0 * h};
    test::Kinds expected;
    for (int k = 0; k < 10; ++k) {
      expected.emplace_back(h + 3.0 * h * k, passes);
      expected.emplace_back(2.0 * h + 3.0 * h * k, passes);
    }
    const double accuracy = 1e-9;
    const Trajectory trajectory = test::run(source, test::with_accuracy(accuracy));
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
    expected.resize(20);
    if (trajectory.events.size() == 21U) expected.emplace_back(31.0 * h, passes);
    expect_kinds(trajectory, 0.0, expected, 50.0 * accuracy);
  }
}

/// Negative control: both fields leave the surface upwards, or the upper one towards it and the lower one too
/// slowly to hold it: the motion passes.
TEST(SlidingExit, ASurfaceThatIsCrossedDoesNotHold) {
  Source source;
  source.states = {{"x", -1.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x) = 3 - 2*z"};
  add_relay(source, "z", "x");
  source.experiment = {.stop = 1.0};
  const Trajectory trajectory = test::run(source, test::with_accuracy(1e-8));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  expect_kinds(trajectory, 0.0, {{1.0 / 3.0, passes}}, 1e-6);
  EXPECT_EQ(test::last(trajectory, "z"), 1.0);
}

}  // namespace sliding_exit_test
}  // namespace mti
