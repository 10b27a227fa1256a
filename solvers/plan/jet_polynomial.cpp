#include "solvers/plan/jet_polynomial.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "mti/common/at.hpp"

namespace mti {

JetRules::JetRules(const Model& model) : n_(model.signature.n()), first_input_(model.signature.input_row(0)) {
  for (const Input& input : model.inputs) {
    const auto* constant = std::get_if<ConstantInput>(&input.form());
    value_.push_back(constant != nullptr ? std::optional(constant->value) : std::nullopt);
    is_clock_.push_back(std::holds_alternative<ClockInput>(input.form()) ? 1 : 0);
  }
}

std::optional<double> JetRules::number(int signal) const {
  return is_input(signal) ? value_[at(signal - first_input_)] : std::nullopt;
}

std::optional<double> JetRules::number(Jet jet) const {
  if (!is_input(jet.signal)) return std::nullopt;
  const auto input = at(jet.signal - first_input_);
  if (jet.order == 0) return value_[input];
  if (value_[input]) return 0.0;
  if (is_clock_[input] != 0) return jet.order == 1 ? 1.0 : 0.0;
  return std::nullopt;
}

std::optional<JetPolynomial> JetPolynomial::of_row(const RowMap& f, int row, const JetRules& rules) {
  constexpr std::size_t most_affine_factors = 6;  // of a column; each doubles its monomials
  JetPolynomial result;
  for (const RowMap::Term& term : f.terms(row)) {
    if (f.function_of(term.column) != nullptr) return std::nullopt;
    double coefficient = term.Phi;
    Monomial certain;
    std::vector<std::pair<Jet, RowMap::Factor>> affine;
    for (const RowMap::Factor& factor : f.factors(term.column)) {
      if (const std::optional<double> number = rules.number(factor.signal)) {
        coefficient *= 1.0 - std::abs(factor.S) + factor.S * *number;
        continue;
      }
      const bool slope = factor.signal < rules.states();
      const Jet jet{slope ? factor.signal + rules.states() : factor.signal, slope ? 1 : 0};
      if (std::abs(factor.S) == 1.0) {
        coefficient *= factor.S;
        certain.push_back(jet);
      } else {
        affine.emplace_back(jet, factor);
      }
    }
    if (affine.size() > most_affine_factors) return std::nullopt;
    if (coefficient == 0.0) continue;
    for (unsigned choice = 0; choice < 1U << affine.size(); ++choice) {
      Monomial monomial = certain;
      double product = coefficient;
      for (std::size_t i = 0; i < affine.size(); ++i) {
        const auto& [jet, factor] = affine[i];
        const bool taken = (choice >> i & 1U) != 0;
        product *= taken ? factor.S : 1.0 - std::abs(factor.S);
        if (taken) monomial.push_back(jet);
      }
      std::sort(monomial.begin(), monomial.end());
      result.add(std::move(monomial), product);
    }
  }
  constexpr double rounding = 1e-15;
  result.drop_cancelled(rounding);
  return result;
}

void JetPolynomial::add(Monomial monomial, double coefficient) {
  Coefficient& sum = terms_[std::move(monomial)];
  sum.value += coefficient;
  sum.size += std::abs(coefficient);
}

void JetPolynomial::add(const JetPolynomial& other, double factor) {
  for (const auto& [monomial, coefficient] : other.terms_) {
    Coefficient& sum = terms_[monomial];
    sum.value += factor * coefficient.value;
    sum.size += std::abs(factor) * coefficient.size;
  }
}

void JetPolynomial::drop_cancelled(double tolerance) {
  drop_if([&](const Monomial&, const Coefficient& coefficient) {
    return std::abs(coefficient.value) <= tolerance * coefficient.size;
  });
}

template <class Selected>
JetPolynomial JetPolynomial::differentiated(const JetRules& rules, Selected selected) const {
  JetPolynomial result;
  for (const auto& [monomial, coefficient] : terms_)
    for (std::size_t i = 0; i < monomial.size(); ++i) {
      if (!selected(monomial[i])) continue;
      Monomial product = monomial;
      ++product[i].order;
      double slope = coefficient.value, size = coefficient.size;
      if (const std::optional<double> number = rules.number(product[i])) {
        slope *= *number;
        size *= std::abs(*number);
        product.erase(product.begin() + static_cast<std::ptrdiff_t>(i));
      }
      if (slope == 0.0) continue;
      std::sort(product.begin(), product.end());
      Coefficient& sum = result.terms_[std::move(product)];
      sum.value += slope;
      sum.size += size;
    }
  return result;
}

JetPolynomial JetPolynomial::derivative(const JetRules& rules) const {
  return differentiated(rules, [](Jet) { return true; });
}

JetPolynomial JetPolynomial::derivative_of_inputs(const JetRules& rules) const {
  return differentiated(rules, [&](Jet jet) { return rules.is_input(jet.signal); });
}

JetPolynomial JetPolynomial::derivative_by(Jet jet) const {
  JetPolynomial result;
  for (const auto& [monomial, coefficient] : terms_) {
    const auto first = std::find(monomial.begin(), monomial.end(), jet);
    if (first == monomial.end()) continue;
    const auto power = static_cast<double>(std::count(first, monomial.end(), jet));
    Monomial rest = monomial;
    rest.erase(rest.begin() + (first - monomial.begin()));
    Coefficient& sum = result.terms_[std::move(rest)];
    sum.value += power * coefficient.value;
    sum.size += power * coefficient.size;
  }
  return result;
}

}  // namespace mti
