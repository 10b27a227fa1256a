#include "solvers/structure/incidence.hpp"

#include <algorithm>

namespace mti {

void Incidence::add_row(std::span<const int> columns) {
  const auto first = static_cast<std::ptrdiff_t>(entries_.size());
  entries_.insert(entries_.end(), columns.begin(), columns.end());
  std::sort(entries_.begin() + first, entries_.end());
  entries_.erase(std::unique(entries_.begin() + first, entries_.end()), entries_.end());
  begin_.push_back(entries_.size());
}

Incidence Incidence::transposed() const {
  Incidence result(rows());
  result.begin_.assign(columns_ + 1, 0);
  for (const int column : entries_) ++result.begin_[column + 1];
  for (int column = 0; column < columns_; ++column) result.begin_[column + 1] += result.begin_[column];

  result.entries_.resize(entries_.size());
  std::vector<std::size_t> next(result.begin_.begin(), result.begin_.end() - 1);
  for (int i = 0; i < rows(); ++i)
    for (const int column : row(i)) result.entries_[next[column]++] = i;
  return result;
}

Incidence incidence(const SparseColumns& S, const SparseColumns& Phi, std::span<const int> rows,
                    std::span<const int> unknowns) {
  std::vector<int> column_of(S.rows(), -1);
  for (std::size_t c = 0; c < unknowns.size(); ++c) column_of[unknowns[c]] = static_cast<int>(c);

  const Eigen::SparseMatrix<double, Eigen::RowMajor, int> Phi_by_rows = Phi;
  Incidence result(static_cast<int>(unknowns.size()));
  std::vector<int> last_row(unknowns.size(), -1);  // the last row in which a column was met
  std::vector<int> contained;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    contained.clear();
    for (decltype(Phi_by_rows)::InnerIterator term(Phi_by_rows, rows[r]); term; ++term) {
      if (term.value() == 0.0) continue;
      for (SparseColumns::InnerIterator factor(S, term.col()); factor; ++factor) {
        const int column = column_of[factor.row()];
        if (factor.value() == 0.0 || column < 0 || last_row[column] == static_cast<int>(r)) continue;
        last_row[column] = static_cast<int>(r);
        contained.push_back(column);
      }
    }
    result.add_row(contained);
  }
  return result;
}

}  // namespace mti
