#include "solvers/mode_sets/mode_set.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <thread>
#include <vector>

#include "tests/solvers/mode_sets/random_mode_set.hpp"

namespace mti {
namespace mode_set_test {

/// The row with `variable` set to `value`.
std::size_t held(std::size_t row, int variable, bool value) {
  const std::size_t bit = std::size_t{1} << variable;
  return value ? row | bit : row & ~bit;
}

ModeTable table_with(const ModeTable& table, int variable, bool value) {
  ModeTable result;
  for (std::size_t row = 0; row < table.size(); ++row) result[row] = table[held(row, variable, value)];
  return result;
}

TEST(ModeSet, HasConstants) {
  EXPECT_TRUE(ModeSet().empty());
  EXPECT_TRUE(ModeSet::none().empty());
  EXPECT_TRUE(ModeSet::all().is_all());
  EXPECT_EQ(!ModeSet::all(), ModeSet::none());
  EXPECT_EQ(ModeSet::all().size(), 0);
  EXPECT_TRUE(ModeSet::all().support().empty());
  EXPECT_FALSE(ModeSet::where(0).is_constant());
  EXPECT_THROW(static_cast<void>(ModeSet::where(-1)), std::invalid_argument);
  EXPECT_TRUE((ModeSet::where(3) | !ModeSet::where(3)).is_all());  // usable after the error
}

TEST(ModeSet, CopiesMovesAndAssigns) {
  ModeSet a = ModeSet::where(1) & ModeSet::where(2);
  const ModeSet copy = a;
  ModeSet moved = std::move(a);
  EXPECT_EQ(copy, moved);
  moved = moved | copy;
  EXPECT_EQ(copy, moved);
  moved = ModeSet::where(5);
  EXPECT_NE(copy, moved);
  ModeSet sum = copy;
  sum |= moved;
  sum &= copy;
  EXPECT_EQ(sum, copy);
  sum -= copy;
  EXPECT_TRUE(sum.empty());
}

TEST(ModeSet, AgreesWithTruthTables) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 400; ++trial) {
    const auto [a, table_a] = random_pair(random, table_variables, 5);
    const auto [b, table_b] = random_pair(random, table_variables, 5);
    EXPECT_EQ(table_of(a), table_a);
    EXPECT_EQ(table_of(a & b), table_a & table_b);
    EXPECT_EQ(table_of(a | b), table_a | table_b);
    EXPECT_EQ(table_of(a - b), table_a & ~table_b);
    EXPECT_EQ(table_of(!a), ~table_a);
    EXPECT_EQ(a == b, table_a == table_b);
    EXPECT_EQ(a.empty(), table_a.none());
    EXPECT_EQ(a.is_all(), table_a.all());
  }
}

TEST(ModeSet, HoldsAndQuantifiesVariables) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const auto [set, table] = random_pair(random, table_variables, 5);
    std::vector<int> support;
    for (int v = 0; v < table_variables; ++v) {
      const ModeTable at0 = table_with(table, v, false);
      const ModeTable at1 = table_with(table, v, true);
      EXPECT_EQ(table_of(set.with(v, false)), at0);
      EXPECT_EQ(table_of(set.with(v, true)), at1);
      if (at0 != at1) support.push_back(v);
    }
    EXPECT_EQ(set.support(), support);

    std::vector<int> some;
    ModeTable exists = table;
    for (int v = 0; v < table_variables; ++v) {
      if (random() % 3 != 0) continue;
      some.insert(some.begin() + static_cast<std::ptrdiff_t>(random() % (some.size() + 1)), v);  // any order
      exists = table_with(exists, v, false) | table_with(exists, v, true);
    }
    EXPECT_EQ(table_of(set.exists(some)), exists);
    some.push_back(1 << 20);  // a variable that nothing depends on, and nothing has made
    EXPECT_EQ(table_of(set.exists(some)), exists);
    if (!set.is_constant()) {
      EXPECT_EQ(set.variable(), support.front());
      EXPECT_EQ(set.low(), set.with(set.variable(), false));
      EXPECT_EQ(set.high(), set.with(set.variable(), true));
    }
  }
}

TEST(ModeSet, ExistsSeesVariablesMadeSince) {
  const int late = 70'000;
  const std::vector<int> variables = {3, late};
  EXPECT_TRUE(ModeSet::where(3).exists(variables).is_all());
  const ModeSet both = ModeSet::where(3) & ModeSet::where(late) & ModeSet::where(4);
  EXPECT_EQ(both.exists(variables), ModeSet::where(4));
}

TEST(ModeSet, FindsSupportAmongVariablesMadeSince) {
  EXPECT_EQ(ModeSet::where(7).support(), std::vector{7});
  const int late = 150'000;
  const ModeSet three = (ModeSet::where(7) & ModeSet::where(late)) | ModeSet::where(late - 1);
  EXPECT_EQ(three.support(), (std::vector{7, late - 1, late}));
}

TEST(ModeSet, IsRestrictedToACareSet) {
  std::mt19937 random(3);
  int none = 0;
  int all = 0;
  int shrunk = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const auto [set, table] = random_pair(random, table_variables, trial % 2 == 0 ? 3 : 5);
    const auto [care, table_care] = random_pair(random, table_variables, 2 + trial % 4);
    if (care.empty()) continue;
    const ModeSet small = set.within(care);
    EXPECT_EQ(table_of(small) & table_care, table & table_care);
    EXPECT_EQ(small.empty(), (table & table_care).none());
    EXPECT_EQ(small.is_all(), (~table & table_care).none());
    const std::vector<int> before = set.support();
    EXPECT_TRUE(std::ranges::includes(before, small.support()));
    none += small.empty() && !set.empty() ? 1 : 0;
    all += small.is_all() && !set.is_all() ? 1 : 0;
    shrunk += small.size() < set.size() ? 1 : 0;
  }
  EXPECT_GT(none, 20);
  EXPECT_GT(all, 20);
  EXPECT_GT(shrunk, 200);
}

TEST(ModeSet, IsRenamed) {
  std::mt19937 random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const auto [set, table] = random_pair(random, 5, 4);
    // Five of the ten variables, ascending.
    std::vector<int> to(table_variables);
    for (int v = 0; v < table_variables; ++v) to[at(v)] = v;
    std::ranges::shuffle(to, random);
    to.resize(5);
    std::ranges::sort(to);
    ModeTable expected;
    for (std::size_t row = 0; row < table.size(); ++row) {
      std::size_t from = 0;
      for (int v = 0; v < 5; ++v) from = held(from, v, value_in(row, to[at(v)]));
      expected[row] = table[from];
    }
    EXPECT_EQ(table_of(set.renamed(to)), expected);
    EXPECT_EQ(table_of(set.renamed(to)), expected);  // as kept from the first time
  }
  const std::array<int, 2> interleaved = {0, 2};
  // One after the other, the same set: what was found for one must not be given for another.
  const ModeSet first = ModeSet::where(0);
  for (int round = 0; round < 2; ++round)
    for (const int to : {1, 0, 2, 0, 3}) EXPECT_EQ(first.renamed(std::vector{to}), ModeSet::where(to));
  EXPECT_EQ((ModeSet::where(1) & ModeSet::where(3)).renamed(interleaved),
            ModeSet::where(2) & ModeSet::where(3));
}

TEST(ModeSet, SurvivesCollectionAndGrowth) {
  // x0 y0 + x1 y1 + … with all x above all y needs 2^(n+1) − 2 nodes; interleaved 2 n (Bryant 1986).
  constexpr int n = 14;
  std::mt19937 random(5);
  const auto [kept, table] = random_pair(random, table_variables, 6);
  const ModeSet copy = kept;
  for (int round = 0; round < 10; ++round) {
    ModeSet sum;
    ModeSet interleaved;
    for (int k = 0; k < n; ++k) {
      sum |= ModeSet::where(k + round) & ModeSet::where(n + k + round);
      interleaved |= ModeSet::where(2 * k) & ModeSet::where(2 * k + 1);
    }
    EXPECT_EQ(sum.size(), (1 << (n + 1)) - 2);
    EXPECT_EQ(interleaved.size(), 2 * n);
  }
  EXPECT_EQ(table_of(copy), table);
}

TEST(ModeSet, MakesVariablesBesideManyLivingSets) {
  // Sets of about 2 n nodes each, on variables made for them, while all earlier ones live.
  std::mt19937 random(7);
  std::vector<ModeSet> sets;
  int variables = 50;
  for (int round = 0; round < 60; ++round) {
    variables += variables / 10;
    ModeSet chain = ModeSet::where(variables);
    std::vector<bool> negated;
    for (int v = variables - 1; v >= 0; --v) {
      negated.push_back(random() % 2 == 0);
      chain = negated.back() ? chain - ModeSet::where(v) : chain & ModeSet::where(v);
    }
    EXPECT_EQ(chain.size(), variables + 1);
    EXPECT_EQ((!chain).size(), variables + 1);
    EXPECT_TRUE(chain.contains([&](int v) { return v == variables || !negated[at(variables - 1 - v)]; }));
    sets.push_back(chain);
  }
  ModeSet sum;
  for (const ModeSet& set : sets) sum |= set;
  for (const ModeSet& set : sets) EXPECT_TRUE((set - sum).empty());
}

/// a_i = b_i for all i, with all a before all b: 3·2^pairs nodes, as it takes to remember all a_i.
ModeSet all_equal(int pairs) {
  ModeSet set = ModeSet::all();
  for (int i = 0; i < pairs; ++i) {
    const ModeSet a = ModeSet::where(i), b = ModeSet::where(pairs + i);
    set -= (a - b) | (b - a);
  }
  return set;
}

TEST(ModeSet, HasALimitOfNodes) {
  {
    const DiagramLimit limit(200'000);
    EXPECT_THROW(all_equal(18), ModeSetTooLarge);  // 786,000 nodes
    {
      const DiagramLimit wider(2'000'000);
      EXPECT_THROW(all_equal(18), ModeSetTooLarge) << "the narrowest limit counts";
    }
    // What was given up leaves nothing wrong behind, neither in the cache nor in the table.
    std::mt19937 random(7);
    for (int repetition = 0; repetition < 20; ++repetition) {
      const Pair pair = random_pair(random, table_variables, 6);
      EXPECT_EQ(table_of(pair.set), pair.table);
    }
  }
  const ModeSet made = all_equal(18);
  EXPECT_EQ(made.size(), 3 * (1 << 18) - 3);
}

TEST(ModeSet, IsSafeFromSeveralThreads) {
  std::array<int, 2> wrong = {0, 0};
  const auto work = [&wrong](std::size_t thread) {
    std::mt19937 random(static_cast<unsigned>(6 + thread));
    std::vector<Pair> pairs;
    for (int trial = 0; trial < 300; ++trial) pairs.push_back(random_pair(random, table_variables, 5));
    for (std::size_t i = 1; i < pairs.size(); ++i) {
      const ModeTable table = pairs[i].table & pairs[i - 1].table;
      if (table_of(pairs[i].set & pairs[i - 1].set) != table) ++wrong[thread];
    }
  };
  std::thread first(work, 0);
  std::thread second(work, 1);
  first.join();
  second.join();
  EXPECT_EQ(wrong[0], 0);
  EXPECT_EQ(wrong[1], 0);
}

}  // namespace mode_set_test
}  // namespace mti
