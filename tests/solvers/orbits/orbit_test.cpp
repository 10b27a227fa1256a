#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

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

/// x' = −x + u, u = 1 in the first half of each period and 0 in the second: T is 0.3 as u has it, or some periods, wherever
/// the search begins; half a period is none, and the message says which is.
TEST(Orbit, KnowsInputsThatRepeatButForRounding) {
  mti::Source source;
  source.states = {{.name = "x"}};
  source.inputs = {{.name = "u", .form = mti::PulseSource{.period = 0.3}}};
  source.equations = {"der(x) = -x + u"};
  for (const double period : {0.3, 0.02, 0.01, 0.7}) {
    std::get<mti::PulseSource>(source.inputs[0].form).period = period;
    const mti::Model model = mti::build_with_derivatives(source, {}).model;
    for (const double T : {period, 2.0 * period, 4.0 * period}) {
      const mti::Orbit orbit = mti::find_orbit(model, {.period_guess = T});
      ASSERT_TRUE(orbit.found) << T << ": " << orbit.message;
      EXPECT_NEAR(orbit.multipliers[0].real(), std::exp(-T), 1e-8);
    }
    const mti::Orbit half = mti::find_orbit(model, {.period_guess = period / 2.0});
    EXPECT_FALSE(half.found);
    EXPECT_NE(half.message.find("it does after"), std::string::npos) << half.message;
  }
}

/// A point of rest is no orbit, be it stable, unstable, marginal or a focus.
TEST(Orbit, IsNoPointOfRest) {
  for (const std::vector<std::string>& equations :
       {std::vector<std::string>{"der(x) = 0.1*x", "der(y) = -y"},
        std::vector<std::string>{"der(x) = 1 - x", "der(y) = x - y"},
        std::vector<std::string>{"der(x) = 0", "der(y) = -x"},
        std::vector<std::string>{"der(x) = -0.1*x + y", "der(y) = -x - 0.1*y"}}) {
    mti::Source source;
    source.states = {{.name = "x"}, {.name = "y"}};
    source.equations.assign(equations.begin(), equations.end());
    const mti::Orbit orbit =
        mti::find_orbit(mti::build_with_derivatives(source, {}).model, {.period_guess = 6.0});
    EXPECT_FALSE(orbit.found) << equations[0];
    EXPECT_NE(orbit.message.find("at rest"), std::string::npos) << equations[0] << ": " << orbit.message;
  }
}

/// r' = r (a² − r²) and φ' = 1 in the plane: T = 2π and multipliers 1 and e^(−4πa²), also where the orbit is small.
TEST(Orbit, MayBeSmall) {
  mti::Source source;
  source.states = {{.name = "x", .start = 1.1e-3}, {.name = "y"}};
  source.equations = {"der(x) = x*(1e-6 - x^2 - y^2)*1e6 - y", "der(y) = y*(1e-6 - x^2 - y^2)*1e6 + x"};
  const mti::Orbit orbit =
      mti::find_orbit(mti::build_with_derivatives(source, {}).model, {.period_guess = 6.2});
  ASSERT_TRUE(orbit.found) << orbit.message;
  EXPECT_NEAR(orbit.period, 2.0 * std::numbers::pi, 1e-6);
  EXPECT_TRUE(orbit.stable);
  EXPECT_NEAR(std::abs(orbit.multipliers[0] - 1.0), 0.0, 1e-4);
}

/// r' = r (c − r²), φ' = 1 and c' = a (1 − c): multipliers 1, e^(−4π) and e^(−2πa). For a = 0 there is an orbit for each c, and
/// neither those beside it come nearer nor go away.
TEST(Orbit, IsMarginalWhereASecondMultiplierIsOne) {
  for (const char* rate : {"0", "1e-3*(1 - c)", "-1e-3*(1 - c)"}) {
    SCOPED_TRACE(rate);
    mti::Source source;
    source.states = {{.name = "x", .start = 1.1}, {.name = "y"}, {.name = "c", .start = 1.0}};
    source.equations = {"der(x) = x*(c - x^2 - y^2) - y", "der(y) = y*(c - x^2 - y^2) + x",
                        "der(c) = " + std::string(rate)};
    const mti::Orbit orbit =
        mti::find_orbit(mti::build_with_derivatives(source, {}).model, {.period_guess = 6.2});
    ASSERT_TRUE(orbit.found) << orbit.message;
    EXPECT_EQ(orbit.marginal, rate[0] == '0');
    EXPECT_EQ(orbit.stable, rate[0] == '1');
  }
}

/// x″ = −25 x + 0.002 x′ + u, u of period 10: |μ| = e^0.01, from a start that is 0 but for rounding as from 0.
TEST(Orbit, IsUnstableWhereverItsSearchBegins) {
  for (const double start : {0.0, 1e-14}) {
    mti::Source source;
    source.states = {
        {.name = "x", .start = start}, {.name = "v", .start = start}, {.name = "f", .start = start}};
    source.inputs = {{.name = "u", .form = mti::SineSource{.amplitude = 1.0, .frequency = 0.1}}};
    source.equations = {"der(x) = v", "der(v) = -25*x + 0.002*v + u", "der(f) = -1000*f + 1000*x"};
    const mti::Orbit orbit =
        mti::find_orbit(mti::build_with_derivatives(source, {}).model, {.period_guess = 10.0, .settle = 0.0});
    ASSERT_TRUE(orbit.found) << orbit.message;
    EXPECT_NEAR(std::abs(orbit.multipliers[0]), std::exp(0.01), 1e-8) << start;
    EXPECT_FALSE(orbit.stable || orbit.marginal);
  }
}

/// x' = 0.7 x − s, s = 1 in the first half of each second: x(0) = (e^0.7 − e^0.35)/0.7/(e^0.7 − 1), from as far away as e^(0.7·5)
/// times the distance of the start.
TEST(Orbit, IsFoundFromFarAwayWhereItIsUnstable) {
  mti::Source source;
  source.states = {{.name = "x"}};
  source.inputs = {{.name = "s", .form = mti::PulseSource{.period = 1.0, .low = 0.0, .high = 1.0}}};
  source.equations = {"der(x) = 0.7*x - s"};
  for (const double settle : {0.0, 1.0, 5.0, 9.0}) {
    const mti::Orbit orbit = mti::find_orbit(mti::build_with_derivatives(source, {}).model,
                                             {.period_guess = 1.0, .settle = settle});
    ASSERT_TRUE(orbit.found) << settle << orbit.message;
    EXPECT_NEAR(std::abs(orbit.multipliers[0]), std::exp(0.7), 1e-7) << settle;
    const double a = std::exp(0.7);
    if (settle == 0.0) {
      EXPECT_NEAR(orbit.x[0], (a - std::exp(0.35)) / 0.7 / (a - 1.0), 1e-6);
    }
  }
}

/// z = [u > 0.2] is 1 right after the start, and declared as 0; a clock ticks at the start. Multipliers: e^(−2); e^(−0.6) and
/// (−1.2)², since u becomes 1 − 1.2 u at each of two ticks.
TEST(Orbit, BeginsBesideWhatHappensAtTheStart) {
  mti::Source source;
  source.states = {{.name = "x"}};
  source.binaries = {{"z"}};
  source.inputs = {{.name = "u", .form = mti::SineSource{.amplitude = 1.0, .frequency = 0.5, .offset = 0.5}}};
  source.equations = {"der(x) = -x + z"};
  source.constraints = {{"on", "(u - 0.2)*(1 - z) <= 0"}, {"off", "(0.2 - u)*z <= 0"}};
  const mti::Model model = mti::build_with_derivatives(source, {}).model;
  const mti::Orbit orbit = mti::find_orbit(model, {.period_guess = 2.0, .settle = 0.0});
  ASSERT_TRUE(orbit.found) << orbit.message;
  EXPECT_NEAR(orbit.multipliers[0].real(), std::exp(-2.0), 1e-9);
  mti::Source sampled;
  sampled.clocks = {{.name = "c", .period = 0.3}};
  sampled.states = {{.name = "x"}, {.name = "u", .start = 0.2}};
  sampled.equations = {"der(x) = -x + u", "next(u) = -1.2*u + 1"};
  const mti::Orbit ticks =
      mti::find_orbit(mti::build_with_derivatives(sampled, {}).model, {.period_guess = 0.6, .settle = 0.0});
  ASSERT_TRUE(ticks.found) << ticks.message;
  EXPECT_NEAR(ticks.multipliers[0].real(), 1.44, 1e-8);
  EXPECT_NEAR(ticks.multipliers[1].real(), std::exp(-0.6), 1e-8);
  // A section is looked for, whatever the run before is.
  EXPECT_THROW(
      static_cast<void>(mti::find_orbit(model, {.period_guess = 2.0, .section = "non", .settle = 0.0})),
      mti::InvalidOption);
  EXPECT_FALSE(
      mti::find_orbit(relay(), {.period_guess = 2.2, .section = relay().constraint_names[0], .settle = 0.0})
          .found);
}

/// Danger: of orbits beside each other, of one energy each, a step led to quite another one. A pendulum of amplitude 1 has
/// T = 4 K(sin ½), an elastic ball from h = 1 has 2 √(2/g); guesses are near, and so is what is found.
TEST(Orbit, IsTheOneBesideItsGuessWhereEnergyIsConserved) {
  mti::Source pendulum;
  pendulum.states = {{.name = "a", .start = 1.0}, {.name = "w"}};
  pendulum.equations = {"der(a) = w", "der(w) = -sin(a)"};
  const mti::Model swinging = mti::build_with_derivatives(pendulum, {}).model;
  const double period = 4.0 * std::comp_ellint_1(std::sin(0.5));
  for (const double off : {0.01, 0.002, -0.002}) {
    const mti::Orbit orbit = mti::find_orbit(swinging, {.period_guess = period + off, .settle = 0.0});
    ASSERT_TRUE(orbit.found) << orbit.message;
    EXPECT_NEAR(orbit.period, period, 2.0 * std::abs(off));
    EXPECT_TRUE(orbit.marginal);
  }
  mti::Source ball;
  ball.states = {{.name = "h", .start = 1.0}, {.name = "v"}};
  ball.equations = {"der(h) = v", "der(v) = -10"};
  ball.constraints = {{"floor", "h >= 0"}};
  ball.transitions = {{"reach(floor)", {}, {"v = -pre(v)"}}};
  const mti::Orbit bounces =
      mti::find_orbit(mti::build_with_derivatives(ball, {}).model, {.period_guess = 0.9, .settle = 0.0});
  ASSERT_TRUE(bounces.found) << bounces.message;
  EXPECT_NEAR(bounces.period, 2.0 * std::sqrt(0.2), 0.02);
}

/// States that a constraint joins have no neighbours one by one, and that is what is said.
TEST(Orbit, OfStatesThatAConstraintJoinsIsRefusedWithTheReason) {
  mti::Source source;
  source.states = {
      {.name = "x1", .start = 1.0}, {.name = "x2", .start = 1.0}, {.name = "v1"}, {.name = "v2"}};
  source.algebraic = {{.name = "force"}};
  source.equations = {"der(x1) = v1", "der(x2) = v2", "der(v1) = (1 - x1^2)*v1 - x1 + force",
                      "der(v2) = -x2 - force", "x1 = x2"};
  const mti::Orbit orbit =
      mti::find_orbit(mti::build_with_derivatives(source, {}).model, {.period_guess = 6.28, .settle = 0.0});
  EXPECT_FALSE(orbit.found);
  EXPECT_NE(orbit.message.find("no neighbouring run keeps to the constraints"), std::string::npos)
      << orbit.message;
}

/// A thermostat, and what follows it slowly: multipliers 1 and e^(−0.383 T), T by two exponentials.
TEST(Orbit, IsFoundWhereASlowStateHasNotSettled) {
  mti::Source source;
  source.states = {{.name = "T", .start = 15.0}, {.name = "y"}};
  source.algebraic = {{.name = "q"}};
  source.equations = {"1.952*der(T) = 6.039 - T + 36.475*q", "q = 1 - hysteresis(T, 19.088, 21.425)",
                      "der(y) = -0.383*y + T"};
  const double period =
      1.952 * std::log((42.514 - 19.088) / (42.514 - 21.425) * (21.425 - 6.039) / (19.088 - 6.039));
  const mti::Orbit orbit =
      mti::find_orbit(mti::build_with_derivatives(source, {}).model, {.period_guess = 0.5267});
  ASSERT_TRUE(orbit.found) << orbit.message;
  EXPECT_NEAR(orbit.period, period, 1e-9);
  EXPECT_NEAR(std::abs(orbit.multipliers[0] - 1.0), 0.0, 1e-7);
  EXPECT_NEAR(std::abs(orbit.multipliers[1] - std::exp(-0.383 * period)), 0.0, 1e-7);
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

/// x' = −x ± 1 between ±1/2: T = 2 ln 3. The time of return to a section is a better guess than the one given.
TEST(Orbit, ComesBackToItsSection) {
  mti::Source source;
  source.states = {{.name = "x"}};
  source.equations = {"der(x) = -x + 2*hysteresis(-x, -0.5, 0.5) - 1"};
  const mti::Model model = mti::build_with_derivatives(source, {}).model;
  for (const double guess : {1.5, 2.1, 2.9})
    for (const char* section : {"x.on.off", "x.on.on"}) {
      const mti::Orbit orbit = mti::find_orbit(model, {.period_guess = guess, .section = section});
      ASSERT_TRUE(orbit.found) << guess << section << orbit.message;
      EXPECT_NEAR(orbit.period, 2.0 * std::log(3.0), 1e-9);
    }
}

}  // namespace
}  // namespace orbit_test
