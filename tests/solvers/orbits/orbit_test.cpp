#include <gtest/gtest.h>

#include <cmath>
#include <stop_token>
#include <string>

#include "io/model/read_model.hpp"
#include "mti/common/fault.hpp"
#include "solvers/orbits/orbit.hpp"
#include "tests/places.hpp"

/// Periodic orbits through events.
namespace orbit_test {
namespace {

/// A relay with hysteresis, x' = 1 − 2z between 0 and 1.
mti::Model relay() {
  mti::Source source;
  source.states = {{.name = "x", .start = 0.3}};
  source.binaries = {{"z"}};
  source.equations = {"der(x) = 1 - 2*z"};
  source.constraints = {"(x - 1)*(1 - z) <= 0", "-x*z <= 0"};
  return mti::build_with_derivatives(source, {}).model;
}

/// The period of the three tanks, as examples/three_tank/README.md has it, and a multiplier 1 along the orbit.
TEST(Orbit, OfThreeTanks) {
  const mti::Model model = mti::read_model(mti::test::source_dir() / "examples/three_tank/model.json");
  const mti::Orbit orbit = mti::find_orbit(model, {.period_guess = 280.0});
  ASSERT_TRUE(orbit.found) << orbit.message;
  EXPECT_NEAR(orbit.period, 279.701214442044, 1e-9);
  ASSERT_EQ(orbit.multipliers.size(), 3U);
  EXPECT_NEAR(std::abs(orbit.multipliers[0] - 1.0), 0.0, 1e-8);
  EXPECT_TRUE(orbit.stable);
  EXPECT_EQ(orbit.run.events.size(), 10U);
}

/// T = 2, and every orbit is this one.
TEST(Orbit, OfARelay) {
  const mti::Model model = relay();
  const mti::Orbit orbit = mti::find_orbit(model, {.period_guess = 2.2});
  ASSERT_TRUE(orbit.found) << orbit.message;
  EXPECT_NEAR(orbit.period, 2.0, 1e-9);
  EXPECT_NEAR(std::abs(orbit.multipliers[0] - 1.0), 0.0, 1e-8);
}

/// x' = −x + u: where u has the period T, x(T) = x(0), and M = e^(−T).
TEST(Orbit, NeedsInputsThatRepeatAfterThePeriod) {
  const auto driven = [](decltype(mti::InputSource::form) form) {
    mti::Source source;
    source.states = {{.name = "x"}};
    source.inputs = {{.name = "u", .form = std::move(form)}};
    source.equations = {"der(x) = -x + u"};
    return mti::build_with_derivatives(source, {}).model;
  };
  const mti::SineSource sine{.amplitude = 1.0, .frequency = 0.5};
  const mti::TableSource ramp{.time = {0.0, 100.0}, .value = {0.0, 1.0}};
  for (const double T : {2.0, 6.0}) {
    const mti::Orbit orbit = mti::find_orbit(driven(sine), {.period_guess = T});
    ASSERT_TRUE(orbit.found) << orbit.message;
    EXPECT_NEAR(orbit.multipliers.at(0).real(), std::exp(-T), 1e-9);
  }
  for (const auto& [form, T] :
       {std::pair<decltype(mti::InputSource::form), double>{sine, 1.37}, {sine, 1.0}, {ramp, 1.0}}) {
    const mti::Orbit orbit = mti::find_orbit(driven(form), {.period_guess = T});
    EXPECT_FALSE(orbit.found);
    EXPECT_NE(orbit.message.find("the input u does not repeat after T"), std::string::npos) << orbit.message;
  }
}

/// The whole search has the seconds, and a stop is no orbit that was not found.
TEST(Orbit, EndsByItsBudgetWithThatOutcome) {
  const mti::Model model = relay();
  const auto id_of = [&](const mti::OrbitOptions& options) {
    try {
      static_cast<void>(mti::find_orbit(model, options));
    } catch (const mti::FaultError& refused) {
      return refused.faults().front().id;
    }
    return std::string();
  };
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(id_of({.period_guess = 2.2, .simulation = {.stop_token = stop.get_token()}}), "interrupted");
  EXPECT_EQ(id_of({.period_guess = 2.2, .settle = 1e9, .simulation = {.max_seconds = 0.1}}), "time_budget");
  EXPECT_EQ(id_of({.period_guess = 2.2, .simulation = {.max_seconds = 1e-9}}), "time_budget");
  for (const double settle : {-1.0, std::nan(""), HUGE_VAL})
    EXPECT_EQ(id_of({.period_guess = 2.2, .settle = settle}), "bad-option") << settle;
  EXPECT_EQ(id_of({.period_guess = 2.2, .settle = 0.0}), "");
}

TEST(Orbit, IsNotFoundWhereThereIsNone) {
  mti::Source source;
  source.states = {{.name = "x"}};
  source.equations = {"der(x) = 1"};
  const mti::Model model = mti::build_with_derivatives(source, {}).model;
  const mti::Orbit orbit = mti::find_orbit(model, {.period_guess = 2.0});
  EXPECT_FALSE(orbit.found);
  EXPECT_FALSE(orbit.message.empty());
  EXPECT_THROW(static_cast<void>(mti::find_orbit(model, {.period_guess = 0.0})), mti::InvalidOption);
}

}  // namespace
}  // namespace orbit_test
