#include "mti/polynomials/polynomial.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"

namespace mti::text {
namespace {

constexpr std::size_t kSearchedInTurn = 16;  ///< up to here looking at every monomial is cheaper than a hash

bool cancelled(const Monomial& monomial) { return monomial.coefficient.value().is_zero(); }

std::size_t hash_of(const std::vector<Power>& powers) {
  std::size_t hash = 1469598103934665603ULL;
  for (const Power& power : powers) {
    hash = (hash ^ power.symbol.code()) * 1099511628211ULL;
    hash = (hash ^ at(power.exponent)) * 1099511628211ULL;
  }
  return hash;
}

/// a + b for a, b ≥ 0; where that is no int, the largest one, which no relation may hold.
int exponent_sum(int a, int b) {
  constexpr int most = std::numeric_limits<int>::max();
  return a > most - b ? most : a + b;
}

std::vector<Power> product(const std::vector<Power>& a, const std::vector<Power>& b) {
  std::vector<Power> result;
  result.reserve(a.size() + b.size());
  auto left = a.begin();
  auto right = b.begin();
  while (left != a.end() && right != b.end()) {
    if (left->symbol < right->symbol) {
      result.push_back(*left++);
    } else if (right->symbol < left->symbol) {
      result.push_back(*right++);
    } else {
      const int exponent = left->symbol.idempotent() ? 1 : exponent_sum(left->exponent, right->exponent);
      result.push_back({left->symbol, exponent});
      ++left;
      ++right;
    }
  }
  result.insert(result.end(), left, a.end());
  result.insert(result.end(), right, b.end());
  return result;
}

}  // namespace

Polynomial Polynomial::constant(const Dual& value) {
  Polynomial result;
  result.monomials_.push_back({{}, Coefficient(value.value)});
  for (std::size_t d = 0; d < value.slopes.size(); ++d)
    if (value.slopes[d] != 0.0)
      result.own_tangent(d).monomials_.push_back({{}, Coefficient(value.slopes[d])});
  return result;
}

Polynomial Polynomial::constant(const Coefficient& value) {
  Polynomial result;
  result.monomials_.push_back({{}, value});
  return result;
}

Polynomial Polynomial::variable(Symbol symbol) {
  Polynomial result;
  result.monomials_.push_back({{{symbol, 1}}, Coefficient(1.0)});
  return result;
}

Polynomial Polynomial::chained(double value, double slope, const Polynomial& argument) {
  Polynomial result = constant(value);
  for (std::size_t d = 0; d < argument.tangents_.size(); ++d) {
    Polynomial tangent = argument.tangents_[d];
    tangent.drop_cancelled();
    if (tangent.monomials_.empty()) continue;  // it takes nothing from an infinite slope
    tangent.scale(slope);
    result.own_tangent(d) = std::move(tangent);
  }
  return result;
}

Polynomial& Polynomial::own_tangent(std::size_t direction) {
  if (tangents_.size() <= direction) tangents_.resize(direction + 1);
  return tangents_[direction];
}

const Polynomial& Polynomial::tangent(std::size_t direction) const {
  static const Polynomial zero;
  return direction < tangents_.size() ? tangents_[direction] : zero;
}

void Polynomial::set_tangent(std::size_t direction, Polynomial tangent) {
  own_tangent(direction) = std::move(tangent);
}

bool Polynomial::is_zero() const { return std::all_of(monomials_.begin(), monomials_.end(), cancelled); }

std::vector<double> Polynomial::directions() const {
  std::vector<double> result;
  result.reserve(tangents_.size());
  for (const Polynomial& tangent : tangents_) result.push_back(tangent.is_zero() ? 0.0 : 1.0);
  return result;
}

bool Polynomial::varies() const {
  return std::any_of(tangents_.begin(), tangents_.end(),
                     [](const Polynomial& tangent) { return !tangent.is_zero(); });
}

void Polynomial::add(Monomial monomial) {
  const auto merge_into = [&](Monomial& present) { present.coefficient.add(monomial.coefficient); };
  if (monomials_.size() <= kSearchedInTurn) {
    for (Monomial& present : monomials_)
      if (present.powers == monomial.powers) return merge_into(present);
    monomials_.push_back(std::move(monomial));
    return;
  }
  if (places_.empty())
    for (std::size_t i = 0; i < monomials_.size(); ++i) places_.emplace(hash_of(monomials_[i].powers), i);
  const std::size_t hash = hash_of(monomial.powers);
  const auto [first, last] = places_.equal_range(hash);
  for (auto place = first; place != last; ++place)
    if (monomials_[place->second].powers == monomial.powers) return merge_into(monomials_[place->second]);
  places_.emplace(hash, monomials_.size());
  monomials_.push_back(std::move(monomial));
}

void Polynomial::add_value(const Polynomial& other, double factor) {
  for (const Monomial& monomial : other.monomials_) {
    Monomial scaled = monomial;
    if (factor != 1.0) scaled.coefficient.scale(factor);
    add(std::move(scaled));
  }
}

void Polynomial::add(const Polynomial& other, double factor) {
  add_value(other, factor);
  for (std::size_t d = 0; d < other.tangents_.size(); ++d)
    own_tangent(d).add_value(other.tangents_[d], factor);
}

void Polynomial::add(const Polynomial& other, const Dual& factor) {
  add(other, factor.value);
  for (std::size_t d = 0; d < factor.slopes.size(); ++d)
    if (factor.slopes[d] != 0.0) own_tangent(d).add_value(other, factor.slopes[d]);
}

void Polynomial::scale(double factor) {
  for (Monomial& monomial : monomials_) monomial.coefficient.scale(factor);
  for (Polynomial& tangent : tangents_) tangent.scale(factor);
}

void Polynomial::divide(const Dual& divisor) { divide(constant(divisor)); }

void Polynomial::divide(const Polynomial& divisor) {
  const double number = divisor.constant_value().value_or(std::numeric_limits<double>::quiet_NaN());
  for (Monomial& monomial : monomials_) monomial.coefficient.divide(number);
  for (std::size_t d = 0; d < std::max(tangents_.size(), divisor.tangents_.size()); ++d) {
    Polynomial& tangent = own_tangent(d);
    tangent.add_value(value_product(*this, divisor.tangent(d)), -1.0);
    for (Monomial& monomial : tangent.monomials_) monomial.coefficient.divide(number);
  }
}

int Polynomial::highest_exponent() const {
  int highest = 0;
  for (const Monomial& monomial : monomials_) {
    const bool counts = std::any_of(monomial.powers.begin(), monomial.powers.end(),
                                    [&](const Power& power) { return power.exponent > highest; });
    if (!counts || cancelled(monomial)) continue;
    for (const Power& power : monomial.powers) highest = std::max(highest, power.exponent);
  }
  for (const Polynomial& tangent : tangents_) highest = std::max(highest, tangent.highest_exponent());
  return highest;
}

void Polynomial::drop_cancelled() {
  std::erase_if(monomials_, cancelled);
  places_.clear();
  for (Polynomial& tangent : tangents_) tangent.drop_cancelled();
}

std::optional<double> Polynomial::constant_value() const {
  double value = 0.0;
  for (const Monomial& monomial : monomials_) {
    const double coefficient = monomial.coefficient.value().rounded();
    if (coefficient == 0.0) continue;
    if (!monomial.powers.empty()) return std::nullopt;
    value = coefficient;
  }
  return value;
}

Polynomial Polynomial::value_product(const Polynomial& a, const Polynomial& b) {
  Polynomial result;
  for (const Monomial& left : a.monomials_)
    for (const Monomial& right : b.monomials_)
      result.add({product(left.powers, right.powers), left.coefficient * right.coefficient});
  return result;
}

/// 1·P is P: where products begin. Of coefficients with several summands it would be another form.
bool Polynomial::stays_as_factor_of(const Polynomial& one) const {
  const auto is_one = [](const Monomial& monomial) {
    const auto summands = monomial.coefficient.summands();
    return monomial.powers.empty() && summands.size() == 1 && summands.front() == ExactNumber(1.0);
  };
  return one.monomials_.size() == 1 && one.tangents_.empty() && is_one(one.monomials_.front()) &&
         tangents_.empty() && std::ranges::all_of(monomials_, [](const Monomial& monomial) {
           const auto summands = monomial.coefficient.summands();
           return summands.size() == 1 && !summands.front().is_zero();
         });
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  if (b.stays_as_factor_of(a)) return b;
  Polynomial result = Polynomial::value_product(a, b);
  for (std::size_t d = 0; d < a.tangents_.size(); ++d)
    result.own_tangent(d).add_value(Polynomial::value_product(a.tangents_[d], b), 1.0);
  for (std::size_t d = 0; d < b.tangents_.size(); ++d)
    result.own_tangent(d).add_value(Polynomial::value_product(a, b.tangents_[d]), 1.0);
  return result;
}

}  // namespace mti::text
