#include "mti/polynomials/copies.hpp"

#include <algorithm>
#include <utility>

#include "mti/polynomials/binary_basis.hpp"

namespace mti::text {

std::vector<Term> Copies::multilinear(const Polynomial& polynomial) {
  std::vector<Term> terms;
  terms.reserve(polynomial.size());
  for (BasisTerm& monomial : in_binary_basis(polynomial)) {
    Term term{monomial.coefficient, {}, std::move(monomial.complements)};
    bool copied = false;
    for (const Power& power : monomial.powers) {
      term.symbols.push_back(power.symbol);
      if (power.exponent == 1) continue;
      copied = true;
      std::vector<Symbol>& copies = by_original_[power.symbol];
      while (static_cast<int>(copies.size()) < power.exponent - 1) {
        copies.push_back(symbol(all_.size()));
        all_.push_back({power.symbol, static_cast<int>(copies.size())});
      }
      term.symbols.insert(term.symbols.end(), copies.begin(), copies.begin() + (power.exponent - 1));
    }
    if (copied) std::sort(term.symbols.begin(), term.symbols.end());
    terms.push_back(std::move(term));
  }
  return terms;
}

}  // namespace mti::text
