// What impacts count has no limit where they accumulate; what they add up in decreasing parts has one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace counters_at_limits_test {

constexpr double g = 9.81;

/// A ball that falls from 1 at rest; c counts impacts, s changes its sign at each, p is the sum of |Δv|.
Source counted_ball(double e) {
  Source source;
  source.parameters = {{"e", e}};
  source.states = {{"h", 1.0}, {"v"}, {"c"}, {"s", 1.0}, {"p"}};
  source.algebraic = {{"force"}};
  source.binaries = {{"rests"}};
  source.equations = {"der(h) = v",
                      "der(v) = -9.81 + force",
                      {"support", "rests*h + (1 - rests)*force = 0"},
                      {"count", "der(c) = 0"},
                      {"sign", "der(s) = 0"},
                      {"sum", "der(p) = 0"}};
  source.constraints = {{"floor", "-h <= 0"}, "force >= 0"};
  source.transitions = {
      {.when = "reach(floor)",
       .replaces = {"support", "count", "sign", "sum"},
       .equations = {"v = -e*pre(v)", "c = pre(c) + 1", "s = -pre(s)", "p = pre(p) - (1 + e)*pre(v)"},
       .emit = "impact"}};
  source.experiment.stop = 6.0;
  return source;
}

// Danger: states at a limit were taken by their mean rates, and so a counter went on by a fraction, against its der(c) = 0.
TEST(CountersAtLimits, CountWhatIsSeenAndSumsHaveTheirLimit) {
  for (const double e : {0.5, 0.7, 0.8})
    for (const double rtol : {1e-4, 1e-6, 1e-9}) {
      SCOPED_TRACE("e = " + std::to_string(e) + ", rtol = " + std::to_string(rtol));
      const Trajectory run = test::run(counted_ball(e), test::with_accuracy(rtol));
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      const auto impacts =
          std::ranges::count_if(run.events, [](const Event& event) { return !event.emitted.empty(); });
      EXPECT_GE(impacts, 4);
      EXPECT_EQ(test::last(run, "c"), static_cast<double>(impacts));
      EXPECT_EQ(test::last(run, "s"), impacts % 2 == 0 ? 1.0 : -1.0);
      const double sum = (1.0 + e) * std::sqrt(2.0 * g) / (1.0 - e);
      EXPECT_NEAR(test::last(run, "p"), sum, 1e3 * rtol * sum);
      const auto names = [&](const char* signal) {
        return std::ranges::count_if(run.warnings, [&](const std::string& warning) {
          return warning.starts_with(std::string(signal) + " has no limit");
        });
      };
      EXPECT_EQ(names("c"), 1);
      EXPECT_EQ(names("s"), 1);
      EXPECT_EQ(run.warnings.size(), 2U);
    }
}

}  // namespace counters_at_limits_test
}  // namespace mti
