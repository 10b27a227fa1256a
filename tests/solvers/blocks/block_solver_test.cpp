// What a block solver calls a solution.
#include "solvers/blocks/block_solver.hpp"

#include <gtest/gtest.h>

#include <string>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace block_solver_test {

/// The second unknown from a block with the constant 10·u − 10·v, which is 0 or, where both overflow, no number.
Trajectory run_with(double size, const std::vector<std::string>& block) {
  Source source;
  source.states = {{"x", 0.0}};
  source.inputs = {{"u", size}, {"v", size}};
  source.algebraic = {{"a", 1.0}, {"b", 4.0}};
  source.equations = {"der(x) = b"};
  for (const std::string& equation : block) source.equations.push_back(equation);
  return simulate(build(source), {.stop = 1.0});
}

/// Danger: comparisons with NaN are false, and a step of NaN counts as none at all.
TEST(BlockSolver, WhatIsNoNumberIsNoSolution) {
  const std::vector<std::vector<std::string>> blocks = {
      {"a*b + 10*u - 10*v = 6", "a + b + 10*u - 10*v = 5"},  // Newton's method
      {"a + b + 10*u - 10*v = 5", "a - b = -1"},             // a linear block
      {"b + 10*u - 10*v = 3", "a = 2"}};                     // one equation for one unknown
  for (const std::vector<std::string>& block : blocks) {
    const Trajectory good = run_with(1.0, block), overflown = run_with(1e308, block);
    ASSERT_EQ(good.outcome.kind, OutcomeKind::reached_stop) << good.outcome.message;
    EXPECT_NEAR(test::last(good, "x"), 3.0, 1e-5) << "a = 2, b = 3";
    EXPECT_EQ(overflown.outcome.kind, OutcomeKind::no_consistent_start) << block[0];
    const bool iterated = block == blocks.front();
    EXPECT_NE(overflown.outcome.message.find(iterated ? "no solution found of " : "not finite: "),
              std::string::npos)
        << overflown.outcome.message;
  }
}

}  // namespace block_solver_test
}  // namespace mti
