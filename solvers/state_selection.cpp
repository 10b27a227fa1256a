#include "solvers/state_selection.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace mti {
namespace {

/// A row is preferred to a better one of less than so many times its size if it is algebraic.
constexpr double preference_for_algebraic = 1e3;

/// ∂f_i/∂v_j of a block where order c_i of the equation meets order e_j of the unknown, in units of `scale`,
/// rows with a largest entry of 1.
Eigen::MatrixXd leading_matrix(const RowMap& f, const SolutionBlock& block, int states,
                               std::span<const double> v, std::span<const double> scale) {
  const auto size = static_cast<Eigen::Index>(block.unknowns.size());
  std::unordered_map<int, Eigen::Index> column;
  for (Eigen::Index j = 0; j < size; ++j) {
    const int unknown = block.unknowns[static_cast<std::size_t>(j)];
    column.emplace(unknown, j);
    if (unknown < states) column.emplace(unknown + states, j);
  }
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const auto row = static_cast<std::size_t>(i);
    f.gradient(block.equations[row], v, [&](int signal, double slope) {
      const auto found = column.find(signal);
      if (found == column.end()) return;
      const auto j = static_cast<std::size_t>(found->second);
      const int unknown = block.unknowns[j];
      const bool through_state = signal != unknown;
      if (block.c[row] != block.e[j] + (through_state ? 1 : 0)) return;
      // A derivative is as large as its signal, up to a time unit that all of them share.
      A(i, found->second) +=
          slope * scale[static_cast<std::size_t>(unknown < states ? unknown + states : unknown)];
    });
    const double largest = A.row(i).cwiseAbs().maxCoeff();
    if (largest > 0.0) A.row(i) /= largest;
  }
  return A;
}

/// Gaussian elimination with free choice of columns out of `allowed`, `rows` in turn; the pivots' sizes.
struct Elimination {
  std::vector<Eigen::Index> columns;
  std::vector<double> pivots;
};

Elimination eliminate(const Eigen::MatrixXd& A, const std::vector<Eigen::Index>& rows,
                      const std::vector<Eigen::Index>& allowed, const std::vector<double>& weight) {
  Eigen::MatrixXd B(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(allowed.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < allowed.size(); ++j)
      B(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = A(rows[i], allowed[j]);
  Elimination result;
  std::vector<char> used_row(rows.size(), 0), used_column(allowed.size(), 0);
  for (std::size_t step = 0; step < rows.size(); ++step) {
    Eigen::Index row = -1, column = -1;
    double best = 0.0;
    for (Eigen::Index i = 0; i < B.rows(); ++i)
      for (Eigen::Index j = 0; j < B.cols(); ++j) {
        if (used_row[static_cast<std::size_t>(i)] != 0 || used_column[static_cast<std::size_t>(j)] != 0)
          continue;
        const double size = std::abs(B(i, j)) * weight[static_cast<std::size_t>(j)];
        if (size > best) {
          best = size;
          row = i;
          column = j;
        }
      }
    if (row < 0) break;
    used_row[static_cast<std::size_t>(row)] = used_column[static_cast<std::size_t>(column)] = 1;
    result.columns.push_back(allowed[static_cast<std::size_t>(column)]);
    result.pivots.push_back(std::abs(B(row, column)));
    for (Eigen::Index i = 0; i < B.rows(); ++i)
      if (used_row[static_cast<std::size_t>(i)] == 0) B.row(i) -= B(i, column) / B(row, column) * B.row(row);
  }
  return result;
}

std::vector<Eigen::Index> rows_of_level(const SolutionBlock& block, int level) {
  std::vector<Eigen::Index> rows;
  for (std::size_t i = 0; i < block.c.size(); ++i)
    if (block.c[i] >= level) rows.push_back(static_cast<Eigen::Index>(i));
  return rows;
}

/// Derivatives of the unknown from order 0 of its signal: ẋ counts for x.
int derivatives(const SolutionBlock& block, std::size_t j, int states) {
  return block.e[j] + (block.unknowns[j] < states ? 1 : 0);
}

}  // namespace

StateSelection select_states(const RowMap& f, const SolutionPlan& plan, int states, std::span<const double> v,
                             std::span<const double> scale) {
  StateSelection selection;
  for (const SolutionBlock& block : plan.blocks) {
    const std::size_t first = selection.unknowns.size();
    selection.unknowns.insert(selection.unknowns.end(), block.unknowns.begin(), block.unknowns.end());
    if (!block.differentiated()) {
      selection.orders.resize(selection.unknowns.size(), 0);
      selection.dummies.resize(selection.unknowns.size(), 0);
      continue;
    }
    selection.orders.insert(selection.orders.end(), block.e.begin(), block.e.end());
    selection.dummies.resize(selection.unknowns.size(), 0);
    const Eigen::MatrixXd A = leading_matrix(f, block, states, v, scale);
    std::vector<Eigen::Index> candidates;
    for (std::size_t j = 0; j < block.unknowns.size(); ++j)
      candidates.push_back(static_cast<Eigen::Index>(j));
    for (int level = 1;; ++level) {
      const std::vector<Eigen::Index> rows = rows_of_level(block, level);
      if (rows.empty()) break;
      std::vector<Eigen::Index> allowed;
      std::vector<double> weight;
      for (const Eigen::Index j : candidates) {
        const auto column = static_cast<std::size_t>(j);
        if (derivatives(block, column, states) < level) continue;
        allowed.push_back(j);
        weight.push_back(block.unknowns[column] < states ? 1.0 : preference_for_algebraic);
      }
      candidates = eliminate(A, rows, allowed, weight).columns;
      for (const Eigen::Index j : candidates) ++selection.dummies[first + static_cast<std::size_t>(j)];
    }
  }
  return selection;
}

double quality(const StateSelection& selection, const RowMap& f, const SolutionPlan& plan, int states,
               std::span<const double> v, std::span<const double> scale) {
  double worst = 1.0;
  std::size_t first = 0;
  for (const SolutionBlock& block : plan.blocks) {
    if (block.differentiated()) {
      const Eigen::MatrixXd A = leading_matrix(f, block, states, v, scale);
      std::vector<Eigen::Index> chosen, all;
      for (std::size_t j = 0; j < block.unknowns.size(); ++j) {
        if (derivatives(block, j, states) >= 1) all.push_back(static_cast<Eigen::Index>(j));
        if (selection.dummies[first + j] > 0) chosen.push_back(static_cast<Eigen::Index>(j));
      }
      const std::vector<Eigen::Index> rows = rows_of_level(block, 1);
      const auto least = [&](const std::vector<Eigen::Index>& columns) {
        const Elimination done = eliminate(A, rows, columns, std::vector<double>(columns.size(), 1.0));
        return done.pivots.size() < rows.size() ? 0.0
                                                : *std::min_element(done.pivots.begin(), done.pivots.end());
      };
      if (!rows.empty()) worst = std::min(worst, least(chosen) / std::max(least(all), 1e-300));
    }
    first += block.unknowns.size();
  }
  return worst;
}

}  // namespace mti
