// Impulses of an order other than one: [B20] (188), where tau1 enters in its third power. With
// h (b1 τ1³) = Δw1 and h b2 τ2 → 0 the torques are of order 1/3, and w1 alone jumps.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/program/restart.hpp"

namespace mti::test {
namespace multi_mode_orders_test {

struct Torques {
  double w1, w2, b1, b2;
};

void expect_engagement(const Instant& event, const Torques& torques) {
  const double size = std::abs(torques.w1) + std::abs(torques.w2);
  const double a = event.before("w1"), b = event.before("w2");
  EXPECT_NEAR(event.after("w2"), b, restart_accuracy * size);
  EXPECT_NEAR(event.after("w1"), b, restart_accuracy * size);
  EXPECT_EQ(event.jumped(), Names{"w1"});
  const double scaled = std::cbrt((b - a) / torques.b1);
  EXPECT_NEAR(event.weight("tau1"), scaled, restart_accuracy * std::abs(scaled));
  EXPECT_NEAR(event.weight("tau2"), -scaled, restart_accuracy * std::abs(scaled));
  EXPECT_NEAR(event.order("tau1"), 1.0 / 3.0, 1e-12);
  EXPECT_NEAR(event.order("tau2"), 1.0 / 3.0, 1e-12);
}

class NonlinearClutch : public testing::TestWithParam<Torques> {};

TEST_P(NonlinearClutch, JumpsByAThirdOfAnOrder) {
  const Torques torques = GetParam();
  nlohmann::json model = case_model("nonlinear_clutch");
  model["parameters"]["b1"] = torques.b1;
  model["parameters"]["b2"] = torques.b2;
  set_start(model, "w1", torques.w1);
  set_start(model, "w2", torques.w2);
  const double size = std::max(std::abs(torques.w1), std::abs(torques.w2));
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    const SimulationRun run = completed(model, rtol);
    const std::vector<Instant> events = instants(run);
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0].time(), 1.0);
    EXPECT_EQ(events[0].kind(), "input");
    expect_engagement(events[0], torques);
    EXPECT_EQ(events[1].time(), 3.0);
    EXPECT_EQ(events[1].jumped(), Names{});
    // With a1 = a2 nothing is left to be carried by the torques: b1 τ³ + b2 τ = 0 only for τ = 0.
    for (const double t : {1.5, 3.0, 5.0}) {
      for (const char* name : {"w1", "w2"})
        EXPECT_NEAR(run.value(run.at(t), name), torques.w2 * std::exp(-0.1 * t), error_bound(rtol, size));
      EXPECT_NEAR(run.value(run.at(t), "tau1"), 0.0, error_bound(rtol, size));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Speeds, NonlinearClutch,
                         testing::Values(Torques{1, 5, 2, 3}, Torques{5, 1, 2, 3}, Torques{-4, 3, 0.5, 7},
                                         Torques{100, 99, 10, 0.1}),
                         [](const auto& instance) { return "number" + std::to_string(instance.index); });

// The published example engages at its start values.
TEST(NonlinearClutch, EngagedFromTheStart) {
  nlohmann::json model = case_model("nonlinear_clutch");
  set_table(model, "engaged", {0.0}, {1.0});
  const SimulationRun run = completed(model, 1e-8);
  const std::vector<Instant> events = instants(run);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].kind(), "initial");
  expect_engagement(events[0], {1, 5, 2, 3});
  EXPECT_NEAR(events[0].after("w1"), 5.0, 1e-9);
  EXPECT_NEAR(events[0].weight("tau1"), 1.259921049894873, 1e-9);
}

// With a1 ≠ a2 the torque of the joint motion is the one real root of b1 τ³ + b2 τ = (a2 − a1) w, and
// w' = a1 w + b1 τ³; followed here by Runge–Kutta of fourth order.
TEST(NonlinearClutch, TheJointMotionIsThatOfTheCubicEquation) {
  const double a1 = -0.1, a2 = -0.9, b1 = 2.0, b2 = 3.0;
  const auto torque = [&](double w) {
    // Cardano: τ³ + p τ = q with p > 0 has one real root.
    const double p = b2 / b1, q = (a2 - a1) * w / b1, root = std::sqrt(q * q / 4.0 + p * p * p / 27.0);
    return std::cbrt(q / 2.0 + root) + std::cbrt(q / 2.0 - root);
  };
  const auto slope = [&](double w) { return a1 * w + b1 * std::pow(torque(w), 3.0); };
  double w = 5.0 * std::exp(a2);
  const int steps = 4000;
  const double h = 2.0 / steps;
  for (int i = 0; i < steps; ++i) {
    const double k1 = slope(w), k2 = slope(w + h / 2 * k1), k3 = slope(w + h / 2 * k2),
                 k4 = slope(w + h * k3);
    w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  nlohmann::json model = case_model("nonlinear_clutch");
  model["parameters"]["a2"] = a2;
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    const SimulationRun run = completed(model, rtol);
    const std::vector<Instant> events = instants(run);
    ASSERT_EQ(events.size(), 2U);
    expect_engagement(events[0], {1, 5, b1, b2});
    EXPECT_NEAR(events[0].after("tau1"), torque(events[0].after("w2")), restart_accuracy);
    EXPECT_NEAR(events[1].before("w1"), w, error_bound(rtol, 5.0));
    EXPECT_NEAR(events[1].before("tau1"), torque(w), error_bound(rtol, 5.0));
    EXPECT_NEAR(run.value(run.at(5.0), "w2"), w * std::exp(2.0 * a2), error_bound(rtol, 5.0));
  }
}

// Equal speeds engage without a jump: the order is that of nothing.
TEST(NonlinearClutch, EqualSpeedsEngageQuietly) {
  nlohmann::json model = case_model("nonlinear_clutch");
  set_start(model, "w1", 5.0);
  const SimulationRun run = completed(model, 1e-8);
  ASSERT_EQ(run.events.size(), 2U);
  EXPECT_EQ(instants(run)[0].jumped(), Names{});
  EXPECT_EQ(instants(run)[0].impulsive(), Names{});
}

// [B20] (188) with an even power: for w2 < w1 no real torque can bring w1 down to w2; for w2 > w1 two can.
TEST(NonlinearClutch, WithoutAUniqueRealOrderIsRefused) {
  for (const double w1 : {1.0, 9.0}) {
    nlohmann::json model = case_model("nonlinear_clutch");
    set_equation(model, "shaft1", "der(w1) = a1*w1 + b1*tau1^2");
    set_equation(model, "shaft2", "der(w2) = a2*w2 + b2*tau2");
    set_start(model, "w1", w1);
    expect_refused(simulate(model, 1e-8, 1e-8), "refused_restart", {"tau1"});
  }
}

}  // namespace multi_mode_orders_test
}  // namespace mti::test
