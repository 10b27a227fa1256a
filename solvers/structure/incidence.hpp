#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

#include "mti/common/index.hpp"
#include "mti/multilinear/cp_map.hpp"

namespace mti {

/// A row and a column of a pattern: places in the lists of equations and unknowns that it was made from.
using PatternRow = IndexOf<struct PatternRowTag>;
using PatternColumn = IndexOf<struct PatternColumnTag>;

/// The pattern of a sparse matrix: which row contains which column.
///
/// Compressed by rows; the columns of a row are ascending and distinct. As a graph it is bipartite, rows on
/// one side, columns on the other.
template <class Row, class Column>
class Pattern {
 public:
  /// No rows yet, `columns` columns.
  explicit Pattern(int columns = 0) : columns_(columns) {}

  /// Appends a row that contains `columns`, in any order, repeated ones once.
  void add_row(std::span<const Column> columns);

  [[nodiscard]] int rows() const noexcept { return static_cast<int>(begin_.size()) - 1; }
  [[nodiscard]] int columns() const noexcept { return columns_; }
  [[nodiscard]] IndexSequence<Row> row_indices() const noexcept { return indices<Row>(rows()); }
  [[nodiscard]] IndexSequence<Column> column_indices() const noexcept { return indices<Column>(columns_); }
  [[nodiscard]] std::size_t entries() const noexcept { return entries_.size(); }
  /// The columns that `row` contains, ascending.
  [[nodiscard]] std::span<const Column> row(Row row) const {
    return {entries_.data() + begin_[at(row.value())], entries_.data() + begin_[at(row.value() + 1)]};
  }
  [[nodiscard]] Pattern<Column, Row> transposed() const;

  friend bool operator==(const Pattern&, const Pattern&) = default;

 private:
  template <class, class>
  friend class Pattern;  // transposed() fills one with rows and columns exchanged

  int columns_ = 0;
  std::vector<std::size_t> begin_ = {0};
  std::vector<Column> entries_;
};
using Incidence = Pattern<PatternRow, PatternColumn>;

/// The columns of a pattern for groups of rows of S (mti/model/jacobian.hpp), one group after the other.
[[nodiscard]] Indexed<PatternColumn, SignalRow> pattern_columns(
    std::initializer_list<std::vector<int>> groups);

/// Incidence of functions in CP form against chosen signals:
///
///     row j contains unknown i  ⇔  Φ_jk ≠ 0 and S_ik ≠ 0 for some column k
///
/// Row r of the result is row `rows[r]` of Φ, its column c is row `unknowns[c]` of S (each at most once).
/// Time: the number of triples (j, k, i) that are looked at. Terms that cancel each other are not noticed.
[[nodiscard]] Incidence incidence(const SparseColumns& S, const SparseColumns& Phi, std::span<const int> rows,
                                  IndexedSpan<PatternColumn, SignalRow> unknowns);

template <class Row, class Column>
void Pattern<Row, Column>::add_row(std::span<const Column> columns) {
  const auto first = static_cast<std::ptrdiff_t>(entries_.size());
  entries_.insert(entries_.end(), columns.begin(), columns.end());
  std::sort(entries_.begin() + first, entries_.end());
  entries_.erase(std::unique(entries_.begin() + first, entries_.end()), entries_.end());
  begin_.push_back(entries_.size());
}

template <class Row, class Column>
Pattern<Column, Row> Pattern<Row, Column>::transposed() const {
  Indexed<Column, std::size_t> next(columns_, 0);  // where the next entry of each column is put
  for (const Column column : entries_) ++next[column];
  Pattern<Column, Row> result(rows());
  for (std::size_t& entry : next) {
    result.begin_.push_back(result.begin_.back() + entry);
    entry = *(result.begin_.end() - 2);
  }
  result.entries_.resize(entries_.size());
  for (const Row i : row_indices())
    for (const Column column : row(i)) result.entries_[next[column]++] = i;
  return result;
}

}  // namespace mti
