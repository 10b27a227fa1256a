#pragma once

#include "tests/solvers/simulation/run_queries.hpp"

namespace mti::test {

inline SimulationOptions with_series(double tolerance) {
  SimulationOptions options = with_accuracy(tolerance);
  options.integrator = IntegratorChoice::series;
  return options;
}

/// A run to the stop in which series have made every step.
inline Trajectory series_run(const Model& model, double tolerance) {
  Trajectory trajectory = simulate(model, with_series(tolerance));
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_GT(trajectory.statistics.steps, 0);
  EXPECT_EQ(trajectory.statistics.series_steps, trajectory.statistics.steps);
  return trajectory;
}

}  // namespace mti::test
