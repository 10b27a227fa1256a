// Conditions that become true where the motion turns back: at the threshold of an `if`, or because of what they set.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti::risen_beside_slides_test {

constexpr double tolerances[] = {1e-4, 1e-6, 1e-9};

double end_of(const Trajectory& run, const std::string& name) {
  return run.value(run.size() - 1, run.column(name));
}

Trajectory simulated(const Source& source, double stop, double rtol) {
  SimulationOptions options;
  options.rtol = options.atol = rtol;
  options.stop = stop;
  return simulate(build(source), options);
}

// A heater that a cutout switches off for good, at the very threshold of its controller: T = 80 is reached at (80 − T₀)/2, and from
// there T falls by 1 in each unit of time.
TEST(RisenBesideSlides, ACutoutAtTheThresholdOfItsHeaterTrips) {
  for (const char* condition : {"T >= 80", "T > 80", "T >= 80 and T < 200", "not T < 80"})
    for (const double start : {40.0, 70.0})
      for (const double rtol : tolerances) {
        Source source;
        source.states = {{.name = "T", .start = start}, {.name = "tripped"}};
        source.equations = {"der(T) = (if T < 80 and tripped < 0.5 then 3 else 0) - 1", "der(tripped) = 0"};
        source.whens = {{.condition = condition, .set = {{"tripped", "1"}}, .emit = "cutout"}};
        const Trajectory run = simulated(source, 50.0, rtol);
        ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
        EXPECT_EQ(end_of(run, "tripped"), 1.0) << condition;
        EXPECT_NEAR(end_of(run, "T"), 80.0 - (50.0 - (80.0 - start) / 2.0), 500.0 * rtol) << condition;
        std::vector<std::string> emitted;
        for (const Event& event : run.events)
          emitted.insert(emitted.end(), event.emitted.begin(), event.emitted.end());
        EXPECT_EQ(emitted, std::vector<std::string>{"cutout"}) << condition;
      }
}

// x rises to 1 in 1 and is set back by 0.8 then, again and again.
TEST(RisenBesideSlides, ANeuronFires) {
  for (const double rtol : tolerances) {
    Source source;
    source.states = {{.name = "x"}, {.name = "n"}};
    source.equations = {"der(x) = if x < 1 then 1 else -1", "der(n) = 0"};
    source.whens = {{.condition = "x >= 1", .set = {{"x", "0.2"}, {"n", "n + 1"}}}};
    const Trajectory run = simulated(source, 4.0, rtol);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_EQ(end_of(run, "n"), 4.0);  // at 1, 1.8, 2.6, 3.4
    EXPECT_NEAR(end_of(run, "x"), 0.8, 100.0 * rtol);
  }
}

// What is set leaves the slide as it is: it is set once where the slide begins, and the motion stays on the surface.
TEST(RisenBesideSlides, ASlideThatGoesOnIsCountedOnce) {
  for (const double rtol : tolerances) {
    Source source;
    source.states = {{.name = "x"}, {.name = "n"}};
    source.equations = {"der(x) = if x < 1 then 1 else -1", "der(n) = 0"};
    source.whens = {{.condition = "x >= 1", .set = {{"n", "n + 1"}}}};
    const Trajectory run = simulated(source, 4.0, rtol);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_EQ(end_of(run, "n"), 1.0);
    EXPECT_NEAR(end_of(run, "x"), 1.0, 100.0 * rtol);
  }
}

// A two-point controller of laws: at 80 it sets h = 0, whereupon the condition of the rate turns T back through the constraint behind
// which the next law waits. T = 80 − (t − 5) to 75 at t = 10, then up by 2.
TEST(RisenBesideSlides, LawsAnswerConstraintsThatTheNextModeLeaves) {
  for (const double rtol : tolerances) {
    Source source;
    source.states = {
        {.name = "T", .start = 70.0}, {.name = "h", .start = 1.0}, {.name = "w"}, {.name = "low"}};
    source.equations = {"der(T) = if h > 0.5 then 2 else -1", "der(h) = 0", "der(w) = 0", "der(low) = 0"};
    source.constraints = {{"up", "(T - 80)*(1 - w) <= 0"},
                          {"down", "(80 - T)*w <= 0"},
                          {"cold", "(75 - T)*(1 - low) <= 0"},
                          {"warm", "(T - 75)*low <= 0"}};
    source.transitions = {{.when = "reach(up)", .equations = {"w = 1", "h = 0"}},
                          {.when = "reach(down)", .equations = {"w = 0"}},
                          {.when = "reach(cold)", .equations = {"low = 1", "h = 1"}},
                          {.when = "reach(warm)", .equations = {"low = 0"}}};
    const Trajectory run = simulated(source, 15.0, rtol);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_NEAR(end_of(run, "T"), 77.5, 1000.0 * rtol);  // 75 at 10, 80 at 12.5
    EXPECT_EQ(end_of(run, "h"), 0.0);
  }
}

}  // namespace mti::risen_beside_slides_test
