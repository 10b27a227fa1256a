#include "solvers/structure/dulmage_mendelsohn.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "tests/solvers/structure/patterns.hpp"

namespace mti {
namespace dulmage_mendelsohn_test {

using BlockSet = std::set<std::pair<std::vector<PatternRow>, std::vector<PatternColumn>>>;

BlockSet block_set(const std::vector<Block>& blocks) {
  BlockSet result;
  for (const Block& block : blocks) result.emplace(block.rows, block.columns);
  return result;
}

// A row is in the over-determined part iff some maximum matching does without it, a column is in the
// under-determined part iff some maximum matching does without it: the size does not fall when it is taken
// away.
TEST(DulmageMendelsohn, parts_are_those_of_the_definition) {
  std::mt19937 random(3);
  int over = 0, under = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Incidence incidence = test::random_pattern(random);
    const DulmageMendelsohn parts = dulmage_mendelsohn(incidence);
    const int size = test::matching_size_by_search(incidence);

    std::set<PatternRow> over_rows, under_rows;
    std::set<PatternColumn> over_columns, under_columns;
    for (const PatternRow row : incidence.row_indices())
      if (test::matching_size_by_search(incidence, row) == size) {
        over_rows.insert(row);
        over_columns.insert(incidence.row(row).begin(), incidence.row(row).end());
      }
    for (const PatternColumn column : incidence.column_indices())
      if (test::matching_size_by_search(incidence, {}, column) == size) {
        under_columns.insert(column);
        for (const PatternRow row : incidence.row_indices())
          if (test::contains(incidence, row, column)) under_rows.insert(row);
      }
    const auto list = [](const auto& set) { return std::vector(set.begin(), set.end()); };
    EXPECT_EQ(parts.over_rows, list(over_rows));
    EXPECT_EQ(parts.over_columns, list(over_columns));
    EXPECT_EQ(parts.under_rows, list(under_rows));
    EXPECT_EQ(parts.under_columns, list(under_columns));
    EXPECT_EQ(parts.structurally_regular(), size == incidence.rows() && size == incidence.columns());
    over += static_cast<int>(over_rows.size());
    under += static_cast<int>(under_columns.size());
  }
  EXPECT_GT(over, 100);  // the random patterns do have such parts
  EXPECT_GT(under, 100);
}

TEST(DulmageMendelsohn, every_row_and_column_is_in_exactly_one_part) {
  std::mt19937 random(4);
  for (int trial = 0; trial < 500; ++trial) {
    const Incidence incidence = test::random_pattern(random);
    const DulmageMendelsohn parts = dulmage_mendelsohn(incidence);
    Indexed<PatternRow, int> rows(incidence.rows(), 0);
    Indexed<PatternColumn, int> columns(incidence.columns(), 0);
    for (const PatternRow row : parts.over_rows) ++rows[row];
    for (const PatternRow row : parts.under_rows) ++rows[row];
    for (const PatternColumn column : parts.over_columns) ++columns[column];
    for (const PatternColumn column : parts.under_columns) ++columns[column];
    for (const Block& block : parts.blocks) {
      EXPECT_EQ(block.rows.size(), block.columns.size());
      for (const PatternRow row : block.rows) ++rows[row];
      for (const PatternColumn column : block.columns) ++columns[column];
    }
    EXPECT_EQ(rows.list(), std::vector<int>(incidence.rows(), 1));
    EXPECT_EQ(columns.list(), std::vector<int>(incidence.columns(), 1));
  }
}

TEST(DulmageMendelsohn, permuted_pattern_is_block_lower_triangular) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 500; ++trial) {
    const Incidence incidence = test::random_pattern(random);
    const DulmageMendelsohn parts = dulmage_mendelsohn(incidence);
    Indexed<PatternColumn, int> place(incidence.columns());  // 0 over, 1 … blocks, last: under
    for (const PatternColumn column : parts.over_columns) place[column] = 0;
    for (const PatternColumn column : parts.under_columns)
      place[column] = static_cast<int>(parts.blocks.size()) + 1;
    for (std::size_t b = 0; b < parts.blocks.size(); ++b)
      for (const PatternColumn column : parts.blocks[b].columns) place[column] = static_cast<int>(b) + 1;

    for (const PatternRow row : parts.over_rows)
      for (const PatternColumn column : incidence.row(row)) EXPECT_EQ(place[column], 0);
    for (std::size_t b = 0; b < parts.blocks.size(); ++b)
      for (const PatternRow row : parts.blocks[b].rows)
        for (const PatternColumn column : incidence.row(row))
          EXPECT_LE(place[column], static_cast<int>(b) + 1);
  }
}

// Two matched rows are in one block iff each reaches the other (transitive closure, by Warshall).
TEST(DulmageMendelsohn, blocks_are_the_strong_components) {
  std::mt19937 random(6);
  int larger_than_one = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Incidence incidence = test::random_pattern(random);
    const DulmageMendelsohn parts = dulmage_mendelsohn(incidence);
    std::vector<PatternRow> rows;
    for (const Block& block : parts.blocks) rows.insert(rows.end(), block.rows.begin(), block.rows.end());
    const std::size_t n = rows.size();
    std::vector<std::vector<char>> reaches(n, std::vector<char>(n, 0));
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        reaches[a][b] = test::contains(incidence, rows[a], parts.row_match[rows[b]]) ? 1 : 0;
    for (std::size_t via = 0; via < n; ++via)
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b)
          if (reaches[a][via] != 0 && reaches[via][b] != 0) reaches[a][b] = 1;

    std::vector<std::size_t> block_of(n);
    std::size_t next = 0;
    for (std::size_t b = 0; b < parts.blocks.size(); ++b) {
      for (std::size_t i = 0; i < parts.blocks[b].rows.size(); ++i) block_of[next++] = b;
      if (parts.blocks[b].rows.size() > 1) ++larger_than_one;
    }
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        EXPECT_EQ(block_of[a] == block_of[b], reaches[a][b] != 0 && reaches[b][a] != 0);
  }
  EXPECT_GT(larger_than_one, 50);
}

TEST(DulmageMendelsohn, order_of_rows_and_columns_does_not_matter) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 300; ++trial) {
    const Incidence incidence = test::random_pattern(random);
    const std::vector<int> row_to = test::random_permutation(incidence.rows(), random);
    const std::vector<int> column_to = test::random_permutation(incidence.columns(), random);
    DulmageMendelsohn parts = dulmage_mendelsohn(incidence);
    const DulmageMendelsohn moved = dulmage_mendelsohn(test::permuted(incidence, row_to, column_to));
    EXPECT_EQ(moved.over_rows, test::mapped(parts.over_rows, row_to));
    EXPECT_EQ(moved.over_columns, test::mapped(parts.over_columns, column_to));
    EXPECT_EQ(moved.under_rows, test::mapped(parts.under_rows, row_to));
    EXPECT_EQ(moved.under_columns, test::mapped(parts.under_columns, column_to));
    for (Block& block : parts.blocks)
      block = {test::mapped(block.rows, row_to), test::mapped(block.columns, column_to)};
    EXPECT_EQ(block_set(moved.blocks), block_set(parts.blocks));
  }
}

TEST(DulmageMendelsohn, ties_are_broken_by_declared_order) {
  // Columns 0 and 2 are independent, 1 needs both, 3 needs 2 only.
  const DulmageMendelsohn parts = dulmage_mendelsohn(test::pattern(4, {{2, 3}, {0, 1, 2}, {2}, {0}}));
  const auto block = [](int row, int column) { return Block{{PatternRow(row)}, {PatternColumn(column)}}; };
  const std::vector<Block> expected = {block(3, 0), block(2, 2), block(1, 1), block(0, 3)};
  EXPECT_EQ(parts.blocks, expected);
}

// Row i contains columns i − 1 and i; closing the ring makes one block of all. Both without deep recursion.
TEST(DulmageMendelsohn, manages_long_chains_and_rings) {
  const int n = 100'000;
  for (const bool ring : {false, true}) {
    Incidence incidence(n);
    for (int i = 0; i < n; ++i) {
      std::vector<PatternColumn> columns = {PatternColumn(i)};
      if (i > 0 || ring) columns.emplace_back((i + n - 1) % n);
      incidence.add_row(columns);
    }
    const DulmageMendelsohn parts = dulmage_mendelsohn(incidence);
    EXPECT_TRUE(parts.structurally_regular());
    ASSERT_EQ(parts.blocks.size(), ring ? 1U : 100'000U);
    for (int i = 0; i < n && !ring; ++i)
      ASSERT_EQ(parts.blocks[i], (Block{{PatternRow(i)}, {PatternColumn(i)}}));
  }
}

}  // namespace dulmage_mendelsohn_test
}  // namespace mti
