#include "mti/build/named_binaries.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace mti::building {
namespace {

using text::Group;
using text::Monomial;
using text::Polynomial;
using text::Symbol;
using Names = std::map<Symbol, Symbol>;  ///< the binaries that algebraic signals stand for

bool is_first_power(const Monomial& monomial) {
  return monomial.powers.size() == 1 && monomial.powers.front().exponent == 1;
}

/// y and b of y − b = 0, up to a factor.
std::optional<std::pair<Symbol, Symbol>> name_in(const Polynomial& equation) {
  const std::vector<Monomial>& terms = equation.monomials();
  if (terms.size() != 2 || equation.varies() || !is_first_power(terms[0]) || !is_first_power(terms[1]))
    return std::nullopt;
  if (terms[0].coefficient.value().rounded() != -terms[1].coefficient.value().rounded()) return std::nullopt;
  Symbol y = terms[0].powers.front().symbol, b = terms[1].powers.front().symbol;
  if (y.idempotent()) std::swap(y, b);
  if (y.group() != Group::algebraic || y.remembered() || !b.idempotent()) return std::nullopt;
  return std::pair(y, b);
}

/// Logic once names are replaced: binaries among others that are known, and a name at least.
bool is_named_logic(const Polynomial& equation, const Names& names) {
  bool holds_name = false, holds_binary = false;
  for (const Monomial& monomial : equation.monomials())
    for (const text::Power& power : monomial.powers) {
      const auto name = names.find(power.symbol);
      if (name == names.end() && !power.symbol.idempotent()) return false;
      holds_name = holds_name || name != names.end();
      const Symbol own = name == names.end() ? power.symbol : name->second;
      holds_binary = holds_binary || own.group() == Group::binary;
    }
  return holds_name && holds_binary && !equation.varies();
}

Polynomial without_names(const Polynomial& equation, const Names& names) {
  Polynomial result;
  for (const Monomial& monomial : equation.monomials()) {
    Polynomial product = Polynomial::constant(monomial.coefficient.value().rounded());
    for (const text::Power& power : monomial.powers) {
      const auto name = names.find(power.symbol);
      product = product * Polynomial::variable(name == names.end() ? power.symbol : name->second);
    }
    result.add(product, 1.0);
  }
  result.drop_cancelled();
  return result;
}

}  // namespace

void write_named_binaries(std::vector<std::optional<Polynomial>>& equations) {
  Names names;
  std::vector<char> defines(equations.size(), 0);
  for (std::size_t i = 0; i < equations.size(); ++i)
    if (equations[i])
      if (const auto name = name_in(*equations[i])) defines[i] = names.insert(*name).second ? 1 : 0;
  if (names.empty()) return;
  for (std::size_t i = 0; i < equations.size(); ++i) {
    if (!equations[i] || defines[i] != 0 || !is_named_logic(*equations[i], names)) continue;
    // What would be left of two names of one binary is nothing: it stays, for the structure to tell.
    Polynomial written = without_names(*equations[i], names);
    if (!written.constant_value()) equations[i] = std::move(written);
  }
}

}  // namespace mti::building
