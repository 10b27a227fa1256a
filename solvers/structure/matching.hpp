#pragma once

#include <utility>
#include <vector>

#include "solvers/structure/incidence.hpp"

namespace mti {

/// A matching of rows and columns: each has at most one partner, and a row contains the column it is paired with.
struct Matching {
  std::vector<int> row_match;     ///< the column of each row, −1: free
  std::vector<int> column_match;  ///< the row of each column, −1: free

  /// No pairs yet.
  Matching(int rows, int columns) : row_match(rows, -1), column_match(columns, -1) {}
  Matching(std::vector<int> row_match_, std::vector<int> column_match_)
      : row_match(std::move(row_match_)), column_match(std::move(column_match_)) {}

  [[nodiscard]] int size() const;
};

/// A matching with the largest possible number of pairs.
///
/// Time: O(entries · √rows), in practice a few passes. Rows and columns are tried in ascending order, so
/// that equal patterns have equal matchings, and rows declared first are matched first where nothing else
/// decides.
[[nodiscard]] Matching maximum_matching(const Incidence& incidence);

/// Makes `matching` maximum by alternating paths: what is matched stays matched, its partner may change.
void grow_to_maximum(const Incidence& incidence, Matching& matching);

}  // namespace mti
