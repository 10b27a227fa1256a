// Inertias joined and released by ideal clutches: momentum, impulses and trajectories. Every mode is linear;
// the closed forms are products of exponentials.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/program/restart.hpp"

namespace mti::test {
namespace multi_mode_clutches_test {

// [LN] chapter 3: the start values violate w1 = w2.
TEST(TwoInertias, StartWithTheirMomentum) {
  for (const double rtol : accuracies) {
    const SimulationRun run = completed(case_model("two_inertias"), rtol);
    const std::vector<Instant> events = instants(run);
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].kind(), "initial");
    EXPECT_EQ(events[0].time(), 0.0);
    EXPECT_EQ(events[0].jumped(), (Names{"w1", "w2"}));
    EXPECT_EQ(events[0].before("w2"), 10.0);
    EXPECT_EQ(events[0].impulsive(), Names{"tau"});
    EXPECT_NEAR(events[0].weight("tau"), -0.8, 1e-9);
    EXPECT_EQ(events[0].order("tau"), 1.0);
    EXPECT_NEAR(0.1 * events[0].after("w1") + 0.4 * events[0].after("w2"), 4.0, 4.0 * conservation_accuracy);
    for (const auto& row : run.rows) {
      if (row.side == -1) continue;
      for (const char* name : {"w1", "w2"}) EXPECT_NEAR(run.value(row, name), 8.0, 1e-9);
      EXPECT_NEAR(run.value(row, "tau"), 0.0, 1e-9);
    }
  }
}

// Control: consistent start values begin without an event.
TEST(TwoInertias, StartQuietlyWhereTheyAgree) {
  nlohmann::json model = case_model("two_inertias");
  set_start(model, "w1", 10.0);
  EXPECT_TRUE(completed(model, 1e-8).events.empty());
}

/// [LN] (21)-(25); J2 is free while released, and u = k w1 always.
struct Motor {
  double J1 = 0.1, J2 = 0.4, k = 0.25, C = 2.0, R = 10.0, u0 = 1.0;
  double own = J1 + k * k * C, joint = own + J2, steady = u0 / k;
  [[nodiscard]] double after(double w, double J, double t) const {
    return steady + (w - steady) * std::exp(-k * k / R * t / J);
  }
};

TEST(MotorAndLoad, JumpsAtItsStartAndWhenTheLoadIsJoinedAgain) {
  const Motor motor;
  for (const double rtol : accuracies) {
    const SimulationRun run = completed(case_model("motor_and_load"), rtol);
    const std::vector<Instant> events = instants(run);
    ASSERT_EQ(events.size(), 3U);
    EXPECT_EQ(events[0].kind(), "initial");
    EXPECT_NEAR(events[0].after("w1"), 6.4, 1e-9);
    EXPECT_NEAR(events[0].after("w2"), 6.4, 1e-9);
    EXPECT_NEAR(events[0].after("u"), 1.6, 1e-9);
    EXPECT_NEAR(events[0].weight("tau"), -1.44, 1e-9);

    EXPECT_EQ(events[1].time(), 100.0);
    EXPECT_EQ(events[1].kind(), "input");
    EXPECT_EQ(events[1].changed_to("engaged"), 0);
    EXPECT_EQ(events[1].jumped(), Names{});
    EXPECT_EQ(events[1].impulsive(), Names{});

    const Instant& joined = events[2];
    EXPECT_EQ(joined.time(), 300.0);
    EXPECT_EQ(joined.kind(), "input");
    EXPECT_EQ(joined.jumped(), (Names{"u", "w1", "w2"}));
    EXPECT_EQ(joined.impulsive(), Names{"tau"});
    const double before = motor.J1 * joined.before("w1") + motor.k * motor.C * joined.before("u") +
                          motor.J2 * joined.before("w2");
    const double w = before / motor.joint;
    EXPECT_NEAR(joined.after("w1"), w, restart_accuracy * w);
    EXPECT_NEAR(joined.after("w2"), w, restart_accuracy * w);
    EXPECT_NEAR(joined.after("u"), motor.k * w, restart_accuracy * w);
    EXPECT_NEAR(
        motor.J1 * joined.after("w1") + motor.k * motor.C * joined.after("u") + motor.J2 * joined.after("w2"),
        before, conservation_accuracy * before);
    EXPECT_NEAR(joined.weight("tau"), motor.J2 * (w - joined.before("w2")), restart_accuracy);

    const double released = motor.after(6.4, motor.joint, 100.0),
                 alone = motor.after(released, motor.own, 200.0);
    const double joint = (motor.own * alone + motor.J2 * released) / motor.joint;
    EXPECT_NEAR(joined.before("w2"), released, error_bound(rtol, 6.4));
    EXPECT_NEAR(joined.before("w1"), alone, error_bound(rtol, 6.4));
    EXPECT_NEAR(joined.after("w1"), joint, error_bound(rtol, 6.4));
    const double end = motor.after(joint, motor.joint, 100.0);
    EXPECT_NEAR(run.value(run.rows.back(), "w1"), end, error_bound(rtol, 6.4));
    EXPECT_NEAR(run.value(run.rows.back(), "u"), motor.k * end, error_bound(rtol, 6.4));
    for (const auto& row : run.rows)
      if (row.side != -1) {
        EXPECT_NEAR(run.value(row, "u"), motor.k * run.value(row, "w1"), error_bound(rtol)) << row.time;
      }
  }
}

/// [E22] 2.3: j1 w1' = −k1 w1 + f1, j2 w2' = −k2 w2 + f2, engaged over [5, 7].
struct Shafts {
  double w1 = 1.0, w2 = 1.5, j1 = 1.0, j2 = 2.0, k1 = 0.01, k2 = 0.0125;

  [[nodiscard]] double joint(double w, double t) const { return w * std::exp(-(k1 + k2) / (j1 + j2) * t); }
  [[nodiscard]] double first(double w, double t) const { return w * std::exp(-k1 / j1 * t); }
  [[nodiscard]] double second(double w, double t) const { return w * std::exp(-k2 / j2 * t); }
};

void expect_clutch(const SimulationRun& run, const Shafts& shafts, const std::string& kind, double rtol) {
  const double size = std::max({1.0, std::abs(shafts.w1), std::abs(shafts.w2)});
  const std::vector<Instant> events = instants(run);
  ASSERT_EQ(events.size(), 2U);
  const Instant &engages = events[0], &releases = events[1];
  EXPECT_NEAR(engages.time(), 5.0, 1e-12);
  EXPECT_EQ(engages.kind(), kind);
  EXPECT_EQ(engages.changed_to("g"), 1);
  EXPECT_EQ(engages.jumped(), (Names{"w1", "w2"}));
  EXPECT_EQ(engages.impulsive(), (Names{"f1", "f2"}));
  const double a = engages.before("w1"), b = engages.before("w2"), w = engages.after("w1");
  const double momentum = shafts.j1 * a + shafts.j2 * b;
  EXPECT_NEAR(a, shafts.first(shafts.w1, 5.0), error_bound(rtol, size));
  EXPECT_NEAR(b, shafts.second(shafts.w2, 5.0), error_bound(rtol, size));
  EXPECT_NEAR(w, momentum / (shafts.j1 + shafts.j2), restart_accuracy * size);
  EXPECT_NEAR(shafts.j1 * w + shafts.j2 * engages.after("w2"), momentum,
              conservation_accuracy * (shafts.j1 + shafts.j2) * size);
  EXPECT_NEAR(engages.weight("f1"), shafts.j1 * (w - a), restart_accuracy * size);
  EXPECT_NEAR(engages.weight("f2"), -engages.weight("f1"), restart_accuracy * size);
  EXPECT_EQ(engages.order("f1"), 1.0);
  EXPECT_NEAR(engages.after("f1"),
              (shafts.k1 - shafts.j1 * (shafts.k1 + shafts.k2) / (shafts.j1 + shafts.j2)) * w,
              restart_accuracy * size);

  EXPECT_NEAR(releases.time(), 7.0, 1e-12);
  EXPECT_EQ(releases.kind(), kind);
  EXPECT_EQ(releases.changed_to("g"), 0);
  EXPECT_EQ(releases.jumped(), Names{});
  EXPECT_EQ(releases.impulsive(), Names{});

  const double at_5 = (shafts.j1 * shafts.first(shafts.w1, 5.0) + shafts.j2 * shafts.second(shafts.w2, 5.0)) /
                      (shafts.j1 + shafts.j2);
  const double at_7 = shafts.joint(at_5, 2.0);
  for (const double t : {5.5, 6.0, 6.5})
    for (const char* name : {"w1", "w2"})
      EXPECT_NEAR(run.value(run.at(t), name), shafts.joint(at_5, t - 5.0), error_bound(rtol, size));
  for (const double t : {7.0, 10.0, 14.0}) {
    EXPECT_NEAR(run.value(run.at(t), "w1"), shafts.first(at_7, t - 7.0), error_bound(rtol, size));
    EXPECT_NEAR(run.value(run.at(t), "w2"), shafts.second(at_7, t - 7.0), error_bound(rtol, size));
  }
}

class ClutchBasic : public testing::TestWithParam<Shafts> {};

TEST_P(ClutchBasic, EngagesByAnInputOfTheMode) {
  nlohmann::json model = case_model("clutch_basic");
  set_start(model, "w1", GetParam().w1);
  set_start(model, "w2", GetParam().w2);
  for (const double rtol : accuracies) expect_clutch(completed(model, rtol), GetParam(), "input", rtol);
}

TEST_P(ClutchBasic, EngagesByAGuardOnTheTime) {
  nlohmann::json model = case_model("clutch_basic_by_time");
  set_start(model, "w1", GetParam().w1);
  set_start(model, "w2", GetParam().w2);
  for (const double rtol : accuracies) expect_clutch(completed(model, rtol), GetParam(), "switch", rtol);
}

// g = (t ≥ t1) and (t ≤ t2) as one relation, quadratic in the time.
TEST_P(ClutchBasic, EngagesByOneRelation) {
  nlohmann::json model = case_model("clutch_basic");
  set_start(model, "w1", GetParam().w1);
  set_start(model, "w2", GetParam().w2);
  model.erase("inputs");
  model["binaries"] = {{{"name", "g"}}};
  model["constraints"] = {{{"name", "guard"}, {"text", "(1 - 2*g)*(time - 5)*(7 - time) <= 0"}}};
  for (const double rtol : accuracies) expect_clutch(completed(model, rtol), GetParam(), "switch", rtol);
}

INSTANTIATE_TEST_SUITE_P(BothDirections, ClutchBasic,
                         testing::Values(Shafts{}, Shafts{1.5, 1.0}, Shafts{-2.0, 3.0}, Shafts{0.0, 10.0},
                                         Shafts{1e3, -1.0}),
                         [](const auto& instance) { return "number" + std::to_string(instance.index); });

// The published numbers.
TEST(ClutchBasic, ThePublishedExample) {
  const SimulationRun run = completed(case_model("clutch_basic"), 1e-8);
  ASSERT_EQ(run.events.size(), 2U);
  const Instant engages = instants(run)[0];
  EXPECT_NEAR(engages.before("w1"), 0.951229424501, 1e-6);
  EXPECT_NEAR(engages.before("w2"), 1.453849851715, 1e-6);
  EXPECT_NEAR(engages.after("w1"), 1.28630970931, 1e-6);
  EXPECT_NEAR(engages.weight("f1"), 0.335080284809, 1e-6);
  EXPECT_NEAR(engages.after("f1"), 0.003215774273, 1e-6);
  EXPECT_NEAR(run.value(run.at(7.0), "w1"), 1.267159052669, 1e-6);
  EXPECT_NEAR(run.value(run.at(14.0), "w1"), 1.181491269546, 1e-6);
  EXPECT_NEAR(run.value(run.at(14.0), "w2"), 1.212916061314, 1e-6);
}

// Shafts of equal speed engage without a jump: an event of the mode alone.
TEST(ClutchBasic, EqualSpeedsEngageQuietly) {
  nlohmann::json model = case_model("clutch_basic");
  model["parameters"]["k1"] = 0.0;
  model["parameters"]["k2"] = 0.0;
  set_start(model, "w2", 1.0);
  const SimulationRun run = completed(model, 1e-8);
  ASSERT_EQ(run.events.size(), 2U);
  EXPECT_EQ(instants(run)[0].jumped(), Names{});
  EXPECT_EQ(instants(run)[0].impulsive(), Names{});
}

}  // namespace multi_mode_clutches_test
}  // namespace mti::test
