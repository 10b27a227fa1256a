// Runs that follow each other with one RunMemory: each is the run that it is alone, to the last bit.

#include "solvers/run_options/run_memory.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/mti/multilinear/random_map.hpp"
#include "tests/solvers/motion/random_hybrid_model.hpp"

namespace mti::test {
namespace run_memory_test {

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

void expect_same(const Trajectory& a, const Trajectory& b) {
  EXPECT_EQ(a.outcome.kind, b.outcome.kind);
  EXPECT_EQ(a.outcome.message, b.outcome.message);
  EXPECT_TRUE(same_bits(a.outcome.end_time, b.outcome.end_time));
  EXPECT_EQ(a.statistics.steps, b.statistics.steps);
  EXPECT_EQ(a.statistics.modes_visited, b.statistics.modes_visited);
  EXPECT_EQ(a.statistics.candidates, b.statistics.candidates);
  EXPECT_EQ(a.warnings, b.warnings);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t row = 0; row < a.size(); ++row) {
    ASSERT_TRUE(same_bits(a.time(row), b.time(row))) << row;
    ASSERT_EQ(a.side(row), b.side(row)) << row;
    for (std::size_t column = 0; column < a.columns(); ++column)
      ASSERT_TRUE(same_bits(a.value(row, column), b.value(row, column))) << row << ", " << column;
  }
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    EXPECT_TRUE(same_bits(a.events[i].time, b.events[i].time));
    EXPECT_EQ(a.events[i].constraints, b.events[i].constraints);
    EXPECT_EQ(a.events[i].candidates_tried, b.events[i].candidates_tried);
  }
}

/// The run alone, and after others; twice, so that it finds its own plans, too.
Trajectory expect_same_as_alone(const Model& model, RunMemory& memory, double stop) {
  SimulationOptions options{.stop = stop, .rtol = 1e-6, .atol = 1e-6, .max_candidates = 200};
  options.max_events = 200;
  const Trajectory alone = simulate(model, options);
  options.memory = &memory;
  for (int time = 0; time < 2; ++time) expect_same(simulate(model, options), alone);
  return alone;
}

/// Two tanks with a valve each between two temperatures, and a pipe between them; of heat capacity c, which makes a
/// temperature algebraic where it is 0.
Source tanks(double c, double heating, double pipe) {
  Source source;
  source.parameters = {{"c", c}, {"heating", heating}, {"pipe", pipe}};
  source.states = {{.name = "T1", .start = 37.0}, {.name = "T2", .start = 30.0}};
  source.algebraic = {{.name = "open"}};
  source.binaries = {{"z1"}, {"w1"}, {"z2"}, {"w2"}};
  source.equations = {"(5*der(T1) + T1 - pipe*(T2 - T1))*open + heating*(T1 - 80)*z1 = 0",
                      "(c*der(T2) + T2 - pipe*(T1 - T2))*open + heating*(T2 - 80)*z2 = 0",
                      "open = 1 + z1*z2"};
  source.constraints = {"(30 - T1)*(1 - z1 + w1) <= 0", "(T1 - 40)*(1 - w1 + z1) <= 0",
                        "(25 - T2)*(1 - z2 + w2) <= 0", "(T2 - 35)*(1 - w2 + z2) <= 0"};
  return source;
}

/// Danger: a plan of another structure is taken over, as where a coefficient has become 0; where plans are shared decides
/// what is varied and what is solved anew.
TEST(RunMemory, ChangesNoRunOfAModelWithOtherNumbers) {
  Random random(7);
  RunMemory memory;
  int events = 0, ended_early = 0;
  for (int i = 0; i < 60; ++i) {
    const double c = random.index(6) == 0 ? 0.0 : random.uniform(2.0, 8.0);
    const double heating = random.index(6) == 0 ? 0.0 : random.uniform(2.0, 6.0);
    const double pipe = random.index(4) == 0 ? 0.0 : random.uniform(0.1, 0.5);
    SCOPED_TRACE(std::to_string(c) + " " + std::to_string(heating) + " " + std::to_string(pipe));
    const Trajectory run = expect_same_as_alone(build(tanks(c, heating, pipe)), memory, 20.0);
    events += static_cast<int>(run.events.size());
    ended_early += run.outcome.kind != OutcomeKind::reached_stop ? 1 : 0;
  }
  EXPECT_GT(events, 300);
  EXPECT_GT(ended_early, 0);
}

/// Those of one structure share all plans.
TEST(RunMemory, KeepsThePlansOfModelsThatDifferInNumbers) {
  RunMemory memory;
  SimulationOptions options{.stop = 20.0};
  options.memory = &memory;
  ASSERT_EQ(simulate(build(tanks(4.0, 3.0, 0.2)), options).outcome.kind, OutcomeKind::reached_stop);
  const std::size_t plans = memory.plans.plans();
  EXPECT_GT(plans, 1U);
  ASSERT_EQ(simulate(build(tanks(4.5, 3.5, 0.25)), options).outcome.kind, OutcomeKind::reached_stop);
  EXPECT_EQ(memory.plans.plans(), plans);
  // Without the pipe the equations hold fewer signals: they are about another model.
  (void)simulate(build(tanks(4.0, 3.0, 0.0)), options);
  (void)simulate(build(tanks(4.0, 3.0, 0.2)), options);
  EXPECT_EQ(memory.plans.plans(), plans);
}

/// Whatever models were before: networks of diodes, latches, chains of integrators, rows of any form.
TEST(RunMemory, ChangesNoRunOfRandomModels) {
  RunMemory memory;
  int several = 0;
  for (unsigned seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    const RandomHybridModel random(all_shapes[seed % all_shapes.size()], seed);
    const Trajectory run = expect_same_as_alone(random.model, memory, 1.0);
    several += run.statistics.modes_visited > 1 ? 1 : 0;
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(several, 10);
}

}  // namespace run_memory_test
}  // namespace mti::test
