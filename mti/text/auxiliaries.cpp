#include "mti/text/auxiliaries.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace mti::text {

PolynomialKey key_of_value(const Polynomial& polynomial) {
  PolynomialKey key;
  for (const Monomial& monomial : polynomial.monomials()) {
    // A sum that no double holds has an entry for each double that it is the sum of.
    ExactNumber rest = monomial.coefficient.value();
    while (rest.rounded() != 0.0) {
      const double value = rest.rounded();
      auto& [powers, coefficient] = key.emplace_back();
      for (const Power& power : monomial.powers) powers.emplace_back(power.symbol.code(), power.exponent);
      coefficient = value;
      if (!std::isfinite(value)) break;
      rest = rest + ExactNumber(-value);
    }
  }
  std::sort(key.begin(), key.end());
  return key;
}

void append_tangents(const Polynomial& polynomial, PolynomialKey& key) {
  constexpr std::uint32_t no_symbol = std::numeric_limits<std::uint32_t>::max();  // behind all symbols
  for (std::size_t d = 0; d < polynomial.tangents(); ++d) {
    PolynomialKey of_tangent = key_of_value(polynomial.tangent(d));
    for (auto& [powers, value] : of_tangent) {
      powers.insert(powers.begin(), {no_symbol, static_cast<int>(d)});
      key.emplace_back(std::move(powers), value);
    }
  }
}

PolynomialKey key_of(const Polynomial& polynomial) {
  PolynomialKey key = key_of_value(polynomial);
  append_tangents(polynomial, key);
  return key;
}

Symbol Auxiliaries::signal(const Polynomial& definition, const std::string& wanted) {
  const auto& monomials = definition.monomials();
  if (monomials.size() == 1 && monomials[0].powers.size() == 1 && monomials[0].powers[0].exponent == 1 &&
      monomials[0].coefficient.value().rounded() == 1.0 && !definition.varies())
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
