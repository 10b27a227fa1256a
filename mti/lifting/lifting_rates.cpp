#include <cmath>

#include "mti/common/at.hpp"
#include "mti/common/number.hpp"
#include "mti/lifting/binary_steps.hpp"
#include "mti/lifting/lifting.hpp"

namespace mti {
namespace {

using Kind = ElementaryFunction::Kind;

/// The factor 1 − |S| + S·v.
std::string factor_text(const RowMap::Factor& factor, const std::string& name) {
  if (factor.S == 1.0) return name;
  return "(" + text::format_number(1.0 - std::abs(factor.S)) + " + (" + text::format_number(factor.S) + ")*" +
         name + ")";
}

}  // namespace

/// The text of the derivative of a continuous signal: "der(x)", "1", "y.rate".
std::string Lifting::rate_of(int row) {
  if (const auto found = rates_.find(row); found != rates_.end()) return found->second;
  std::string rate = make_rate(row);
  rates_.insert_or_assign(row, rate);
  return rate;
}

std::string Lifting::make_rate(int row) {
  const Signature& signature = model_.signature;
  const int state = row - signature.state_row(0);
  if (state >= 0 && state < signature.n()) return "der(" + name_of(row) + ")";
  lifted_.fix_start_time();
  const int input = row - signature.input_row(0);
  if (input >= 0 && input < signature.m())
    return std::holds_alternative<ClockInput>(model_.inputs[at(input)].form()) ? "1" : tie(row);
  const auto equation = continuity_.equation_of(row);
  if (!equation) return tie(row);
  if (const auto function = function_of_.find(*equation);
      function != function_of_.end() && model_.function_texts[at(function->second)].result == row)
    return rate_of_function(row, function->second);
  if (!has_rates(*equation)) return tie(row);
  if (const auto other = multiple_in(*equation, row)) {
    const auto& [signal, factor] = *other;
    std::string rate = rate_of(signal), number = "(" + text::format_number(factor) + ")";
    return factor == 1.0 ? rate : rate == "1" ? number : number + "*" + rate;
  }
  return rate_by_equation(row, *equation);
}

/// Of r = φ(a): the derivative of the state that it has become, or what follows from the equation of the root.
std::string Lifting::rate_of_function(int row, int function) {
  const ElementaryFunction& phi = model_.functions[at(function)].phi;
  const int argument = model_.function_texts[at(function)].argument;
  const std::string r = signal_of(argument, phi, {});
  if (becomes_state(phi)) return "der(" + r + ")";
  std::string rate = lifted_.add_algebraic(name_of(row) + ".rate", 0.0);
  const std::string of_argument = rate_of(argument);
  if (phi.kind == Kind::cosh) {
    lifted_.add_equation(rate + ".definition",
                         rate + " = " + signal_of(argument, {Kind::sinh}, r + ".sinh") + "*" + of_argument);
    return rate;
  }
  if (phi.kind == Kind::tanh) {
    lifted_.add_equation(rate + ".definition", rate + " = (1 - " + r + "^2)*" + of_argument);
    return rate;
  }
  if (phi.kind == Kind::abs) {
    lifted_.add_equation(rate + ".definition", rate + " = if " + name_of(argument) + " > 0 then " +
                                                   of_argument + " else -(" + of_argument + ")");
    return rate;
  }
  const double exponent = phi.kind == Kind::sqrt ? 0.5 : phi.kind == Kind::cbrt ? 1.0 / 3.0 : phi.exponent;
  lifted_.add_equation(
      rate + ".definition",
      name_of(argument) + "*" + rate + " = (" + text::format_number(exponent) + ")*" + r + "*" + of_argument);
  return rate;
}

/// The total derivative of the row that gives a signal y, an equation for y.rate.
std::string Lifting::rate_by_equation(int row, int equation) {
  std::string rate = lifted_.add_algebraic(name_of(row) + ".rate", 0.0);
  rates_.emplace(row, rate);
  std::string sum;
  for (const RowMap::Term& term : f_.terms(equation)) {
    const auto factors = f_.factors(term.column);
    for (std::size_t b = 0; b < factors.size(); ++b) {
      if (is_binary_row(model_.signature, factors[b].signal)) continue;
      std::string product =
          "(" + text::format_number(term.Phi * factors[b].S) + ")*" + rate_of(factors[b].signal);
      for (std::size_t i = 0; i < factors.size(); ++i)
        if (i != b) product += "*" + factor_text(factors[i], name_of(factors[i].signal));
      sum += (sum.empty() ? "" : " + ") + product;
    }
  }
  lifted_.add_equation(rate + ".definition", sum + " = 0");
  return rate;
}

/// The signal itself, or a copy of an input, is a state: its own equation, differentiated by the solver, gives its rate.
std::string Lifting::tie(int row) {
  const double start = start_[at(row)];
  const int y = row - model_.signature.algebraic_row(0);
  if (y >= 0 && y < model_.signature.p()) {
    if (state_rows_.insert(row).second) lifted_.make_state(name_of(row), start);
    return "der(" + name_of(row) + ")";
  }
  const std::string state = lifted_.add_state(name_of(row) + ".state", start);
  lifted_.add_equation(state + ".definition", state + " = " + name_of(row));
  return "der(" + state + ")";
}

/// x and c where the row says y = c·x + d.
std::optional<Lifting::Multiple> Lifting::multiple_in(int equation, int row) const {
  double own = 0.0;
  std::optional<Multiple> other;
  for (const RowMap::Term& term : f_.terms(equation)) {
    const auto factors = f_.factors(term.column);
    if (factors.empty()) continue;
    if (factors.size() > 1 || (factors[0].signal != row && other)) return std::nullopt;
    const double coefficient = term.Phi * factors[0].S;
    if (factors[0].signal == row)
      own += coefficient;
    else
      other = {factors[0].signal, -coefficient};
  }
  if (!other || is_binary_row(model_.signature, other->signal)) return std::nullopt;
  other->factor /= own;
  return other;
}

/// Derivatives have no rates here: a row that holds one is left to the solver.
bool Lifting::has_rates(int equation) const {
  for (const RowMap::Term& term : f_.terms(equation))
    for (const RowMap::Factor& factor : f_.factors(term.column))
      if (factor.signal < model_.signature.state_row(0)) return false;
  return true;
}

}  // namespace mti
