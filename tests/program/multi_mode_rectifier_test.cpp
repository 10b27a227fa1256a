// An ideal diode straight onto a capacitor, and a second filter behind a resistor: while the diode conducts,
// the first voltage is the source's and no state of its own. Oracle: matrix exponentials (exact_affine.hpp).

#include <gtest/gtest.h>

#include <cmath>

#include "tests/program/exact_affine.hpp"
#include "tests/program/restart.hpp"

namespace mti::test {
namespace multi_mode_rectifier_test {

constexpr double C1 = 0.1, C2 = 0.05, R1 = 4.0, R2 = 10.0, amplitude = 10.0;
const double omega = 2.0 * std::acos(-1.0);

/// w = (v1, v2, u, u'); mode 1 conducts: v1' = u', until i = C1 u' + (u − v2)/R1 falls through zero. Mode 0
/// blocks until u rises above v1.
ExactMode rectifier(int mode) {
  ExactMode exact{Eigen::MatrixXd::Zero(4, 4), {}};
  exact.M(1, 0) = 1.0 / (R1 * C2);
  exact.M(1, 1) = -1.0 / (R1 * C2) - 1.0 / (R2 * C2);
  exact.M(2, 3) = 1.0;
  exact.M(3, 2) = -omega * omega;
  Eigen::RowVectorXd exit(4);
  if (mode == 1) {
    exact.M(0, 3) = 1.0;
    exit << 0.0, 1.0 / R1, -1.0 / R1, -C1;
  } else {
    exact.M(0, 0) = -1.0 / (R1 * C1);
    exact.M(0, 1) = 1.0 / (R1 * C1);
    exit << -1.0, 0.0, 1.0, 0.0;
  }
  exact.exits = {{exit, 1 - mode}};
  return exact;
}

TEST(PeakRectifier, FollowsItsSourceUpToEachPeak) {
  Eigen::VectorXd w(4);
  w << 0.0, 0.0, 0.0, amplitude * omega;
  int mode = 1;
  const std::vector<ExactSwitch> exact = follow(rectifier, 0.0, 3.0, 1e-3, w, mode);
  ASSERT_GE(exact.size(), 4U);
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    const SimulationRun run = completed(case_model("peak_rectifier"), rtol);
    const std::vector<Instant> events = instants(run);
    ASSERT_EQ(events.size(), exact.size() + 1);
    EXPECT_EQ(events[0].kind(), "initial");
    EXPECT_EQ(events[0].changed_to("conducts"), 1);
    EXPECT_NEAR(events[0].after("i"), C1 * amplitude * omega, restart_accuracy * 10.0);
    for (std::size_t k = 0; k < exact.size(); ++k) {
      const Instant& event = events[k + 1];
      EXPECT_EQ(event.kind(), "switch");
      EXPECT_EQ(event.changed_to("conducts"), exact[k].after) << k;
      EXPECT_NEAR(event.time(), exact[k].time, 2.0 * error_bound(rtol, 10.0) / exact[k].slope) << k;
      EXPECT_EQ(event.jumped(), Names{});
      EXPECT_EQ(event.impulsive(), Names{});
    }
    EXPECT_NEAR(run.value(run.rows.back(), "v1"), w[0], 2.0 * error_bound(rtol, 10.0));
    EXPECT_NEAR(run.value(run.rows.back(), "v2"), w[1], 2.0 * error_bound(rtol, 10.0));
    for (const auto& row : run.rows) {
      const double u = amplitude * std::sin(omega * row.time);
      EXPECT_LE(u - run.value(row, "v1"), error_bound(rtol, 10.0)) << row.time;
      if (run.value(row, "conducts") == 1.0) {
        EXPECT_NEAR(run.value(row, "v1"), u, error_bound(rtol, 10.0)) << row.time;
      }
    }
  }
}

// A source that jumps up charges the first capacitor by an impulse; jumping down it does nothing but block.
TEST(PeakRectifier, AJumpOfTheSourceIsAnImpulseOfCharge) {
  nlohmann::json model = case_model("peak_rectifier");
  model["inputs"] = {
      {{"name", "u"}, {"table", {{"time", {0, 1, 2}}, {"value", {0, 6, 0}}}}, {"interpolation", "previous"}}};
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    const SimulationRun run = completed(model, rtol);
    std::vector<Instant> events;
    for (const Instant& event : instants(run))
      if (event.time() > 0.0) events.push_back(event);
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0].time(), 1.0);
    EXPECT_EQ(events[0].kind(), "input");
    EXPECT_EQ(events[0].changed_to("conducts"), 1);
    EXPECT_EQ(events[0].jumped(), Names{"v1"});
    EXPECT_EQ(events[0].after("v1"), 6.0);
    EXPECT_EQ(events[0].impulsive(), Names{"i"});
    EXPECT_NEAR(events[0].weight("i"), C1 * 6.0, restart_accuracy);
    // Charged at v1 = 6: v2 = 6·R2/(R1 + R2)·(1 − exp(−t/τ)), τ = C2·R1·R2/(R1 + R2).
    const double rate = (R1 + R2) / (R1 * R2 * C2), v2 = 6.0 * R2 / (R1 + R2) * (1.0 - std::exp(-rate));
    EXPECT_NEAR(events[1].before("v2"), v2, error_bound(rtol, 6.0));
    EXPECT_EQ(events[1].time(), 2.0);
    EXPECT_EQ(events[1].changed_to("conducts"), 0);
    EXPECT_EQ(events[1].jumped(), Names{});
    EXPECT_EQ(events[1].impulsive(), Names{});
    Eigen::VectorXd w(4);
    w << 6.0, v2, 0.0, 0.0;
    int mode = 0;
    EXPECT_TRUE(follow(rectifier, 2.0, 3.0, 1e-2, w, mode).empty());
    EXPECT_NEAR(run.value(run.rows.back(), "v1"), w[0], error_bound(rtol, 6.0));
    EXPECT_NEAR(run.value(run.rows.back(), "v2"), w[1], error_bound(rtol, 6.0));
  }
}

}  // namespace multi_mode_rectifier_test
}  // namespace mti::test
