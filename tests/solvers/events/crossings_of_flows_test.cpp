// Crossings within the long steps of the exact flow: what leaves its boundary slowly comes back soon, and what is read
// close to where a step begins has the rounding of the whole step.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "mti/build/build.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace crossings_of_flows_test {

constexpr double gravity = 9.81;

SimulationOptions to_stop(double stop, double tolerance, IntegratorChoice integrator) {
  SimulationOptions options;
  options.stop = stop;
  options.rtol = options.atol = tolerance;
  options.integrator = integrator;
  options.max_seconds = 20.0;
  return options;
}

/// h = h₀ + v₀ t − g t²/2 is back at h₀ at 2 v₀/g. It was found an eighth of a step later where h − h₀ is still rounded
/// to zero when it is looked at first.
TEST(CrossingsOfFlows, AShortFlightEndsWhereItDoes) {
  for (const double height : {0.3, 31.3, 101325.3, 1e7})
    for (const double speed : {0.01, 0.1, 1.0})
      for (const double tolerance : {1e-8, 1e-10, 1e-12}) {
        SCOPED_TRACE("from " + std::to_string(height) + " at " + std::to_string(speed));
        Source source;
        source.states = {{.name = "h", .start = height}, {.name = "v", .start = speed}};
        source.binaries = {{.name = "landed"}};
        source.parameters = {{"floor", height}};
        source.equations = {"der(h) = v", "der(v) = -9.81"};
        source.constraints = {{"land", "(floor - h)*(1 - landed) <= 0"}};
        const Trajectory run = simulate(build(source), to_stop(10.0, tolerance, IntegratorChoice::flow));
        ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
        ASSERT_EQ(run.events.size(), 1U);
        // ε of h leaves that much open about the time; v₀ is reached to the accuracy of time.
        const double open = tolerance * (height + 1.0) / speed;
        EXPECT_NEAR(run.events[0].time, 2.0 * speed / gravity, 2.0 * open + 10.0 * tolerance * 10.0);
      }
}

/// A ball from 1 above its floor beside a stiff lag, so that the exact flow has it: at rest at
/// t_∞ = √(2/g) (1 + e)/(1 − e). Heights are known to ε, speeds to √(2 g ε) then.
TEST(CrossingsOfFlows, ABallBesideALagComesToRest) {
  for (const double floor : {0.3, 31.3, 300.1})
    for (const double e : {0.5, 0.8})
      for (const double tolerance : {1e-6, 1e-8, 1e-9, 1e-10, 1e-11}) {
        SCOPED_TRACE("floor " + std::to_string(floor) + ", e = " + std::to_string(e) + ", rtol = 1e" +
                     std::to_string(std::lround(std::log10(tolerance))));
        Source source;
        source.states = {{.name = "h", .start = floor + 1.0}, {.name = "v"}, {.name = "s"}};
        source.inputs = {{.name = "u", .form = SineSource{.amplitude = 1.0, .frequency = 0.1}}};
        source.algebraic = {{.name = "N"}};
        source.binaries = {{.name = "rests"}};
        source.parameters = {{"floor", floor}, {"e", e}};
        source.equations = {"der(h) = v",
                            "der(s) = 1000*(u - s)",
                            "der(v) = N - 9.81",
                            {"support", "rests*(h - floor) + (1 - rests)*N = 0"}};
        source.constraints = {{"above", "floor - h <= 0"}, {"push", "-N <= 0"}};
        source.transitions = {{"reach(above)", {"support"}, {"v = -e*pre(v)"}}};
        const Trajectory run = simulate(build(source), to_stop(10.0, tolerance, IntegratorChoice::automatic));
        ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
        const double epsilon = tolerance * (floor + 2.0);
        const std::size_t h = run.column("h");
        double lowest = floor;
        for (std::size_t row = 0; row < run.size(); ++row) lowest = std::min(lowest, run.value(row, h));
        EXPECT_GE(lowest, floor - 10.0 * epsilon);
        const double rest = std::sqrt(2.0 / gravity) * (1.0 + e) / (1.0 - e);
        const double open = 2.0 / (gravity * (1.0 - e)) * std::sqrt(2.0 * gravity * epsilon);
        EXPECT_NEAR(run.events.back().time, rest, 10.0 * open);
      }
}

}  // namespace crossings_of_flows_test
}  // namespace mti
