#pragma once

#include <vector>

#include "solvers/structure/block_triangular.hpp"
#include "solvers/structure/incidence.hpp"
#include "solvers/structure/matching.hpp"

namespace mti {

/// Dulmage–Mendelsohn decomposition: equations (rows) against unknowns (columns), in three parts
///
///     over-determined    more rows than columns; its rows contain no column of the other parts
///     well-determined    `blocks`, square; columns of their own, of earlier blocks, of the over-determined part
///     under-determined   fewer rows than columns; its rows may contain any column
///
/// The parts and the blocks do not depend on the matching nor on the order of rows and columns; the order of
/// the blocks is a solving order, ties broken by the lowest column. All lists are ascending.
/// Source: Dulmage, Mendelsohn: Coverings of bipartite graphs, Canad. J. Math. 10 (1958) 517-534.
struct DulmageMendelsohn {
  std::vector<Block> blocks;
  std::vector<int> over_rows, over_columns;
  std::vector<int> under_rows, under_columns;
  std::vector<int> row_match;     ///< a maximum matching: the column of each row, −1: free
  std::vector<int> column_match;  ///< the row of each column, −1: free

  /// As many equations as unknowns and all can be matched.
  [[nodiscard]] bool structurally_regular() const {
    return over_rows.empty() && over_columns.empty() && under_rows.empty() && under_columns.empty();
  }
};

/// Near-linear in the entries (solvers/structure/matching.hpp).
[[nodiscard]] DulmageMendelsohn dulmage_mendelsohn(const Incidence& incidence);

/// The over-determined part alone, where a maximum matching is known: everything that an alternating path
/// from a free row reaches. Lists ascending; empty if every row is matched.
struct OverDeterminedPart {
  std::vector<int> rows, columns;
};
[[nodiscard]] OverDeterminedPart over_determined_part(const Incidence& incidence, const Matching& matching);

}  // namespace mti
