// solvable_modes against the system of every single mode of random models.
#include "solvers/multimode/solvable_modes.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include "solvers/mode/mode_balance.hpp"
#include "solvers/mode/mode_system.hpp"
#include "tests/solvers/considered_modes.hpp"
#include "tests/solvers/random_multimode_model.hpp"

namespace mti::test {
namespace solvable_modes_test {

constexpr long long nodes = 20'000'000;

TEST(SolvableModes, AreThoseOfEverySingleMode) {
  constexpr unsigned models = 400;
  long solvable = 0, over = 0, under = 0, absent = 0;
  for (unsigned seed = 1; seed <= models; ++seed) {
    const RandomMultimodeModel random(seed);
    const Model& model = random.model;
    const SolvableModes modes = solvable_modes(model, nodes);
    const SignalRows rows(model);
    for (const Mode& mode : random.modes()) {
      if (!is_considered(model, mode)) continue;
      SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text_of(model));
      const ModeSystem system(rows, mode);
      const auto in = [&](const ModeSet& set) { return modes.space.contains(set, mode); };
      ASSERT_EQ(!in(modes.unsolvable()), system.structurally_solvable());
      ASSERT_FALSE(in(modes.over_determined) && in(modes.under_determined));
      const AbsentSignals& gone = system.plan->absent;
      for (int j = 0; j < static_cast<int>(modes.absent.size()); ++j) {
        const int row = row_of_signal(model.signature, j);
        const bool is_gone = j < model.signature.n()
                                 ? std::ranges::binary_search(gone.slopes, row - model.signature.n())
                                 : std::ranges::binary_search(gone.algebraic, row);
        ASSERT_EQ(in(modes.absent[at(j)]), is_gone) << model.signature.row_name(row);
        absent += is_gone ? 1 : 0;
      }
      const ModeBalance balance = balance_of(model, system);
      ASSERT_EQ(in(modes.over_determined), !balance.over.empty());
      ASSERT_TRUE(!in(modes.under_determined) || !balance.under.empty());
      for (const ModeBalance::Part& part : balance.over)
        ASSERT_GT(part.equations.size(), part.unknowns.size());
      for (const ModeBalance::Part& part : balance.under)
        ASSERT_LT(part.equations.size(), part.unknowns.size());
      (in(modes.over_determined) ? over : in(modes.under_determined) ? under : solvable) += 1;
    }
  }
  EXPECT_GT(solvable, 1000);
  EXPECT_GT(over, 1000);
  EXPECT_GT(under, 100);
  EXPECT_GT(absent, 100);
}

// Every mode of a set is found by taking out one after the other.
TEST(SolvableModes, AModeWithinASetIsInIt) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const RandomMultimodeModel random(seed);
    const Model& model = random.model;
    const SolvableModes modes = solvable_modes(model, nodes);
    if (modes.space.contradictory()) continue;
    for (const ModeSet& set : {modes.unsolvable(), !modes.unsolvable()}) {
      if (modes.space.considered(set).empty()) continue;
      const Mode mode = mode_within(set, modes.space, model.signature, random.modes().front());
      EXPECT_TRUE(modes.space.contains(set, mode)) << "seed " << seed;
      EXPECT_TRUE(is_considered(model, mode)) << "seed " << seed;
    }
  }
}

}  // namespace solvable_modes_test
}  // namespace mti::test
