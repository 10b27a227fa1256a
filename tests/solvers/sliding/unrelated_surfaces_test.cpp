// Two bodies that move together say nothing about a third one, in whatever order they are declared. Against the closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/scattered.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace unrelated_surfaces_test {

/// v1 and v2 slide together from the start; v0 = 0.5 − 0.1 t falls to the belt, w = t/2, at t = 5/6, and rises from there on.
Source belt(const std::vector<std::string>& order) {
  Source source;
  for (const std::string& name : order) source.states.push_back({name, name == "v0" ? 0.5 : 0.0});
  source.inputs = {{.name = "w", .form = TableSource{.time = {0.0, 4.0}, .value = {0.0, 2.0}}}};
  for (const std::string& name : order)
    if (name == "v0")
      source.equations.emplace_back("der(v0) = -0.1*sign(v0 - w)");
    else if (name == "v1")
      source.equations.emplace_back("der(v1) = sign(v2 - v1)");
    else if (name == "v2")
      source.equations.emplace_back("der(v2) = 0.5 - sign(v2 - v1)");
    else
      source.equations.emplace_back("der(" + name + ") = 0");
  source.experiment.stop = 4.0;
  return source;
}

TEST(UnrelatedSurfaces, AreNotTakenForOne) {
  std::vector<std::string> order{"v0", "v1", "v2"};
  for (int others = 0; others <= 2; ++others) {
    std::ranges::sort(order);
    do {
      const Trajectory run = simulate(build(belt(order)), test::with_accuracy(1e-8));
      std::string names;
      for (const std::string& name : order) names += name + " ";
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << names << run.outcome.message;
      const std::size_t last = run.size() - 1;
      const double met = 5.0 / 6.0;
      EXPECT_NEAR(run.value(last, run.column("v0")), 0.5 * met + 0.1 * (4.0 - met), 1e-7) << names;
      EXPECT_NEAR(run.value(last, run.column("v1")), 1.0, 1e-7) << names;
      EXPECT_NEAR(run.value(last, run.column("v2")), 1.0, 1e-7) << names;
    } while (std::ranges::next_permutation(order).found);
    order.push_back("x" + std::to_string(others));
  }
}

/// Differences of what is scattered are no multiples of each other over all points.
TEST(UnrelatedSurfaces, ScatteredPointsHaveNoPattern) {
  std::set<double> values;
  double sum = 0.0, squares = 0.0;
  constexpr int points = 6, signals = 400;
  for (int point = 0; point < points; ++point)
    for (int signal = 0; signal < signals; ++signal) {
      const double value = scattered(point, signal);
      ASSERT_GE(value, -1.0);
      ASSERT_LT(value, 1.0);
      values.insert(value);
      sum += value;
      squares += value * value;
    }
  EXPECT_EQ(values.size(), static_cast<std::size_t>(points * signals));
  EXPECT_NEAR(sum / (points * signals), 0.0, 0.05);
  EXPECT_NEAR(squares / (points * signals), 1.0 / 3.0, 0.05);
}

}  // namespace unrelated_surfaces_test
}  // namespace mti
