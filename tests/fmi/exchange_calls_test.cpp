// Model Exchange: calls that importers may make, and those that are refused.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/fmi/exchange_importer.hpp"
#include "tests/fmi/instance3.hpp"
#include "tests/fmi/relaxation.hpp"
#include "tests/fmi/written_fmu.hpp"

namespace mti::test {
namespace exchange_calls_test {

/// ẋ = 1.3 − 2 z: the model begins on its surface x = 0 with x ≥ 0 to follow.
constexpr const char* at_surface = R"json({"format": "mti-model", "version": 1, "parameters": {"a": 1.3},
  "states": [{"name": "x"}], "binaries": [{"name": "z", "start": 1}], "equations": ["der(x) = a - 2*z"],
  "constraints": ["(1 - 2*z)*x <= 0"], "experiment": {"stop": 5}})json";

// The mode is known, be it that nothing but an indicator has been asked for.
TEST(ExchangeCalls, ShowsIndicatorsWhereARunBegins) {
  const ExchangedFmu written(at_surface);
  const UnpackedFmu& fmu = written.fmu;
  for (const bool as_variable : {false, true}) {
    ExchangeImporter importer(fmu, ResetPolicy::if_told, 1e-6);
    const auto indicator = [&] {
      return as_variable ? importer.real("c1.margin") : importer.indicators().front();
    };
    ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3EnterInitializationMode)(importer.handle(), true, 1e-6, 0.0, true, 5.0),
              fmi3OK);
    const double slides = indicator();
    EXPECT_GE(slides, 0.0);
    ASSERT_EQ(importer.set("a", 3.0), fmi3OK);
    EXPECT_GE(indicator(), 0.0) << "x rises, and z = 1 holds it no longer";
    ASSERT_EQ(importer.set("a", 1.3), fmi3OK);
    EXPECT_EQ(indicator(), slides);
    ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3ExitInitializationMode)(importer.handle()), fmi3OK);
    EXPECT_EQ(indicator(), slides);
    ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3Reset)(importer.handle()), fmi3OK);
    ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3EnterInitializationMode)(importer.handle(), true, 1e-6, 0.0, true, 5.0),
              fmi3OK);
    EXPECT_EQ(indicator(), slides);
  }
}

/// Nothing is posed before the last event: the call is refused, and the instance goes on as if it had not been made.
TEST(ExchangeCalls, RefusesTimesBeforeTheLastEvent) {
  const ExchangedFmu written(relaxation);
  const UnpackedFmu& fmu = written.fmu;
  const auto set_time = MTI_FMU_CALL(fmu, fmi3SetTime);
  const auto take_up = MTI_FMU_CALL(fmu, fmi3SetFMUState);
  ExchangeImporter importer(fmu, ResetPolicy::if_told, 1e-7);
  importer.start(0.0, 20.0);
  ASSERT_TRUE(importer.advance(3.0));  // a switch at ln 3, another at 2 ln 3
  EXPECT_EQ(set_time(importer.handle(), 2.0), fmi3Error);
  EXPECT_NE(importer.log().back().find("last event"), std::string::npos) << importer.log().back();
  ASSERT_EQ(set_time(importer.handle(), 2.5), fmi3OK) << "back within the present step";
  ASSERT_EQ(set_time(importer.handle(), 3.0), fmi3OK);
  ASSERT_EQ(importer.enter_event_mode(), fmi3OK);
  EXPECT_EQ(set_time(importer.handle(), -1.0), fmi3Error);
  fmi3FMUState state = nullptr;
  ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3GetFMUState)(importer.handle(), &state), fmi3OK);
  for (int round = 0; round < 2; ++round) {
    bool flags[5] = {};
    double next = 0.0;
    ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3UpdateDiscreteStates)(importer.handle(), &flags[0], &flags[1], &flags[2],
                                                          &flags[3], &flags[4], &next),
              fmi3OK);
    EXPECT_FALSE(flags[1]);
    ASSERT_EQ(take_up(importer.handle(), state), fmi3OK);
    ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3Reset)(importer.handle()), fmi3OK);
    ASSERT_EQ(take_up(importer.handle(), state), fmi3OK);
    double x = 0.0;
    ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3GetContinuousStates)(importer.handle(), &x, 1), fmi3OK);
    EXPECT_NEAR(x, importer.real("x"), 0.0);
  }
}

TEST(ExchangeCalls, HasCallsOfItsOwn) {
  const ExchangedFmu written(relaxation);
  const UnpackedFmu& fmu = written.fmu;
  ExchangeImporter importer(fmu, ResetPolicy::if_told, 1e-6);
  importer.start(0.0, 20.0);
  bool flag = false;
  double time = 0.0;
  EXPECT_EQ(MTI_FMU_CALL(fmu, fmi3DoStep)(importer.handle(), 0.0, 1.0, true, &flag, &flag, &flag, &time),
            fmi3Error);
  EXPECT_EQ(importer.set("x", 1.0), fmi3Error) << "states have a function of their own";
  EXPECT_EQ(importer.set("above.margin", 1.0), fmi3Error);
  double two[2] = {0.0, 0.0};
  EXPECT_EQ(MTI_FMU_CALL(fmu, fmi3SetContinuousStates)(importer.handle(), two, 2), fmi3Error);
  ASSERT_EQ(importer.enter_event_mode(), fmi3OK);
  EXPECT_EQ(MTI_FMU_CALL(fmu, fmi3EnterStepMode)(importer.handle()), fmi3Error);
  EXPECT_EQ(MTI_FMU_CALL(fmu, fmi3EnterContinuousTimeMode)(importer.handle()), fmi3OK);
  Instance3 stepped(fmu, {.events = true});
  ASSERT_EQ(stepped.start(0.0), fmi3OK);
  EXPECT_EQ(MTI_FMU_CALL(fmu, fmi3EnterContinuousTimeMode)(stepped.handle()), fmi3Error);
  EXPECT_NE(stepped.log().back().find("Co-Simulation"), std::string::npos) << stepped.log().back();
}

/// y = u + 10 z with z = [u > 1], back below 0.5: nothing to integrate, and a mode all the same.
TEST(ExchangeCalls, NeedsNoStates) {
  const ExchangedFmu written(R"({"format": "mti-model", "version": 1, "inputs": [{"name": "u", "value": 0}],
    "algebraic": [{"name": "y"}], "binaries": [{"name": "z"}], "equations": ["y = u + 10*z"],
    "constraints": ["(u - 1)*(1 - z) <= 0", "(0.5 - u)*z <= 0"], "experiment": {"stop": 4}})");
  const UnpackedFmu& fmu = written.fmu;
  ExchangeImporter importer(fmu, ResetPolicy::if_told, 1e-6);
  const fmi3Instance handle = importer.handle();
  ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3EnterInitializationMode)(handle, true, 1e-6, 0.0, true, 4.0), fmi3OK);
  ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3ExitInitializationMode)(handle), fmi3OK);
  std::size_t states = 1;
  ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3GetNumberOfContinuousStates)(handle, &states), fmi3OK);
  EXPECT_EQ(states, 0U);
  double none = 0.0;
  const auto go_to = [&](double time, double u) {
    bool flags[5] = {true};
    double next = 0.0;
    while (std::exchange(flags[0], false))
      ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3UpdateDiscreteStates)(handle, &flags[0], &flags[1], &flags[2],
                                                            &flags[3], &flags[4], &next),
                fmi3OK);
    EXPECT_FALSE(flags[1] || flags[3]);
    ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3EnterContinuousTimeMode)(handle), fmi3OK);
    ASSERT_EQ(MTI_FMU_CALL(fmu, fmi3SetTime)(handle, time), fmi3OK);
    ASSERT_EQ(importer.set("u", u), fmi3OK);
    EXPECT_EQ(MTI_FMU_CALL(fmu, fmi3GetContinuousStates)(handle, &none, 0), fmi3OK);
    EXPECT_EQ(MTI_FMU_CALL(fmu, fmi3GetContinuousStateDerivatives)(handle, &none, 0), fmi3OK);
    EXPECT_EQ(MTI_FMU_CALL(fmu, fmi3GetNominalsOfContinuousStates)(handle, &none, 0), fmi3OK);
  };
  go_to(1.0, 0.75);
  EXPECT_EQ(importer.real("y"), 0.75);
  EXPECT_GT(importer.indicators()[0], 0.0);
  ASSERT_EQ(importer.enter_event_mode(), fmi3OK);
  go_to(2.0, 1.25);
  EXPECT_LT(importer.indicators()[0], 0.0);
  ASSERT_EQ(importer.enter_event_mode(), fmi3OK);
  go_to(3.0, 0.75);
  EXPECT_EQ(importer.real("y"), 10.75);
}

}  // namespace exchange_calls_test
}  // namespace mti::test
