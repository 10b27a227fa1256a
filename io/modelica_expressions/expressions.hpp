#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "io/modelica_expressions/names.hpp"

namespace mti::modelica {

/// Where an expression stands: in the law of an instant, states and algebraic signals are left limits, and what the
/// when-equation itself sets is the new value. `stands_for`: texts in the place of names, "time" among them.
struct Place {
  bool is_law = false;
  const std::set<std::string_view>* set_here = nullptr;
  const std::map<std::string_view, std::string>* stands_for = nullptr;
};

/// A comparison as p > 0: `difference` is p in the text of relations, which is never 0 where `is_whole` (of integers,
/// moved by a half, and of fractions of them alike). Negated: not (p > 0), which holds where p is 0.
struct Comparison {
  std::string difference;
  std::string text;  ///< "a > b", true where p > 0
  bool negated = false;
  bool is_whole = false;
};

/// Turns expressions of Modelica into the text of relations (docs/language.md).
///
/// Numbers keep their digits. A condition is an arithmetic of 0 and 1: and is a product, not C is 1 − C, a comparison stands
/// in parentheses. Errors: text::SyntaxError with ids `modelica-unsupported`, `modelica-type`, `unknown-name`,
/// `wrong-arguments`.
class Expressions {
 public:
  Expressions(const Names& names, std::string_view text) : names_(names), text_(text) {}

  [[nodiscard]] bool is_boolean(const Node& outer) const;
  /// What was written.
  [[nodiscard]] std::string written(const Node& node) const {
    return std::string(text_.substr(node.begin, node.end - node.begin));
  }
  /// A number, as an operand of anything.
  [[nodiscard]] std::string number(const Node& outer, const Place& place = {}) const;
  /// Its type is Integer.
  [[nodiscard]] bool is_integer(const Node& outer) const;
  /// A condition as the number 0 or 1, as an operand of anything.
  [[nodiscard]] std::string truth(const Node& outer, const Place& place = {}) const;
  /// A condition behind `if`.
  [[nodiscard]] std::string condition(const Node& outer, const Place& place = {}) const;
  /// Two numbers compared, neither of which is a condition; `==` and `<>` are refused but between integers.
  [[nodiscard]] Comparison comparison(const Node& node, const Place& place = {}) const;
  /// Made of numbers, parameters and constants.
  [[nodiscard]] bool is_of_parameters(const Node& node) const;
  /// A comparison of two numbers other than == and <>.
  [[nodiscard]] bool is_ordering(const Node& node) const;

  /// What stands for a comparison in truth(): nothing to say, or the name of a signal.
  std::map<std::string, std::string, std::less<>> known_comparisons = {};

 private:
  /// q of what takes multiples of 1/q only (mti/common/denominators.hpp): Integer variables, numbers, and what is made of them;
  /// 0: nothing is known.
  [[nodiscard]] int denominator(const Node& outer) const;
  [[nodiscard]] static std::optional<double> number_of(const Node& outer);
  [[nodiscard]] std::string name(const Node& node, const Place& place) const;
  [[nodiscard]] std::string call(const Node& node, const Place& place) const;
  [[nodiscard]] std::optional<std::string> whole_number(const Node& node, const Place& place) const;
  [[nodiscard]] std::string chosen(const Node& node, const Place& place) const;
  [[nodiscard]] std::string derivative(const Node& node) const;
  [[nodiscard]] std::string left_limit(const Node& node, const Place& place) const;
  [[nodiscard]] std::string truth_of_call(const Node& node, const Place& place) const;
  [[nodiscard]] std::string truth_of_comparison(const Node& node, const Place& place) const;

  const Names& names_;
  std::string_view text_;
};

/// The only argument of a call. Error: `wrong-arguments`.
[[nodiscard]] const Node& argument_of(const Node& call);
/// The expression within noEvent(…), smooth(p, …), homotopy(…), which change nothing here.
[[nodiscard]] const Node& plain(const Node& node);

}  // namespace mti::modelica
