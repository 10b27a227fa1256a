#include "solvers/structure/dulmage_mendelsohn.hpp"

#include <tuple>
#include <utility>

namespace mti {
namespace {

template <class Index>
std::vector<Index> marked(const Indexed<Index, char>& marks) {
  std::vector<Index> found;
  for (const Index index : marks.indices())
    if (marks[index] != 0) found.push_back(index);
  return found;
}

/// What alternating paths from free rows reach; of the transposed pattern, from free columns.
template <class Row, class Column>
std::pair<std::vector<Row>, std::vector<Column>> reached_from_free(const Pattern<Row, Column>& pattern,
                                                                   const Indexed<Row, Column>& row_match,
                                                                   const Indexed<Column, Row>& column_match) {
  Indexed<Row, char> rows(pattern.rows(), 0);
  Indexed<Column, char> columns(pattern.columns(), 0);
  std::vector<Row> open;
  const auto enter = [&](Row row) {
    if (std::exchange(rows[row], char{1}) == 0) open.push_back(row);
  };
  for (const Row row : pattern.row_indices())
    if (!row_match[row].exists()) enter(row);
  while (!open.empty()) {
    const Row row = open.back();
    open.pop_back();
    for (const Column column : pattern.row(row)) {
      columns[column] = 1;
      // The matching is maximum, so the column has a partner: otherwise the path could be augmented.
      enter(column_match[column]);
    }
  }
  return {marked(rows), marked(columns)};
}

}  // namespace

OverDeterminedPart over_determined_part(const Incidence& incidence, const Matching& matching) {
  auto [rows, columns] = reached_from_free(incidence, matching.row_match, matching.column_match);
  return {std::move(rows), std::move(columns)};
}

DulmageMendelsohn dulmage_mendelsohn(const Incidence& incidence) {
  Matching matching = maximum_matching(incidence);
  DulmageMendelsohn result;
  std::tie(result.over_rows, result.over_columns) =
      reached_from_free(incidence, matching.row_match, matching.column_match);
  std::tie(result.under_columns, result.under_rows) =
      reached_from_free(incidence.transposed(), matching.column_match, matching.row_match);
  RowMatch well_determined = matching.row_match;
  for (const auto* rows : {&result.over_rows, &result.under_rows})
    for (const PatternRow row : *rows) well_determined[row] = PatternColumn();
  result.blocks = block_triangular_form(incidence, well_determined);
  result.row_match = std::move(matching.row_match);
  result.column_match = std::move(matching.column_match);
  return result;
}

}  // namespace mti
