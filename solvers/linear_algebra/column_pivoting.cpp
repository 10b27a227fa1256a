#include "solvers/linear_algebra/column_pivoting.hpp"

#include <Eigen/Dense>
#include <Eigen/SparseLU>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <tuple>
#include <unordered_map>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

constexpr std::size_t largest_dense = 40;
constexpr double entry_rounding = 1e-13;  ///< of entries of about 1

Pivots eliminate_dense(Eigen::MatrixXd B, std::span<const int> allowed, std::span<const double> weight) {
  Pivots result;
  std::vector<char> used_row(at(B.rows()), 0), used_column(allowed.size(), 0);
  for (Eigen::Index step = 0; step < B.rows(); ++step) {
    Eigen::Index row = -1, column = -1;
    double best = 0.0;
    for (Eigen::Index i = 0; i < B.rows(); ++i)
      for (Eigen::Index j = 0; j < B.cols(); ++j) {
        if (used_row[at(i)] != 0 || used_column[at(j)] != 0) continue;
        const double size = std::abs(B(i, j)) * weight[at(j)];
        if (std::abs(B(i, j)) <= entry_rounding || size <= best) continue;
        best = size;
        row = i;
        column = j;
      }
    if (row < 0) break;
    used_row[at(row)] = used_column[at(column)] = 1;
    result.columns.push_back(allowed[at(column)]);
    result.sizes.push_back(std::abs(B(row, column)));
    for (Eigen::Index i = 0; i < B.rows(); ++i)
      if (used_row[at(i)] == 0) B.row(i) -= B(i, column) / B(row, column) * B.row(row);
  }
  return result;
}

/// Columns are positions in `allowed`.
class SparseElimination {
 public:
  SparseElimination(std::vector<std::unordered_map<int, double>> rows, std::size_t columns)
      : rows_(std::move(rows)), rows_with_(columns), used_(rows_.size(), 0) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (const auto& [column, value] : rows_[i]) rows_with_[at(column)].push_back(static_cast<int>(i));
      queue_.emplace(rows_[i].size(), static_cast<int>(i));
    }
  }

  Pivots run(std::span<const int> allowed, std::span<const double> weight) {
    Pivots result;
    while (!queue_.empty()) {
      check_budget();
      const auto [count, row] = queue_.top();
      queue_.pop();
      if (used_[at(row)] != 0 || count != rows_[at(row)].size()) continue;  // an older entry of the row
      used_[at(row)] = 1;
      int pivot = -1;
      double best = 0.0;
      for (const auto& [column, value] : rows_[at(row)]) {
        const double size = std::abs(value) * weight[at(column)];
        if (size < best || (size == best && column > pivot)) continue;
        best = size;
        pivot = column;
      }
      if (best == 0.0) continue;
      result.columns.push_back(allowed[at(pivot)]);
      result.sizes.push_back(std::abs(rows_[at(row)].at(pivot)));
      for (const int other : rows_with_[at(pivot)])
        if (used_[at(other)] == 0) subtract(row, pivot, other);
    }
    return result;
  }

 private:
  void subtract(int row, int pivot, int other) {
    auto& target = rows_[at(other)];
    const auto found = target.find(pivot);
    if (found == target.end()) return;
    const double ratio = found->second / rows_[at(row)].at(pivot);
    for (const auto& [column, value] : rows_[at(row)]) {
      const double part = ratio * value;
      const auto [entry, is_new] = target.emplace(column, 0.0);
      entry->second -= part;
      if (is_new) rows_with_[at(column)].push_back(other);
      if (column == pivot || std::abs(entry->second) <= entry_rounding * std::abs(part)) target.erase(entry);
    }
    queue_.emplace(target.size(), other);
  }

  using Waiting = std::pair<std::size_t, int>;
  std::vector<std::unordered_map<int, double>> rows_;
  std::vector<std::vector<int>> rows_with_;  ///< that hold a column, or held it
  std::vector<char> used_;
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> queue_;
};

}  // namespace

Pivots choose_columns(const SparseRows& A, std::span<const int> rows, std::span<const int> allowed,
                      std::span<const double> weight) {
  std::unordered_map<int, int> position;
  for (std::size_t j = 0; j < allowed.size(); ++j) position.emplace(allowed[j], static_cast<int>(j));
  std::vector<std::unordered_map<int, double>> chosen(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const auto& [column, value] : A[at(rows[i])])
      if (const auto found = position.find(column); found != position.end() && value != 0.0)
        chosen[i].emplace(found->second, value);
  if (allowed.size() > largest_dense)
    return SparseElimination(std::move(chosen), allowed.size()).run(allowed, weight);
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.size()),
                                            static_cast<Eigen::Index>(allowed.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const auto& [column, value] : chosen[i]) B(static_cast<Eigen::Index>(i), column) = value;
  return eliminate_dense(std::move(B), allowed, weight);
}

double amplification(const SparseRows& A, std::span<const int> rows, std::span<const int> chosen,
                     std::span<const int> others) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (chosen.size() != rows.size()) return infinite;
  if (rows.empty() || others.empty()) return 0.0;
  std::unordered_map<int, int> own, other;
  for (std::size_t j = 0; j < chosen.size(); ++j) own.emplace(chosen[j], static_cast<int>(j));
  for (std::size_t j = 0; j < others.size(); ++j) other.emplace(others[j], static_cast<int>(j));
  std::vector<Eigen::Triplet<double>> left, right;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const auto& [column, value] : A[at(rows[i])]) {
      if (const auto found = own.find(column); found != own.end())
        left.emplace_back(static_cast<int>(i), found->second, value);
      else if (const auto free = other.find(column); free != other.end())
        right.emplace_back(static_cast<int>(i), free->second, value);
    }
  const auto size = static_cast<Eigen::Index>(rows.size());
  Eigen::SparseMatrix<double> B(size, size), C(size, static_cast<Eigen::Index>(others.size()));
  B.setFromTriplets(left.begin(), left.end());
  C.setFromTriplets(right.begin(), right.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(B);
  if (lu.info() != Eigen::Success) return infinite;
  double largest = 0.0;
  for (Eigen::Index j = 0; j < C.cols(); ++j) {
    check_budget();
    const Eigen::VectorXd column = lu.solve(Eigen::VectorXd(C.col(j)));
    if (!column.allFinite()) return infinite;
    largest = std::max(largest, column.cwiseAbs().maxCoeff());
  }
  return largest;
}

}  // namespace mti
