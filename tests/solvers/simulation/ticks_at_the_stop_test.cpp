// A tick at the stop time belongs to the run, whatever roundings have made of either: n counts k of them in a run up to k·T.
#include <gtest/gtest.h>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace ticks_at_the_stop_test {

TEST(TicksAtTheStop, BelongToTheRun) {
  for (const double T : {0.7, 0.3, 0.1, 0.14415588796326045, 1e-3}) {
    Source source;
    source.clocks = {{.name = "k", .period = T}};
    source.states = {{"n", 0.0}};
    source.equations = {"next(n) = n + 1"};
    const Model model = build(source);
    for (int k = 1; k <= 60; ++k) {
      SimulationOptions options = test::with_accuracy(1e-6);
      options.stop = k * T;
      const Trajectory run = simulate(model, options);
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      EXPECT_EQ(run.value(run.size() - 1, run.column("n")), k) << T;
    }
  }
}

/// A tick that is later than that does not.
TEST(TicksAtTheStop, AreNotAheadOfTheirTime) {
  Source source;
  source.clocks = {{.name = "k", .period = 0.7}};
  source.states = {{"n", 0.0}};
  source.equations = {"next(n) = n + 1"};
  SimulationOptions options = test::with_accuracy(1e-6);
  options.stop = 2.1 * (1.0 - 1e-12);
  const Trajectory run = simulate(build(source), options);
  EXPECT_EQ(run.value(run.size() - 1, run.column("n")), 2.0);
}

}  // namespace ticks_at_the_stop_test
}  // namespace mti
