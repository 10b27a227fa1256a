// What an importer is told within a step, and what it may do there: intermediate updates of FMI 3.0.

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "tests/fmi/instance3.hpp"
#include "tests/fmi/written_fmu.hpp"

namespace mti::within_steps_test {

using test::Instance3;
using test::WrittenFmu;

/// x = exp(-t), and an event where it falls below a half.
const char* const decay = R"({"format": "mti-model", "version": 1,
  "states": [{"name": "x", "start": 1}], "algebraic": [{"name": "y"}], "binaries": [{"name": "low"}],
  "equations": ["der(x) = -x", "y = 2*x"],
  "constraints": ["(x - 0.5)*low <= 0", "(0.5 - x)*(1 - low) <= 0"],
  "experiment": {"stop": 2, "output_interval": 0.125, "rtol": 1e-8, "atol": 1e-8}})";

struct Seen {
  double time, y, dy;
  bool low;
};

Instance3::Mode looking(std::vector<Seen>& seen, bool events, bool early_return,
                        std::optional<double> end = std::nullopt) {
  return {.events = events,
          .early_return = early_return,
          .logs = false,
          .update = [&seen, end](Instance3& instance, double time) {
            const unsigned y = instance.fmu().reference("y");
            const std::int32_t first = 1;
            double dy = NAN;
            EXPECT_EQ(MTI_FMU_CALL(instance.fmu(), fmi3GetOutputDerivatives)(instance.handle(), &y, 1, &first,
                                                                             &dy, 1),
                      fmi3OK);
            EXPECT_EQ(instance.real("time"), time);
            seen.push_back({time, instance.real("y"), dy, instance.boolean("low")});
            return time >= 0.5 && time < 0.6 ? end : std::nullopt;
          }};
}

void expect_motion(const std::vector<Seen>& seen) {
  for (const auto& [time, y, dy, low] : seen) {
    EXPECT_NEAR(y, 2.0 * std::exp(-time), 1e-7) << time;
    EXPECT_NEAR(dy, -2.0 * std::exp(-time), 1e-7) << time;
    EXPECT_EQ(low, time > std::log(2.0)) << time;
  }
}

// Rows of the result by default, strictly within the step.
TEST(WithinSteps, PointsOfTheOutputGridAreTold) {
  const WrittenFmu written(decay);
  std::vector<Seen> seen;
  Instance3 instance(written.fmu, looking(seen, false, false));
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  const auto step = instance.step(0.0, 1.0);
  EXPECT_EQ(step.status, fmi3OK);
  EXPECT_EQ(step.time, 1.0);
  ASSERT_EQ(seen.size(), 7U);
  for (std::size_t k = 0; k < seen.size(); ++k) EXPECT_EQ(seen[k].time, 0.125 * static_cast<double>(k + 1));
  expect_motion(seen);
  EXPECT_TRUE(instance.log().empty());
}

// Without a stop time the run is made longer now and then: an event that follows from an input just there is told all the same.
TEST(WithinSteps, EventsOfInputsAreToldHoweverLongTheRun) {
  const WrittenFmu written(R"({"format": "mti-model", "version": 1, "states": [{"name": "x"}],
    "inputs": [{"name": "u", "value": 0}], "binaries": [{"name": "high"}], "equations": ["der(x) = high"],
    "constraints": ["(u - 0.5)*(1 - high) <= 0", "(0.5 - u)*high <= 0"]})");
  for (const bool early_return : {false, true}) {
    Instance3 instance(written.fmu, {.events = true, .early_return = early_return, .logs = true});
    ASSERT_EQ(instance.start(0.0), fmi3OK);
    const auto update = [&instance] {
      EXPECT_FALSE(instance.update().terminate);
      EXPECT_EQ(MTI_FMU_CALL(instance.fmu(), fmi3EnterStepMode)(instance.handle()), fmi3OK);
    };
    update();
    double time = 0.0;
    std::size_t told = 0;
    for (int k = 1; k <= 300; ++k) {
      ASSERT_EQ(instance.set("u", k % 2), fmi3OK);
      const std::size_t before = instance.log().size();
      Instance3::Step step = instance.step(time, 0.1);
      told += instance.log().size() > before ? 1U : 0U;
      if (early_return) {
        EXPECT_TRUE(step.event) << k;
        EXPECT_EQ(step.time, time) << k;
        ASSERT_EQ(MTI_FMU_CALL(instance.fmu(), fmi3EnterEventMode)(instance.handle()), fmi3OK);
        update();
        step = instance.step(time, 0.1);
      }
      ASSERT_EQ(step.status, fmi3OK) << k << instance.log().back();
      time = step.time;
    }
    EXPECT_EQ(told, 300U) << early_return;
    EXPECT_NEAR(instance.real("x"), 15.0, 1e-9);
  }
}

// Who looks changes nothing, bit for bit.
TEST(WithinSteps, ToLookChangesNothing) {
  const WrittenFmu written(decay);
  std::vector<Seen> seen;
  Instance3 looking_on(written.fmu, looking(seen, false, false)), alone(written.fmu);
  for (Instance3* instance : {&looking_on, &alone}) {
    ASSERT_EQ(instance->start(0.0), fmi3OK);
    ASSERT_EQ(instance->step(0.0, 1.7).status, fmi3OK);
  }
  EXPECT_EQ(looking_on.real("x"), alone.real("x"));
}

// The step ends where it is asked to: at the point itself, or later; not where early return is not allowed.
TEST(WithinSteps, AStepIsEndedFromWithin) {
  const WrittenFmu written(decay);
  for (const bool allowed : {true, false})
    for (const double end : {0.5, 0.6, 0.1}) {
      std::vector<Seen> seen;
      Instance3 instance(written.fmu, looking(seen, false, allowed, end));
      ASSERT_EQ(instance.start(0.0), fmi3OK);
      const auto step = instance.step(0.0, 0.65);
      const double expected = allowed ? std::max(end, 0.5) : 0.65;
      EXPECT_EQ(step.time, expected);
      EXPECT_EQ(step.early, allowed);
      EXPECT_FALSE(step.event);
      EXPECT_NEAR(instance.real("y"), 2.0 * std::exp(-expected), 1e-7);
      // And it goes on from there.
      EXPECT_EQ(instance.step(step.time, 1.0).status, fmi3OK);
      EXPECT_NEAR(instance.real("x"), std::exp(-expected - 1.0), 1e-7);
      expect_motion(seen);
    }
}

// Event mode comes as it does without them.
TEST(WithinSteps, AnEventEndsTheStepAllTheSame) {
  const WrittenFmu written(decay);
  std::vector<Seen> seen;
  Instance3 instance(written.fmu, looking(seen, true, true));
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  static_cast<void>(instance.update());
  ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3EnterStepMode)(instance.handle()), fmi3OK);
  const auto step = instance.step(0.0, 1.0);
  EXPECT_TRUE(step.event);
  EXPECT_NEAR(step.time, std::log(2.0), 1e-7);
  EXPECT_EQ(seen.size(), 5U);
  expect_motion(seen);
}

// An output interval that times do not tell apart, or of which there are too many in a step, is no reason to be told for ever.
TEST(WithinSteps, PointsAreNotWithoutEnd) {
  for (const char* const interval : {"1e-20", "1e-9"}) {
    std::string text = decay;
    text.replace(text.find("0.125"), 5, interval);
    const WrittenFmu written(text);
    long told = 0;
    double last = 0.0;
    Instance3 instance(written.fmu, {.update = [&](Instance3&, double time) -> std::optional<double> {
                         ++told;
                         EXPECT_GT(time, last);
                         last = time;
                         return std::nullopt;
                       }});
    ASSERT_EQ(instance.start(0.0), fmi3OK);
    EXPECT_EQ(instance.step(0.0, 0.01).time, 0.01) << interval;
    EXPECT_LE(told, 100'001) << interval;
    EXPECT_NEAR(instance.real("x"), std::exp(-0.01), 1e-7);
  }
}

// Only to look: nothing is set, no step begins, no state is taken within a step.
TEST(WithinSteps, NothingElseIsAllowed) {
  const WrittenFmu written(decay);
  int told = 0;
  Instance3 instance(written.fmu, {.update = [&](Instance3& self, double time) -> std::optional<double> {
                       ++told;
                       EXPECT_EQ(self.set("x", 3.0), fmi3Error);
                       EXPECT_EQ(self.step(time, 0.1).status, fmi3Error);
                       fmi3FMUState state = nullptr;
                       EXPECT_EQ(MTI_FMU_CALL(self.fmu(), fmi3GetFMUState)(self.handle(), &state), fmi3Error);
                       return std::nullopt;
                     }});
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  EXPECT_EQ(instance.step(0.0, 0.3).status, fmi3OK);
  EXPECT_EQ(told, 2);
  EXPECT_NE(instance.log().back().find("not allowed within a step"), std::string::npos);
  EXPECT_NEAR(instance.real("x"), std::exp(-0.3), 1e-7);
}

}  // namespace mti::within_steps_test
