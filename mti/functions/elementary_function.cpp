#include "mti/functions/elementary_function.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "mti/common/number.hpp"

namespace mti {
namespace {

using Kind = ElementaryFunction::Kind;

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr std::array<std::string_view, 19> names_of_functions{
    "sin",   "cos",   "tan", "asin", "acos", "atan", "sinh",  "cosh", "tanh", "asinh",
    "acosh", "atanh", "exp", "log",  "sqrt", "cbrt", "power", "erf",  "abs"};

double square(double a) { return a * a; }

/// 1 − a² without the cancellation of a² beside 1.
double one_minus_square(double a) { return (1.0 - a) * (1.0 + a); }

}  // namespace

double ElementaryFunction::value(double a) const {
  switch (kind) {
    case Kind::sin:
      return std::sin(a);
    case Kind::cos:
      return std::cos(a);
    case Kind::tan:
      return std::tan(a);
    case Kind::asin:
      return std::asin(a);
    case Kind::acos:
      return std::acos(a);
    case Kind::atan:
      return std::atan(a);
    case Kind::sinh:
      return std::sinh(a);
    case Kind::cosh:
      return std::cosh(a);
    case Kind::tanh:
      return std::tanh(a);
    case Kind::asinh:
      return std::asinh(a);
    case Kind::acosh:
      return std::acosh(a);
    case Kind::atanh:
      return std::atanh(a);
    case Kind::exp:
      return std::exp(a);
    case Kind::log:
      return std::log(a);
    case Kind::sqrt:
      return std::sqrt(a);
    case Kind::cbrt:
      return std::cbrt(a);
    case Kind::power:
      return std::pow(a, exponent);
    case Kind::erf:
      return std::erf(a);
    case Kind::abs:
      return std::abs(a);
  }
  return 0.0;
}

double ElementaryFunction::slope(double a) const {
  switch (kind) {
    case Kind::sin:
      return std::cos(a);
    case Kind::cos:
      return -std::sin(a);
    case Kind::tan:
      return 1.0 + square(std::tan(a));
    case Kind::asin:
      return 1.0 / std::sqrt(one_minus_square(a));
    case Kind::acos:
      return -1.0 / std::sqrt(one_minus_square(a));
    case Kind::atan:
      return 1.0 / (1.0 + square(a));
    case Kind::sinh:
      return std::cosh(a);
    case Kind::cosh:
      return std::sinh(a);
    case Kind::tanh:
      return 1.0 / square(std::cosh(a));
    case Kind::asinh:
      return 1.0 / std::hypot(1.0, a);
    case Kind::acosh:
      return a < 1.0 ? std::numeric_limits<double>::quiet_NaN() : 1.0 / std::sqrt((a - 1.0) * (a + 1.0));
    case Kind::atanh:
      return 1.0 / one_minus_square(a);
    case Kind::exp:
      return std::exp(a);
    case Kind::log:
      return 1.0 / a;
    case Kind::sqrt:
      return 0.5 / std::sqrt(a);
    case Kind::cbrt:
      return 1.0 / (3.0 * square(std::cbrt(a)));
    case Kind::power:
      return exponent * std::pow(a, exponent - 1.0);
    case Kind::erf:
      return 2.0 * std::numbers::inv_sqrtpi * std::exp(-square(a));
    case Kind::abs:
      return a < 0.0 ? -1.0 : 1.0;
  }
  return 0.0;
}

double ElementaryFunction::error(double a, double error_of_a) const {
  if (error_of_a == 0.0) return 0.0;
  const double here = value(a), linear = std::abs(slope(a)) * error_of_a;
  double largest = 0.0;
  for (const double beside : {a - error_of_a, a + error_of_a})
    if (const double change = std::abs(value(beside) - here); std::isfinite(change))
      largest = std::max(largest, change);
  return std::isfinite(linear) && largest == 0.0 ? linear : largest;
}

double ElementaryFunction::margin(double a) const {
  switch (kind) {
    case Kind::asin:
    case Kind::acos:
    case Kind::atanh:
      return 1.0 - std::abs(a);
    case Kind::acosh:
      return a - 1.0;
    case Kind::log:
    case Kind::sqrt:
      return a;
    case Kind::tan:
      return std::abs(std::cos(a));
    case Kind::cbrt:
      return std::abs(a);
    case Kind::power:
      return exponent == std::floor(exponent) ? std::abs(a) : a;
    default:
      return infinity;
  }
}

std::string_view ElementaryFunction::name() const {
  return names_of_functions[static_cast<std::size_t>(kind)];
}

std::string ElementaryFunction::text(std::string_view argument) const {
  const std::string inside(argument);
  if (kind == Kind::abs) return "smooth(0, abs(" + inside + "))";  // abs alone has a binary
  if (kind != Kind::power) return std::string(name()) + "(" + inside + ")";
  return "(" + inside + ")^" +
         (exponent < 0.0 ? "(" + text::format_number(exponent) + ")" : text::format_number(exponent));
}

std::optional<ElementaryFunction> find_function(std::string_view name) {
  const auto found = std::ranges::find(names_of_functions, name);
  if (found == names_of_functions.end()) return std::nullopt;
  return ElementaryFunction{static_cast<Kind>(found - names_of_functions.begin()), 0.0};
}

std::vector<std::string> function_names() { return {names_of_functions.begin(), names_of_functions.end()}; }

bool is_proper_exponent(double p) { return std::isfinite(p) && (p < 0.0 || p != std::floor(p)); }

}  // namespace mti
