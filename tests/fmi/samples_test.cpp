// Models of discrete time in event mode: each sample is an event, which a clock of FMI 3.0 tells, and inputs that are set there
// count for it.

#include <gtest/gtest.h>

#include <vector>

#include "tests/fmi/instance3.hpp"
#include "tests/fmi/written_fmu.hpp"

namespace mti::samples_test {

using test::Instance3;
using test::WrittenFmu;

/// x(k+1) = x(k)/2 + u(k), y(k) = x(k) + 10 u(k)
const char* const filter = R"({"format": "mti-model", "version": 1, "sample_time": 0.1,
  "states": [{"name": "x", "start": 1}], "inputs": [{"name": "u", "value": 0}], "algebraic": [{"name": "y"}],
  "equations": ["next(x) = 0.5*x + u", "y = x + 10*u"], "experiment": {"stop": 2}})";

void enter_step_mode(Instance3& instance) {
  ASSERT_EQ(MTI_FMU_CALL(instance.fmu(), fmi3EnterStepMode)(instance.handle()), fmi3OK);
}

TEST(Samples, AreEventsWithATick) {
  const WrittenFmu written(filter);
  Instance3 instance(written.fmu, {.events = true, .early_return = true});
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  EXPECT_TRUE(instance.ticks("sample"));
  EXPECT_NEAR(instance.update().next, 0.1, 1e-15);
  EXPECT_FALSE(instance.ticks("sample"));
  double x = 1.0, u = 0.0, time = 0.0;
  for (int k = 1; k <= 15; ++k) {
    enter_step_mode(instance);
    const auto step = instance.step(time, 1.0);
    ASSERT_EQ(step.status, fmi3OK);
    EXPECT_TRUE(step.event);
    EXPECT_TRUE(step.early);
    EXPECT_NEAR(step.time, 0.1 * k, 1e-12);
    time = step.time;
    ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3EnterEventMode)(instance.handle()), fmi3OK);
    EXPECT_TRUE(instance.ticks("sample"));
    // Up to the update, what was.
    EXPECT_NEAR(instance.real("y"), x + 10.0 * u, 1e-12);
    x = 0.5 * x + u;
    u = k % 3 == 0 ? 0.25 * k : u;  // set at the sample, it is the sample's
    ASSERT_EQ(instance.set("u", u), fmi3OK);
    const auto update = instance.update();
    EXPECT_FALSE(update.needs_update);
    EXPECT_FALSE(update.states_changed);
    EXPECT_FALSE(update.terminate);
    EXPECT_NEAR(update.next, 0.1 * (k + 1), 1e-12);
    EXPECT_FALSE(instance.ticks("sample"));
    EXPECT_NEAR(instance.real("x"), x, 1e-12);
    EXPECT_NEAR(instance.real("y"), x + 10.0 * u, 1e-12);
  }
}

// Without early return a step takes the samples on its way, and leaves the one at its end to the importer.
TEST(Samples, AStepGoesThroughThem) {
  const WrittenFmu written(filter);
  Instance3 instance(written.fmu, {.events = true});
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  static_cast<void>(instance.update());
  enter_step_mode(instance);
  auto step = instance.step(0.0, 0.35);
  EXPECT_FALSE(step.event);
  EXPECT_EQ(step.time, 0.35);
  EXPECT_NEAR(instance.real("x"), 0.125, 1e-15);
  step = instance.step(0.35, 0.15);
  EXPECT_TRUE(step.event);
  EXPECT_FALSE(step.early);
  EXPECT_NEAR(instance.real("x"), 0.0625, 1e-15);
  ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3EnterEventMode)(instance.handle()), fmi3OK);
  static_cast<void>(instance.update());
  EXPECT_NEAR(instance.real("x"), 0.03125, 1e-15);
}

// A state that is taken between a tick and its update.
TEST(Samples, AreTakenUpBeforeTheUpdate) {
  const WrittenFmu written(filter);
  Instance3 instance(written.fmu, {.events = true, .early_return = true});
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  static_cast<void>(instance.update());
  enter_step_mode(instance);
  ASSERT_TRUE(instance.step(0.0, 0.1).event);
  ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3EnterEventMode)(instance.handle()), fmi3OK);
  const fmi3FMUState here = instance.state();
  std::vector<double> ends;
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(instance.ticks("sample"));
    ASSERT_EQ(instance.set("u", 3.0), fmi3OK);
    static_cast<void>(instance.update());
    EXPECT_NEAR(instance.real("y"), 30.5, 1e-12);
    enter_step_mode(instance);
    ASSERT_EQ(instance.step(0.1, 0.05).status, fmi3OK);
    ends.push_back(instance.real("x"));
    if (round == 0) {
      ASSERT_EQ(instance.take_up(here), fmi3OK);
    }
  }
  EXPECT_EQ(ends.front(), ends.back());
}

// Who goes on without an update has taken the sample all the same.
TEST(Samples, AreNotLostWithoutAnUpdate) {
  const WrittenFmu written(filter);
  Instance3 instance(written.fmu, {.events = true, .early_return = true});
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  enter_step_mode(instance);
  ASSERT_TRUE(instance.step(0.0, 0.1).event);
  ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3EnterEventMode)(instance.handle()), fmi3OK);
  enter_step_mode(instance);
  EXPECT_NEAR(instance.real("x"), 0.5, 1e-15);
  EXPECT_TRUE(instance.step(0.1, 0.1).event);
}

// FMI 2.0 has no clocks, and models of continuous time have no samples.
TEST(Samples, HaveAClockWhereThereIsOne) {
  const WrittenFmu discrete(filter);
  EXPECT_EQ(discrete.fmu.variables().count("sample"), 1U);
  EXPECT_EQ(discrete.fmu.variables().at("sample").attributes.at("intervalVariability"), "triggered");
  const WrittenFmu second(filter, {.version = fmi::FmiVersion::two});
  EXPECT_EQ(second.fmu.variables().count("sample"), 0U);
}

}  // namespace mti::samples_test
