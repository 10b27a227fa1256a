#include "mti/lifting/lifting.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/common/number.hpp"

namespace mti {
namespace {

using Kind = ElementaryFunction::Kind;
using text::format_number;

/// factor·a', where a' may be the number 1.
std::string times_rate(const std::string& factor, const std::string& rate) {
  if (rate == "1") return factor;
  return factor == "1" ? rate : factor + "*" + rate;
}

std::string power_text(const std::string& base, int exponent) {
  return exponent == 1 ? base : base + "^" + std::to_string(exponent);
}

}  // namespace

std::optional<Fraction> small_fraction(double p) {
  constexpr int largest_denominator = 4, largest_numerator = 8;
  for (int k = 1; k <= largest_denominator; ++k) {
    const double m = std::round(p * k);
    if (std::abs(m) <= largest_numerator && m / k == p) return Fraction{static_cast<int>(m), k};
  }
  return std::nullopt;
}

bool is_integrated(const ElementaryFunction& phi) {
  if (phi.kind == Kind::power) return !small_fraction(phi.exponent);
  return phi.kind != Kind::sqrt && phi.kind != Kind::cbrt && phi.kind != Kind::abs;
}

bool becomes_state(const ElementaryFunction& phi) {
  return is_integrated(phi) && phi.kind != Kind::cosh && phi.kind != Kind::tanh;
}

Lifting::Lifting(const Model& model, std::span<const double> start, const Continuity& continuity)
    : model_(model), start_(start), continuity_(continuity), f_(model.f()), lifted_(model, start) {
  for (std::size_t i = 0; i < model.function_texts.size(); ++i)
    function_of_.emplace(model.function_texts[i].equation, static_cast<int>(i));
}

void Lifting::lift_functions() {
  for (std::size_t i = 0; i < model_.functions.size(); ++i)
    signal_of(model_.function_texts[i].argument, model_.functions[i].phi, {});
}

/// The signal that is φ(a): made where it is asked for first, with what determines it.
std::string Lifting::signal_of(int argument, const ElementaryFunction& phi, const std::string& wanted) {
  const auto key = std::make_tuple(argument, phi.kind, phi.exponent);
  if (const auto found = signals_.find(key); found != signals_.end()) return found->second;
  const Host host = host_of(argument, phi, wanted);
  signals_.emplace(key, host.name);
  define(host, argument, phi);
  return host.name;
}

/// The result of a function row of the model where there is one; further rows of the same function say that theirs equals it.
Lifting::Host Lifting::host_of(int argument, const ElementaryFunction& phi, const std::string& wanted) {
  const double value = phi.value(start_[at(argument)]);
  const bool is_state = becomes_state(phi);
  Host host;
  for (std::size_t i = 0; i < model_.functions.size(); ++i) {
    const FunctionText& row = model_.function_texts[i];
    if (row.argument != argument || !(model_.functions[i].phi == phi)) continue;
    if (!std::isfinite(value))
      throw InvalidModel("outside-domain", "", row.text + " has no finite value at the start");
    const std::string result = name_of(row.result);
    if (host.name.empty() && (!is_state || can_be_state(row.result))) {
      host = {result, row.equation};
      if (is_state) lifted_.make_state(result, value);
      if (is_state) state_rows_.insert(row.result);
      continue;
    }
    if (host.name.empty()) host.name = lifted_.add_state(result + "." + std::string(phi.name()), value);
    lifted_.replace(row.equation, result + " = " + host.name);
  }
  if (host.name.empty())
    host.name = is_state ? lifted_.add_state(wanted, value) : lifted_.add_algebraic(wanted, value);
  return host;
}

/// An auxiliary signal that is no state yet, and that no law holds.
bool Lifting::can_be_state(int row) const {
  const Signature& signature = model_.signature;
  const int y = row - signature.algebraic_row(0);
  if (y < 0 || y >= signature.p() || !signature.algebraic()[at(y)].auxiliary || state_rows_.contains(row))
    return false;
  return std::ranges::none_of(model_.transitions, [&](const Transition& law) {
    const SparseColumns& S = law.equations.S();
    for (int column = 0; column < S.outerSize(); ++column)
      for (SparseColumns::InnerIterator factor(S, column); factor; ++factor)
        if (factor.row() % signature.size() == row) return true;
    return false;
  });
}

void Lifting::give(const Host& host, const std::string& text) {
  if (host.equation >= 0)
    lifted_.replace(host.equation, text);
  else
    lifted_.add_equation(host.name + ".definition", text);
}

void Lifting::define(const Host& host, int argument, const ElementaryFunction& phi) {
  const std::string &r = host.name, a = name_of(argument), der = "der(" + r + ")";
  const auto integral = [&](const std::string& left, const std::string& slope) {
    give(host, left + " = " + times_rate(slope, rate_of(argument)));
  };
  const auto partner = [&](Kind kind) {
    return signal_of(argument, {kind}, r + "." + std::string(ElementaryFunction{kind}.name()));
  };
  switch (phi.kind) {
    case Kind::sin:
      return integral(der, partner(Kind::cos));
    case Kind::cos:
      return integral(der, "-" + partner(Kind::sin));
    case Kind::exp:
      return integral(der, r);
    case Kind::sinh:
      return integral(der, partner(Kind::cosh));
    case Kind::cosh:
      return give(host, r + "^2 = 1 + " + partner(Kind::sinh) + "^2");
    case Kind::tan:
      return integral(der, "(1 + " + r + "^2)");
    case Kind::tanh: {
      // 1 − r² has no digits where r is next to ±1.
      const std::string sinh = partner(Kind::sinh);
      return give(host, partner(Kind::cosh) + "*" + r + " = " + sinh);
    }
    case Kind::log:
      lifted_.add_constraint(r + ".domain", a + " >= 0");
      return integral(a + "*" + der, "1");
    case Kind::atan:
      return integral("(1 + " + a + "^2)*" + der, "1");
    case Kind::atanh:
      lifted_.add_constraint(r + ".domain", a + "^2 <= 1");
      return integral("(1 - " + a + "^2)*" + der, "1");
    case Kind::asin:
    case Kind::acos:
    case Kind::asinh:
    case Kind::acosh:
      return define_by_root(host, argument, phi);
    case Kind::sqrt:
      return define_power(host, argument, 0.5);
    case Kind::cbrt:
      return give(host, r + "^3 = " + a);
    case Kind::abs:  // a condition: what is smooth no longer is without events
      return give(host, r + " = abs(" + a + ")");
    case Kind::power:
      return define_power(host, argument, phi.exponent);
    case Kind::erf: {
      // e^{−a²} has no digits where a is large, its inverse has.
      const double at_start = start_[at(argument)];
      const std::string e = lifted_.add_state(r + ".exp", std::exp(at_start * at_start));
      lifted_.add_equation(e + ".definition",
                           "der(" + e + ") = 2*" + times_rate(a + "*" + e, rate_of(argument)));
      return integral(e + "*" + der, format_number(2.0 * std::numbers::inv_sqrtpi));
    }
  }
}

/// w·r' = ±a' with a root w of 1 − a², a² + 1 or a² − 1.
void Lifting::define_by_root(const Host& host, int argument, const ElementaryFunction& phi) {
  const std::string square = name_of(argument) + "^2";
  const double a = start_[at(argument)];
  const bool is_circular = phi.kind == Kind::asin || phi.kind == Kind::acos;
  const double under_root = is_circular               ? (1.0 - a) * (1.0 + a)
                            : phi.kind == Kind::acosh ? (a - 1.0) * (a + 1.0)
                                                      : 1.0 + a * a;
  const std::string w = lifted_.add_algebraic(host.name + ".root", std::sqrt(under_root));
  lifted_.add_equation(w + ".definition", w + "^2 = " +
                                              (is_circular               ? "1 - " + square
                                               : phi.kind == Kind::acosh ? square + " - 1"
                                                                         : square + " + 1"));
  if (phi.kind != Kind::asinh) lifted_.add_constraint(host.name + ".domain", w + " >= 0");
  give(host,
       w + "*der(" + host.name + ") = " + times_rate(phi.kind == Kind::acos ? "-1" : "1", rate_of(argument)));
}

/// s^k = a with r = s^m or r·s^|m| = 1; r' = p·r·a'/a where p is no small fraction.
void Lifting::define_power(const Host& host, int argument, double exponent) {
  const std::string &r = host.name, a = name_of(argument);
  const auto fraction = small_fraction(exponent);
  if (!fraction) {
    if (start_[at(argument)] == 0.0)
      throw InvalidModel("outside-domain", "",
                         a + "^" + format_number(exponent) + " begins at 0, where " + a + "*der(" + r +
                             ") = " + format_number(exponent) + "*" + r + "*der(" + a + ") says nothing");
    lifted_.add_constraint(r + ".domain", a + " >= 0");
    // Through a = 0 the equation leads to −r = −a^p as well.
    if (exponent > 0.0) lifted_.add_constraint(r + ".sign", r + " >= 0");
    return give(host,
                a + "*der(" + r + ") = " + times_rate(format_number(exponent) + "*" + r, rate_of(argument)));
  }
  const auto [m, k] = *fraction;
  std::string s = a;
  if (k > 1) {
    if (m != 1) s = lifted_.add_algebraic(r + ".root", std::pow(start_[at(argument)], 1.0 / k));
    if (m == 1) s = r;
    lifted_.add_constraint(r + ".domain", s + " >= 0");
    const std::string root = power_text(s, k) + " = " + a;
    if (m == 1) return give(host, root);
    lifted_.add_equation(s + ".definition", root);
  } else if (continuity_.is_continuous(argument)) {
    lifted_.add_constraint(r + ".domain", a + (start_[at(argument)] > 0.0 ? " >= 0" : " <= 0"));
  }
  give(host, m > 0 ? r + " = " + power_text(s, m) : r + "*" + power_text(s, -m) + " = 1");
}

void Lifting::bound_divisors() {
  std::set<int> done;
  for (const Divisor& divisor : model_.divisors)
    if (continuity_.is_continuous(divisor.signal) && done.insert(divisor.signal).second) {
      const std::string b = name_of(divisor.signal);
      lifted_.add_constraint(b + ".domain", b + (start_[at(divisor.signal)] > 0.0 ? " >= 0" : " <= 0"));
    }
}

}  // namespace mti
