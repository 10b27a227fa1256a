#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mti {

/// An elementary function of one real argument,
///
///     r = φ(a),    φ ∈ {sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh,
///                       exp, log, sqrt, cbrt, a^p, erf, abs}
///
/// and the interval of a on which it is smooth. Outside of it, and at its singular ends, values or slopes are not finite.
/// |a| is taken for smooth everywhere: a motion goes on over its kink, where its slope is that of the right side.
struct ElementaryFunction {
  enum class Kind : std::uint8_t {
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    sinh,
    cosh,
    tanh,
    asinh,
    acosh,
    atanh,
    exp,
    log,
    sqrt,
    cbrt,
    power,
    erf,
    abs
  };
  Kind kind = Kind::sin;
  double exponent = 0.0;  ///< p of a power; of others 0

  /// φ(a). Not finite, or NaN, outside of the domain.
  [[nodiscard]] double value(double a) const;
  /// φ'(a). Infinite at a singular end of the domain.
  [[nodiscard]] double slope(double a) const;
  /// How far values reach over a ± error, within the domain: at a singular end of φ' a bound with the slope would be infinite.
  [[nodiscard]] double error(double a, double error_of_a) const;
  /// How far a is inside of where φ is smooth: 0 at the end of the domain, at a pole or where the slope is infinite,
  /// negative outside; infinite where there is no end.
  [[nodiscard]] double margin(double a) const;
  /// "sin", "power"
  [[nodiscard]] std::string_view name() const;
  /// "sin(x)", "x^2.5", from the text of the argument.
  [[nodiscard]] std::string text(std::string_view argument) const;

  friend bool operator==(const ElementaryFunction&, const ElementaryFunction&) = default;
};

/// The function of this name, a power with exponent 0; nothing if there is none.
[[nodiscard]] std::optional<ElementaryFunction> find_function(std::string_view name);
/// Names of all functions, for suggestions.
[[nodiscard]] std::vector<std::string> function_names();
/// A power that is no product: p is not one of 0, 1, 2, ….
[[nodiscard]] bool is_proper_exponent(double p);

}  // namespace mti
