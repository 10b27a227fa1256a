// A run that is advanced from event to event towards a limit of its events.

#include <gtest/gtest.h>

#include <vector>

#include "mti/build/build.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/stepping/run.hpp"

namespace mti {
namespace run_before_limit_test {

/// Falls from 1, and loses half of its speed at each impact; it may rest on the floor.
Model ball() {
  Source source;
  source.states = {{.name = "h", .start = 1.0}, {.name = "v"}};
  source.algebraic = {{"force"}};
  source.binaries = {{.name = "rests"}};
  source.equations = {"der(h) = v", "der(v) = -9.81 + force", {"support", "rests*h + (1 - rests)*force = 0"}};
  source.constraints = {{"floor", "-h <= 0"}, "force >= 0"};
  source.transitions = {{.when = "reach(floor)", .replaces = {"support"}, .equations = {"v = -0.5*pre(v)"}}};
  source.experiment.stop = 3.0;
  return build(source);
}

/// Danger: the limit is an instant of its own; what counts impacts outside would miss the last one before it.
TEST(RunBeforeLimit, StandsAtEachEvent) {
  for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
    const Model model = ball();
    const SimulationOptions options = {.rtol = tolerance, .atol = tolerance};
    mti::Run run(model, options);
    std::vector<double> times;
    while (run.advance(3.0) == StepEnd::event) times.push_back(run.event()->time);
    const Trajectory found = run.finish(), whole = simulate(model, options);
    ASSERT_EQ(times.size(), found.events.size());
    ASSERT_EQ(times.size(), whole.events.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
      EXPECT_EQ(times[i], found.events[i].time);
      EXPECT_EQ(times[i], whole.events[i].time);
    }
    EXPECT_EQ(found.end_point, whole.end_point);
  }
}

/// Danger: where the run stands on the way to a limit is a value that is made when asked for.
TEST(RunBeforeLimit, EndsOnTheWay) {
  const Model model = ball();
  const double limit = simulate(model, {}).accumulations.front().time;
  for (int k = 0; k < 200; ++k) {
    const double t = limit - 1e-3 * (k + 0.5) / 200.0;
    mti::Run run(model, SimulationOptions{});
    while (run.time() < t && run.advance(t) != StepEnd::ended) {
    }
    const std::vector<double> here(run.v().begin(), run.v().end());
    const Trajectory found = run.finish();
    EXPECT_EQ(found.end_point, here) << k;
    EXPECT_EQ(found.outcome.end_time, t);
    EXPECT_EQ(found.time(found.size() - 1), t);
  }
}

}  // namespace run_before_limit_test
}  // namespace mti
