#include "solvers/constraint_remarks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mti/jacobian.hpp"
#include "solvers/instant.hpp"
#include "solvers/mode_system.hpp"

namespace mti {
namespace {

using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }

/// A map's values and gradients at a point.
struct Linear {
  std::vector<double> value;
  SparseRows gradient;

  Linear(const CpMap& map, std::span<const double> v) {
    std::vector<int> all(v.size());
    std::iota(all.begin(), all.end(), 0);
    Jacobian function(map, {std::move(all)});
    function.evaluate(v);
    value.assign(function.value().begin(), function.value().end());
    gradient = function.matrix(0);
    gradient.prune(0.0, 0.0);
  }
};

/// Row i of A is a multiple of row j of B.
bool are_parallel(const SparseRows& A, int i, const SparseRows& B, int j) {
  const auto length = [](const SparseRows& matrix, int row) {
    return matrix.outerIndexPtr()[row + 1] - matrix.outerIndexPtr()[row];
  };
  if (length(A, i) != length(B, j)) return false;
  SparseRows::InnerIterator a(A, i), b(B, j);
  const double ratio = a.value() / b.value();
  constexpr double rounding = 1e-12;
  for (; a; ++a, ++b)
    if (a.col() != b.col() || std::abs(a.value() - ratio * b.value()) > rounding * std::abs(a.value()))
      return false;
  return true;
}

}  // namespace

ConstraintRemarks examine_constraints(const Model& model, const Mode& mode, const CpMap& f, const CpMap& g,
                                      std::span<const int> rows, std::span<const double> v) {
  const Accuracy accuracy(model, model.experiment.rtol, model.experiment.atol);
  const Linear constraints(g, v);
  std::vector<int> near_zero;
  ConstraintRemarks result;
  for (const int row : rows) {
    double tolerance = 0.0;
    bool holds_signals = false;
    for (SparseRows::InnerIterator entry(constraints.gradient, row); entry; ++entry) {
      tolerance += std::abs(entry.value()) * accuracy.of(static_cast<int>(entry.col()), v[at(entry.col())]);
      holds_signals = true;
    }
    if (constraints.value[at(row)] > tolerance)
      result.violated.push_back(constraint_name(model, mode, row));
    else if (holds_signals && constraints.value[at(row)] >= -tolerance)
      near_zero.push_back(row);
  }
  if (near_zero.empty()) return result;
  const SparseRows equations = Linear(f, v).gradient;
  const SparseColumns by_signal = equations;
  for (const int row : near_zero) {
    const SparseRows::InnerIterator first(constraints.gradient, row);
    bool held = false;
    for (SparseColumns::InnerIterator entry(by_signal, static_cast<int>(first.col())); entry && !held;
         ++entry)
      held = are_parallel(constraints.gradient, row, equations, static_cast<int>(entry.row()));
    if (!held) result.on_boundary.push_back(constraint_name(model, mode, row));
  }
  return result;
}

}  // namespace mti
