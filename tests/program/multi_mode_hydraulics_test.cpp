// Valves that force flows and levels: the hydraulic actuator of [Mo], the water tank of [E22], the air brake
// of [B20]. Closed forms and references of independent integrations (tests/cases/reference).

#include <gtest/gtest.h>

#include <cmath>

#include "tests/program/published_case.hpp"
#include "tests/program/restart.hpp"

namespace mti::test {
namespace multi_mode_hydraulics_test {

/// [Mo] (33): piston and relief flow after the input valve has closed with the relief valve open.
struct Actuator {
  double m_p, A_p, I_rel;
  [[nodiscard]] double piston(double f_p, double f_rel) const {
    return -(A_p * I_rel * f_rel - m_p * f_p) / (A_p * A_p * I_rel + m_p);
  }
  [[nodiscard]] double relief(double f_p, double f_rel) const { return -A_p * piston(f_p, f_rel); }
  /// The same pressure impulse acts on both: m_p f_p / A_p − I_rel f_rel stays.
  [[nodiscard]] double conserved(double f_p, double f_rel) const { return m_p * f_p / A_p - I_rel * f_rel; }
};

void expect_closing(const Instant& event, const Actuator& actuator) {
  const double a = event.before("f_p"), b = event.before("f_rel"), size = std::abs(a) + std::abs(b);
  const double f_p = actuator.piston(a, b), f_rel = actuator.relief(a, b);
  EXPECT_EQ(event.jumped(), (Names{"f_p", "f_rel"}));
  EXPECT_NEAR(event.after("f_p"), f_p, restart_accuracy * size);
  EXPECT_NEAR(event.after("f_rel"), f_rel, restart_accuracy * size);
  const double before = actuator.conserved(a, b);
  EXPECT_NEAR(actuator.conserved(event.after("f_p"), event.after("f_rel")), before,
              conservation_accuracy * (actuator.m_p / actuator.A_p + actuator.I_rel) * size);
  EXPECT_EQ(event.impulsive(), (Names{"p_cyl", "p_rel"}));
  EXPECT_NEAR(event.weight("p_cyl"), actuator.m_p * (f_p - a) / actuator.A_p, 10.0 * restart_accuracy * size);
  EXPECT_NEAR(event.weight("p_rel"), actuator.I_rel * (f_rel - b), 10.0 * restart_accuracy * size);
  EXPECT_EQ(event.order("p_cyl"), 1.0);
}

TEST(HydraulicActuator, ClosingTheInputForcesTheRelief) {
  const Actuator actuator{5.0, 2.0, 10.0};
  const double p_sump = 1.0, R_rel = 4.0;
  for (const double rtol : accuracies) {
    const SimulationRun run = completed(case_model("hydraulic_actuator"), rtol);
    const std::vector<Instant> events = instants(run);
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0].time(), 1.0);
    EXPECT_EQ(events[0].kind(), "input");
    EXPECT_EQ(events[0].changed_to("open"), 0);
    EXPECT_GT(std::abs(events[0].before("f_rel")), 0.05) << "a general left limit";
    expect_closing(events[0], actuator);
    // Closed, A f_p + f_rel = 0: (m/A + I A) f_p' = −p_sump − R A f_p.
    const double inertia = actuator.m_p / actuator.A_p + actuator.I_rel * actuator.A_p;
    const double rest = -p_sump / (R_rel * actuator.A_p), rate = R_rel * actuator.A_p / inertia;
    const double f_p = rest + (events[0].after("f_p") - rest) * std::exp(-2.0 * rate);
    EXPECT_NEAR(events[1].before("f_p"), f_p, error_bound(rtol, 3.0));
    EXPECT_NEAR(events[1].before("f_rel"), -actuator.A_p * f_p, error_bound(rtol, 3.0));
    EXPECT_EQ(events[1].time(), 3.0);
    EXPECT_EQ(events[1].jumped(), Names{}) << "an open valve forces nothing";
    EXPECT_EQ(events[1].impulsive(), Names{});
  }
}

TEST(HydraulicActuator, ClosingTheInputWithTheReliefClosedStopsThePiston) {
  nlohmann::json model = case_model("hydraulic_actuator");
  set_table(model, "relief", {0.0}, {0.0});
  const SimulationRun run = completed(model, 1e-8);
  ASSERT_GE(run.events.size(), 1U);
  const Instant event = instants(run)[0];
  EXPECT_NEAR(event.after("f_p"), 0.0, restart_accuracy);
  EXPECT_EQ(event.impulsive(), Names{"p_cyl"});
  EXPECT_NEAR(event.weight("p_cyl"), -5.0 * event.before("f_p") / 2.0, restart_accuracy * 10.0);
}

// The relief valve opens by the sign of the impulse of −15 it would have to bear, at the same instant.
TEST(HydraulicActuator, ANegativePressureImpulseOpensTheRelief) {
  const Actuator actuator{5.0, 1.0, 10.0};
  for (const double rtol : accuracies) {
    const SimulationRun run = completed(case_model("hydraulic_actuator_relief"), rtol);
    const std::vector<Instant> events = instants(run);
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0].time(), 1.0);
    EXPECT_EQ(events[0].changed_to("open"), 0);
    EXPECT_EQ(events[0].changed_to("relief"), 1);
    expect_closing(events[0], actuator);
    EXPECT_NEAR(events[0].after("f_p"), 1.0, error_bound(rtol, 3.0));
    EXPECT_NEAR(events[0].after("f_rel"), -1.0, error_bound(rtol, 3.0));
    // 15 f_p' = −1 − 5 f_p reaches 0 when exp(−t/3) = 1/6; f_rel' = 1/15 there.
    EXPECT_EQ(events[1].kind(), "switch");
    EXPECT_NEAR(events[1].time(), 1.0 + 3.0 * std::log(6.0), 15.0 * error_bound(rtol, 3.0));
    EXPECT_EQ(events[1].changed_to("relief"), 0);
    EXPECT_NEAR(run.value(run.rows.back(), "f_p"), 0.0, error_bound(rtol, 3.0));
    EXPECT_NEAR(run.value(run.rows.back(), "f_rel"), 0.0, error_bound(rtol, 3.0));
  }
}

// A threshold on the value alone would keep the relief closed: after the jump p_cyl = 0.
TEST(HydraulicActuatorControl, TheValueAfterTheJumpAloneWouldNotOpenIt) {
  nlohmann::json model = case_model("hydraulic_actuator_relief");
  model.erase("constraints");
  const SimulationRun run = completed(model, 1e-8);
  ASSERT_EQ(run.events.size(), 1U);
  const Instant event = instants(run)[0];
  EXPECT_NEAR(event.weight("p_cyl"), -15.0, 1e-6);
  EXPECT_NEAR(event.after("p_cyl"), 0.0, 1e-6);
}

// [Mo] (43)-(51): the pencil as printed, its left limit as start values.
TEST(HydraulicActuator, ThePrintedPencilJumpsAtItsStart) {
  for (const double rtol : accuracies) {
    const SimulationRun run = completed(case_model("hydraulic_actuator_pencil"), rtol);
    const std::vector<Instant> events = instants(run);
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].kind(), "initial");
    EXPECT_NEAR(events[0].after("x1"), 1.0, restart_accuracy);
    EXPECT_NEAR(events[0].after("x2"), -1.0, restart_accuracy);
    EXPECT_NEAR(events[0].after("x3"), -5.000445039608525, restart_accuracy);
    EXPECT_NEAR(events[0].after("x4"), 0.0, restart_accuracy);
    // −3 x1' + 0.2 x3 = 0, x3 = −5/0.999911 x1
    const double rate = 1.0 / (3.0 * 0.999911);
    for (const double t : {0.5, 1.0, 2.0}) {
      EXPECT_NEAR(run.value(run.at(t), "x1"), std::exp(-rate * t), error_bound(rtol, 5.0));
      EXPECT_NEAR(run.value(run.at(t), "x2"), -std::exp(-rate * t), error_bound(rtol, 5.0));
    }
  }
}

// A signal that is carried by nothing but its own value must not be counted as an impulse.
TEST(HydraulicActuator, ThePrintedPencilHasNoImpulse) {
  const SimulationRun run = completed(case_model("hydraulic_actuator_pencil"), 1e-8);
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_EQ(instants(run)[0].impulsive(), Names{});
}

// Full at a slope of 1.585, 2.181 and empty at −6.56; no state jumps.
TEST(WaterTank, OverflowsAndIsRefilledPeriodically) {
  const nlohmann::json reference = reference_of("water_tank");
  for (const double rtol : accuracies) {
    const SimulationRun run = completed(case_model("water_tank"), rtol);
    expect_switches(run, reference, error_bound(rtol, 2.0));
    expect_samples(run, nlohmann::json::object(), reference, error_bound(rtol, 1.0));
    ASSERT_EQ(run.events.size(), 12U);
    for (const Instant& event : instants(run)) {
      EXPECT_EQ(event.jumped(), Names{}) << event.time();
      EXPECT_EQ(event.impulsive(), Names{}) << event.time();
      EXPECT_EQ(event.kind(), "switch");
    }
    const double slope_error = 50.0 * error_bound(rtol, 2.0);
    EXPECT_NEAR(instants(run)[0].after("yh"), 1.585708444720064, slope_error);
    EXPECT_NEAR(instants(run)[4].after("yh"), 2.181387913145732, slope_error);
    EXPECT_NEAR(instants(run)[2].after("yl"), 6.562904547882871, slope_error);
  }
}

TEST(AirBrake, OpensAndClosesWithoutAJump) {
  const nlohmann::json model = case_model("air_brake"), reference = reference_of("air_brake");
  for (const double rtol : accuracies) {
    const SimulationRun run = completed(model, rtol);
    ASSERT_EQ(switches(run, {"open"}).size(), 2U);
    // p_t − p_r falls at 0.051 where the valve opens; f_v falls at 0.27 where it closes.
    expect_switches(run, reference, error_bound(rtol, 1.0) / 0.05);
    expect_samples(run, model, reference, error_bound(rtol, 1.0));
    for (const Instant& event : instants(run)) {
      EXPECT_EQ(event.jumped(), Names{});
      EXPECT_EQ(event.impulsive(), Names{});
    }
    EXPECT_NEAR(instants(run)[0].after("f_v"), 0.04587909869960841, error_bound(rtol, 1.0) / 0.05);
    // The constraints and what they imply hold all along: no drift.
    for (const auto& row : run.rows) {
      const double difference = run.value(row, "p_t") - run.value(row, "p_r");
      EXPECT_NEAR(run.value(row, "b"), difference, error_bound(rtol));
      EXPECT_NEAR(4.0 * run.value(row, "x"), difference, error_bound(rtol));
      if (run.value(row, "open") == 1.0) {
        EXPECT_NEAR(difference, 0.0, error_bound(rtol));
      }
    }
  }
}

}  // namespace multi_mode_hydraulics_test
}  // namespace mti::test
