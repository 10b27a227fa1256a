// Parameters that are set at events, with closed forms.

#include <gtest/gtest.h>

#include <string>

#include "tests/fmi/exchange_importer.hpp"
#include "tests/fmi/instance3.hpp"
#include "tests/fmi/written_fmu.hpp"

namespace mti::test {
namespace tuning_test {

/// ẋ = a − 2·z where z becomes 1 as soon as x ≥ 1, and stays.
constexpr const char* ramp = R"json({"format": "mti-model", "version": 1, "parameters": {"a": 1, "b": "3*a"},
  "states": [{"name": "x"}], "inputs": [{"name": "u", "value": 0}], "algebraic": [{"name": "y"}],
  "binaries": [{"name": "z"}],
  "equations": ["der(x) = a - 2*z + u", "y = b*u + x"],
  "constraints": ["(x - 1)*(1 - z) <= 0"], "experiment": {"stop": 1.9, "rtol": 1e-9}})json";

/// ẋ = a, from x = limit on 3a.
constexpr const char* limited =
    R"json({"format": "mti-model", "version": 1, "parameters": {"a": 1, "limit": 100},
  "states": [{"name": "x"}], "binaries": [{"name": "z"}], "equations": ["der(x) = a*(1 + 2*z)"],
  "constraints": ["(x - limit)*(1 - z) <= 0"], "experiment": {"stop": 2}})json";

/// x = t up to t = 0.5; with a = 3, b = 9 there ẋ = 3 up to the switch at x = 1, then 3 − 2.
TEST(Tuning, OfCoSimulationTakesOtherParametersAtEvents) {
  const WrittenFmu ramps(ramp);
  EXPECT_EQ(ramps.fmu.variables().at("a").attributes.at("variability"), "tunable");
  EXPECT_EQ(ramps.fmu.variables().at("b").attributes.at("variability"), "tunable");
  const UnpackedFmu& fmu = ramps.fmu;
  Instance3 instance(fmu, {.events = true, .early_return = true});
  const auto step_mode = MTI_FMU_CALL(fmu, fmi3EnterStepMode);
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  static_cast<void>(instance.update());
  ASSERT_EQ(step_mode(instance.handle()), fmi3OK);
  ASSERT_EQ(instance.step(0.0, 0.5).status, fmi3OK);
  EXPECT_EQ(instance.set("a", 3.0), fmi3Error) << "in Step Mode";
  ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3EnterEventMode)(instance.handle()), fmi3OK);
  EXPECT_EQ(instance.set("x", 3.0), fmi3Error) << "a state is no parameter";
  ASSERT_EQ(instance.set("a", 3.0), fmi3OK);
  EXPECT_NEAR(instance.real("der(x)"), 1.0, 1e-12) << "the left limit, up to the update";
  EXPECT_EQ(instance.real("b"), 9.0);
  const Instance3::Update update = instance.update();
  EXPECT_FALSE(update.needs_update || update.states_changed || update.terminate);
  EXPECT_NEAR(instance.real("der(x)"), 3.0, 1e-12);
  EXPECT_NEAR(instance.real("x"), 0.5, 1e-9);
  ASSERT_EQ(step_mode(instance.handle()), fmi3OK);
  fmi3FMUState state = instance.state();
  for (int round = 0; round < 2; ++round) {
    const Instance3::Step step = instance.step(0.5, 1.0);
    ASSERT_TRUE(step.event) << "round " << round;
    EXPECT_NEAR(step.time, 0.5 + 0.5 / 3.0, 1e-8);
    ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3EnterEventMode)(instance.handle()), fmi3OK);
    static_cast<void>(instance.update());
    EXPECT_NEAR(instance.real("der(x)"), 1.0, 1e-8);
    if (round == 0) {
      ASSERT_EQ(instance.take_up(state), fmi3OK);
    }
  }
  ASSERT_EQ(instance.set("a", 4.0), fmi3OK);
  ASSERT_EQ(step_mode(instance.handle()), fmi3OK) << "without an update";
  EXPECT_NEAR(instance.real("der(x)"), 2.0, 1e-8);
}

/// ẋ = u = p, where u is set to the 1 that it is: p that is tuned then moves it no more. x has a size that a parameter tells.
constexpr const char* kept =
    R"json({"format": "mti-model", "version": 1, "parameters": {"p": 1, "size": 2},
  "states": [{"name": "x", "nominal": "size"}], "inputs": [{"name": "u", "value": "p"}],
  "equations": ["der(x) = u"], "experiment": {"stop": 3}})json";

TEST(Tuning, LeavesInputsThatWereSetToWhatTheyWere) {
  const WrittenFmu written(kept);
  Instance3 instance(written.fmu, {.events = true});
  ASSERT_EQ(instance.set("size", 5.0), fmi3OK);
  ASSERT_EQ(instance.start(0.0), fmi3OK) << "nominal values of states are no other signals";
  static_cast<void>(instance.update());
  ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3EnterStepMode)(instance.handle()), fmi3OK);
  ASSERT_EQ(instance.step(0.0, 1.0).status, fmi3OK);
  ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3EnterEventMode)(instance.handle()), fmi3OK);
  ASSERT_EQ(instance.set("u", 1.0), fmi3OK);
  ASSERT_EQ(instance.set("p", 2.0), fmi3OK);
  static_cast<void>(instance.update());
  ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3EnterStepMode)(instance.handle()), fmi3OK);
  ASSERT_EQ(instance.step(1.0, 1.0).status, fmi3OK);
  EXPECT_EQ(instance.real("u"), 1.0);
  EXPECT_NEAR(instance.real("x"), 2.0, 1e-12);
}

/// n counts the ticks at j T.
constexpr const char* counter = R"json({"format": "mti-model", "version": 1, "parameters": {"T": 0.25},
  "sample": {"name": "k", "period": "T"}, "states": [{"name": "n"}, {"name": "x"}],
  "equations": ["next(n) = n + 1", "der(x) = 1"], "experiment": {"stop": 3}})json";

// T = 0.25 up to t = 1.3, and 0.5 from there on: ticks at 1.5, 2, 2.5.
TEST(Tuning, OfTheTimesOfAClockMovesTicksThatAreToCome) {
  const WrittenFmu written(counter);
  Instance3 instance(written.fmu, {.events = true});
  ASSERT_EQ(instance.start(0.0), fmi3OK);
  static_cast<void>(instance.update());
  ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3EnterStepMode)(instance.handle()), fmi3OK);
  ASSERT_EQ(instance.step(0.0, 1.3).status, fmi3OK);
  EXPECT_EQ(instance.real("n"), 5.0);
  ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3EnterEventMode)(instance.handle()), fmi3OK);
  ASSERT_EQ(instance.set("T", 0.5), fmi3OK);
  EXPECT_FALSE(instance.update().needs_update);
  EXPECT_EQ(instance.real("n"), 5.0);
  ASSERT_EQ(MTI_FMU_CALL(written.fmu, fmi3EnterStepMode)(instance.handle()), fmi3OK);
  fmi3FMUState state = instance.state();
  for (int round = 0; round < 2; ++round) {
    ASSERT_EQ(instance.step(1.3, 1.3).status, fmi3OK);
    EXPECT_EQ(instance.real("n"), 8.0);
    if (round == 0) {
      ASSERT_EQ(instance.take_up(state), fmi3OK);
    }
  }
  // An importer for Model Exchange has been told of the next tick.
  const WrittenFmu exchanged(counter, {.co_simulation = false, .model_exchange = true});
  ExchangeImporter importer(exchanged.fmu, ResetPolicy::if_told, 1e-6);
  importer.start(0.0, 3.0);
  ASSERT_TRUE(importer.advance(1.3));
  fmi3Status status = fmi3OK;
  importer.event([&] { status = importer.set("T", 0.5); });
  EXPECT_EQ(status, fmi3Error);
  EXPECT_NE(importer.log().back().find("clock k"), std::string::npos) << importer.log().back();
}

/// ẋ = 1 up to t = 1, then 3a with another a: x(2) = 1 + 3·4.
TEST(Tuning, OfModelExchangeTakesOtherParametersAtEvents) {
  const WrittenFmu written(limited, {.model_exchange = true});
  ExchangeImporter importer(written.fmu, ResetPolicy::if_told, 1e-9);
  importer.start(0.0, 2.0);
  ASSERT_TRUE(importer.advance(1.0));
  EXPECT_EQ(importer.set("a", 2.0), fmi3Error) << "not in Continuous-Time Mode";
  importer.event([&] {
    EXPECT_EQ(importer.set("a", 4.0), fmi3OK);
    EXPECT_EQ(importer.set("limit", 0.5), fmi3OK);
    EXPECT_NEAR(importer.real("der(x)"), 1.0, 1e-12) << "the left limit, up to the update";
  });
  EXPECT_TRUE(importer.boolean("z")) << "x is beyond the new limit";
  EXPECT_NEAR(importer.real("der(x)"), 12.0, 1e-12);
  EXPECT_EQ(importer.resets(), 1);
  ASSERT_TRUE(importer.advance(2.0));
  EXPECT_NEAR(importer.real("x"), 13.0, 1e-7);
}

/// With c = 0 no equation gives ẋ: such a parameter is refused, and what was set before goes on.
TEST(Tuning, KeepsWhatWasWhereStatesWouldNotBeFree) {
  const WrittenFmu written(R"json({"format": "mti-model", "version": 1, "parameters": {"c": 1},
    "states": [{"name": "x"}], "equations": ["c*der(x) + x = 1"], "experiment": {"stop": 2}})json",
                           {.model_exchange = true});
  ExchangeImporter importer(written.fmu, ResetPolicy::if_told, 1e-9);
  importer.start(0.0, 2.0);
  importer.event([&] {
    EXPECT_EQ(importer.set("c", 0.0), fmi3Error);
    EXPECT_EQ(importer.set("c", 0.5), fmi3OK);
  });
  EXPECT_NEAR(importer.real("der(x)"), 2.0, 1e-12);
}

}  // namespace tuning_test
}  // namespace mti::test
