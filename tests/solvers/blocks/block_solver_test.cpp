// What a block solver calls a solution.
#include "solvers/blocks/block_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
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

/// Danger: beside the 1 of another unit a small factor looks like rounding, is taken for 0, and what refinement makes of that
/// is taken for a solution: w was −30. In any units w = 2.
TEST(BlockSolver, SmallFactorsThatDecideAreNotRounding) {
  for (const int exponent : {-30, -24, -18, -15, -9, 0, 9, 18, 30}) {
    const std::string unit = "1e" + std::to_string(exponent);
    Source source;
    source.states = {{"x", 0.0}};
    source.algebraic = {{"i", 0.0}, {"a", 0.0}, {"w", 0.0}, {"c", 0.0}};
    source.equations = {"der(x) = w", "c = " + unit, "i = c*a", "a = w",
                        "i + 0.5*" + unit + "*w = 3*" + unit};
    const Trajectory run = simulate(build(source), {.stop = 1.0});
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_NEAR(test::last(run, "w"), 2.0, 1e-12) << unit;
    EXPECT_NEAR(test::last(run, "x"), 2.0, 1e-7) << unit;
  }
}

/// Four equations (A p) w = A p w⁰ in w_j·10^m_j, each times 10^k, p being an input: the same w⁰ whatever the units.
TEST(BlockSolver, ABlockHasOneSolutionInAllUnits) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 30; ++trial) {
    constexpr int size = 4;
    Source source;
    source.states = {{"x", 0.0}};
    source.inputs = {{"p", 1.25}};
    source.equations = {"der(x) = 1"};
    std::vector<double> unit;
    for (int j = 0; j < size; ++j) {
      unit.push_back(std::pow(10.0, static_cast<int>(random() % 41) - 20));
      source.algebraic.push_back({"w" + std::to_string(j), 0.0});
    }
    for (int i = 0; i < size; ++i) {
      const double own = std::pow(10.0, static_cast<int>(random() % 41) - 20);
      std::string left;
      double right = 0.0;
      for (int j = 0; j < size; ++j) {
        // Diagonally dominant: κ ≤ 10. Of w⁰ = 1, 2, 3, 4.
        const double entry = i == j ? 8.0 : static_cast<double>(random() % 5) - 2.0;
        right += entry * 1.25 * (j + 1) * own;
        left += (j > 0 ? " + " : "") + ("(" + text::format_number(entry * own / unit[at(j)])) + ")*p*w" +
                std::to_string(j);
      }
      source.equations.push_back(left + " = " + text::format_number(right));
    }
    const Trajectory run = simulate(build(source), {.stop = 1.0});
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << trial << ' ' << run.outcome.message;
    for (int j = 0; j < size; ++j)
      EXPECT_NEAR(test::last(run, "w" + std::to_string(j)) / unit[at(j)], j + 1.0, 1e-12) << trial;
  }
}

/// A ring of resistors without a ground, every second balance of currents multiplied by −1: no potential is determined, in
/// dense blocks and in sparse ones, and a current that flows in and not out is no reason to make some up.
TEST(BlockSolver, RingsWithoutAGroundHaveNoPotentials) {
  for (const int size : {60, 100, 150, 300})
    for (const double fed : {0.0, 1.0}) {
      Source source;
      source.states = {{"x", 0.0}};
      source.equations = {"der(x) = v3 - v10"};
      for (int i = 0; i < size; ++i) {
        const auto v = [size](int node) { return "v" + std::to_string((node + size) % size); };
        source.algebraic.push_back({v(i), 0.0});
        source.equations.push_back((i % 2 != 0 ? "-1*(" : "1*(") + ("2*" + v(i)) + " - " + v(i - 1) + " - " +
                                   v(i + 1) + ") = " + (i == 0 ? text::format_number(fed) : "0"));
      }
      const Trajectory run = simulate(build(source), {.stop = 1.0});
      EXPECT_EQ(run.outcome.kind, OutcomeKind::no_consistent_start) << size << ' ' << fed;
      EXPECT_NE(run.outcome.message.find(fed == 0.0 ? "v0" : "eq2"), std::string::npos)
          << run.outcome.message;
    }
}

}  // namespace block_solver_test
}  // namespace mti
