#include "mti/conditions/defined_by_binaries.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/conditions/truth.hpp"

namespace mti::conditions {
namespace {

using text::Group;
using text::Polynomial;
using text::Symbol;

bool is_algebraic(Symbol symbol) {
  return symbol.group() == Group::algebraic || symbol.group() == Group::auxiliary;
}

/// The algebraic signals of an equation without others that vary; nothing if it holds some.
std::optional<std::vector<Symbol>> unknowns_of(const Polynomial& equation) {
  std::vector<Symbol> unknowns;
  for (const text::Monomial& monomial : equation.monomials())
    for (const text::Power& power : monomial.powers) {
      if (power.symbol.idempotent()) continue;
      if (!is_algebraic(power.symbol)) return std::nullopt;
      unknowns.push_back(power.symbol);
    }
  std::ranges::sort(unknowns);
  unknowns.erase(std::unique(unknowns.begin(), unknowns.end()), unknowns.end());
  return unknowns;
}

/// A derivative of which nothing is known.
Polynomial unknown_tangent() { return Polynomial::constant(std::numeric_limits<double>::quiet_NaN()); }

/// c of c·y + p; nothing if y is not so alone.
std::optional<double> coefficient_of(Symbol y, const Polynomial& polynomial) {
  double c = 0.0;
  for (const text::Monomial& monomial : polynomial.monomials()) {
    const bool holds_y =
        std::ranges::any_of(monomial.powers, [&](const text::Power& power) { return power.symbol == y; });
    if (!holds_y || monomial.coefficient.value().is_zero()) continue;
    if (c != 0.0 || monomial.powers.size() != 1 || monomial.powers.front().exponent != 1) return std::nullopt;
    c = monomial.coefficient.value().rounded();
  }
  return c;
}

/// −p/c of c·y + p = 0; nothing if y is not so alone. Where y stands in products in a derivative, that is unknown.
std::optional<Polynomial> solved_for(const Polynomial& equation, Symbol y) {
  const std::optional<double> c = coefficient_of(y, equation);
  if (!c || *c == 0.0) return std::nullopt;
  Dual divisor(-*c), own(-*c);
  for (std::size_t d = 0; d < equation.tangents(); ++d) {
    const double slope =
        coefficient_of(y, equation.tangent(d)).value_or(std::numeric_limits<double>::quiet_NaN());
    divisor.slopes.push_back(-slope);
    own.slopes.push_back(-slope);
  }
  Polynomial rest = equation;
  rest.add(Polynomial::variable(y), own);
  rest.drop_cancelled();
  rest.divide(divisor);
  return rest;
}

}  // namespace

bool is_static(const Polynomial& equation) { return unknowns_of(equation).has_value(); }

/// Each equation waits until all of its signals but one are known.
DefinedByBinaries::DefinedByBinaries(const std::vector<Polynomial>& equations)
    : defines_(equations.size(), 0) {
  std::vector<std::size_t> open(equations.size(), 0);
  std::map<Symbol, std::vector<std::size_t>> waiting;
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < equations.size(); ++i) {
    const auto unknowns = unknowns_of(equations[i]);
    if (!unknowns || unknowns->empty()) continue;
    open[i] = unknowns->size();
    for (const Symbol y : *unknowns) waiting[y].push_back(i);
    if (open[i] == 1) ready.push_back(i);
  }
  for (std::size_t next = 0; next < ready.size(); ++next) {
    const std::size_t i = ready[next];
    std::vector<Symbol> unknowns = *unknowns_of(equations[i]);
    std::erase_if(unknowns, [&](Symbol y) { return values_.contains(y); });
    if (unknowns.size() != 1) continue;  // another equation has defined it
    const auto value = solved_for(equations[i], unknowns.front());
    const auto by_binaries = value ? in_binaries(*value) : std::nullopt;
    if (!by_binaries) continue;
    values_.emplace(unknowns.front(), *by_binaries);
    defines_[i] = 1;
    for (const std::size_t other : waiting[unknowns.front()])
      if (--open[other] == 1) ready.push_back(other);
  }
}

std::optional<Polynomial> DefinedByBinaries::in_binaries(const Polynomial& p) const {
  Polynomial result;
  for (const text::Monomial& monomial : p.monomials()) {
    if (monomial.coefficient.value().is_zero()) continue;
    Polynomial product = Polynomial::constant(monomial.coefficient);
    for (const text::Power& power : monomial.powers) {
      const auto value = values_.find(power.symbol);
      if (!power.symbol.idempotent() && value == values_.end()) return std::nullopt;
      for (int k = 0; k < (power.symbol.idempotent() ? 1 : power.exponent); ++k) {
        product = product * (power.symbol.idempotent() ? Polynomial::variable(power.symbol) : value->second);
        if (const auto binaries = binaries_of(product); !binaries || binaries->size() > kMostTabulated)
          return std::nullopt;
      }
    }
    result.add(product, 1.0);
  }
  for (std::size_t d = 0; d < p.tangents(); ++d) {
    Polynomial tangent = result.tangent(d);
    tangent.add(in_binaries(p.tangent(d)).value_or(unknown_tangent()), 1.0);
    result.set_tangent(d, std::move(tangent));
  }
  result.drop_cancelled();
  const auto binaries = binaries_of(result);
  return binaries && binaries->size() <= kMostTabulated ? std::optional(std::move(result)) : std::nullopt;
}

LogicFound find_logic(Generated& made, int declared, const DefinedByBinaries& signals) {
  LogicFound found;
  for (std::size_t i = 0; i < made.binaries.size(); ++i) {
    GeneratedBinary& one = made.binaries[i];
    if (one.value || one.initial) continue;
    const auto off = signals.in_binaries(one.while_off), on = signals.in_binaries(one.while_on);
    if (!off || !on) continue;
    const std::vector<Symbol> binaries = *binaries_of(*off);
    const Symbol own(Group::binary, declared + static_cast<int>(i), true);
    if (std::ranges::find(binaries, own) != binaries.end() || binaries_of(*on) != binaries) continue;
    std::vector<double> values;
    bool is_apart = false, is_decided = false;
    for (unsigned assignment = 0; assignment < 1U << binaries.size(); ++assignment) {
      const double while_off = value_at(*off, binaries, assignment),
                   while_on = value_at(*on, binaries, assignment);
      const bool may_be_0 = while_off <= 0.0, may_be_1 = while_on <= 0.0;
      if (may_be_0 == may_be_1 && !(while_off == 0.0 && while_on == 0.0)) break;
      if (may_be_0 == may_be_1) {
        is_apart = is_apart || one.at_zero == GeneratedBinary::AtZero::differs;
        is_decided = is_decided || may_leave_zero(*off, binaries, assignment) ||
                     may_leave_zero(*on, binaries, assignment);
      }
      values.push_back((may_be_0 != may_be_1 ? may_be_1 : one.at_zero != GeneratedBinary::AtZero::off) ? 1.0
                                                                                                       : 0.0);
    }
    if (values.size() != 1U << binaries.size()) continue;
    if (is_apart) found.apart_at_zero.insert(one.texts.begin(), one.texts.end());
    if (is_decided) found.decided.push_back({one.text, difference(*off, *on).directions()});
    one.value = interpolated(binaries, std::move(values));
  }
  return found;
}

}  // namespace mti::conditions
