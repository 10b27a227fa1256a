#include "solvers/reduced_index/expressions.hpp"

#include <array>
#include <utility>

#include "mti/common/fault.hpp"
#include "mti/text/parse.hpp"

namespace mti {
namespace {

using text::Node;

/// φ'(a) by name, with the argument as an operand of anything.
std::optional<std::string> slope_text(std::string_view function, const std::string& a) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 18> slopes = {
      {{"sin", "cos@"},
       {"cos", "(-sin@)"},
       {"tan", "(1 + tan@^2)"},
       {"asin", "(1/sqrt(1 - @^2))"},
       {"acos", "(-1/sqrt(1 - @^2))"},
       {"atan", "(1/(1 + @^2))"},
       {"sinh", "cosh@"},
       {"cosh", "sinh@"},
       {"tanh", "(1 - tanh@^2)"},
       {"asinh", "(1/sqrt(1 + @^2))"},
       {"acosh", "(1/sqrt(@^2 - 1))"},
       {"atanh", "(1/(1 - @^2))"},
       {"exp", "exp@"},
       {"log", "(1/@)"},
       {"log10", "(0.4342944819032518/@)"},
       {"sqrt", "(0.5/sqrt@)"},
       {"cbrt", "(1/(3*cbrt@^2))"},
       {"abs", "sign@"}}};
  for (const auto& [name, pattern] : slopes) {
    if (name != function) continue;
    std::string text;
    for (const char c : pattern) text += c == '@' ? a : std::string(1, c);
    return text;
  }
  return std::nullopt;
}

class Differentiation {
 public:
  explicit Differentiation(const Rate& rate) : rate_(rate) {}

  [[nodiscard]] WrittenTerm of(const Node& node) const {
    switch (node.kind) {
      case Node::Kind::name:
        return named(std::string(node.name));
      case Node::Kind::sum: {
        WrittenTerm sum = number_term(0.0);
        for (const Node& part : node.operands) sum = part.inverse ? sum - of(part) : sum + of(part);
        return sum;
      }
      case Node::Kind::product:
        return of_product(node);
      case Node::Kind::power:
        return of_power(node);
      case Node::Kind::call:
        return is_limit(node) ? named(limit_name(node)) : of_call(node);
      case Node::Kind::choice:
        return of_choice(node);
      default:
        return number_term(0.0);
    }
  }

 private:
  [[nodiscard]] WrittenTerm named(const std::string& name) const {
    return rate_(name).value_or(number_term(0.0));
  }

  /// Σ_i a_1 … a_i' … a_n, with −a'/a² for a divisor.
  [[nodiscard]] WrittenTerm of_product(const Node& node) const {
    WrittenTerm sum = number_term(0.0);
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      const WrittenTerm slope = of(node.operands[i]);
      if (slope.is(0.0)) continue;
      WrittenTerm product = number_term(1.0);
      for (std::size_t k = 0; k < node.operands.size(); ++k) {
        const WrittenTerm factor = k == i && !node.operands[i].inverse ? slope : term_of(node.operands[k]);
        product = node.operands[k].inverse ? product / factor : product * factor;
      }
      if (node.operands[i].inverse)
        sum = sum - product * slope / term_of(node.operands[i]);
      else
        sum = sum + product;
    }
    return sum;
  }

  [[nodiscard]] WrittenTerm of_power(const Node& node) const {
    const WrittenTerm base = term_of(node.operands[0]), exponent = term_of(node.operands[1]);
    const WrittenTerm base_slope = of(node.operands[0]), exponent_slope = of(node.operands[1]);
    WrittenTerm sum = number_term(0.0);
    if (!base_slope.is(0.0)) sum = exponent * power_term(base, exponent - number_term(1.0)) * base_slope;
    if (!exponent_slope.is(0.0))
      sum = sum + exponent_slope * call_term("log", {base}) * power_term(base, exponent);
    return sum;
  }

  [[nodiscard]] WrittenTerm of_call(const Node& node) const {
    bool moves = false;
    for (const Node& argument : node.operands) moves = moves || !of(argument).is(0.0);
    if (!moves || node.name == "sign" || node.name == "step" || node.name == "hysteresis")
      return number_term(0.0);
    if (node.operands.size() == 1) {
      const WrittenTerm argument = term_of(node.operands.front());
      if (const std::optional<std::string> slope = slope_text(node.name, "(" + argument.text + ")"))
        return WrittenTerm{*slope} * of(node.operands.front());
    }
    if ((node.name == "max" || node.name == "min") && node.operands.size() == 2)
      return {"if " + term_of(node.operands[0]).at(1) + (node.name == "max" ? " >= " : " <= ") +
                  term_of(node.operands[1]).at(1) + " then " + of(node.operands[0]).at(1) + " else " +
                  of(node.operands[1]).at(1),
              0};
    throw InvalidModel(
        "not-differentiable", "",
        std::string(node.name) + "(…) has to be differentiated, and there is no formula for it");
  }

  [[nodiscard]] WrittenTerm of_choice(const Node& node) const {
    std::string text;
    bool moves = false;
    for (std::size_t i = 0; i + 1 < node.operands.size(); i += 2) {
      const WrittenTerm slope = of(node.operands[i + 1]);
      moves = moves || !slope.is(0.0);
      text += (i == 0 ? "if " : " elseif ") + term_of(node.operands[i]).text + " then " + slope.at(1);
    }
    WrittenTerm last = of(node.operands.back());
    if (!moves && last.is(0.0)) return last;
    return {text + " else " + last.at(1), 0};
  }

  const Rate& rate_;
};

}  // namespace

Rate along(std::string name) {
  return [name = std::move(name)](const std::string& other) {
    return other == name ? std::optional(number_term(1.0)) : std::nullopt;
  };
}

WrittenTerm derivative(const std::string& expression, const Rate& rate) {
  const Node node = text::parse_expression(expression);
  return Differentiation(rate).of(node);
}

}  // namespace mti
