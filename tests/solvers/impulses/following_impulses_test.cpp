// Sums of impulses of several orders, worked out by hand.

#include "solvers/impulses/following_impulses.hpp"

#include <gtest/gtest.h>

namespace mti {
namespace following_impulses_test {

/// Signals: 0, 1 are Y_0, Y_1; 2 … 4 are known, 5 is finite and has the value 2.
const std::vector<double> v = {0.0, 0.0, 0.0, 0.0, 0.0, 2.0};

struct Term {
  double coefficient;
  std::vector<int> signals;
};

RowMap rows_of(const std::vector<std::vector<Term>>& rows) {
  RowMap::Builder builder;
  for (const std::vector<Term>& row : rows) {
    builder.begin_row();
    for (const Term& term : row) {
      std::vector<RowMap::Factor> factors;
      for (const int signal : term.signals) factors.push_back({signal, 1.0});
      builder.add_term(term.coefficient, factors);
    }
  }
  return builder.build();
}

SolutionBlock block_of(std::vector<int> unknowns) {
  SolutionBlock block;
  block.unknowns = std::move(unknowns);
  for (int i = 0; i < static_cast<int>(block.unknowns.size()); ++i) {
    block.equations.push_back(i);
    block.c.push_back(-1);
    block.e.push_back(-1);
  }
  return block;
}

/// W_2 = 3 of order 1, W_3 = 5 of order 1/3, W_4 = −1 of order 1.
const std::vector<ImpulsivePart> known = {
    {2, {3.0, 0.1}, 1.0}, {3, {5.0, 0.0}, 1.0 / 3.0}, {4, {-1.0, 0.0}, 1.0}};

/// Y_0 + 2·W_2 + W_3 + 7 = 0 has the order of W_2; 4·Y_1 − v_5·W_3 = 0 that of W_3.
TEST(FollowingImpulses, HaveTheHighestOrderOfTheirSums) {
  const RowMap f = rows_of({{{1.0, {0}}, {2.0, {2}}, {1.0, {3}}, {7.0, {}}}, {{4.0, {1}}, {-1.0, {5, 3}}}});
  const auto parts = following_impulses(f, block_of({0, 1}), v, known);
  ASSERT_TRUE(parts.has_value());
  ASSERT_EQ(parts->size(), 2U);
  EXPECT_EQ((*parts)[0].row, 0);
  EXPECT_DOUBLE_EQ((*parts)[0].weight.value, -6.0);
  EXPECT_DOUBLE_EQ((*parts)[0].weight.error, 0.2);
  EXPECT_DOUBLE_EQ((*parts)[0].order, 1.0);
  EXPECT_DOUBLE_EQ((*parts)[1].weight.value, 2.5);
  EXPECT_DOUBLE_EQ((*parts)[1].order, 1.0 / 3.0);
}

/// Y_0 + Y_1 = W_2, Y_0 − Y_1 = W_2 + W_3: Y_0 = W_2 + …, and W_2 cancels in Y_1 = −W_3/2.
TEST(FollowingImpulses, ABlockIsSolvedOrderByOrder) {
  const RowMap f =
      rows_of({{{1.0, {0}}, {1.0, {1}}, {-1.0, {2}}}, {{1.0, {0}}, {-1.0, {1}}, {-1.0, {2}}, {-1.0, {3}}}});
  const auto parts = following_impulses(f, block_of({0, 1}), v, known);
  ASSERT_TRUE(parts.has_value());
  ASSERT_EQ(parts->size(), 2U);
  EXPECT_DOUBLE_EQ((*parts)[0].weight.value, 3.0);
  EXPECT_DOUBLE_EQ((*parts)[0].order, 1.0);
  EXPECT_DOUBLE_EQ((*parts)[1].weight.value, -2.5);
  EXPECT_DOUBLE_EQ((*parts)[1].order, 1.0 / 3.0);
}

TEST(FollowingImpulses, NothingWhereTermsCancel) {
  EXPECT_FALSE(following_impulses(rows_of({{{1.0, {0}}, {1.0, {2}}, {3.0, {4}}}}), block_of({0}), v, known));
}

TEST(FollowingImpulses, NothingOfNothing) {
  const auto parts = following_impulses(rows_of({{{1.0, {0}}, {1.0, {5}}}}), block_of({0}), v, known);
  ASSERT_TRUE(parts.has_value());
  EXPECT_TRUE(parts->empty());
}

}  // namespace following_impulses_test
}  // namespace mti
