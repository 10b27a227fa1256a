#include "solvers/plan/solution_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "mti/build/build.hpp"
#include "solvers/mode/mode_system.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti {
namespace solution_plan_test {
namespace {

Source decay_of_four() {
  Source source;
  for (const char* name : {"a", "b", "c", "d"}) source.states.push_back({.name = name, .start = 1.0});
  source.equations = {{"of_a", "der(a) = -a*c"},
                      {"of_b", "der(b) = a - b*c"},
                      {"of_c", "der(c) = b*c - c"},
                      {"of_d", "der(d) = a*c - d"}};
  return source;
}

/// Danger: a column of the Σ-matrix for a derivative that has none, since the mode does not determine it;
/// that wrote before the beginning of an array.
TEST(SolutionPlan, MissingEquationLeavesADerivativeWithoutAColumn) {
  for (std::size_t missing = 0; missing < 3; ++missing) {  // without the fourth, d occurs nowhere: absent
    Source source = decay_of_four();
    source.equations.erase(source.equations.begin() + static_cast<std::ptrdiff_t>(missing));
    const Model model = build(source);
    const ModeSystem system(SignalRows(model), Mode{});
    EXPECT_EQ(system.plan->unmatched.size(), 1U);
    EXPECT_FALSE(system.ambiguous.empty()) << "a state without an equation";
    const Trajectory run = simulate(model);
    EXPECT_EQ(run.outcome.kind, OutcomeKind::no_consistent_start);
    EXPECT_NE(run.outcome.message.find("not determined"), std::string::npos) << run.outcome.message;
  }
}

/// The same where ẋ of the state without an equation occurs beside other unknowns.
TEST(SolutionPlan, DerivativesWithoutAColumnAreKnown) {
  Source source;
  source.states = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
  source.algebraic = {{.name = "y"}};
  source.equations = {{"sum", "der(a) + der(b) + der(c) = y"}, {"tie", "a = b"}, {"gain", "y = 2*c"}};
  const Model model = build(source);
  const ModeSystem system(SignalRows(model), Mode{});
  EXPECT_EQ(system.plan->unmatched.size(), 1U);
  std::size_t solved = 0;
  for (const SolutionBlock& block : system.plan->blocks) solved += block.equations.size();
  EXPECT_EQ(solved, 3U);
  EXPECT_FALSE(system.structurally_solvable());
}

}  // namespace
}  // namespace solution_plan_test
}  // namespace mti
