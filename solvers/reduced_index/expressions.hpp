#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mti/text/ast.hpp"

namespace mti {

/// An expression as text, with what it binds like. Levels: 0 choice or condition, 1 sum, 2 product or sign, 3 power, 4 operand
/// of anything.
struct WrittenTerm {
  std::string text;
  int level = 4;
  std::optional<double> value = {};  ///< of a number

  [[nodiscard]] bool is(double number) const { return value && *value == number; }
  [[nodiscard]] std::string at(int least) const { return level < least ? "(" + text + ")" : text; }
};

[[nodiscard]] WrittenTerm number_term(double value);
[[nodiscard]] WrittenTerm name_term(const std::string& name);
/// Sums, differences, products without what is 0 or 1.
[[nodiscard]] WrittenTerm operator+(const WrittenTerm& a, const WrittenTerm& b);
[[nodiscard]] WrittenTerm operator-(const WrittenTerm& a, const WrittenTerm& b);
[[nodiscard]] WrittenTerm operator*(const WrittenTerm& a, const WrittenTerm& b);
[[nodiscard]] WrittenTerm operator/(const WrittenTerm& a, const WrittenTerm& b);

[[nodiscard]] WrittenTerm power_term(const WrittenTerm& base, const WrittenTerm& exponent);
[[nodiscard]] WrittenTerm call_term(std::string_view function, const std::vector<WrittenTerm>& arguments);

/// der(x) or pre(z), which stand for names.
[[nodiscard]] inline bool is_limit(const text::Node& call) {
  return call.name == "der" || call.name == "pre";
}
/// "der(x)", "pre(z)" of such a call, and the name in it: "x", "z"; a plain name is itself.
[[nodiscard]] std::string limit_name(const text::Node& call);
[[nodiscard]] std::string name_within(const std::string& name);

/// A text as a term.
[[nodiscard]] WrittenTerm term_of(const std::string& expression);
[[nodiscard]] WrittenTerm term_of(const text::Node& node);

/// What is put in the place of a name, of "der(x)" and "pre(z)" as well; nothing: it stays.
using Replacement = std::function<std::optional<WrittenTerm>(const std::string& name)>;
/// The expression with names replaced; factors 0 and 1, and branches of constant conditions, go.
[[nodiscard]] WrittenTerm rewritten(const text::Node& node, const Replacement& replacement);
[[nodiscard]] WrittenTerm rewritten(const std::string& expression, const Replacement& replacement);
/// left − (right) of a relation.
[[nodiscard]] WrittenTerm rewritten_residual(const std::string& relation, const Replacement& replacement);

/// The derivative of a name along a direction; nothing: 0.
using Rate = std::function<std::optional<WrittenTerm>(const std::string& name)>;
/// Along a name: its partial derivative.
[[nodiscard]] Rate along(std::string name);
/// d/ds of an expression whose names change by `rate` with s: the chain rule. Conditions do not change.
/// Throws InvalidModel (id `not-differentiable`) for a function without a formula for its slope.
[[nodiscard]] WrittenTerm derivative(const std::string& expression, const Rate& rate);

/// The value of an expression of numbers and these parameters, 0 where its terms cancel but for rounding; nothing where
/// anything else stands in it.
[[nodiscard]] std::optional<double> constant_value(
    const std::string& expression, const std::map<std::string, double, std::less<>>& parameters);

/// The names that stand in an expression, conditions included.
[[nodiscard]] std::set<std::string> names_in(const std::string& expression);
[[nodiscard]] std::set<std::string> names_in_relation(const std::string& relation);

}  // namespace mti
