#pragma once

#include <span>
#include <utility>
#include <vector>

namespace mti {

/// A sparse matrix row by row: (column, value), columns distinct.
using SparseRows = std::vector<std::vector<std::pair<int, double>>>;

/// Columns of a matrix that are independent on all of its rows, one for each row, and the pivots' sizes;
/// fewer if the rank is lower.
struct Pivots {
  std::vector<int> columns;
  std::vector<double> sizes;
};

/// Gaussian elimination of `rows` of A with free choice of columns out of `allowed`; entry j of `weight`
/// makes column allowed[j] count so many times its size. Small matrices with complete pivoting; of large ones
/// the row with fewest entries comes next, and of it the largest entry, which keeps sparse ones sparse.
[[nodiscard]] Pivots choose_columns(const SparseRows& A, std::span<const int> rows,
                                    std::span<const int> allowed, std::span<const double> weight);

/// max |B⁻¹ C| with B the `chosen` columns of `rows` and C the columns `others`: how much errors of what
/// others stand for come out amplified in the chosen. Infinite if B is singular.
[[nodiscard]] double amplification(const SparseRows& A, std::span<const int> rows,
                                   std::span<const int> chosen, std::span<const int> others);

}  // namespace mti
