#include "solvers/restart/impulse_signs.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "mti/common/at.hpp"

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

/// Signals of one weight: copies of each other, made for powers.
bool are_copies(const ImpulsivePart& a, const ImpulsivePart& b) {
  return a.row == b.row ||
         (a.order == b.order && std::abs(a.weight.value - b.weight.value) <= 1e-9 * std::abs(a.weight.value));
}

class TermExpansion {
 public:
  TermExpansion(const RowMap& g, std::span<const double> v, std::span<const ImpulsivePart> parts)
      : g_(g), v_(v), parts_(parts) {}

  void add(const RowMap::Term& term, Polynomial& sum) {
    factors_ = g_.factors(term.column);
    sum_ = &sum;
    expand(0, {term.Phi, 0.0}, 0.0, nullptr, false);
  }

 private:
  void expand(std::size_t next, Ball product, double order, const ImpulsivePart* first, bool mixed) {
    if (next == factors_.size()) {
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
             mixed || (first != nullptr && !are_copies(*first, *part)));
  }

  const RowMap& g_;
  std::span<const double> v_;
  std::span<const ImpulsivePart> parts_;
  std::span<const RowMap::Factor> factors_;
  Polynomial* sum_ = nullptr;
};

}  // namespace

ImpulseSign impulse_sign(const RowMap& g, int row, std::span<const double> v,
                         std::span<const ImpulsivePart> parts) {
  TermExpansion expansion(g, v, parts);
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
