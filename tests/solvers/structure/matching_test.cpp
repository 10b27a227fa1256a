#include "solvers/structure/matching.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/solvers/structure/patterns.hpp"

namespace mti {
namespace matching_test {

void expect_pairs(const Incidence& incidence, const Matching& matching) {
  ASSERT_EQ(matching.row_match.size(), incidence.rows());
  ASSERT_EQ(matching.column_match.size(), incidence.columns());
  for (const PatternRow row : incidence.row_indices()) {
    const PatternColumn column = matching.row_match[row];
    if (!column.exists()) continue;
    EXPECT_TRUE(test::contains(incidence, row, column));
    EXPECT_EQ(matching.column_match[column], row);
  }
  for (const PatternColumn column : incidence.column_indices()) {
    const PatternRow row = matching.column_match[column];
    if (row.exists()) {
      EXPECT_EQ(matching.row_match[row], column);
    }
  }
}

TEST(Matching, is_as_large_as_exhaustive_search_finds) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 1000; ++trial) {
    const Incidence incidence = test::random_pattern(random);
    const Matching matching = maximum_matching(incidence);
    expect_pairs(incidence, matching);
    EXPECT_EQ(matching.size(), test::matching_size_by_search(incidence));
  }
}

TEST(Matching, grows_without_releasing_what_was_matched) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 500; ++trial) {
    const Incidence all = test::random_pattern(random);
    Incidence first_half(all.columns());  // the same rows, lower columns only
    for (const PatternRow row : all.row_indices()) {
      std::vector<PatternColumn> kept;
      for (const PatternColumn column : all.row(row))
        if (column.value() < all.columns() / 2) kept.push_back(column);
      first_half.add_row(kept);
    }
    const Matching before = maximum_matching(first_half);
    Matching after = before;
    grow_to_maximum(all, after);
    expect_pairs(all, after);
    EXPECT_EQ(after.size(), test::matching_size_by_search(all));
    for (const PatternRow row : all.row_indices())
      EXPECT_TRUE(!before.row_match[row].exists() || after.row_match[row].exists());
    for (const PatternColumn column : all.column_indices())
      EXPECT_TRUE(!before.column_match[column].exists() || after.column_match[column].exists());
  }
}

TEST(Matching, prefers_declared_order) {
  const Matching full = maximum_matching(test::pattern(3, {{0, 1, 2}, {0, 1, 2}, {0, 1, 2}}));
  EXPECT_EQ(values(full.row_match), (std::vector<int>{0, 1, 2}));
  const Matching first_row = maximum_matching(test::pattern(1, {{0}, {0}}));
  EXPECT_EQ(values(first_row.row_match), (std::vector<int>{0, -1}));
}

// Row i contains columns i and i + 1, the last row column 0 only: one alternating path through all rows.
TEST(Matching, follows_paths_longer_than_any_call_stack) {
  const int n = 300'000;
  Incidence chain(n);
  for (int i = 0; i + 1 < n; ++i) chain.add_row(positions<PatternColumn>(std::vector{i, i + 1}));
  chain.add_row(positions<PatternColumn>(std::vector{0}));
  const Matching matching = maximum_matching(chain);
  EXPECT_EQ(matching.size(), n);
  EXPECT_EQ(matching.row_match[PatternRow(0)], PatternColumn(1));
  EXPECT_EQ(matching.row_match[PatternRow(n - 1)], PatternColumn(0));
}

}  // namespace matching_test
}  // namespace mti
