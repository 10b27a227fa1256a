#include "solvers/linearization/active_constraints.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mti/common/at.hpp"
#include "mti/model/jacobian.hpp"
#include "solvers/blocks/instant.hpp"
#include "solvers/mode/mode_cache.hpp"

namespace mti {
namespace {

using RowCompressed = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

/// A map's values and gradients at a point.
struct Linear {
  std::vector<double> value;
  RowCompressed gradient;

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

/// Whether row i of A is a multiple of row j of B.
bool are_parallel(const RowCompressed& A, int i, const RowCompressed& B, int j) {
  const auto length = [](const RowCompressed& matrix, int row) {
    return matrix.outerIndexPtr()[row + 1] - matrix.outerIndexPtr()[row];
  };
  if (length(A, i) != length(B, j)) return false;
  RowCompressed::InnerIterator a(A, i), b(B, j);
  const double ratio = a.value() / b.value();
  constexpr double rounding = 1e-12;
  for (; a; ++a, ++b)
    if (a.col() != b.col() || std::abs(a.value() - ratio * b.value()) > rounding * std::abs(a.value()))
      return false;
  return true;
}

/// Kinks that the mode does not tell apart, of smooth(0, abs(p)) where p = 0: what is linear holds on one side only.
std::vector<std::string> kinks(const Model& model, const Mode& mode, const Accuracy& accuracy,
                               std::span<const double> v) {
  std::vector<std::size_t> at_zero;
  for (std::size_t i = 0; i < model.functions.size(); ++i) {
    const FunctionText& function = model.function_texts[i];
    const double p = v[at(function.argument)];
    if (model.functions[i].phi.kind == ElementaryFunction::Kind::abs &&
        std::abs(p) <= accuracy.of(function.argument, p))
      at_zero.push_back(i);
  }
  std::vector<std::string> found;
  if (at_zero.empty()) return found;
  ModeCache cache(model);
  const auto system = cache.get(mode);
  for (const std::size_t i : at_zero)
    if (const FunctionText& function = model.function_texts[i]; !system->does_without(function.result))
      found.push_back(function.text);
  return found;
}

}  // namespace

ConstraintRemarks examine_constraints(const Model& model, const Mode& mode, const CpMap& f, const CpMap& g,
                                      std::span<const int> rows, std::span<const double> v) {
  const Accuracy accuracy(model, model.experiment.rtol, model.experiment.atol);
  const Linear constraints(g, v);
  std::vector<int> near_zero;
  ConstraintRemarks result{.on_boundary = kinks(model, mode, accuracy, v), .violated = {}};
  for (const int row : rows) {
    double tolerance = 0.0;
    bool holds_signals = false;
    for (RowCompressed::InnerIterator entry(constraints.gradient, row); entry; ++entry) {
      tolerance += std::abs(entry.value()) * accuracy.of(static_cast<int>(entry.col()), v[at(entry.col())]);
      holds_signals = true;
    }
    if (constraints.value[at(row)] > tolerance)
      result.violated.push_back(constraint_name(model, mode, row));
    else if (holds_signals && constraints.value[at(row)] >= -tolerance)
      near_zero.push_back(row);
  }
  if (near_zero.empty()) return result;
  const RowCompressed equations = Linear(f, v).gradient;
  const SparseColumns by_signal = equations;
  for (const int row : near_zero) {
    const RowCompressed::InnerIterator first(constraints.gradient, row);
    bool held = false;
    for (SparseColumns::InnerIterator entry(by_signal, static_cast<int>(first.col())); entry && !held;
         ++entry)
      held = are_parallel(constraints.gradient, row, equations, static_cast<int>(entry.row()));
    if (!held) result.on_boundary.push_back(constraint_name(model, mode, row));
  }
  return result;
}

}  // namespace mti
