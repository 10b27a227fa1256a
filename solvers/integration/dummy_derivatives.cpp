#include "solvers/integration/dummy_derivatives.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "mti/common/at.hpp"
#include "solvers/integration/integrator.hpp"
#include "solvers/linear_algebra/column_pivoting.hpp"
#include "solvers/plan/system_jacobian.hpp"

namespace mti {
namespace {

/// A row is preferred to a better one of less than so many times its size if it is algebraic.
constexpr double preference_for_algebraic = 1e3;
/// Of states whose rows are alike the one that moves farthest counts for so much more.
constexpr double preference_for_motion = 0.1;

/// The block's matrix in units of `scale`, rows with a largest entry of 1. A derivative is as large as its
/// signal, up to a time unit that all of them share.
SparseRows scaled_matrix(const RowMap& f, const SolutionBlock& block, int states, std::span<const double> v,
                         std::span<const double> scale) {
  SparseRows A(block.equations.size());
  for (const Eigen::Triplet<double>& entry : SystemJacobian(block, states).entries(f, v)) {
    const int unknown = block.unknowns[at(entry.col())];
    const double size = scale[at(unknown < states ? unknown + states : unknown)];
    A[at(entry.row())].emplace_back(entry.col(), size * entry.value());
  }
  for (auto& row : A) {
    std::sort(row.begin(), row.end());
    double largest = 0.0;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (kept > 0 && row[kept - 1].first == row[i].first)
        row[kept - 1].second += row[i].second;
      else
        row[kept++] = row[i];
    }
    row.resize(kept);
    for (const auto& [column, value] : row) largest = std::max(largest, std::abs(value));
    for (auto& [column, value] : row) value /= largest > 0.0 ? largest : 1.0;
  }
  return A;
}

std::vector<int> rows_of_level(const SolutionBlock& block, int level) {
  std::vector<int> rows;
  for (std::size_t i = 0; i < block.c.size(); ++i)
    if (block.c[i] >= level) rows.push_back(static_cast<int>(i));
  return rows;
}

/// Derivatives of the unknown from order 0 of its signal: ẋ counts for x.
int derivatives(const SolutionBlock& block, std::size_t j, int states) {
  return block.e[j] + (block.unknowns[j] < states ? 1 : 0);
}

/// No differentiated equation of the block multiplies signals: its part of the matrix never changes.
bool is_constant(const RowMap& f, const SolutionBlock& block) {
  for (std::size_t i = 0; i < block.equations.size(); ++i) {
    if (block.c[i] == 0) continue;
    for (const RowMap::Term& term : f.terms(block.equations[i]))
      if (!f.is_affine(term.column)) return false;
  }
  return true;
}

/// By unknown of the block.
std::vector<double> preferences(const SolutionBlock& block, int states, std::span<const double> v,
                                std::span<const double> scale, double duration) {
  std::vector<double> preference(block.unknowns.size(), preference_for_algebraic);
  double largest = 0.0;
  for (std::size_t j = 0; j < preference.size(); ++j) {
    const int unknown = block.unknowns[j];
    if (unknown >= states) continue;
    const auto value = at(unknown + states);
    preference[j] = (std::abs(v[value]) + duration * std::abs(v[at(unknown)])) / scale[value];
    largest = std::max(largest, preference[j]);
  }
  for (std::size_t j = 0; j < preference.size(); ++j)
    if (block.unknowns[j] < states)
      preference[j] =
          1.0 +
          (largest > 0.0 && std::isfinite(largest) ? preference_for_motion * preference[j] / largest : 0.0);
  return preference;
}

}  // namespace

DummyDerivatives select_states(const RowMap& f, const SolutionPlan& plan, int states,
                               std::span<const double> v, std::span<const double> scale, double duration) {
  DummyDerivatives selection;
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
    // D^k f_i, k = 1 … c_i, are c_i equations more than f_i alone, so that as many derivatives have to become
    // unknowns of their own. The matrix of D^(c_i) f_i with respect to the highest derivatives is J, and that
    // of one differentiation less with respect to one derivative less is J again. Level l is about the rows
    // with c_i ≥ l: of the columns chosen at the level before as many are chosen again as there are such
    // rows, so that a signal's dummies are its highest derivatives, one below the other.
    const SparseRows A = scaled_matrix(f, block, states, v, scale);
    const std::vector<double> preference = preferences(block, states, v, scale, duration);
    std::vector<int> candidates(block.unknowns.size());
    std::iota(candidates.begin(), candidates.end(), 0);
    for (int level = 1;; ++level) {
      const std::vector<int> rows = rows_of_level(block, level);
      if (rows.empty()) break;
      std::vector<int> allowed;
      std::vector<double> weight;
      for (const int j : candidates) {
        const auto column = at(j);
        if (derivatives(block, column, states) < level) continue;  // no derivative is left to be one
        allowed.push_back(j);
        weight.push_back(preference[column]);
      }
      candidates = choose_columns(A, rows, allowed, weight).columns;
      if (candidates.size() < rows.size())
        throw IntegrationFailure(
            "of " + std::to_string(rows.size()) + " differentiated equations that are solved together only " +
            std::to_string(candidates.size()) +
            " determine a derivative in units of the signals' nominal values: numbers are lost in rounding "
            "beside others, so give nominal values that fit");
      for (const int j : candidates) ++selection.dummies[first + at(j)];
    }
  }
  return selection;
}

double quality(const DummyDerivatives& selection, const RowMap& f, const SolutionPlan& plan, int states,
               std::span<const double> v, std::span<const double> scale) {
  double worst = 1.0;
  std::size_t first = 0;
  for (const SolutionBlock& block : plan.blocks) {
    if (block.differentiated() && !is_constant(f, block)) {
      const SparseRows A = scaled_matrix(f, block, states, v, scale);
      for (int level = 1;; ++level) {
        const std::vector<int> rows = rows_of_level(block, level);
        if (rows.empty()) break;
        // The rows of this level give B·(dummies) + C·(integrated) = …: what is solved for is off by |B⁻¹C|
        // times what is integrated. Dummies of a level were selected out of those of the level before.
        std::vector<int> chosen, others;
        for (std::size_t j = 0; j < block.unknowns.size(); ++j)
          if (derivatives(block, j, states) >= level)
            (selection.dummies[first + j] >= level ? chosen : others).push_back(static_cast<int>(j));
        worst = std::min(worst, 1.0 / std::max(1.0, amplification(A, rows, chosen, others)));
      }
    }
    first += block.unknowns.size();
  }
  return worst;
}

}  // namespace mti
