#include "solvers/structure/incidence.hpp"

namespace mti {

Indexed<PatternColumn, SignalRow> pattern_columns(std::initializer_list<std::vector<int>> groups) {
  Indexed<PatternColumn, SignalRow> columns;
  for (const std::vector<int>& rows : groups)
    for (const int row : rows) columns.append(SignalRow(row));
  return columns;
}

Incidence incidence(const SparseColumns& S, const SparseColumns& Phi, std::span<const int> rows,
                    IndexedSpan<PatternColumn, SignalRow> unknowns) {
  Indexed<SignalRow, PatternColumn> column_of(static_cast<int>(S.rows()));
  for (const PatternColumn column : unknowns.indices()) column_of[unknowns[column]] = column;

  const Eigen::SparseMatrix<double, Eigen::RowMajor, int> Phi_by_rows = Phi;
  Incidence result(unknowns.size());
  Indexed<PatternColumn, int> last_row(unknowns.size(), -1);  // the last row in which a column was found
  std::vector<PatternColumn> contained;
  for (const int row : rows) {
    contained.clear();
    for (decltype(Phi_by_rows)::InnerIterator term(Phi_by_rows, row); term; ++term) {
      if (term.value() == 0.0) continue;
      for (SparseColumns::InnerIterator factor(S, term.col()); factor; ++factor) {
        const PatternColumn column = column_of[SignalRow(factor.index())];
        if (factor.value() == 0.0 || !column.exists() || last_row[column] == row) continue;
        last_row[column] = row;
        contained.push_back(column);
      }
    }
    result.add_row(contained);
  }
  return result;
}

}  // namespace mti
