#include "solvers/dulmage_mendelsohn.hpp"

#include <utility>

#include "solvers/matching.hpp"

namespace mti {
namespace {

/// Everything on alternating paths that begin in a free row: row, one of its columns, that column's partner …
struct Reached {
  std::vector<char> rows, columns;
};

Reached reach_from_free_rows(const Incidence& incidence, const std::vector<int>& row_match,
                             const std::vector<int>& column_match) {
  Reached reached{std::vector<char>(incidence.rows(), 0), std::vector<char>(incidence.columns(), 0)};
  std::vector<int> open;
  const auto enter = [&](int row) {
    if (std::exchange(reached.rows[row], char{1}) == 0) open.push_back(row);
  };
  for (int row = 0; row < incidence.rows(); ++row)
    if (row_match[row] < 0) enter(row);
  while (!open.empty()) {
    const int row = open.back();
    open.pop_back();
    for (const int column : incidence.row(row)) {
      reached.columns[column] = 1;
      // With a maximum matching the column has a partner: otherwise the path could be augmented.
      enter(column_match[column]);
    }
  }
  return reached;
}

std::vector<int> marked(const std::vector<char>& marks) {
  std::vector<int> indices;
  for (std::size_t i = 0; i < marks.size(); ++i)
    if (marks[i] != 0) indices.push_back(static_cast<int>(i));
  return indices;
}

}  // namespace

DulmageMendelsohn dulmage_mendelsohn(const Incidence& incidence) {
  Matching matching = maximum_matching(incidence);
  const Reached over = reach_from_free_rows(incidence, matching.row_match, matching.column_match);
  // The under-determined part is the over-determined part of the transposed pattern.
  const Reached under =
      reach_from_free_rows(incidence.transposed(), matching.column_match, matching.row_match);

  DulmageMendelsohn result;
  result.over_rows = marked(over.rows);
  result.over_columns = marked(over.columns);
  result.under_rows = marked(under.columns);
  result.under_columns = marked(under.rows);

  std::vector<int> well_determined = matching.row_match;
  for (const auto* rows : {&result.over_rows, &result.under_rows})
    for (const int row : *rows) well_determined[row] = -1;
  result.blocks = block_triangular_form(incidence, well_determined);
  result.row_match = std::move(matching.row_match);
  result.column_match = std::move(matching.column_match);
  return result;
}

}  // namespace mti
