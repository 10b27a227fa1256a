#include "solvers/plan/left_null_vectors.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/linear_algebra/binary_scales.hpp"

namespace mti {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t largest_eliminated = 400;

/// One column for each monomial of each list place: (row, coefficient).
using Columns = std::vector<std::vector<std::pair<MatrixRow, double>>>;

Columns columns_of(const Indexed<MatrixRow, std::vector<JetPolynomial>>& rows) {
  std::map<std::pair<std::size_t, JetPolynomial::Monomial>, std::size_t> number;
  Columns columns;
  for (const MatrixRow i : rows.indices())
    for (std::size_t j = 0; j < rows[i].size(); ++j)
      for (const auto& [monomial, coefficient] : rows[i][j].terms()) {
        const auto [found, is_new] = number.try_emplace({j, monomial}, columns.size());
        if (is_new) columns.emplace_back();
        columns[found->second].emplace_back(i, coefficient.value);
      }
  return columns;
}

/// Rows that are left when those with a column of their own are taken away, again and again.
std::vector<MatrixRow> rows_without_own_columns(const Columns& columns, int rows) {
  Indexed<MatrixRow, std::vector<std::size_t>> columns_of_row(rows);
  std::vector<int> count(columns.size(), 0);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    count[k] = static_cast<int>(columns[k].size());
    for (const auto& [row, value] : columns[k]) columns_of_row[row].push_back(k);
  }
  Indexed<MatrixRow, char> gone(rows, 0);
  std::vector<MatrixRow> open;
  const auto remove_owner = [&](std::size_t k) {
    if (count[k] != 1) return;
    for (const auto& [row, value] : columns[k])
      if (std::exchange(gone[row], char{1}) == 0) open.push_back(row);
  };
  for (std::size_t k = 0; k < columns.size(); ++k) remove_owner(k);
  while (!open.empty()) {
    const MatrixRow row = open.back();
    open.pop_back();
    for (const std::size_t k : columns_of_row[row]) {
      --count[k];
      remove_owner(k);
    }
  }
  std::vector<MatrixRow> left;
  for (const MatrixRow row : gone.indices())
    if (gone[row] == 0) left.push_back(row);
  return left;
}

/// The rows `left` as a matrix in units of its own; the exponents of 2 that its rows have been scaled by.
std::pair<MatrixXd, std::vector<int>> scaled_matrix(const Columns& columns,
                                                    const std::vector<MatrixRow>& left) {
  std::map<MatrixRow, int> place;
  for (const MatrixRow row : left) place.emplace(row, static_cast<int>(place.size()));
  std::vector<SparseEntry> entries;
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (const auto& [row, value] : columns[k])
      if (const auto found = place.find(row); found != place.end() && value != 0.0)
        entries.push_back({found->second, static_cast<int>(k), value});
  BinaryScales scales =
      binary_scales(static_cast<int>(left.size()), static_cast<int>(columns.size()), entries);
  MatrixXd A = MatrixXd::Zero(static_cast<Index>(left.size()), static_cast<Index>(columns.size()));
  for (const SparseEntry& entry : entries)
    A(entry.row, entry.column) =
        std::scalbn(entry.value, scales.rows[at(entry.row)] + scales.columns[at(entry.column)]);
  return {std::move(A), std::move(scales.rows)};
}

/// Reduced echelon form of the vectors (rows of U): pivots by level, the largest first. Their columns.
std::vector<Index> reduce(MatrixXd& U, const std::vector<int>& levels) {
  std::vector<Index> pivots;
  std::vector<int> distinct = levels;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  constexpr double almost = 0.999;
  Index done = 0;
  for (const int level : distinct)
    while (done < U.rows()) {
      check_budget();
      Index row = -1, column = -1;
      double largest = 0.0;
      for (Index i = done; i < U.rows(); ++i) {
        const double size = U.row(i).cwiseAbs().maxCoeff();
        for (Index j = 0; j < U.cols(); ++j)
          // Of equals the last: what is declared first stays as it is.
          if (levels[at(j)] == level && U(i, j) != 0.0 && std::abs(U(i, j)) >= almost * largest * size) {
            largest = std::abs(U(i, j)) / size;
            row = i;
            column = j;
          }
      }
      constexpr double smallest_pivot = 1e-9;
      if (largest <= smallest_pivot) break;
      U.row(row).swap(U.row(done));
      U.row(done) /= U(done, column);
      for (Index i = 0; i < U.rows(); ++i)
        if (i != done) U.row(i) -= U(i, column) * U.row(done);
      pivots.push_back(column);
      ++done;
    }
  return pivots;
}

/// Whole numbers are what most of them are, as in sums of balances; then nothing is rounded. Units in powers of
/// 2 leave it at that.
double snapped(double u) {
  constexpr double rounding = 1e-14;
  const double near = with_few_digits(u);
  return std::abs(u - near) <= rounding * std::abs(u) ? near : u;
}

}  // namespace

double with_few_digits(double u) {
  constexpr int digits = 20;
  if (u == 0.0 || !std::isfinite(u)) return u;
  const int unit = std::ilogb(u) - digits + 1;
  return std::scalbn(std::round(std::scalbn(u, -unit)), unit);
}

std::vector<LeftNullVector> left_null_vectors(const Indexed<MatrixRow, std::vector<JetPolynomial>>& rows,
                                              const Indexed<MatrixRow, int>& levels) {
  const Columns columns = columns_of(rows);
  const std::vector<MatrixRow> left = rows_without_own_columns(columns, rows.size());
  if (left.empty() || left.size() > largest_eliminated) return {};
  const bool finite = std::ranges::all_of(columns, [](const auto& column) {
    return std::ranges::all_of(column, [](const auto& entry) { return std::isfinite(entry.second); });
  });
  if (!finite) return {};
  const auto [A, exponents] = scaled_matrix(columns, left);
  MatrixXd U;
  if (A.cols() == 0 || A.isZero(0.0)) {
    U = MatrixXd::Identity(A.rows(), A.rows());
  } else {
    Eigen::FullPivLU<MatrixXd> lu;
    lu.setThreshold(rank_tolerance);
    if (lu.compute(A.transpose()).rank() == A.rows()) return {};
    U = lu.kernel().transpose();
  }
  const std::vector<Index> pivots = reduce(U, levels.select(left));
  std::vector<LeftNullVector> result;
  for (std::size_t k = 0; k < pivots.size(); ++k) {
    const auto row = static_cast<Index>(k);
    LeftNullVector& vector = result.emplace_back();
    vector.pivot = left[at(pivots[k])];
    for (Index i = 0; i < U.cols(); ++i) {
      constexpr double rounding = 1e-12;
      if (i == pivots[k] || std::abs(U(row, i)) <= rounding * U.row(row).cwiseAbs().maxCoeff()) continue;
      const int units = exponents[at(i)] - exponents[at(pivots[k])];
      vector.others.emplace_back(left[at(i)], std::scalbn(snapped(U(row, i)), units));
    }
  }
  return result;
}

}  // namespace mti
