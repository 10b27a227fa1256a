#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/solvers/sliding/sliding_queries.hpp"

/// Switches that accumulate, with closed forms of the limit.
namespace mti {
namespace zeno_models_test {

using test::add_relay;

/// x1' = c1 − sgn x1 + 2 sgn x2,  x2' = c2 − 2 sgn x1 − sgn x2: a spiral of straight lines into the origin.
struct Spiral {
  double c1 = 0.0, c2 = 0.0;

  [[nodiscard]] std::array<double, 2> velocity(double s1, double s2) const {
    return {c1 - s1 + 2.0 * s2, c2 - 2.0 * s1 - s2};
  }

  /// Times of all switches that are more than `least` before their limit, and the limit: each turn is the
  /// one before, scaled by the same ratio.
  struct Course {
    std::vector<double> switches;
    double limit = 0.0;
  };
  [[nodiscard]] Course course(double x1, double x2, double least) const {
    Course course;
    double t = 0.0, turn_begin = 0.0, turn = 0.0, s1 = x1 > 0 ? 1 : -1, s2 = x2 > 0 ? 1 : -1;
    for (int k = 1; k <= 400; ++k) {
      const auto [v1, v2] = velocity(s1, s2);
      const double h1 = v1 * s1 < 0.0 ? -x1 / v1 : INFINITY, h2 = v2 * s2 < 0.0 ? -x2 / v2 : INFINITY;
      const double h = std::min(h1, h2);
      t += h;
      x1 = h1 <= h2 ? 0.0 : x1 + v1 * h;
      x2 = h1 <= h2 ? x2 + v2 * h : 0.0;
      (h1 <= h2 ? s1 : s2) *= -1.0;
      course.switches.push_back(t);
      if (k % 4 != 0) continue;
      const double ratio = (t - turn_begin) / turn;
      turn = t - turn_begin;
      turn_begin = t;
      if (k < 12) continue;
      course.limit = t + turn * ratio / (1.0 - ratio);
      if (course.limit - t < least) break;
    }
    return course;
  }

  [[nodiscard]] Source source() const {
    Source source;
    source.parameters = {{"c1", c1}, {"c2", c2}};
    source.states = {{"x1", 2.0}, {"x2", 2.0}};
    source.binaries = {{"z1", 1.0}, {"z2", 1.0}};
    source.equations = {"der(x1) = c1 - (2*z1 - 1) + 2*(2*z2 - 1)",
                        "der(x2) = c2 - 2*(2*z1 - 1) - (2*z2 - 1)"};
    add_relay(source, "z1", "x1");
    add_relay(source, "z2", "x2");
    source.experiment = {.stop = 4.0, .output_interval = Number(0.125)};
    return source;
  }
};

// Without drift |x1| + |x2| falls at 2 in each quadrant: the limit from (2, 2) is t = 2.
TEST(ZenoModels, TheClosedFormOfTheSpiral) {
  const Spiral::Course course = Spiral{}.course(2.0, 2.0, 1e-12);
  EXPECT_NEAR(course.limit, 2.0, 1e-10);
  EXPECT_NEAR(course.switches.at(0), 2.0 / 3.0, 1e-14);
}

/// Danger: the run hangs, stops at the limit, or goes on as if one relay alone could hold the origin. On
/// both surfaces s1 = (c1 + 2 s2), s2 = c2 − 2 s1: s1 = (c1 + 2 c2)/5, s2 = (c2 − 2 c1)/5.
class ZenoSpiral : public testing::TestWithParam<std::array<double, 2>> {};

TEST_P(ZenoSpiral, EndsInRestAtTheOrigin) {
  const Spiral spiral{GetParam()[0], GetParam()[1]};
  for (const double accuracy : test::sliding_accuracies) {
    const Trajectory trajectory = test::run(spiral.source(), test::with_accuracy(accuracy));
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
    const double error = 50.0 * accuracy * 3.0;
    const Spiral::Course course = spiral.course(2.0, 2.0, error);
    std::size_t switches = 0;
    double rest = 0.0;
    for (const Event& event : trajectory.events) {
      if (event.kind == EventKind::switch_mode) {
        ASSERT_EQ(rest, 0.0) << "nothing switches at rest";
        if (switches < course.switches.size()) {
          EXPECT_NEAR(event.time, course.switches[switches], error) << "switch " << switches;
        }
        ++switches;
      } else {
        EXPECT_TRUE(event.kind == EventKind::zeno || event.kind == EventKind::slide_begin);
        rest = event.time;
      }
    }
    EXPECT_GE(switches, 8U);
    EXPECT_NEAR(rest, course.limit, error);
    // There is none where the origin is met within the errors before the limit is recognised.
    EXPECT_EQ(trajectory.accumulations.empty(), trajectory.events.back().kind != EventKind::zeno);
    for (const Accumulation& found : trajectory.accumulations) {  // two rows of each relay
      EXPECT_LT(found.constraints.front(), 2);
      EXPECT_GE(found.constraints.back(), 2);
    }
    for (const double t : {3.0, 4.0}) {
      EXPECT_NEAR(test::recorded(trajectory, "x1", t), 0.0, error);
      EXPECT_NEAR(test::recorded(trajectory, "x2", t), 0.0, error);
      const double s1 = (spiral.c1 + 2.0 * spiral.c2) / 5.0, s2 = (spiral.c2 - 2.0 * spiral.c1) / 5.0;
      EXPECT_NEAR(test::recorded(trajectory, "z1", t), 0.5 + 0.5 * s1, error);
      EXPECT_NEAR(test::recorded(trajectory, "z2", t), 0.5 + 0.5 * s2, error);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Drift, ZenoSpiral,
                         testing::Values(std::array{0.0, 0.0}, std::array{0.4, 0.1}, std::array{-0.3, 0.2}),
                         [](const auto& instance) { return "case" + std::to_string(instance.index); });

/// Neither surface of the spiral is pressed on from both sides at the origin, which holds all the same: while
/// |c1| stays small the weights follow it, s1 = c1/5, s2 = −2 c1/5; at c1 = 8 it is left with z1 = 1, z2 = 0,
/// x' = (8 − 1 − 2, −2 + 1).
TEST(ZenoModels, TheOriginHoldsWhileInputsChange) {
  Source source = Spiral{}.source();
  source.inputs = {{"u", TableSource{{0.0, 2.5, 2.5, 3.0, 3.0, 4.0}, {0.0, 0.0, 0.4, 0.4, 8.0, 8.0}}}};
  source.equations[0].text += " + u";
  const double accuracy = 1e-8;
  const Trajectory trajectory = test::run(source, test::with_accuracy(accuracy));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  const double error = 50.0 * accuracy * 5.0;
  EXPECT_NEAR(test::recorded(trajectory, "x1", 2.75), 0.0, error);
  EXPECT_NEAR(test::recorded(trajectory, "z1", 2.75), 0.54, error);
  EXPECT_NEAR(test::recorded(trajectory, "z2", 2.75), 0.42, error);
  EXPECT_NEAR(test::recorded(trajectory, "x1", 4.0), 5.0, error);
  EXPECT_NEAR(test::recorded(trajectory, "x2", 4.0), -1.0, error);
}

/// Two tanks that drain at ½ each, one pipe of rate r that turns to the one that just ran empty: they run dry
/// together at (x1 + x2)/(1 − r), and no motion goes on from there.
TEST(ZenoModels, TwoTanksRunDryForEveryInflow) {
  for (const double inflow : {0.6, 0.75, 0.9}) {
    Source source;
    source.parameters = {{"r", inflow}};
    source.states = {{"x1", 1.0}, {"x2", 0.5}};
    source.binaries = {{"z", 1.0}};
    source.equations = {"der(x1) = r*z - 0.5", "der(x2) = r*(1 - z) - 0.5"};
    source.constraints = {"-x1*(1 - z) <= 0", "-x2*z <= 0"};
    source.experiment = {.stop = 40.0, .output_interval = Number(0.5)};
    for (const double accuracy : test::sliding_accuracies) {
      const Trajectory trajectory = test::run(source, test::with_accuracy(accuracy));
      EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::zeno) << trajectory.outcome.message;
      EXPECT_NEAR(trajectory.outcome.end_time, 1.5 / (1.0 - inflow), 50.0 * accuracy * 3.0 / (1.0 - inflow));
      EXPECT_LT(trajectory.events.size(), 1000U);
    }
  }
}

/// A ball bounces, and beside it y = 3 sin(30·2πt): in the rows of the way to the limit, too.
TEST(ZenoModels, SignalsBesideTheImpactsGoOn) {
  Source source;
  source.states = {{"h", 1.0}, {"v", 0.0}};
  source.inputs = {{.name = "u", .form = SineSource{.amplitude = 1.0, .frequency = 30.0}}};
  source.algebraic = {{"F"}, {"y"}, {"E"}};
  source.binaries = {{"rests"}};
  source.equations = {"der(h) = v",
                      "der(v) = -9.81 + F",
                      {"support", "rests*h + (1 - rests)*F = 0"},
                      "y = 3*u",
                      "E = 9.81*h + 0.5*v*v"};
  source.constraints = {{"floor", "-h <= 0"}, "F >= 0"};
  source.transitions = {{"reach(floor)", {"support"}, {"v = -0.8*pre(v)"}}};
  source.experiment = {.stop = 6.0, .output_interval = Number(0.001)};
  const Trajectory trajectory = test::run(source, test::with_accuracy(1e-6));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  ASSERT_EQ(trajectory.events.back().kind, EventKind::zeno);
  for (std::size_t i = 0; i < trajectory.size(); ++i) {
    const double h = trajectory.value(i, trajectory.column("h")),
                 v = trajectory.value(i, trajectory.column("v"));
    EXPECT_NEAR(trajectory.value(i, trajectory.column("y")), 3.0 * std::sin(60.0 * M_PI * trajectory.time(i)),
                1e-9);
    EXPECT_NEAR(trajectory.value(i, trajectory.column("E")), 9.81 * h + 0.5 * v * v, 1e-5);
  }
}

/// Balls come to rest on floors s = A cos(ωt + φ) that bend away while the impacts accumulate: no row is below the floor,
/// those that the limit passes among them.
TEST(ZenoModels, RowsBeforeTheLimitAreNotBelowAFloorThatBends) {
  for (const auto [e, A, omega, h] :
       {std::array{0.8, 0.02909, 11.38, 0.3845}, std::array{0.8, 0.03, 10.0, 0.5},
        std::array{0.7, 0.06, 10.0, 0.3}, std::array{0.5, 0.1, 7.0, 0.6}}) {
    Source source;
    source.parameters = {{"e", e}, {"w", omega}};
    source.states = {{"h", h}, {"v", 0.0}, {"s", 0.0}, {"c", A}};
    source.algebraic = {{"F"}};
    source.binaries = {{"rests"}};
    source.equations = {"der(h) = v",
                        "der(v) = -9.81 + F",
                        "der(s) = w*c",
                        "der(c) = -w*s",
                        {"support", "rests*(h - s) + (1 - rests)*F = 0"}};
    source.constraints = {{"floor", "s - h <= 0"}, "F >= 0"};
    source.transitions = {{"reach(floor)", {"support"}, {"v = (1 + e)*w*c - e*pre(v)"}}};
    source.experiment = {.stop = 4.0, .output_interval = Number(0.0005)};
    for (const double accuracy : {1e-6, 1e-8, 1e-9}) {
      const Trajectory trajectory = test::run(source, test::with_accuracy(accuracy));
      ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
      EXPECT_EQ(trajectory.value(trajectory.size() - 1, trajectory.column("rests")), 1.0)
          << e << ' ' << accuracy;
      const std::size_t ball = trajectory.column("h"), floor = trajectory.column("s");
      double deepest = 0.0;
      for (std::size_t i = 0; i < trajectory.size(); ++i)
        deepest = std::max(deepest, trajectory.value(i, floor) - trajectory.value(i, ball));
      EXPECT_LE(deepest, 10.0 * accuracy * 4.0) << e << ' ' << accuracy;
    }
  }
}

}  // namespace zeno_models_test
}  // namespace mti
