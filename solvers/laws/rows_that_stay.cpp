#include "solvers/laws/rows_that_stay.hpp"

#include <cstddef>

#include "solvers/structure/dulmage_mendelsohn.hpp"
#include "solvers/structure/matching.hpp"

namespace mti {

std::optional<RowsThatStay> rows_that_stay(const Incidence& in_force,
                                           std::span<const PatternColumn> may_be_held,
                                           const Incidence& might_go) {
  const Matching alone = maximum_matching(in_force);
  if (alone.size() < in_force.rows() || alone.size() == in_force.columns()) return std::nullopt;
  RowsThatStay result;
  Indexed<PatternColumn, char> is_in_force(in_force.columns(), 0);
  for (const PatternRow row : in_force.row_indices())
    for (const PatternColumn column : in_force.row(row)) is_in_force[column] = 1;
  for (const PatternColumn column : may_be_held)
    if (is_in_force[column] == 0) result.held.push_back(column);

  Incidence all = in_force;
  for (const PatternColumn column : result.held) all.add_row({&column, 1});
  const int before = all.rows();
  for (const PatternRow row : might_go.row_indices()) all.add_row(might_go.row(row));
  // What is matched first stays matched: rows that might go take what is left.
  Matching matching(all.rows(), all.columns());
  for (const PatternRow row : in_force.row_indices()) matching.pair(row, alone.row_match[row]);
  for (std::size_t j = 0; j < result.held.size(); ++j)
    matching.pair(PatternRow(in_force.rows() + static_cast<int>(j)), result.held[j]);
  grow_to_maximum(all, matching);
  if (matching.size() < all.columns()) return std::nullopt;
  // Where a row that goes could stay in the place of one that stays, the laws leave open which, and what follows from it.
  for (const PatternRow row : dulmage_mendelsohn(all).over_rows)
    if (row.value() >= before && matching.row_match[row].exists()) return std::nullopt;
  for (int row = 0; row < might_go.rows(); ++row)
    result.stays.push_back(matching.row_match[PatternRow(before + row)].exists() ? 1 : 0);
  return result;
}

}  // namespace mti
