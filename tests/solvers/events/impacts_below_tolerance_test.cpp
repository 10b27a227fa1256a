// Bounces that are smaller than what is known of the bodies' places, on a floor that is far away, moves and accelerates, beside a
// fast lag by which the mode is stiff. Relative to the floor it is a ball that falls with g + a from 0 with the speed v: it
// rests at 2v/((g + a)(1 − e)), and the contact takes g + a from then on.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace impacts_below_tolerance_test {

constexpr double g = 9.81, e = 0.9;

Source ball_on_a_floor(double place, double speed, double floor_speed, double acceleration, double lag_rate) {
  Source source;
  source.parameters = {{"a", acceleration}};
  source.states = {{"h", place}, {"v", floor_speed + speed}, {"f", place}, {"w", floor_speed}};
  source.algebraic = {{"N"}};
  source.binaries = {{"rests"}};
  source.equations = {"der(h) = v",
                      "der(v) = N - 9.81",
                      {"support", "rests*(h - f) + (1 - rests)*N = 0"},
                      "der(f) = w",
                      "der(w) = a"};
  if (lag_rate > 0.0) {
    source.states.push_back({"lag", place});
    source.equations.emplace_back("der(lag) = " + std::to_string(lag_rate) + "*(f - lag)");
  }
  source.constraints = {{"floor", "f - h <= 0"}, "N >= 0"};
  source.transitions = {
      {.when = "reach(floor)", .replaces = {"support"}, .equations = {"v - w = -0.9*(pre(v) - pre(w))"}}};
  source.experiment.stop = 8.0;
  return source;
}

void expect_rest(const Source& source, double rtol, const std::string& what) {
  SimulationOptions options = test::with_accuracy(rtol);
  options.max_events = 3000;
  const Trajectory run = simulate(build(source), options);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << what << run.outcome.message;
  const auto last = [&](const char* signal) { return run.value(run.size() - 1, run.column(signal)); };
  EXPECT_NEAR(last("N"), g + std::get<double>(source.parameters[0].value), 1e-6) << what;
  EXPECT_NEAR(last("h"), last("f"), 10.0 * rtol * std::abs(last("f"))) << what;
}

TEST(ImpactsBelowTolerance, ComeToRest) {
  for (const double lag : {0.0, 1e5})
    for (const double rtol : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8})
      expect_rest(ball_on_a_floor(144.4, 0.0182, 76.0, 20.0, lag), rtol,
                  "lag " + std::to_string(lag) + ", log10 rtol " + std::to_string(std::log10(rtol)) + ": ");
}

TEST(ImpactsBelowTolerance, ComeToRestOnRandomFloors) {
  std::mt19937_64 random(20261129);
  const auto power = [&](double low, double high) {
    return std::pow(10.0, std::uniform_real_distribution<double>(low, high)(random));
  };
  const double accelerations[] = {2.0, 20.0, 200.0};
  for (int k = 0; k < 60; ++k) {
    const double place = power(-1, 3), floor_speed = power(-1, 2), speed = power(-4, -1),
                 acceleration = accelerations[random() % 3], lag = k % 3 == 0 ? 0.0 : 1e5;
    expect_rest(ball_on_a_floor(place, speed, floor_speed, acceleration, lag), 1e-6,
                "place " + std::to_string(place) + ", floor's speed " + std::to_string(floor_speed) +
                    ", speed " + std::to_string(speed) + ", acceleration " + std::to_string(acceleration) +
                    ": ");
  }
}

}  // namespace impacts_below_tolerance_test
}  // namespace mti
