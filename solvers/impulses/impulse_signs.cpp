#include "solvers/impulses/impulse_signs.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/structure/disjoint_sets.hpp"

namespace mti {
namespace {

/// Coefficient of one power of δ.
struct Power {
  Ball coefficient;
  bool mixed = false;  ///< weights of different signals are multiplied in it
};

/// Powers of δ, the highest first; orders that differ by rounding are one.
struct Higher {
  bool operator()(double a, double b) const { return a > b + 1e-9; }
};
using Polynomial = std::map<double, Power, Higher>;

class TermExpansion {
 public:
  TermExpansion(const RowMap& g, std::span<const double> v, std::span<const ImpulsivePart> parts,
                const TiedPulses& ties)
      : g_(g), v_(v), parts_(parts), ties_(ties) {}

  void add(const RowMap::Term& term, Polynomial& sum) {
    factors_ = g_.factors(term.column);
    sum_ = &sum;
    expand(0, {term.Phi, 0.0}, 0.0, nullptr, false);
  }

 private:
  void expand(std::size_t next, Ball product, double order, const ImpulsivePart* first, bool mixed) {
    if (next == factors_.size()) {
      check_budget();  // two or more summands of each factor
      if (order <= 0.0) return;
      Power& power = (*sum_)[order];
      power.coefficient.value += product.value;
      power.coefficient.error += product.error + 1e-14 * std::abs(product.value);
      power.mixed = power.mixed || mixed;
      return;
    }
    const RowMap::Factor& factor = factors_[next];
    const auto times = [&](double value, double error) {
      return Ball{product.value * value,
                  product.error * (std::abs(value) + error) + std::abs(product.value) * error};
    };
    const double regular = 1.0 - std::abs(factor.S) + factor.S * v_[at(factor.signal)];
    expand(next + 1, times(regular, 0.0), order, first, mixed);
    const auto before = [](const ImpulsivePart& part, int signal) { return part.row < signal; };
    for (auto part = std::lower_bound(parts_.begin(), parts_.end(), factor.signal, before);
         part != parts_.end() && part->row == factor.signal; ++part)
      expand(next + 1, times(factor.S * part->weight.value, std::abs(factor.S) * part->weight.error),
             order + part->order, first == nullptr ? &*part : first,
             mixed || (first != nullptr && !ties_.are_tied(first->row, part->row)));
  }

  const RowMap& g_;
  std::span<const double> v_;
  std::span<const ImpulsivePart> parts_;
  const TiedPulses& ties_;
  std::span<const RowMap::Factor> factors_;
  Polynomial* sum_ = nullptr;
};

}  // namespace

TiedPulses::TiedPulses(const RowMap& f, std::span<const ImpulsivePart> parts) {
  std::map<int, int> number;
  for (const ImpulsivePart& part : parts) number.emplace(part.row, static_cast<int>(number.size()));
  DisjointSets sets(static_cast<int>(number.size()));
  for (int row = 0; row < f.rows(); ++row) {
    std::map<int, double> slopes;  // by row of S, of what is impulsive
    bool affine = true;
    for (const RowMap::Term& term : f.terms(row))
      for (const RowMap::Factor& factor : f.factors(term.column)) {
        if (!number.contains(factor.signal)) continue;
        affine = affine && f.is_affine(term.column);
        slopes[factor.signal] += term.Phi * factor.S;
      }
    std::erase_if(slopes, [](const auto& one) { return one.second == 0.0; });
    if (affine && slopes.size() == 2)
      sets.join(number.at(slopes.begin()->first), number.at(std::next(slopes.begin())->first));
  }
  for (const auto& [row, position] : number) pulse_.emplace(row, sets.of(position));
}

bool TiedPulses::are_tied(int a, int b) const { return a == b || pulse_.at(a) == pulse_.at(b); }

ImpulseSign impulse_sign(const RowMap& g, int row, std::span<const double> v,
                         std::span<const ImpulsivePart> parts, const TiedPulses& ties) {
  TermExpansion expansion(g, v, parts, ties);
  Polynomial polynomial;
  for (const RowMap::Term& term : g.terms(row)) expansion.add(term, polynomial);
  for (const auto& [order, power] : polynomial) {
    const Ball& coefficient = power.coefficient;
    if (power.mixed && coefficient.value != 0.0) return ImpulseSign::depends;
    if (std::abs(coefficient.value) <= coefficient.error) continue;
    return coefficient.value > 0.0 ? ImpulseSign::forbidden : ImpulseSign::allowed;
  }
  return ImpulseSign::none;
}

}  // namespace mti
