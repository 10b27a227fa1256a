// Output times from a list, and the observer of a run's rows.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti {
namespace output_times_test {

/// x' = −x from 2; at x = 1 (t = ln 2) it goes on with x' = −x/2.
Model switched_decay() {
  Source source;
  source.states = {{"x", 2.0}};
  source.inputs = {{"u", Number(0.0)}};
  source.binaries = {{"slow", 0.0}};
  source.equations = {"der(x) = -x*(1 - 0.5*slow) + u"};
  source.constraints = {"(1 - x)*(1 - slow) <= 0"};
  source.experiment.rtol = source.experiment.atol = 1e-9;
  return build(source);
}

double exact(double t) {
  return t < std::log(2.0) ? 2.0 * std::exp(-t) : std::exp(-0.5 * (t - std::log(2.0)));
}

TEST(OutputTimes, OfAListAreTheRows) {
  const std::vector<double> times = {0.0, 0.1, 0.65, 0.7, 2.5};
  const Trajectory run = simulate(switched_decay(), {.stop = 3.0, .output_times = times});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  std::vector<double> found;
  for (std::size_t row = 0; row < run.size(); ++row) {
    if (run.side(row) != 0) continue;
    found.push_back(run.time(row));
    EXPECT_NEAR(run.value(row, 0), exact(run.time(row)), 1e-7);
  }
  EXPECT_EQ(found, times) << "and no row at the stop time, which is not listed";
  EXPECT_EQ(run.size(), times.size() + 2) << "both sides of the event";
}

/// What is final is what the motion comes to, however shortly after an event: x' = 1e8 from 1e6 − 5e-7 on makes 50. Times
/// before that coincide with it, and have its two rows only.
TEST(OutputTimes, TheStopTimeHasItsRowShortlyAfterAnEvent) {
  constexpr double stop = 1e6, begin = stop - 5e-7;
  Source source;
  source.inputs = {{"s", TableSource{{0.0, begin}, {0.0, 1.0}}, "", 1.0, true}};
  source.states = {{"x", 0.0}};
  source.equations = {"der(x) = 1e8*s"};
  for (const SimulationOptions& options :
       {SimulationOptions{.stop = stop}, SimulationOptions{.stop = stop, .output_interval = 100.0},
        SimulationOptions{.stop = stop, .output_times = {0.0, begin - 1e-7, stop}}}) {
    const Trajectory run = simulate(build(source), options);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    const std::size_t last = run.size() - 1;
    EXPECT_EQ(run.time(last), stop);
    EXPECT_EQ(run.side(last), 0);
    EXPECT_NEAR(run.value(last, run.column("x")), 1e8 * (stop - begin), 1e-3);
    ASSERT_GE(last, 3U);
    for (std::size_t row = last - 2; row < last; ++row) {
      EXPECT_EQ(run.time(row), begin);
      EXPECT_NE(run.side(row), 0);
    }
    EXPECT_LT(run.time(last - 3), begin - 1.0);
  }
}

TEST(OutputTimes, ObserverSeesEveryRowWithItsMode) {
  std::vector<double> seen;
  std::vector<int> sides;
  std::vector<char> modes;
  SimulationOptions options;
  options.stop = 2.0;
  options.output_times = {0.5, 1.0, 2.0};
  options.observe = [&](double time, int side, const Mode& mode, std::span<const double> v) {
    seen.push_back(time);
    sides.push_back(side);
    modes.push_back(mode.z[0]);
    EXPECT_NEAR(v[1], exact(time), 1e-7);
    EXPECT_NEAR(v[0], mode.z[0] != 0 ? -0.5 * v[1] : -v[1], 1e-5) << "the rate of its mode";
  };
  static_cast<void>(simulate(switched_decay(), options));
  ASSERT_EQ(seen.size(), 5U);
  EXPECT_EQ(sides, (std::vector<int>{0, -1, 1, 0, 0}));
  EXPECT_EQ(modes, (std::vector<char>{0, 0, 1, 1, 1}));
  EXPECT_NEAR(seen[1], std::log(2.0), 1e-7);
}

TEST(OutputTimes, ListsThatCannotBeAreFaults) {
  const Model model = switched_decay();
  for (const std::vector<double>& times : {std::vector<double>{1.0, 0.5}, {-1.0, 0.5}, {0.5, 4.0}}) {
    const std::vector<Fault> faults = SimulationOptions{.stop = 3.0, .output_times = times}.validate(model);
    ASSERT_FALSE(faults.empty());
    EXPECT_EQ(faults.front().pointer, "/experiment/output_times");
  }
  EXPECT_TRUE((SimulationOptions{.stop = 3.0, .output_times = {0.5, 3.0}}.validate(model).empty()));
}

}  // namespace output_times_test
}  // namespace mti
