// The three tanks' conductances and flow from one temperature with noise, through all switches of 200 s: how often the truth
// lies within two deviations of an estimate.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "io/model/read_model.hpp"
#include "mti/build/build.hpp"
#include "solvers/fitting/fit.hpp"
#include "tests/places.hpp"

namespace mti {
namespace three_tank_fit_test {

TEST(Fit, OfThreeTanksIsAsUncertainAsItSays) {
  // More of them by hand: MTI_FIT_SEEDS=100.
  const char* const wanted = std::getenv("MTI_FIT_SEEDS");
  const int seeds = wanted != nullptr ? std::atoi(wanted) : 12;
  constexpr double deviation = 0.05;
  const Source source = read_source_file(test::source_dir() / "examples/three_tank/model.json");
  MeasuredSignal exact{.signal = "x1", .deviation = deviation};
  const Trajectory run = simulate(build(source), {.stop = 200.0, .output_interval = 1.0});
  const std::size_t column = run.column("x1");
  for (std::size_t row = 0; row < run.size(); ++row)
    if (run.side(row) == 0) {
      exact.time.push_back(run.time(row));
      exact.value.push_back(run.value(row, column));
    }
  ASSERT_GT(exact.time.size(), 190U);
  const std::vector<std::pair<std::string, double>> truth = {{"a1", 125.0}, {"a2", 125.0}, {"fv", 0.09}};
  std::vector<int> within(truth.size(), 0);
  int converged = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    std::normal_distribution<double> noise(0.0, deviation);
    FitProblem problem;
    FitExperiment& experiment = problem.experiments.emplace_back();
    experiment.source = source;
    experiment.signals = {exact};
    for (double& value : experiment.signals[0].value) value += noise(random);
    for (const auto& [name, value] : truth)
      problem.parameters.push_back({.name = name, .start = 1.1 * value, .lower = 0.1 * value});
    const Fit found = fit(problem);
    converged += found.end == FitEnd::converged ? 1 : 0;
    ASSERT_EQ(found.estimates.size(), truth.size()) << seed << ": " << found.message;
    EXPECT_TRUE(found.undetermined.empty());
    for (std::size_t j = 0; j < truth.size(); ++j)
      if (std::abs(found.estimates[j].value - truth[j].second) <= 2.0 * found.estimates[j].deviation)
        ++within[j];
  }
  EXPECT_GE(converged, static_cast<int>(0.9 * seeds));
  if (wanted != nullptr) std::printf("converged: %d of %d\n", converged, seeds);
  for (std::size_t j = 0; j < truth.size(); ++j) {
    RecordProperty(truth[j].first, within[j]);
    EXPECT_GE(within[j], static_cast<int>(0.8 * seeds)) << truth[j].first;
    if (wanted != nullptr) std::printf("%s: %d of %d\n", truth[j].first.c_str(), within[j], seeds);
  }
}

}  // namespace three_tank_fit_test
}  // namespace mti
