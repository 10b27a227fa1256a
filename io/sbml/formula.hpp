#pragma once

#include <functional>
#include <string>

#include "io/sbml/document.hpp"
#include "io/sbml/refusals.hpp"

namespace mti::sbml {

/// What a formula may be made of where it stands.
struct FormulaPlace {
  std::string element;  ///< what it belongs to, for refusals
  /// The text that stands for a name, and for the rate of change of one (empty: it has none that can be written).
  std::function<std::string(const std::string&)> name;
  std::function<std::string(const std::string&)> rate;
  /// The text of the value of a name T ago, T a text; empty: it has none that can be written.
  std::function<std::string(const std::string&, const std::string&)> past =
      [](const std::string&, const std::string&) { return std::string(); };
  std::function<bool(const std::string&)> is_constant;
  /// The number of a formula of constants.
  std::function<std::optional<double>(const Math&)> number;
  /// q of what takes multiples of 1/q only, which are compared with a number between two of them; 0: of others.
  std::function<int(const Math&)> denominator = [](const Math&) { return 0; };
  /// Such a comparison has been written: it is right as long as what it is made of stays whole.
  std::function<void(const Math&)> rely_on_whole = [](const Math&) {};
  /// A formula that changes by nothing, though it may hold variables that rules determine; and its text at the start.
  std::function<bool(const Math&)> is_fixed = [](const Math&) { return false; };
  std::function<std::string(const Math&)> at_start = [](const Math&) { return std::string(); };
  /// The name of the floor of a text that changes, whose formula is there too; empty: it has none.
  std::function<std::string(const std::string&, const Math&)> floor_of = [](const std::string&, const Math&) {
    return std::string();
  };
  /// The name of a state that is 1 where a condition holds and 0 elsewhere, for what chooses by it; none: by if.
  std::function<std::string(const Math&)> flag = {};
  /// The formula relies on time to begin with 0.
  std::function<void()> rely_on_start = [] {};
  std::string time = "time";
  bool all_numbers = false;  ///< every name is a number: at the start
};

/// Writes formulas in the language of equations (docs/language.md), term by term:
///
///     piecewise(a, C, b) → (if C then a else b),   xor(A, B) → (A and not B) or (not A and B),
///     n >= 3 → n > 3 − 0.5,   n == 3 → n > 3 − 0.5 and n < 3 + 0.5      of what takes whole numbers only
///     sec(a) → 1/cos(a),   root(n, a) → a^(1/n),   …
///     ceiling(a) → −floor(−a),   quotient(a, b) → floor(a/b) above 0 and −floor(−a/b) below,
///     rem(a, b) → a − b·quotient(a, b)      where the place has a counter for floor(a)
///
/// Refusals: `sbml-delay`, `sbml-rate-of`, `sbml-function`, `sbml-equality`, `sbml-piecewise`, `sbml-not-finite`,
/// `sbml-condition`.
class FormulaWriter {
 public:
  FormulaWriter(const FormulaPlace& place, Refusals& refusals) : place_(place), refusals_(refusals) {}

  /// A number, as text that may stand in a sum.
  [[nodiscard]] std::string value(const Math& math) { return text(math).text; }
  /// As text that may be an operand of anything.
  [[nodiscard]] std::string operand(const Math& math) { return at_least(text(math), Level::atom); }
  /// A condition, as text that may stand behind `if`.
  [[nodiscard]] std::string condition(const Math& math);
  [[nodiscard]] bool is_constant(const Math& math) const;

 private:
  enum class Level { sum, product, power, atom };
  struct Text {
    std::string text;
    Level level = Level::atom;
  };
  [[nodiscard]] static std::string at_least(Text text, Level level);
  [[nodiscard]] Text text(const Math& math);
  [[nodiscard]] Text number(double value);
  [[nodiscard]] Text joined(const Math& math, const char* sign, Level level, const char* of_none);
  [[nodiscard]] Text power(const Math& base, const Text& exponent);
  [[nodiscard]] Text function(const Math& math);
  [[nodiscard]] Text call(const std::string& name, const Math& math, bool of_reciprocal = false);
  [[nodiscard]] Text stepwise(const Math& math);
  [[nodiscard]] bool is_never_negative(const Math& math) const;
  [[nodiscard]] Text past(const Math& math);
  [[nodiscard]] Text arc_cotangent(const Math& argument);
  [[nodiscard]] Text root(const Math& math);
  [[nodiscard]] Text piecewise(const Math& math);
  [[nodiscard]] Text by_flag(const Math& math);
  [[nodiscard]] Text refuse(const char* id, const std::string& message);
  [[nodiscard]] std::string inner_condition(const Math& math);
  [[nodiscard]] int common_denominator(const Math& a, const Math& b) const;
  [[nodiscard]] std::string comparison(const Math& math);
  [[nodiscard]] std::string compared(const std::string& op, const Math& a, const Math& b);
  [[nodiscard]] std::string equality(const Math& math);
  [[nodiscard]] std::string exclusive(const Math& math);
  [[nodiscard]] std::string pieces_of_condition(const Math& math);

  const FormulaPlace& place_;
  Refusals& refusals_;
};

}  // namespace mti::sbml
