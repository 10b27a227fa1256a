#include "mti/polynomials/difference.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"

namespace mti::text {
namespace {

using Powers = std::vector<Power>;
using Key = std::vector<std::pair<std::uint32_t, int>>;

Key key_of(const Powers& powers) {
  Key key;
  for (const Power& power : powers) key.emplace_back(power.symbol.code(), power.exponent);
  return key;
}

double value_of(const Monomial& monomial) { return monomial.coefficient.value().rounded(); }

Powers with(Powers powers, Symbol symbol) {
  powers.insert(std::ranges::upper_bound(powers, symbol, {}, &Power::symbol), {symbol, 1});
  return powers;
}

Polynomial product(const Coefficient& coefficient, const Powers& powers) {
  Polynomial result = Polynomial::constant(coefficient);
  for (const Power& power : powers)
    for (int i = 0; i < power.exponent; ++i) result = result * Polynomial::variable(power.symbol);
  return result;
}

/// One is a multiple of the other one.
bool are_alike(const Difference& a, const Difference& b) {
  if (a.signals.size() != b.signals.size() || a.signals.empty()) return false;
  const double ratio = a.signals.front().second / b.signals.front().second;
  constexpr double few_roundings = 8 * machine_epsilon;
  const auto fits = [&](double of_a, double of_b) {
    return std::abs(of_a - ratio * of_b) <= few_roundings * std::abs(of_a);
  };
  for (std::size_t i = 0; i < a.signals.size(); ++i)
    if (a.signals[i].first != b.signals[i].first || !fits(a.signals[i].second, b.signals[i].second))
      return false;
  return fits(a.constant, b.constant);
}

/// What the terms of a difference leave of one factor: the least of P's coefficients over those of d, of equal signs.
class Share {
 public:
  explicit Share(const std::map<Key, const Monomial*>& monomials) : monomials_(monomials) {}

  /// False where P has no such term, or one of the other sign.
  bool take(const Powers& powers, double of_difference) {
    const auto found = monomials_.find(key_of(powers));
    if (found == monomials_.end()) return false;
    const double ratio = value_of(*found->second) / of_difference;
    if (!std::isfinite(ratio) || ratio * least_ < 0.0) return false;
    most_ = std::max(most_, std::abs(ratio));
    if (least_ != 0.0 && std::abs(ratio) >= std::abs(least_)) return true;
    least_ = ratio;
    coefficient_ = found->second->coefficient;
    if (std::abs(of_difference) == 1.0)  // exact
      coefficient_.scale(of_difference);
    else
      coefficient_.divide(of_difference);
    return true;
  }
  [[nodiscard]] bool is_nearly_all() const {
    constexpr double nearly = 0.9;
    return std::abs(least_) >= nearly * most_;
  }
  [[nodiscard]] const Coefficient& coefficient() const { return coefficient_; }

 private:
  const std::map<Key, const Monomial*>& monomials_;
  double least_ = 0.0, most_ = 0.0;
  Coefficient coefficient_;
};

}  // namespace

bool holds_binaries(const Polynomial& polynomial) {
  return std::ranges::any_of(polynomial.monomials(), [](const Monomial& monomial) {
    return std::ranges::any_of(monomial.powers, [](const Power& power) { return power.symbol.idempotent(); });
  });
}

bool is_short_sum(const Polynomial& equation) {
  constexpr std::size_t most_terms = 6;
  if (equation.size() > most_terms) return false;
  bool has_state = false, has_algebraic = false;
  for (const Monomial& monomial : equation.monomials()) {
    if (monomial.powers.empty()) continue;
    if (monomial.powers.size() > 1 || monomial.powers.front().exponent > 1) return false;
    const Group group = monomial.powers.front().symbol.group();
    has_state = has_state || group == Group::state;
    has_algebraic = has_algebraic || group == Group::algebraic;
  }
  return has_state && has_algebraic;
}

bool Difference::holds(Symbol symbol) const {
  return std::ranges::any_of(signals, [&](const auto& own) { return own.first == symbol; });
}

std::vector<std::pair<Symbol, double>> Difference::direction() const {
  std::vector<std::pair<Symbol, double>> direction = signals;
  for (auto& [symbol, coefficient] : direction) coefficient /= signals.front().second;
  return direction;
}

std::optional<Difference> difference_of(const Polynomial& constraint) {
  std::map<Key, Difference> parts;  // by the binaries that multiply them
  for (const Monomial& monomial : constraint.monomials()) {
    if (value_of(monomial) == 0.0) continue;
    Powers switches, signals;
    for (const Power& power : monomial.powers)
      (power.symbol.idempotent() ? switches : signals).push_back(power);
    const bool is_affine = signals.empty() || (signals.size() == 1 && signals.front().exponent == 1 &&
                                               signals.front().symbol.group() != Group::derivative);
    if (!is_affine) return std::nullopt;
    Difference& part = parts[key_of(switches)];
    if (signals.empty())
      part.constant = value_of(monomial);
    else
      part.signals.emplace_back(signals.front().symbol, value_of(monomial));
    part.sum.add(product(monomial.coefficient, signals), 1.0);
    for (const Power& power : switches)
      if (power.symbol.group() == Group::binary) part.binaries.push_back(power.symbol);
  }
  if (parts.empty()) return std::nullopt;
  Difference& first = parts.begin()->second;
  for (auto& [switches, part] : parts) {
    std::ranges::sort(part.signals);
    if (!are_alike(part, first)) return std::nullopt;
    if (&part != &first)
      first.binaries.insert(first.binaries.end(), part.binaries.begin(), part.binaries.end());
  }
  const bool begins_with_state = first.signals.front().first.group() == Group::state;
  return begins_with_state && first.sum.size() > 1 ? std::optional(std::move(first)) : std::nullopt;
}

std::vector<Symbol> flows_beside(const Difference& difference, const Polynomial& equation) {
  const auto holds = [](const Monomial& monomial, const auto& is_one) {
    return value_of(monomial) != 0.0 && std::ranges::any_of(monomial.powers, is_one);
  };
  std::vector<Symbol> flows;
  for (const Monomial& flow : equation.monomials()) {
    if (flow.powers.size() != 1 || flow.powers.front().exponent != 1 || value_of(flow) == 0.0) continue;
    const Symbol unknown = flow.powers.front().symbol;
    const bool is_unknown = unknown.group() == Group::derivative || unknown.group() == Group::algebraic ||
                            unknown.group() == Group::auxiliary;
    if (is_unknown && !difference.holds(unknown) &&
        std::ranges::none_of(equation.monomials(), [&](const Monomial& other) {
          return holds(other, [](const Power& power) { return power.symbol.idempotent(); }) &&
                 holds(other, [&](const Power& power) { return power.symbol == unknown; });
        }))
      flows.push_back(unknown);
  }
  return flows;
}

std::vector<Symbol> binaries_beside(const Difference& difference, const Polynomial& equation) {
  std::vector<Symbol> binaries;
  for (const Monomial& monomial : equation.monomials())
    if (std::ranges::any_of(monomial.powers,
                            [&](const Power& power) { return difference.holds(power.symbol); }))
      for (const Power& power : monomial.powers)
        if (power.symbol.group() == Group::binary) binaries.push_back(power.symbol);
  return binaries;
}

DifferenceFactors::DifferenceFactors(const Polynomial& polynomial, const Difference& difference) {
  std::map<Key, const Monomial*> monomials;
  for (const Monomial& monomial : polynomial.monomials())
    if (value_of(monomial) != 0.0) monomials[key_of(monomial.powers)] = &monomial;
  const Power pivot{difference.signals.front().first, 1};
  for (const Monomial& monomial : polynomial.monomials()) {
    Powers factor = monomial.powers;
    if (std::erase(factor, pivot) == 0 ||
        std::ranges::any_of(factor, [&](const Power& power) { return difference.holds(power.symbol); }))
      continue;
    Share share(monomials);
    const bool are_there = std::ranges::all_of(difference.signals,
                                               [&](const auto& signal) {
                                                 return share.take(with(factor, signal.first), signal.second);
                                               }) &&
                           (difference.constant == 0.0 || share.take(factor, difference.constant));
    const auto switches =
        std::ranges::count_if(factor, [](const Power& power) { return power.symbol.idempotent(); });
    const bool is_plain = difference.signals.size() > 1 || at(switches) == factor.size();
    if (are_there && is_plain && (switches == 0 || share.is_nearly_all()))
      factors_.emplace_back(std::move(factor), share.coefficient());
  }
}

std::vector<Symbol> DifferenceFactors::binaries() const {
  std::vector<Symbol> binaries;
  for (const auto& [powers, coefficient] : factors_)
    for (const Power& power : powers)
      if (power.symbol.group() == Group::binary) binaries.push_back(power.symbol);
  return binaries;
}

Polynomial DifferenceFactors::named(Polynomial polynomial, const Polynomial& d, Symbol y) const {
  for (const auto& [powers, coefficient] : factors_) {
    const Polynomial K = product(coefficient, powers);
    polynomial.add(K * d, -1.0);
    polynomial.add(K * Polynomial::variable(y), 1.0);
  }
  polynomial.drop_cancelled();
  return polynomial;
}

}  // namespace mti::text
