// Networks whose modes differ in their degrees of freedom: RLDC2 of [B20] and the faulty coaxial cable of
// [E22]. References: matrix exponentials per mode (tests/cases/reference).

#include <gtest/gtest.h>

#include <cmath>

#include "tests/program/published_case.hpp"
#include "tests/program/restart.hpp"

namespace mti::test {
namespace multi_mode_circuits_test {

// u2 rises at 28 V/s where diode 2 begins to conduct, the currents fall at 0.3 A/s where both block.
TEST(Rldc2, ConductsWithOneDiodeThenBothThenNone) {
  const nlohmann::json model = case_model("rldc2"), reference = reference_of("rldc2");
  for (const double rtol : accuracies) {
    const SimulationRun run = completed(model, rtol);
    const std::vector<Instant> events = instants(run);
    ASSERT_EQ(events.size(), 3U);
    EXPECT_EQ(events[0].kind(), "initial");
    EXPECT_EQ(events[0].changed_to("g1"), 1);
    EXPECT_FALSE(events[0].event().at("changed").contains("g2"));
    EXPECT_EQ(events[0].jumped(), Names{});
    EXPECT_NEAR(events[0].after("i1"), 3.0, 1e-9);
    EXPECT_EQ(events[0].after("i2"), 0.0);
    expect_switches(run, reference, error_bound(rtol, 3.0) / 0.3);
    expect_samples(run, model, reference, error_bound(rtol, 3.0));

    EXPECT_NEAR(events[1].before("i1"), 2.476877435, 1e-8 + error_bound(rtol, 3.0));
    EXPECT_NEAR(events[1].after("i1"), 0.990750974, 1e-8 + error_bound(rtol, 3.0));
    EXPECT_NEAR(events[1].after("i2"), 1.486126461, 1e-8 + error_bound(rtol, 3.0));
    EXPECT_NEAR(events[1].after("i1") + events[1].after("i2"), events[1].before("i1"), restart_accuracy)
        << "the coils' currents do not jump";
    EXPECT_EQ(events[2].changed_to("g1"), 0);
    EXPECT_EQ(events[2].changed_to("g2"), 0);
    EXPECT_NEAR(events[2].after("v1"), 1.7528517474, 1e-9 + error_bound(rtol, 3.0));
    EXPECT_NEAR(events[2].after("j2"), 0.016730932142, 1e-9 + error_bound(rtol, 3.0) / 0.3);
    for (const Instant& event : {events[1], events[2]}) EXPECT_EQ(event.impulsive(), Names{});
    for (const auto& row : run.rows)
      if (row.time > events[2].time()) {
        EXPECT_NEAR(run.value(row, "j1") + run.value(row, "j2"), 0.0, error_bound(rtol, 3.0));
      }
  }
}

// At t = 0 the values alone admit three modes; forcing one of the others shows the impulse it would need.
TEST(Rldc2Control, OnlyTheSignsOfTheImpulsesTellTheStartModesApart) {
  struct Start {
    double g1, g2;
  };
  for (const Start& start : {Start{0, 0}, Start{1, 1}}) {
    nlohmann::json model = case_model("rldc2");
    for (const char* name : {"g1", "g2"}) {
      const double value = std::string(name) == "g1" ? start.g1 : start.g2;
      const std::string text = std::to_string(static_cast<int>(value));
      set_equation(model, std::string("diode") + name[1],
                   text + "*u" + name[1] + " + (1 - " + text + ")*i" + name[1] + " = 0");
    }
    model.erase("binaries");
    model.erase("constraints");
    const SimulationRun run = completed(model, 1e-8);
    ASSERT_EQ(run.events.size(), 1U);
    const Instant event = instants(run)[0];
    EXPECT_EQ(event.kind(), "initial");
    if (start.g1 == 0) {
      // No capacitor takes the coils' current: Δj1 L1 = Δj2 L2 = impulse of u + v, with j1 + j2 = 0 after it.
      const double impulse = 3.0 / (1.0 / 1.0 + 1.0 / 1.5);
      EXPECT_NEAR(event.weight("u1"), impulse, 1e-9);
      EXPECT_NEAR(event.weight("u2"), impulse, 1e-9);
      EXPECT_GT(impulse, 0.0) << "a blocking diode bears u <= 0 only";
      EXPECT_NEAR(event.after("j1"), -2.0 + impulse, 1e-9);
    } else {
      // v1 = v2 at once: charge 0.05 + 0.15 on 0.25.
      EXPECT_NEAR(event.after("v1"), 0.8, 1e-9);
      EXPECT_NEAR(event.weight("i1"), 0.03, 1e-9);
      EXPECT_NEAR(event.weight("i2"), -0.03, 1e-9) << "a conducting diode passes i >= 0 only";
    }
  }
}

/// Values of a row of the reference, relative to the largest of each kind; voltages ~1e3, currents ~10.
void expect_state(const SimulationRun& run, const SimulationRun::Row& row, const nlohmann::json& values,
                  double rtol) {
  for (const auto& [name, value] : values.items()) {
    const double size = name[0] == 'u' ? 1e3 : 10.0, expected = value.get<double>();
    EXPECT_NEAR(run.value(row, name), expected, 2.0 * steps_that_add_up * rtol * (size + std::abs(expected)))
        << name << " at t = " << row.time;
  }
}

TEST(FaultyCoaxial, TripsItsElementsInOrder) {
  const nlohmann::json reference = reference_of("faulty_coaxial_3");
  for (const double rtol : accuracies) {
    const SimulationRun run = completed(case_model("faulty_coaxial_3"), rtol);
    const std::vector<Instant> events = instants(run);
    const nlohmann::json& expected = reference.at("switches");
    ASSERT_EQ(events.size(), expected.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
      SCOPED_TRACE("event " + std::to_string(i));
      // u2_2 rises at 1e11 V/s and more where it trips.
      EXPECT_NEAR(events[i].time(), expected[i].at("time").get<double>(),
                  2.0 * steps_that_add_up * rtol * 1e3 / 1e11);
      EXPECT_EQ(events[i].event().at("changed").size(), expected[i].at("changed").size());
      for (const auto& [name, value] : expected[i].at("changed").items())
        EXPECT_EQ(events[i].changed_to(name), value) << name;
      EXPECT_EQ(events[i].impulsive(), Names{});
    }
    EXPECT_EQ(events[0].kind(), "input");
    EXPECT_EQ(events[0].jumped(), Names{"i1_3"}) << "u2 stays";
    EXPECT_NEAR(events[0].after("i1_3"), 0.0, restart_accuracy);
    EXPECT_NEAR(events[0].before("i1_3"), -0.23492970023913384, 2.0 * steps_that_add_up * rtol * 10.0);
    EXPECT_EQ(events[1].kind(), "switch");
    EXPECT_EQ(events[1].jumped(), Names{"u2_3"}) << "i1 stays";
    EXPECT_EQ(events[2].jumped(), Names{"u2_2"});
    EXPECT_NEAR(events[2].after("u2_2"), 0.0, restart_accuracy);
    for (const nlohmann::json& sample : reference.at("samples"))
      expect_state(run, run.at(sample.at("time").get<double>()), sample.at("values"), rtol);
    for (const auto& row : run.rows)
      for (const char* k : {"1", "2", "3"})
        EXPECT_EQ(run.value(row, std::string("open_") + k) * run.value(row, std::string("short_") + k), 0.0);
  }
}

// Without latches the pulse alone would let element 3 close again when the current falls: here it stays open.
TEST(FaultyCoaxial, LatchesKeepWhatHasTripped) {
  const SimulationRun run = completed(case_model("faulty_coaxial_3"), 1e-8);
  for (const auto& row : run.rows)
    if (row.time > 2.5e-8 && row.time < 4e-8) {
      EXPECT_EQ(run.value(row, "open_3"), 1.0);
      EXPECT_LT(run.value(row, "i2_3"), 100.0);
    }
}

}  // namespace multi_mode_circuits_test
}  // namespace mti::test
