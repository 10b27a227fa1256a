#pragma once

#include <vector>

#include "solvers/structure/matching.hpp"

namespace mti {

/// Rows and columns that are solved together; as many columns as rows, each list ascending.
struct Block {
  std::vector<PatternRow> rows;
  std::vector<PatternColumn> columns;

  friend bool operator==(const Block&, const Block&) = default;
};

/// Block lower triangular form of the matched rows and their columns.
///
/// The blocks are the strongly connected components of "row i contains the column of row j". In the order
/// returned every row contains columns of its own and of earlier blocks only; among blocks that could come
/// next, the one with the lowest column does. `row_match` is the column of each row: rows without one and
/// columns of no row are left out. Time: O(entries + blocks · log blocks).
[[nodiscard]] std::vector<Block> block_triangular_form(const Incidence& incidence, const RowMatch& row_match);

}  // namespace mti
