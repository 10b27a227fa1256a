#include "solvers/impulses/following_impulses.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "mti/common/at.hpp"
#include "solvers/linear_algebra/lu_factor.hpp"

namespace mti {
namespace {

/// Of one order −Σ_k b_ik W_k, Σ_k |b_ik W_k| and Σ_k |b_ik| times the error of W_k.
struct Sources {
  Sources(double order_, Eigen::Index rows)
      : order(order_),
        sum(Eigen::VectorXd::Zero(rows)),
        size(Eigen::VectorXd::Zero(rows)),
        error(Eigen::VectorXd::Zero(rows)) {}

  double order;
  Eigen::VectorXd sum, size, error;
};

/// Those of this order, as far as it is known.
Sources& of_order(std::vector<Sources>& sources, double order, Eigen::Index rows) {
  constexpr double same = 1e-8;
  const auto found =
      std::ranges::find_if(sources, [&](const Sources& one) { return std::abs(one.order - order) < same; });
  return found == sources.end() ? sources.emplace_back(order, rows) : *found;
}

}  // namespace

std::optional<std::vector<ImpulsivePart>> following_impulses(const RowMap& f, const SolutionBlock& block,
                                                             std::span<const double> v,
                                                             std::span<const ImpulsivePart> known) {
  std::unordered_map<int, int> own;
  for (const int unknown : block.unknowns) own.emplace(unknown, static_cast<int>(own.size()));
  const auto rows = static_cast<int>(block.equations.size());
  std::vector<Eigen::Triplet<double>> matrix;
  std::vector<Sources> sources;
  const auto may_grow = [&](const RowMap::Factor& factor) {
    return own.contains(factor.signal) ||
           std::ranges::binary_search(known, factor.signal, {}, &ImpulsivePart::row);
  };
  for (int i = 0; i < rows; ++i)
    for (const RowMap::Term& term : f.terms(block.equations[at(i)])) {
      const auto most = f.function_of(term.column) == nullptr ? 1 : 0;
      if (std::ranges::count_if(f.factors(term.column), may_grow) > most) return std::nullopt;
      for (const RowMap::Factor& factor : f.factors(term.column)) {
        const auto unknown = own.find(factor.signal);
        const auto first = std::ranges::lower_bound(known, factor.signal, {}, &ImpulsivePart::row);
        const bool is_known = first != known.end() && first->row == factor.signal;
        if (unknown == own.end() && !is_known) continue;
        double coefficient = term.Phi * factor.S;
        for (const RowMap::Factor& other : f.factors(term.column))
          if (other.signal != factor.signal)
            coefficient *= 1.0 - std::abs(other.S) + other.S * v[at(other.signal)];
        if (unknown != own.end()) {
          matrix.emplace_back(i, unknown->second, coefficient);
          continue;
        }
        for (auto part = first; part != known.end() && part->row == factor.signal; ++part) {
          Sources& same = of_order(sources, part->order, rows);
          same.sum[i] -= coefficient * part->weight.value;
          same.size[i] += std::abs(coefficient * part->weight.value);
          same.error[i] += std::abs(coefficient) * part->weight.error;
        }
      }
    }
  const LuFactor A(rows, matrix);
  if (A.singular()) return std::nullopt;
  std::ranges::sort(sources, std::ranges::greater(), &Sources::order);
  std::map<int, ImpulsivePart> parts;
  for (const Sources& source : sources) {
    constexpr double cancelled = 1e-9, rounding = 1e-12;
    for (int i = 0; i < rows; ++i)
      if (source.size[i] > 0.0 && std::abs(source.sum[i]) <= cancelled * source.size[i]) return std::nullopt;
    const Eigen::VectorXd weight = A.solve(source.sum), size = A.magnify(source.size),
                          error = A.magnify(source.error);
    for (const auto& [row, j] : own)
      if (std::abs(weight[j]) > rounding * size[j])
        parts.try_emplace(row, ImpulsivePart{row, {weight[j], error[j]}, source.order});
  }
  std::vector<ImpulsivePart> result;
  for (const auto& [row, part] : parts) result.push_back(part);
  return result;
}

}  // namespace mti
