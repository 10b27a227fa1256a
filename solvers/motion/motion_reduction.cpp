// Constraints in terms of what a motion is known by: states and inputs.
#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/motion/motion.hpp"

namespace mti {
namespace {

constexpr double rounded = 8.0 * machine_epsilon;
/// A constraint that more blocks stand behind is left as it is: what a sum over all of them leaves open is little less.
constexpr int most_blocks = 1000;

bool is_affine(const RowMap& map, int row) {
  for (const RowMap::Term& term : map.terms(row))
    if (!map.is_affine(term.column)) return false;
  return true;
}

bool holds_several_signals(const RowMap& map, int row) {
  int first = -1;
  for (const RowMap::Term& term : map.terms(row))
    for (const RowMap::Factor& factor : map.factors(term.column)) {
      if (first >= 0 && factor.signal != first) return true;
      first = factor.signal;
    }
  return false;
}

}  // namespace

/// A signal that equations define at least: the errors of what it follows from may cancel, as those of the source behind the
/// voltage of one diode of a bridge do, which two equations give.
bool Motion::may_be_reduced(int row) const {
  if (!solved() || !system_->graph || !system_->plan->plain() || !system_->sliding.empty() || system_->held ||
      model_.is_discrete() || !is_affine(system_->g, row))
    return false;
  bool has_unknown = false;
  for (const RowMap::Term& term : system_->g.terms(row))
    for (const RowMap::Factor& factor : system_->g.factors(term.column)) {
      if (factor.signal >= model_.signature.size()) return false;
      has_unknown = has_unknown || model_.signature.n() > factor.signal ||
                    factor.signal >= model_.signature.algebraic_row(0);
    }
  return has_unknown;
}

/// From the last block behind it to the first: with Aᵀμ = w of what a block is solved for, w·(ẋ, y) = −μ·(the rest of its
/// equations). Ends with weights of states and inputs alone.
bool Motion::eliminate(std::map<int, double>& weights,
                       std::vector<std::pair<int, double>>& multipliers) const {
  const Signature& signature = model_.signature;
  const auto is_unknown = [&](int signal) {
    return signal < signature.n() ||
           (signal >= signature.algebraic_row(0) && signal < signature.binary_row(0));
  };
  std::map<int, int, std::greater<>> open;  // blocks, the last one first
  const auto look_at = [&](int signal) {
    if (!is_unknown(signal)) return true;
    const int block = system_->graph->owner(signal);
    if (block >= 0) open.emplace(block, 0);
    return block >= 0;
  };
  for (const auto& [signal, weight] : weights)
    if (!look_at(signal)) return false;
  for (int looked_at = 0; !open.empty(); ++looked_at) {
    const int b = open.begin()->first;
    open.erase(open.begin());
    const SolutionBlock& block = system_->plan->blocks[at(b)];
    if (looked_at == most_blocks || block.differentiated()) return false;
    Eigen::VectorXd w(static_cast<Eigen::Index>(block.unknowns.size()));
    for (Eigen::Index j = 0; j < w.size(); ++j) {
      const auto known = weights.find(block.unknowns[at(j)]);
      w[j] = known == weights.end() ? 0.0 : known->second;
      if (known != weights.end()) weights.erase(known);
    }
    if (w.isZero(0.0)) continue;
    const Eigen::VectorXd mu = factor(b).solve_transposed(w);
    for (Eigen::Index i = 0; i < mu.size(); ++i) {
      const int equation = block.equations[at(i)];
      if (mu[i] == 0.0) continue;
      if (!std::isfinite(mu[i]) || !is_affine(system_->f, equation)) return false;
      multipliers.emplace_back(equation, mu[i]);
      bool all_known = true;
      system_->f.gradient(equation, v_, [&](int signal, double slope) {
        if (signal >= signature.size()) all_known = false;
        if (!all_known || std::ranges::find(block.unknowns, signal) != block.unknowns.end()) return;
        weights[signal] -= mu[i] * slope;
        all_known = look_at(signal);
      });
      if (!all_known) return false;
    }
  }
  return true;
}

/// Order k of an affine row, whose errors come from x₀ and inputs alone:
///
///     c_k(g) = w·v_k = Σ (weights of x_k and u_k) − Σ_i μ_i (order k of f_i),     x_k = ẋ_{k−1}/k
///
/// and so down to x₀. What the equations leave of zero, where a value was taken from the integrator, is put right.
Ball Motion::reduced_coefficient(int row, int k, const Ball& found) {
  const Signature& signature = model_.signature;
  constexpr Ball unknown{0.0, std::numeric_limits<double>::infinity()};
  std::map<int, double> weights;
  Ball result{found.value, 0.0};
  system_->g.gradient(row, v_, [&](int signal, double slope) {
    weights[signal] += slope;
    result.error += rounded * std::abs(slope * series_.at(signal, k).value);
  });
  for (int order = k; order >= 0; --order) {
    std::vector<std::pair<int, double>> multipliers;
    if (!eliminate(weights, multipliers)) return unknown;
    for (const auto& [equation, mu] : multipliers) {
      result.value -= mu * system_->f.coefficient(equation, series_, order).value;
      double size = order == 0 ? system_->f.magnitude(equation, v_) : 0.0;
      system_->f.gradient(equation, v_, [&](int signal, double slope) {
        size += std::abs(slope * series_.at(signal, order).value);
      });
      result.error += rounded * std::abs(mu) * size;
    }
    std::map<int, double> next;
    for (const auto& [signal, weight] : weights) {
      const bool is_state = signal >= signature.state_row(0) && signal < signature.input_row(0);
      if (is_state && order > 0)
        next[signal - signature.n()] = weight / order;
      else
        result.error += std::abs(weight) * series_.at(signal, order).error;
    }
    weights = std::move(next);
  }
  return result;
}

/// Asked for all rows of a segment, of which those of several signals need it far more often than those of one.
std::optional<ReducedConstraint> Motion::reduced_constraint(int row) const {
  if (!holds_several_signals(system_->g, row) || !may_be_reduced(row)) return std::nullopt;
  ReducedConstraint reduced;
  std::map<int, double> weights;
  system_->g.gradient(row, v_, [&](int signal, double slope) { weights[signal] += slope; });
  if (!eliminate(weights, reduced.equations)) return std::nullopt;
  reduced.known.assign(weights.begin(), weights.end());
  return reduced;
}

}  // namespace mti
