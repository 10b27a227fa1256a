#pragma once

#include "solvers/structure/incidence.hpp"

namespace mti {

/// The column of each row and the row of each column; there is none where it is free.
using RowMatch = Indexed<PatternRow, PatternColumn>;
using ColumnMatch = Indexed<PatternColumn, PatternRow>;

/// A matching of rows and columns: each has at most one partner, and a row contains the column it is paired with.
struct Matching {
  RowMatch row_match;
  ColumnMatch column_match;

  /// No pairs yet.
  Matching(int rows, int columns) : row_match(rows), column_match(columns) {}

  [[nodiscard]] int size() const;
  void pair(PatternRow row, PatternColumn column) {
    row_match[row] = column;
    column_match[column] = row;
  }
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
