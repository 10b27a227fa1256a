#include "mti/polynomials/polynomial.hpp"

#include <algorithm>
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
      const int exponent = left->symbol.idempotent() ? 1 : left->exponent + right->exponent;
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

Polynomial Polynomial::constant(double value) {
  Polynomial result;
  result.monomials_.push_back({{}, Coefficient(value)});
  return result;
}

Polynomial Polynomial::variable(Symbol symbol) {
  Polynomial result;
  result.monomials_.push_back({{{symbol, 1}}, Coefficient(1.0)});
  return result;
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

void Polynomial::add(const Polynomial& other, double factor) {
  for (const Monomial& monomial : other.monomials_) {
    Monomial scaled = monomial;
    if (factor != 1.0) scaled.coefficient.scale(factor);
    add(std::move(scaled));
  }
}

void Polynomial::scale(double factor) {
  for (Monomial& monomial : monomials_) monomial.coefficient.scale(factor);
}

void Polynomial::divide(double divisor) {
  for (Monomial& monomial : monomials_) monomial.coefficient.divide(divisor);
}

void Polynomial::drop_cancelled() {
  std::erase_if(monomials_, cancelled);
  places_.clear();
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

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  Polynomial result;
  for (const Monomial& left : a.monomials_)
    for (const Monomial& right : b.monomials_)
      result.add({product(left.powers, right.powers), left.coefficient * right.coefficient});
  return result;
}

}  // namespace mti::text
