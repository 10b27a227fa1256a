#include "mti/text/auxiliaries.hpp"

#include <algorithm>

namespace mti::text {

PolynomialKey key_of(const Polynomial& polynomial) {
  PolynomialKey key;
  for (const Monomial& monomial : polynomial.monomials()) {
    const double coefficient = monomial.coefficient.value().rounded();
    if (coefficient == 0.0) continue;
    auto& [powers, value] = key.emplace_back();
    for (const Power& power : monomial.powers) powers.emplace_back(power.symbol.code(), power.exponent);
    value = coefficient;
  }
  std::sort(key.begin(), key.end());
  return key;
}

Symbol Auxiliaries::signal(const Polynomial& definition, const std::string& wanted) {
  const auto& monomials = definition.monomials();
  if (monomials.size() == 1 && monomials[0].powers.size() == 1 && monomials[0].powers[0].exponent == 1 &&
      monomials[0].coefficient.value().rounded() == 1.0)
    return monomials[0].powers[0].symbol;
  const auto [found, is_new] = made_.try_emplace(key_of(definition), symbol(all_.size()));
  if (is_new) all_.push_back({wanted, definition});
  return found->second;
}

Symbol Auxiliaries::fresh(const std::string& wanted) {
  all_.push_back({wanted, std::nullopt});
  return symbol(all_.size() - 1);
}

}  // namespace mti::text
