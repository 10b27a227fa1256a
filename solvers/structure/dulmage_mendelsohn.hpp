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
  std::vector<PatternRow> over_rows, under_rows;
  std::vector<PatternColumn> over_columns, under_columns;
  RowMatch row_match;  ///< a maximum matching
  ColumnMatch column_match;

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
  std::vector<PatternRow> rows;
  std::vector<PatternColumn> columns;
};
[[nodiscard]] OverDeterminedPart over_determined_part(const Incidence& incidence, const Matching& matching);

}  // namespace mti
