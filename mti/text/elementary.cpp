#include "mti/text/elementary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "mti/common/number.hpp"
#include "mti/text/expansion.hpp"
#include "mti/text/functions.hpp"
#include "mti/text/multiply_out.hpp"

namespace mti::text {
namespace {

/// Of a polynomial in one binary z and nothing else: z, and the values at z = 0 and z = 1.
struct OfBinary {
  Symbol z;
  std::array<double, 2> values;
};
std::optional<OfBinary> of_one_binary(const Polynomial& polynomial) {
  std::optional<Symbol> z;
  std::array<Coefficient, 2> values;  // added up before they are rounded: G·z + 1 − z is G at z = 1
  for (const Monomial& monomial : polynomial.monomials()) {
    if (monomial.coefficient.value().is_zero()) continue;
    if (monomial.powers.size() > 1) return std::nullopt;
    values[1].add(monomial.coefficient);
    if (monomial.powers.empty()) {
      values[0].add(monomial.coefficient);
      continue;
    }
    const Symbol symbol = monomial.powers[0].symbol;
    if (!symbol.idempotent() || (z && *z != symbol)) return std::nullopt;
    z = symbol;
  }
  if (!z) return std::nullopt;
  return OfBinary{*z, {values[0].value().rounded(), values[1].value().rounded()}};
}

/// values[0]·(1 − z) + values[1]·z
Polynomial by_binary(Symbol z, std::array<double, 2> values) {
  Polynomial result = Polynomial::constant(values[0]);
  const Polynomial binary = Polynomial::variable(z);
  result.add(binary, values[1]);
  result.add(binary, -values[0]);
  result.drop_cancelled();
  return result;
}

/// φ of such an argument from φ and φ' at its two values: φ(a) + Σ_d φ'(a) a_d ε_d.
Polynomial of_binary(const OfBinary& of, std::array<double, 2> values, std::array<double, 2> slopes,
                     const Polynomial& argument) {
  Polynomial result = by_binary(of.z, values);
  for (std::size_t d = 0; d < argument.tangents(); ++d)
    if (!argument.tangent(d).is_zero()) result.set_tangent(d, by_binary(of.z, slopes) * argument.tangent(d));
  return result;
}

/// Signals but ẋ and binaries that all monomials hold.
std::vector<Symbol> common_factors(const Polynomial& polynomial) {
  std::vector<Symbol> common;
  bool is_first = true;
  for (const Monomial& monomial : polynomial.monomials()) {
    if (monomial.coefficient.value().is_zero()) continue;
    std::vector<Symbol> own;
    for (const Power& power : monomial.powers)
      if (power.symbol.group() != Group::derivative && !power.symbol.idempotent())
        own.push_back(power.symbol);
    if (std::exchange(is_first, false))
      common = std::move(own);
    else
      std::erase_if(common, [&](Symbol symbol) { return std::ranges::find(own, symbol) == own.end(); });
  }
  return common;
}

bool is_finite(const Polynomial& polynomial) {
  for (const Monomial& monomial : polynomial.monomials())
    if (!std::isfinite(monomial.coefficient.value().rounded())) return false;
  return true;
}

Polynomial in_domain(Expansion& expansion, Polynomial result, const Node& node) {
  if (is_finite(result)) return expansion.differentiable(std::move(result), node);
  return expansion.fail("outside-domain", node, slice(expansion.text(), node) + " has no finite value");
}

}  // namespace

Polynomial Elementary::lower(Expansion& expansion, const Application& application) {
  const auto& [name, node, arguments] = application;
  for (const Polynomial& argument : arguments)
    if (expansion.failed() || !is_finite(argument)) return argument;
  const bool in_relation = expansion.owner().place == Expander::Place::relation;
  if (!in_relation && name == "/")
    return expansion.fail("division-by-signal", node,
                          division_by_signal(expansion.text(), expansion.relation(), node));
  if (!in_relation)
    return expansion.fail("function-of-signal", node,
                          "functions of signals stand in equations and constraints only: give " +
                              slice(expansion.text(), node) + " a name as an algebraic signal");
  if (name == "/") return divide(expansion, arguments[0], arguments[1], node, slice(expansion.text(), node));
  if (name == "^") return raise(expansion, arguments[0], arguments[1], node);
  const auto phi = mti::find_function(name);
  if (!phi || phi->kind == ElementaryFunction::Kind::power || arguments.size() != 1)
    return expansion.fail("function-of-signal", node, std::string(name) + " takes parameters only");
  return apply(expansion, *phi, arguments[0], node, slice(expansion.text(), node));
}

Polynomial Elementary::apply(Expansion& expansion, const ElementaryFunction& phi, const Polynomial& argument,
                             const Node& node, const std::string& text) {
  if (const std::optional<double> constant = argument.constant_value())
    return in_domain(
        expansion,
        Polynomial::chained(phi.value(*constant), argument.varies() ? phi.slope(*constant) : 0.0, argument),
        node);
  if (const auto of = of_one_binary(argument)) {
    const auto& [at_0, at_1] = of->values;
    return in_domain(
        expansion,
        of_binary(*of, {phi.value(at_0), phi.value(at_1)}, {phi.slope(at_0), phi.slope(at_1)}, argument),
        node);
  }
  const std::string function(phi.name());
  const std::string wanted = "fn." + function + std::to_string(count_[function] + 1);
  const Symbol signal = signal_of(argument, wanted + ".argument");
  const auto [found, is_new] =
      applied_.try_emplace({function + format_number(phi.exponent), signal.code()}, Symbol());
  if (is_new) {
    ++count_[function];
    found->second = auxiliaries_.fresh(wanted);
    functions_.push_back({found->second, signal, phi, text});
  }
  return Polynomial::variable(found->second);
}

Polynomial Elementary::divide(Expansion& expansion, const Polynomial& dividend, const Polynomial& divisor,
                              const Node& node, const std::string& text) {
  if (const auto of = of_one_binary(divisor)) {
    const auto& [at_0, at_1] = of->values;
    const Polynomial inverse =
        of_binary(*of, {1.0 / at_0, 1.0 / at_1}, {-1.0 / (at_0 * at_0), -1.0 / (at_1 * at_1)}, divisor);
    return in_domain(expansion, expansion.times(dividend, inverse, node), node);
  }
  const std::string wanted = "fn.quotient" + std::to_string(count_["/"] + 1);
  const Symbol signal = signal_of(divisor, wanted + ".divisor");
  const auto [found, is_new] = divided_.try_emplace({key_of(dividend), signal.code()}, Symbol());
  if (is_new) {
    ++count_["/"];
    found->second = auxiliaries_.fresh(wanted);
    Polynomial zero = Polynomial::variable(found->second) * Polynomial::variable(signal);
    zero.add(dividend, -1.0);
    equations_.push_back({found->second, std::move(zero)});
    divisors_.push_back({signal, text, found->second});
    // A square touches 0 where its factor passes it, which is easier to see.
    for (const Symbol factor : common_factors(divisor))
      if (factor != signal) divisors_.push_back({factor, text, found->second});
  }
  return Polynomial::variable(found->second);
}

Polynomial Elementary::raise(Expansion& expansion, const Polynomial& base, const Polynomial& exponent,
                             const Node& node) {
  using Kind = ElementaryFunction::Kind;
  const std::string text = slice(expansion.text(), node);
  const std::optional<double> number = exponent.constant_value();
  if (number && *number == std::floor(*number) && expansion.is_decided(exponent, node, "a whole exponent"))
    return exponent;
  if (number && !exponent.varies()) {
    if (*number == -1.0)
      return divide(expansion, Polynomial::constant(1.0), base, node.operands[0],
                    slice(expansion.text(), node.operands[0]));
    return apply(expansion, {Kind::power, *number}, base, node, text);
  }
  Polynomial log =
      apply(expansion, {Kind::log}, base, node, "log(" + slice(expansion.text(), node.operands[0]) + ")");
  if (expansion.failed()) return log;
  return apply(expansion, {Kind::exp}, expansion.times(exponent, log, node), node, text);
}

Symbol Elementary::sum(const Polynomial& sum) {
  const std::size_t before = auxiliaries_.all().size();
  const Symbol signal = signal_of(sum, "fn.sum" + std::to_string(count_["+"] + 1));
  if (auxiliaries_.all().size() > before) ++count_["+"];
  return signal;
}

/// The signal that a polynomial is. ẋ gets one of its own, so that no function holds derivatives.
Symbol Elementary::signal_of(const Polynomial& polynomial, const std::string& wanted) {
  const Symbol signal = auxiliaries_.signal(polynomial, wanted);
  if (signal.group() != Group::derivative) return signal;
  const auto [found, is_new] = slopes_.try_emplace(signal.code(), Symbol());
  if (is_new) {
    found->second = auxiliaries_.fresh(wanted);
    Polynomial zero = Polynomial::variable(found->second);
    zero.add(Polynomial::variable(signal), -1.0);
    equations_.push_back({found->second, std::move(zero)});
  }
  return found->second;
}

}  // namespace mti::text
