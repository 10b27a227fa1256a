#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>

#include "solvers/simulation/simulate.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

/// A mode that is stiff over the length of the run, and not over that of its segments.
namespace mti {
namespace idle_flow_test {

/// x' = k·u − x with u = ±1, turned where x reaches ±1/10: every log(11/9) while k is 1. From t = 1000 on k is 0, and x relaxes.
Source relay() {
  Source source;
  source.states = {{"x", 0.0}};
  source.inputs = {{.name = "k", .form = TableSource{{0.0, 1000.0, 1000.0, 1e6}, {1.0, 1.0, 0.0, 0.0}}}};
  source.binaries = {{"down"}};
  source.equations = {"der(x) = k*(1 - 2*down) - x"};
  source.constraints = {"(x - 0.1)*(1 - down) <= 0", "(-0.1 - x)*down <= 0"};
  source.experiment = {.stop = 2000.0};
  return source;
}

TEST(IdleFlow, SeriesTakeOverWhereNothingRelaxes) {
  const double turn = std::log(11.0 / 9.0), first = std::log(10.0 / 9.0);
  const auto events = static_cast<std::size_t>((1000.0 - first) / turn) + 1;
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const Trajectory run = test::run(relay(), {.rtol = rtol, .atol = rtol});
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << rtol << run.outcome.message;
    const std::vector<double> times = test::event_times(run);
    ASSERT_GE(times.size(), events) << rtol;
    for (std::size_t k = 0; k < events; ++k)
      ASSERT_NEAR(times[k], first + static_cast<double>(k) * turn, 10.0 * rtol * 1000.0) << rtol << " " << k;
    EXPECT_GT(run.statistics.series_steps, static_cast<long>(events) / 2) << rtol;
  }
}

/// Series alone take a step for every few seconds of nothing, 10⁵ and more: what they took the place of has to take theirs.
TEST(IdleFlow, FlowTakesOverAgainWhereItRelaxes) {
  Source source = relay();
  source.experiment.stop = 1e6;
  const Trajectory run = test::run(source, {.rtol = 1e-8, .atol = 1e-8});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_LT(run.statistics.steps, run.statistics.events + 1000);
  EXPECT_NEAR(run.end_point.at(0), 0.0, 1e-7);
}

}  // namespace idle_flow_test
}  // namespace mti
