// Powers of 2 that bring matrices into units of their own.

#include "solvers/linear_algebra/binary_scales.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "mti/common/at.hpp"

namespace mti {
namespace binary_scales_test {

using Entries = std::vector<SparseEntry>;

Entries random_entries(int rows, int columns, int percent, std::mt19937& random) {
  std::uniform_real_distribution<double> size(0.5, 2.0);
  Entries entries;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      if (static_cast<int>(random() % 100U) < percent)
        entries.push_back({i, j, random() % 2U == 0 ? size(random) : -size(random)});
  return entries;
}

/// Rows and columns multiplied by powers of 2 from 2^−most to 2^most.
Entries in_other_units(Entries entries, int rows, int columns, int most, std::mt19937& random) {
  std::uniform_int_distribution<int> exponent(-most, most);
  std::vector<int> of_row(at(rows)), of_column(at(columns));
  std::generate(of_row.begin(), of_row.end(), [&] { return exponent(random); });
  std::generate(of_column.begin(), of_column.end(), [&] { return exponent(random); });
  for (SparseEntry& entry : entries)
    entry.value = std::scalbn(entry.value, of_row[at(entry.row)] + of_column[at(entry.column)]);
  return entries;
}

std::vector<double> scaled(const Entries& entries, int rows, int columns) {
  const BinaryScales scales = binary_scales(rows, columns, entries);
  std::vector<double> values;
  for (const SparseEntry& entry : entries)
    values.push_back(std::scalbn(entry.value, scales.rows[at(entry.row)] + scales.columns[at(entry.column)]));
  return values;
}

/// To the last bit. Danger: a rank that depends on the units of rows or of signals.
TEST(BinaryScales, AreTheSameMatrixInAllUnits) {
  std::mt19937 random(7);
  for (int draw = 0; draw < 300; ++draw) {
    const int rows = 1 + static_cast<int>(random() % 12U), columns = 1 + static_cast<int>(random() % 12U);
    const Entries entries = random_entries(rows, columns, 10 + 15 * (draw % 7), random);
    const std::vector<double> values = scaled(entries, rows, columns);
    EXPECT_EQ(values, scaled(in_other_units(entries, rows, columns, 200, random), rows, columns))
        << "draw " << draw;
    // Entries of 1/2 to 2 are left within a few powers of 2 of that.
    for (const double value : values) {
      EXPECT_LT(std::abs(value), 8.0);
      EXPECT_GT(std::abs(value), 1.0 / 64.0);
    }
  }
}

TEST(BinaryScales, BringColumnsToALargestEntryOfOneToTwo) {
  std::mt19937 random(8);
  constexpr int rows = 9, columns = 14;
  const Entries entries =
      in_other_units(random_entries(rows, columns, 50, random), rows, columns, 60, random);
  const std::vector<double> values = scaled(entries, rows, columns);
  std::vector<double> largest(columns, 0.0);
  for (std::size_t k = 0; k < entries.size(); ++k)
    largest[at(entries[k].column)] = std::max(largest[at(entries[k].column)], std::abs(values[k]));
  for (const double size : largest) {
    EXPECT_GE(size, 1.0);
    EXPECT_LT(size, 2.0);
  }
}

/// A chain whose units grow from link to link, to 2^3000 in all: exponents are integers, nothing overflows.
TEST(BinaryScales, FollowLongChains) {
  constexpr int links = 300;
  Entries entries;
  for (int i = 0; i < links; ++i) {
    entries.push_back({i, i, 1.0});
    if (i + 1 < links) entries.push_back({i, i + 1, 0x1p-10});
  }
  for (const double value : scaled(entries, links, links)) EXPECT_EQ(value, 1.0);
}

TEST(BinaryScales, TakeEmptyRowsAndColumns) {
  const BinaryScales scales = binary_scales(3, 2, {{1, 1, 4.0}});
  EXPECT_EQ(scales.rows.size(), 3U);
  EXPECT_EQ(scales.columns.size(), 2U);
  EXPECT_EQ(std::scalbn(4.0, scales.rows[1] + scales.columns[1]), 1.0);
  EXPECT_TRUE(binary_scales(0, 0, {}).rows.empty());
}

}  // namespace binary_scales_test
}  // namespace mti
