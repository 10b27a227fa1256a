#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "solvers/structure/incidence.hpp"

/// Small patterns and slow, obvious ways to look at them, for the tests of the structural analysis.
namespace mti::test {

inline Incidence pattern(int columns, const std::vector<std::vector<int>>& rows) {
  Incidence result(columns);
  for (const auto& row : rows) result.add_row(positions<PatternColumn>(row));
  return result;
}

inline bool contains(const Incidence& incidence, PatternRow row, PatternColumn column) {
  const auto columns = incidence.row(row);
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

/// Up to 7 × 7, of any density; every other one is square and has a perfect matching.
inline Incidence random_pattern(std::mt19937& random) {
  std::uniform_int_distribution<int> size(0, 7);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  const bool perfect = unit(random) < 0.5;
  const int rows = size(random), columns = perfect ? rows : size(random);
  const double density = perfect ? 0.4 * unit(random) : unit(random);
  std::vector<int> partner(columns);
  std::iota(partner.begin(), partner.end(), 0);
  std::shuffle(partner.begin(), partner.end(), random);
  Incidence result(columns);
  for (int row = 0; row < rows; ++row) {
    std::vector<PatternColumn> contained;
    for (const PatternColumn column : result.column_indices())
      if (unit(random) < density) contained.push_back(column);
    if (perfect) contained.emplace_back(partner[row]);
    result.add_row(contained);
  }
  return result;
}

/// A permutation of 0 … n − 1.
inline std::vector<int> random_permutation(int n, std::mt19937& random) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

/// Row r and column c of `incidence` become row row_to[r] and column column_to[c].
inline Incidence permuted(const Incidence& incidence, const std::vector<int>& row_to,
                          const std::vector<int>& column_to) {
  std::vector<std::vector<int>> rows(incidence.rows());
  for (const PatternRow row : incidence.row_indices())
    for (const PatternColumn column : incidence.row(row))
      rows[row_to[row.value()]].push_back(column_to[column.value()]);
  return pattern(incidence.columns(), rows);
}

template <class Index>
std::vector<Index> mapped(std::vector<Index> list, const std::vector<int>& to) {
  for (Index& index : list) index = Index(to[index.value()]);
  std::sort(list.begin(), list.end());
  return list;
}

/// Largest number of pairs without the given row and column, by trying all subsets of columns.
inline int matching_size_by_search(const Incidence& incidence, PatternRow without_row = {},
                                   PatternColumn without_column = {}) {
  std::vector<int> best(std::size_t{1} << incidence.columns(), -1);  // by set of columns used
  best[0] = 0;
  for (const PatternRow row : incidence.row_indices()) {
    if (row == without_row) continue;
    for (std::size_t used = best.size(); used-- > 0;) {  // sets only grow: each row is used once
      if (best[used] < 0) continue;
      for (const PatternColumn column : incidence.row(row)) {
        const std::size_t with = used | (std::size_t{1} << column.value());
        if (column != without_column && with != used) best[with] = std::max(best[with], best[used] + 1);
      }
    }
  }
  return *std::max_element(best.begin(), best.end());
}

}  // namespace mti::test
