// Plans read off the structure of all modes are those that each mode is given by itself.

#include <gtest/gtest.h>

#include "bench/faulty_coaxial.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/mode/mode_cache.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/solvers/considered_modes.hpp"
#include "tests/solvers/random_multimode_model.hpp"

namespace mti::test {
namespace plan_of_structure_test {

testing::AssertionResult same_blocks(const std::vector<SolutionBlock>& a,
                                     const std::vector<SolutionBlock>& b) {
  if (a.size() != b.size())
    return testing::AssertionFailure() << a.size() << " and " << b.size() << " blocks";
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].equations != b[i].equations || a[i].unknowns != b[i].unknowns || a[i].c != b[i].c ||
        a[i].e != b[i].e || a[i].linear != b[i].linear)
      return testing::AssertionFailure() << "block " << i;
  return testing::AssertionSuccess();
}

testing::AssertionResult same_plan(const SolutionPlan& a, const SolutionPlan& b) {
  for (const auto& [one, other] : {std::pair(&a.blocks, &b.blocks), std::pair(&a.balance, &b.balance)})
    if (const auto same = same_blocks(*one, *other); !same) return same;
  if (a.early.size() != b.early.size()) return testing::AssertionFailure() << "stages";
  for (std::size_t k = 0; k < a.early.size(); ++k) {
    if (const auto same = same_blocks(a.early[k].blocks, b.early[k].blocks); !same) return same;
    const auto of = [](const SolutionPlan::Stage& stage) {
      std::vector<std::pair<int, int>> conditions;
      for (const auto& [equation, order] : stage.conditions) conditions.emplace_back(equation, order);
      return conditions;
    };
    if (of(a.early[k]) != of(b.early[k])) return testing::AssertionFailure() << "conditions";
  }
  if (a.over_determined != b.over_determined || a.under_determined != b.under_determined ||
      a.unmatched != b.unmatched || a.algebraic_states != b.algebraic_states || a.depth != b.depth)
    return testing::AssertionFailure() << "lists or depth";
  return testing::AssertionSuccess();
}

TEST(PlanOfStructure, IsThePlanOfEveryModeOfRandomModels) {
  long regular = 0, plain = 0, differentiated = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    const RandomMultimodeModel random(seed);
    const Model& model = random.model;
    const AllModes all(model);
    const SignalRows rows(model);
    for (const Mode& mode : random.modes()) {
      if (!is_considered(model, mode) || all.structure_of(model, mode).singular) continue;
      const ModeSystem by_itself(rows, mode), read_off(rows, mode, &all);
      ASSERT_TRUE(same_plan(*by_itself.plan, *read_off.plan)) << "seed " << seed;
      ++regular;
      plain += by_itself.plan->plain() ? 1 : 0;
      differentiated += by_itself.plan->differentiated() ? 1 : 0;
    }
  }
  EXPECT_GT(plain, 100);
  EXPECT_GT(differentiated, 100);
  EXPECT_GT(regular - plain - differentiated, 100) << "states that are algebraic, nothing differentiated";
}

// Large enough that the structure of all modes is found after some changes: one element after the other
// opens.
TEST(PlanOfStructure, ServesTheRunOfALongCable) {
  constexpr int elements = 60;
  const Model model = build(bench::FaultyCoaxial{.elements = elements}.source());
  ModeCache cache(model);
  Mode mode;
  mode.z.assign(at(model.signature.q()), 0);
  for (int i = 0; i < model.signature.q(); i += 2) {
    mode.z[at(i)] = 1;
    const ModeSystem by_itself(cache.rows(), mode);
    ASSERT_TRUE(same_plan(*cache.get(mode)->plan, *by_itself.plan)) << i;
  }
}

}  // namespace plan_of_structure_test
}  // namespace mti::test
