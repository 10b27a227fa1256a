#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "mti/multilinear/cp_map.hpp"

namespace mti {

/// The pattern of a sparse matrix: which row contains which column.
///
/// Compressed by rows; the columns of a row are ascending and distinct. As a graph it is bipartite, rows on
/// one side, columns on the other.
class Incidence {
 public:
  /// No rows yet, `columns` columns.
  explicit Incidence(int columns = 0) : columns_(columns) {}

  /// Appends a row that contains `columns`, in any order, repeated ones once.
  void add_row(std::span<const int> columns);

  [[nodiscard]] int rows() const noexcept { return static_cast<int>(begin_.size()) - 1; }
  [[nodiscard]] int columns() const noexcept { return columns_; }
  [[nodiscard]] std::size_t entries() const noexcept { return entries_.size(); }
  /// The columns that row `row` contains, ascending.
  [[nodiscard]] std::span<const int> row(int row) const {
    return {entries_.data() + begin_[row], entries_.data() + begin_[row + 1]};
  }
  [[nodiscard]] Incidence transposed() const;

  friend bool operator==(const Incidence&, const Incidence&) = default;

 private:
  int columns_ = 0;
  std::vector<std::size_t> begin_ = {0};
  std::vector<int> entries_;
};

/// Incidence of functions in CP form against chosen signals:
///
///     row j contains unknown i  ⇔  Φ_jk ≠ 0 and S_ik ≠ 0 for some column k
///
/// Row r of the result is row `rows[r]` of Φ, its column c is row `unknowns[c]` of S (each at most once).
/// Time: the number of triples (j, k, i) that are looked at. Terms that cancel each other are not noticed.
[[nodiscard]] Incidence incidence(const SparseColumns& S, const SparseColumns& Phi, std::span<const int> rows,
                                  std::span<const int> unknowns);

}  // namespace mti
