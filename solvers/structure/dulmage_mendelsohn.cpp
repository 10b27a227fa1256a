#include "solvers/structure/dulmage_mendelsohn.hpp"

#include <utility>

namespace mti {
namespace {

std::vector<int> marked(const std::vector<char>& marks) {
  std::vector<int> indices;
  for (std::size_t i = 0; i < marks.size(); ++i)
    if (marks[i] != 0) indices.push_back(static_cast<int>(i));
  return indices;
}

}  // namespace

OverDeterminedPart over_determined_part(const Incidence& incidence, const Matching& matching) {
  std::vector<char> rows(incidence.rows(), 0), columns(incidence.columns(), 0);
  std::vector<int> open;
  const auto enter = [&](int row) {
    if (std::exchange(rows[row], char{1}) == 0) open.push_back(row);
  };
  for (int row = 0; row < incidence.rows(); ++row)
    if (matching.row_match[row] < 0) enter(row);
  while (!open.empty()) {
    const int row = open.back();
    open.pop_back();
    for (const int column : incidence.row(row)) {
      columns[column] = 1;
      // The matching is maximum, so the column has a partner: otherwise the path could be augmented.
      enter(matching.column_match[column]);
    }
  }
  return {marked(rows), marked(columns)};
}

DulmageMendelsohn dulmage_mendelsohn(const Incidence& incidence) {
  Matching matching = maximum_matching(incidence);
  OverDeterminedPart over = over_determined_part(incidence, matching);
  // The under-determined part is the over-determined part of the transposed pattern.
  OverDeterminedPart under =
      over_determined_part(incidence.transposed(), {matching.column_match, matching.row_match});

  DulmageMendelsohn result;
  std::vector<int> well_determined = matching.row_match;
  for (const auto* rows : {&over.rows, &under.columns})
    for (const int row : *rows) well_determined[row] = -1;
  result.blocks = block_triangular_form(incidence, well_determined);
  result.over_rows = std::move(over.rows);
  result.over_columns = std::move(over.columns);
  result.under_rows = std::move(under.columns);
  result.under_columns = std::move(under.rows);
  result.row_match = std::move(matching.row_match);
  result.column_match = std::move(matching.column_match);
  return result;
}

}  // namespace mti
