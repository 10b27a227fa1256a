// The runs of docs/idioms against closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/places.hpp"
#include "tests/program/simulation_run.hpp"

namespace mti::test {
namespace idiom_numbers_test {

using std::numbers::pi;

const double rtol = 1e-8, atol = 1e-10;
/// A hundred steps that are off by rtol each, all to one side, of numbers of the order of 1.
const double close = 1e-6;

SimulationRun run_of(const std::string& name, const std::vector<std::string>& more = {}) {
  return simulate(source_dir() / "docs/idioms" / (name + ".json"), rtol, atol, more);
}

double value_at(const SimulationRun& run, double time, const std::string& name) {
  return run.value(run.at(time), name);
}

double end_of(const SimulationRun& run, const std::string& name) { return run.value(run.rows.back(), name); }

/// Times of the events after the start.
std::vector<double> times(const SimulationRun& run) {
  std::vector<double> result;
  for (const nlohmann::json& event : run.events)
    if (event.at("kind") != "initial") result.push_back(event.at("time"));
  return result;
}

void expect_times(const SimulationRun& run, const std::vector<double>& expected) {
  const std::vector<double> found = times(run);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(found[k], expected[k], close) << k;
}

// i = (û sin ωt − E)/R from ωt = α to π − α, α = arcsin(E/û).
TEST(IdiomNumbers, DiodeChargesTheBattery) {
  const double amplitude = 10.0, battery = 6.0, R = 2.0, omega = 100.0 * pi;
  const double alpha = std::asin(battery / amplitude);
  const SimulationRun run = run_of("diode");
  expect_times(run, {alpha / omega, (pi - alpha) / omega});
  const double charge = (2.0 * amplitude * std::cos(alpha) - (pi - 2.0 * alpha) * battery) / (omega * R);
  EXPECT_NEAR(end_of(run, "charge"), charge, close * charge);
  // Without v >= 0 the diode never conducts.
  EXPECT_EQ(end_of(run_of("otherwise/diode"), "charge"), 0.0);
}

// Closed: C·uC' = (U − uC)/R − uC/load, open: C·uC' = −uC/load.
TEST(IdiomNumbers, SwitchChargesAndLeavesTheCapacitor) {
  const double U = 10.0, R = 1.0, C = 0.1, load = 9.0;
  const double k = (1.0 / R + 1.0 / load) / C, final = U * load / (R + load);
  const double first = final * (1.0 - std::exp(-k)), second = first * std::exp(-1.0 / (load * C));
  const SimulationRun run = run_of("switch");
  expect_times(run, {1.0, 2.0});
  EXPECT_NEAR(value_at(run, 1.0, "uC"), first, 10.0 * close);
  EXPECT_NEAR(value_at(run, 2.0, "uC"), second, 10.0 * close);
  EXPECT_NEAR(end_of(run, "uC"), final + (second - final) * std::exp(-k), 10.0 * close);
}

// The flux L·i = 0.1 H · 10 A.
TEST(IdiomNumbers, BreakerInAPathOfACoilTakesTheFlux) {
  const SimulationRun run = run_of("otherwise/switch");
  EXPECT_NEAR(run.events.at(0).at("impulses").at("v").at("weight").get<double>(), 0.1 * 10.0, close);
}

// Down from 1.5 to 1 with −1, up to 2 with 3 − 1, down again.
TEST(IdiomNumbers, RelayHasItsPeriod) { expect_times(run_of("relay"), {0.5, 1.0, 2.0, 2.5, 3.5, 4.0}); }

TEST(IdiomNumbers, RelayWithoutHysteresisBalancesSupplyAndDemand) {
  const SimulationRun run = run_of("relay_without_hysteresis");
  expect_times(run, {0.5});
  EXPECT_NEAR(end_of(run, "on"), 1.0 / 3.0, close);
  EXPECT_NEAR(end_of(run, "level"), 1.0, close);
  const SimulationRun forbidden = run_of("relay_without_hysteresis", {"--no-sliding"});
  EXPECT_EQ(forbidden.summary.at("outcome"), "dead_end");
}

// i = 10 t up to 5 A, nothing until the reset, then 2 A for one second.
TEST(IdiomNumbers, LatchTripsAndIsReset) {
  const double charge = 10.0 * 0.5 * 0.5 / 2.0 + 2.0 * 1.0;
  const SimulationRun run = run_of("latch"), without = run_of("otherwise/latch");
  expect_times(run, {0.5, 3.0, 3.1});
  EXPECT_NEAR(end_of(run, "charge"), charge, close);
  // The page: the same numbers without pre(), but not what tripped it.
  EXPECT_NEAR(end_of(without, "charge"), charge, close);
  EXPECT_TRUE(run.events.at(0).contains("steps"));
  EXPECT_FALSE(without.events.at(0).contains("steps"));
}

// x' = 1 until gain·(set − x) = 1, then x' = set − x.
TEST(IdiomNumbers, SaturationEndsWhereTheErrorIsSmall) {
  const SimulationRun run = run_of("saturation");
  expect_times(run, {4.0});
  EXPECT_NEAR(end_of(run, "x"), 5.0 - std::exp(-2.0), close);
}

// x = (1 − cos 2πt)/π until the end, then rest until the drive is negative.
TEST(IdiomNumbers, ValveRestsAtItsEnd) {
  const SimulationRun run = run_of("limited_state"), without = run_of("otherwise/limited_state");
  expect_times(run, {std::acos(1.0 - 0.3 * pi) / (2.0 * pi), 0.5});
  EXPECT_NEAR(end_of(run, "x"), 0.3 - 1.0 / pi, close);
  EXPECT_NEAR(end_of(without, "x"), 0.3, close);
}

// ∫ (2 sin 2πt − 1) dt from 1/12 to 5/12.
TEST(IdiomNumbers, DeadZonePassesTheRest) {
  const SimulationRun run = run_of("dead_zone");
  expect_times(run, {1.0 / 12.0, 5.0 / 12.0});
  EXPECT_NEAR(end_of(run, "volume"), 2.0 * std::sqrt(3.0) / (2.0 * pi) - 1.0 / 3.0, close);
}

// ∫ |2 sin 2πt| dt over three quarters of a period; without the sign −∫ 2 sin 2πt dt.
TEST(IdiomNumbers, AbsoluteValueHasItsArea) {
  const SimulationRun run = run_of("absolute_value");
  expect_times(run, {0.5});
  EXPECT_NEAR(end_of(run, "area"), 3.0 / pi, close);
  EXPECT_NEAR(end_of(run_of("otherwise/absolute_value"), "area"), -1.0 / pi, close);
}

// min(t, 3 − t/2) is t up to 2: 2 + (6 − 3) = 5; both together are 8 + (12 − 4) = 16.
TEST(IdiomNumbers, MinimumAndMaximumShareTheSum) {
  const SimulationRun run = run_of("min_max");
  expect_times(run, {2.0});
  EXPECT_NEAR(end_of(run, "delivered"), 5.0, close);
  EXPECT_NEAR(end_of(run, "bound"), 11.0, close);
}

// τT' = u − T: on a ramp u = 2t from rest T = 2(t − τ + τ e^(−t/τ)), then towards 4, then towards 1.
TEST(IdiomNumbers, ScheduleIsFollowed) {
  const double ramp = 2.0 * (2.0 - 2.0 + 2.0 * std::exp(-1.0)), plateau = 4.0 + (ramp - 4.0) * std::exp(-2.0);
  const SimulationRun run = run_of("schedule");
  EXPECT_NEAR(end_of(run, "T"), 1.0 + (plateau - 1.0) * std::exp(-1.0), close);
  EXPECT_NEAR(end_of(run, "energy"), 4.0 + 16.0 + 2.0, 10.0 * close);
}

// x⁺ = d·x + (1 − d)·u with d = e^(−T), u = gain·(set − x).
TEST(IdiomNumbers, SampledControllersFollowTheirRecursion) {
  const SimulationRun run = run_of("sampled_controller"), discrete = run_of("discrete_controller");
  expect_times(run, {0.5, 1.0, 1.5, 2.0});
  const double d = std::exp(-0.5);
  double x = 0.0;
  for (int k = 0; k <= 4; ++k) {
    const double u = 2.0 * (1.0 - x);
    EXPECT_NEAR(value_at(run, 0.5 * k, "x"), x, close) << k;
    EXPECT_NEAR(value_at(run, 0.5 * k, "held"), u, close) << k;
    EXPECT_NEAR(value_at(discrete, 0.5 * k, "x"), x, 1e-12) << k;
    if (k < 4) x = d * x + (1.0 - d) * u;
  }
  const double u = 2.0 * (1.0 - x), e = std::exp(-0.2);
  EXPECT_NEAR(end_of(run, "x"), e * x + (1.0 - e) * u, close);
}

// Flights of √(2h/g) and then of 2e, 2e², … times that.
TEST(IdiomNumbers, ImpactsEndAtTheirLimit) {
  const double fall = std::sqrt(2.0 / 9.81), e = 0.5, limit = fall * (1.0 + e) / (1.0 - e);
  const SimulationRun run = run_of("impact"), without = run_of("otherwise/impact");
  EXPECT_NEAR(times(run).at(0), fall, close);
  EXPECT_NEAR(times(run).at(1), fall * (1.0 + 2.0 * e), close);
  // The last flights are shorter than the errors of the heights let them be: √(2·close/g) at worst.
  EXPECT_NEAR(times(run).back(), limit, std::sqrt(2.0 * close / 9.81));
  EXPECT_EQ(run.events.back().at("kind"), "zeno");
  EXPECT_NEAR(end_of(run, "N"), 9.81, close);
  EXPECT_EQ(without.status, 3);
  EXPECT_EQ(without.summary.at("outcome"), "zeno");
}

// "Without the law, but with N, the ball stays down at its first impact."
TEST(IdiomNumbers, ImpactWithoutItsLawIsTheLast) {
  nlohmann::json model = read_json(source_dir() / "docs/idioms/impact.json");
  model.erase("transitions");
  const SimulationRun run = simulate(model, rtol, atol);
  expect_times(run, {std::sqrt(2.0 / 9.81)});
  EXPECT_EQ(end_of(run, "rests"), 1.0);
}

// v = 1 + t²/2 − 2t until 2 − √2, then at rest until F = t = 2, then v = (t − 2)²/2.
TEST(IdiomNumbers, BlockSticksAndIsPulledLoose) {
  const SimulationRun run = run_of("dry_friction");
  const double stops = 2.0 - std::sqrt(2.0);
  expect_times(run, {stops, 2.0});
  EXPECT_NEAR(end_of(run, "v"), 2.0, close);
  EXPECT_NEAR(end_of(run, "x"), stops + std::pow(stops, 3) / 6.0 - stops * stops + 8.0 / 6.0, close);
  EXPECT_NEAR(value_at(run, 1.2, "R"), 1.2, close);
}

// Between −b and b the speed rises with F + 2 and falls with 2 − F: two switches in 2b/(2 + F) + 2b/(2 − F),
// that is (4 − F²)/(4b) a second, from the stop at 2 − √2 to F = 2.
TEST(IdiomNumbers, BandShakesTheBlock) {
  const double stops = 2.0 - std::sqrt(2.0);
  const double count = (2.0 - 8.0 / 12.0) - (stops - std::pow(stops, 3) / 12.0);
  EXPECT_NEAR(count / 1e-3, 764.0, 0.5);  // the number on the page
  EXPECT_NEAR(static_cast<double>(run_of("otherwise/dry_friction").events.size()), count / 1e-3, 3.0);
  EXPECT_NEAR(static_cast<double>(run_of("otherwise/dry_friction", {"--set", "band=0.00025"}).events.size()),
              4.0 * count / 1e-3, 3.0);
}

// J1·w1 + J2·w2 grows with M; the clutch makes the speeds equal at once.
TEST(IdiomNumbers, ClutchConservesAngularMomentum) {
  const SimulationRun run = run_of("clutch");
  const double before = 6.0 + 3.0 / 2.0, after = 2.0 * before / 3.0;
  EXPECT_NEAR(run.events.at(0).at("jumps").at("w1").at(1).get<double>(), after, close);
  EXPECT_NEAR(run.events.at(0).at("impulses").at("torque").at("weight").get<double>(), after, close);
  EXPECT_NEAR(end_of(run, "w1"), after + 2.0 * 3.0 / 3.0 + 3.0 / 2.0, 10.0 * close);
  EXPECT_NEAR(end_of(run, "w2"), after + 2.0 * 3.0 / 3.0, 10.0 * close);
}

// w1' = (3 − 6)/2, w2' = 6: 7.5 rad/s are gone after one second. Then both grow with 1, the torque being J2.
TEST(IdiomNumbers, SlippingClutchHoldsAfterASecond) {
  const SimulationRun run = run_of("slipping_clutch");
  expect_times(run, {1.0, 2.0, 3.0});
  EXPECT_NEAR(value_at(run, 2.0, "w1"), 6.0, 10.0 * close);
  EXPECT_NEAR(value_at(run, 2.4, "torque"), 1.0, 10.0 * close);
  EXPECT_NEAR(end_of(run, "w1"), end_of(run_of("clutch"), "w1"), 10.0 * close);
  EXPECT_NEAR(end_of(run, "w2"), end_of(run_of("clutch"), "w2"), 10.0 * close);
}

// E = h1 − h2 − spring: E' = −E − 1/4 from 5/2, zero at ln 11; h1 falls by half of its integral.
TEST(IdiomNumbers, CheckValveShuts) {
  const SimulationRun run = run_of("check_valve");
  const double shuts = std::log(11.0);
  expect_times(run, {shuts});
  EXPECT_NEAR(end_of(run, "h1"), 3.0 - 0.5 * (2.75 * (1.0 - 1.0 / 11.0) - 0.25 * shuts), close);
  EXPECT_NEAR(end_of(run, "back"), 0.25 * (4.0 - shuts), close);
  EXPECT_EQ(end_of(run_of("otherwise/check_valve"), "h1"), 3.0);
}

// One current through both: Goff1·v1 = Goff2·v2.
TEST(IdiomNumbers, LeakageSharesTheVoltage) {
  const SimulationRun run = run_of("leakage"), ideal = run_of("otherwise/leakage");
  EXPECT_NEAR(value_at(run, 0.015, "v1"), 10.0 * 3.0 / 4.0, 10.0 * close);
  EXPECT_NEAR(end_of(run, "charge"), 2.0 * 10.0 / (100.0 * pi), close);
  EXPECT_NEAR(value_at(ideal, 0.015, "v1"), 10.0, 10.0 * close);
  EXPECT_NEAR(value_at(ideal, 0.015, "v2"), 0.0, 10.0 * close);
}

}  // namespace idiom_numbers_test
}  // namespace mti::test
