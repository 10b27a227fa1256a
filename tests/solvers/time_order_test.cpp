// Time never decreases in any result: rows, events, the end.

#include <gtest/gtest.h>

#include <string>

#include "tests/solvers/motion/random_hybrid_model.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace time_order_test {

/// Enough for most runs; those that take longer are ended there, and their rows are ordered all the same.
SimulationOptions in_short() {
  SimulationOptions options = test::with_accuracy(1e-6);
  options.max_seconds = 0.5;
  options.max_events = 2000;
  options.max_candidates = 2000;
  return options;
}

TEST(TimeOrder, OfAThousandRandomHybridModels) {
  constexpr unsigned models = 1000;
  std::size_t events = 0, reached = 0;
  for (unsigned seed = 1; seed <= models; ++seed) {
    const test::Shape shape = test::all_shapes[seed % test::all_shapes.size()];
    test::RandomHybridModel random(shape, seed);
    SimulationOptions options = in_short();
    options.stop = 2.0;
    options.output_interval = 0.05;
    const Trajectory run = simulate(random.model, options);
    SCOPED_TRACE("seed " + std::to_string(seed));
    test::expect_ordered(run);
    if (HasFailure()) return;
    events += run.events.size();
    reached += run.outcome.kind == OutcomeKind::reached_stop ? 1 : 0;
  }
  // The models are worth the run: some go on to the end, and there are events.
  EXPECT_GT(reached, models / 10);
  EXPECT_GT(events, models / 10);
}

}  // namespace time_order_test
}  // namespace mti
