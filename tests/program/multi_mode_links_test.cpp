// Mechanisms of index 3 that are jerked: a rod and a rope, a crank and a slider. Oracles: accelerations by
// hand, quadratures.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/program/restart.hpp"
#include "tests/program/two_link_by_hand.hpp"

namespace mti::test {
namespace multi_mode_links_test {

TwoLinkByHand::State links(const Instant& event, bool after) {
  TwoLinkByHand::State w;
  const Names names{"x1", "y1", "x2", "y2", "vx1", "vy1", "vx2", "vy2"};
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = after ? event.after(names[i]) : event.before(names[i]);
  return w;
}

// The rope's jerk goes through the rod: two impulses, of which one is in a constraint that was there before.
TEST(TwoLinkPendulum, TheRopeJerksTheRod) {
  const TwoLinkByHand hand;
  const TwoLinkByHand::State start{0.6, -0.8, 0.9, -0.9, 0, 0, 0, 0};
  const double taut = hand.time_until_taut(start);
  EXPECT_NEAR(taut, 0.347432414385, 1e-10);
  const TwoLinkByHand::State caught = hand.after_impulses(hand.after(start, taut, false));
  EXPECT_GT(hand.energy(start), hand.energy(caught));
  const Names names{"x1", "y1", "x2", "y2", "vx1", "vy1", "vx2", "vy2"};
  for (const double rtol : accuracies) {
    const SimulationRun run = completed(case_model("two_link_pendulum"), rtol);
    const std::vector<Instant> events = instants(run);
    ASSERT_EQ(events.size(), 1U);
    const Instant& event = events[0];
    EXPECT_EQ(event.kind(), "switch");
    EXPECT_EQ(event.changed_to("taut"), 1);
    EXPECT_NEAR(event.time(), taut, error_bound(rtol, 4.0));
    EXPECT_EQ(event.impulsive(), (Names{"rod", "rope"}));
    const TwoLinkByHand::State left = links(event, false), right = hand.after_impulses(left);
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(event.after(names[i]), left[i], error_bound(rtol)) << names[i];
    // rod and rope hold to the accuracy of the run before, so far their directions are known
    const double restart = restart_accuracy * 5.0 + error_bound(rtol, 4.0);
    for (std::size_t i = 4; i < 8; ++i) EXPECT_NEAR(event.after(names[i]), right[i], restart) << names[i];
    EXPECT_NEAR(event.weight("rod"), hand.impulses(left).rod, restart);
    EXPECT_NEAR(event.weight("rope"), hand.impulses(left).rope, restart);
    for (const double t : {0.125, 0.25})
      for (std::size_t i = 0; i < 8; ++i)
        EXPECT_NEAR(run.value(run.at(t), names[i]), hand.after(start, t, false)[i], error_bound(rtol, 4.0))
            << names[i];
    for (const double t : {0.5, 1.0, 2.0}) {
      const TwoLinkByHand::State expected = hand.after(caught, t - taut, true);
      for (std::size_t i = 0; i < 8; ++i)
        EXPECT_NEAR(run.value(run.at(t), names[i]), expected[i], 10.0 * error_bound(rtol, 4.0))
            << names[i] << t;
    }
    for (const auto& row : run.rows) {
      const double x1 = run.value(row, "x1"), y1 = run.value(row, "y1"), dx = run.value(row, "x2") - x1,
                   dy = run.value(row, "y2") - y1;
      EXPECT_NEAR(x1 * x1 + y1 * y1, 1.0, 100.0 * rtol);
      if (row.time > event.time()) {
        EXPECT_NEAR(dx * dx + dy * dy, 0.64, 100.0 * rtol);
      }
    }
  }
}

/// θ is the angle of the crank: s = cos θ + √(4 − sin² θ), and (m1 + m2 s'²) θ'² = 2 E between the impacts.
struct Crank {
  static double s(double a) { return std::cos(a) + std::sqrt(4.0 - std::sin(a) * std::sin(a)); }
  static double slope(double a) {
    return -std::sin(a) - std::sin(a) * std::cos(a) / std::sqrt(4.0 - std::sin(a) * std::sin(a));
  }
  static double inertia(double a) { return 1.0 + 2.0 * slope(a) * slope(a); }
  /// ∫ √(inertia) dθ, by Simpson's rule
  static double path(double from, double to) {
    const int parts = 4000;
    const double h = (to - from) / parts;
    double sum = 0.0;
    for (int i = 0; i < parts; ++i)
      sum += h / 6.0 *
             (std::sqrt(inertia(from + i * h)) + 4.0 * std::sqrt(inertia(from + (i + 0.5) * h)) +
              std::sqrt(inertia(from + (i + 1) * h)));
    return std::abs(sum);
  }
};

// From the top it turns clockwise into the stop, back over the top and round into the stop from below, and
// back.
TEST(SliderCrank, ReboundsWithAllItsBodies) {
  const double pi = std::acos(-1.0), e = 0.8, contact = std::acos((2.9 * 2.9 + 1.0 - 4.0) / 5.8);
  EXPECT_NEAR(Crank::s(contact), 2.9, 1e-14);
  double rate = 3.0 * std::sqrt(Crank::inertia(pi / 2.0));  // √(2E), which a rebound multiplies by e
  double time = Crank::path(pi / 2.0, contact) / rate;
  std::vector<double> times;
  while (time < 6.0) {
    times.push_back(time);
    rate *= e;
    time += Crank::path(contact, 2.0 * pi - contact) / rate;
  }
  ASSERT_EQ(times.size(), 3U);
  const Names velocities{"vx", "vy", "vs"};
  for (const double rtol : accuracies) {
    const SimulationRun run = completed(case_model("slider_crank"), rtol);
    const std::vector<Instant> events = instants(run);
    ASSERT_EQ(events.size(), times.size());
    for (std::size_t k = 0; k < events.size(); ++k) {
      const Instant& event = events[k];
      EXPECT_EQ(event.kind(), "law");
      EXPECT_NEAR(event.time(), times[k], 10.0 * error_bound(rtol, 3.0));
      for (const std::string& name : velocities)
        EXPECT_NEAR(event.after(name), -e * event.before(name), restart_accuracy + error_bound(rtol, 3.0))
            << name;
      EXPECT_NEAR(event.after("vs"), -e * event.before("vs"), restart_accuracy * 3.0);
      // The stop takes the momentum of both bodies as they hang together: (1 + e) inertia θ' / s'.
      const double angle = std::atan2(event.before("y"), event.before("x"));
      EXPECT_NEAR(event.weight("push"),
                  (1.0 + e) * Crank::inertia(angle) * event.before("vs") / std::pow(Crank::slope(angle), 2.0),
                  restart_accuracy * 10.0 + 100.0 * error_bound(rtol, 10.0));
    }
    for (const auto& row : run.rows) {
      const double x = run.value(row, "x"), y = run.value(row, "y"), s = run.value(row, "s");
      EXPECT_NEAR(x * x + y * y, 1.0, 100.0 * rtol) << "t = " << row.time;
      EXPECT_NEAR((s - x) * (s - x) + y * y, 4.0, 100.0 * rtol) << "t = " << row.time;
      EXPECT_LE(s, 2.9 + error_bound(rtol, 3.0));
    }
    const double vx = run.value(run.rows.back(), "vx"), vy = run.value(run.rows.back(), "vy"),
                 vs = run.value(run.rows.back(), "vs");
    EXPECT_NEAR(std::sqrt(vx * vx + vy * vy + 2.0 * vs * vs), rate, 20.0 * error_bound(rtol, 3.0));
  }
}

}  // namespace multi_mode_links_test
}  // namespace mti::test
