#include "solvers/reduced_index/expressions.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "mti/common/fault.hpp"
#include "mti/common/number.hpp"
#include "mti/text/parse.hpp"

namespace mti {
namespace {

using text::Node;

WrittenTerm negative(const WrittenTerm& a) {
  if (a.value) return number_term(-*a.value);
  if (a.level == 2 && a.text.starts_with('-')) return {a.text.substr(1), 2};
  return {"-" + a.at(3), 2};
}

/// "der(x)", "pre(z)" of the call of a name.
std::string called_name(const Node& node) {
  return std::string(node.name) + "(" + std::string(node.operands.front().name) + ")";
}

bool is_limit(const Node& node) { return node.name == "der" || node.name == "pre"; }

WrittenTerm call_term(std::string_view function, const std::vector<WrittenTerm>& arguments) {
  std::string text = std::string(function) + "(";
  for (std::size_t i = 0; i < arguments.size(); ++i) text += (i == 0 ? "" : ", ") + arguments[i].text;
  return {text + ")"};
}

WrittenTerm power_term(const WrittenTerm& base, const WrittenTerm& exponent) {
  if (exponent.is(1.0)) return base;
  if (exponent.is(0.0)) return number_term(1.0);
  if (base.value && exponent.value) return number_term(std::pow(*base.value, *exponent.value));
  return {base.at(4) + "^" + exponent.at(4), 3};
}

class Rewriting {
 public:
  explicit Rewriting(const Replacement& replacement) : replacement_(replacement) {}

  [[nodiscard]] WrittenTerm term(const Node& node) const {
    switch (node.kind) {
      case Node::Kind::number:
        return number_term(node.number);
      case Node::Kind::name:
        return named(std::string(node.name));
      case Node::Kind::sum: {
        WrittenTerm sum = number_term(0.0);
        for (const Node& part : node.operands) sum = part.inverse ? sum - term(part) : sum + term(part);
        return sum;
      }
      case Node::Kind::product: {
        WrittenTerm product = number_term(1.0);
        for (const Node& part : node.operands)
          product = part.inverse ? product / term(part) : product * term(part);
        return product;
      }
      case Node::Kind::power:
        return power_term(term(node.operands[0]), term(node.operands[1]));
      case Node::Kind::call:
        return is_limit(node) ? named(called_name(node)) : call_term(node.name, terms(node));
      case Node::Kind::choice:
        return choice(node);
      case Node::Kind::list: {
        const std::vector<WrittenTerm> parts = terms(node);
        std::string text;
        for (const WrittenTerm& part : parts) text += (text.empty() ? "[" : ", ") + part.text;
        return {text + "]"};
      }
      case Node::Kind::initial:
        return {"initial " + term(node.operands.front()).text, 0};
      default:
        return condition(node);
    }
  }

 private:
  [[nodiscard]] WrittenTerm named(const std::string& name) const {
    if (std::optional<WrittenTerm> other = replacement_(name)) return *std::move(other);
    return name_term(name);
  }

  [[nodiscard]] std::vector<WrittenTerm> terms(const Node& node) const {
    std::vector<WrittenTerm> result;
    for (const Node& part : node.operands) result.push_back(term(part));
    return result;
  }

  /// A condition that is a number after all stands as one.
  [[nodiscard]] WrittenTerm condition(const Node& node) const {
    if (node.kind == Node::Kind::comparison)
      return {
          term(node.operands[0]).at(1) + " " + std::string(node.name) + " " + term(node.operands[1]).at(1),
          0};
    if (node.kind == Node::Kind::negation) {
      const WrittenTerm inner = term(node.operands.front());
      if (inner.value) return number_term(*inner.value == 0.0 ? 1.0 : 0.0);
      return {"not " + inner.at(3), 0};
    }
    const bool all = node.kind == Node::Kind::conjunction;
    std::vector<WrittenTerm> parts;
    for (const Node& operand : node.operands) {
      WrittenTerm part = term(operand);
      if (part.is(all ? 0.0 : 1.0)) return part;
      if (!part.value) parts.push_back(std::move(part));
    }
    if (parts.empty()) return number_term(all ? 1.0 : 0.0);
    std::string text;
    for (const WrittenTerm& part : parts) text += (text.empty() ? "" : all ? " and " : " or ") + part.at(1);
    return {text, parts.size() == 1 ? parts.front().level : 0};
  }

  [[nodiscard]] WrittenTerm choice(const Node& node) const {
    std::string text;
    for (std::size_t i = 0; i + 1 < node.operands.size(); i += 2) {
      const WrittenTerm condition = term(node.operands[i]);
      if (condition.is(0.0)) continue;
      const WrittenTerm branch = term(node.operands[i + 1]);
      if (condition.is(1.0)) return text.empty() ? branch : WrittenTerm{text + " else " + branch.at(1), 0};
      text += (text.empty() ? "if " : " elseif ") + condition.text + " then " + branch.at(1);
    }
    const WrittenTerm last = term(node.operands.back());
    return text.empty() ? last : WrittenTerm{text + " else " + last.at(1), 0};
  }

  const Replacement& replacement_;
};

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
        return is_limit(node) ? named(called_name(node)) : of_call(node);
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

  static WrittenTerm as_it_is(const Node& node) {
    return rewritten(node, [](const std::string&) { return std::nullopt; });
  }

  /// Σ_i a_1 … a_i' … a_n, with −a'/a² for a divisor.
  [[nodiscard]] WrittenTerm of_product(const Node& node) const {
    WrittenTerm sum = number_term(0.0);
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      const WrittenTerm slope = of(node.operands[i]);
      if (slope.is(0.0)) continue;
      WrittenTerm product = number_term(1.0);
      for (std::size_t k = 0; k < node.operands.size(); ++k) {
        const WrittenTerm factor = k == i && !node.operands[i].inverse ? slope : as_it_is(node.operands[k]);
        product = node.operands[k].inverse ? product / factor : product * factor;
      }
      if (node.operands[i].inverse)
        sum = sum - product * slope / as_it_is(node.operands[i]);
      else
        sum = sum + product;
    }
    return sum;
  }

  [[nodiscard]] WrittenTerm of_power(const Node& node) const {
    const WrittenTerm base = as_it_is(node.operands[0]), exponent = as_it_is(node.operands[1]);
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
      const WrittenTerm argument = as_it_is(node.operands.front());
      if (const std::optional<std::string> slope = slope_text(node.name, "(" + argument.text + ")"))
        return WrittenTerm{*slope} * of(node.operands.front());
    }
    if ((node.name == "max" || node.name == "min") && node.operands.size() == 2)
      return {"if " + as_it_is(node.operands[0]).at(1) + (node.name == "max" ? " >= " : " <= ") +
                  as_it_is(node.operands[1]).at(1) + " then " + of(node.operands[0]).at(1) + " else " +
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
      text += (i == 0 ? "if " : " elseif ") + as_it_is(node.operands[i]).text + " then " + slope.at(1);
    }
    const WrittenTerm last = of(node.operands.back());
    if (!moves && last.is(0.0)) return last;
    return {text + " else " + last.at(1), 0};
  }

  const Rate& rate_;
};

/// A value, and the largest that its terms are on the way: what rounding is relative to.
struct Sized {
  double value = 0.0, size = 0.0;
};

class ConstantValue {
 public:
  explicit ConstantValue(const std::map<std::string, double, std::less<>>& parameters)
      : parameters_(parameters) {}

  [[nodiscard]] std::optional<Sized> of(const Node& node) const {
    switch (node.kind) {
      case Node::Kind::number:
        return Sized{node.number, std::abs(node.number)};
      case Node::Kind::name: {
        const auto found = parameters_.find(node.name);
        if (found != parameters_.end()) return Sized{found->second, std::abs(found->second)};
        if (node.name == "pi") return Sized{std::numbers::pi, std::numbers::pi};
        return std::nullopt;
      }
      case Node::Kind::sum:
      case Node::Kind::product:
        return of_operands(node);
      case Node::Kind::power: {
        const std::optional<Sized> base = of(node.operands[0]), exponent = of(node.operands[1]);
        if (!base || !exponent) return std::nullopt;
        return Sized{std::pow(base->value, exponent->value), std::pow(base->size, exponent->value)};
      }
      default:
        return std::nullopt;
    }
  }

 private:
  [[nodiscard]] std::optional<Sized> of_operands(const Node& node) const {
    const bool is_sum = node.kind == Node::Kind::sum;
    Sized result{is_sum ? 0.0 : 1.0, is_sum ? 0.0 : 1.0};
    for (const Node& operand : node.operands) {
      const std::optional<Sized> one = of(operand);
      if (!one) return std::nullopt;
      if (is_sum) {
        result.value += operand.inverse ? -one->value : one->value;
        result.size += one->size;
      } else if (operand.inverse) {
        result = {result.value / one->value, result.size / std::abs(one->value)};
      } else {
        result = {result.value * one->value, result.size * one->size};
      }
    }
    return result;
  }

  const std::map<std::string, double, std::less<>>& parameters_;
};

/// A sum of terms is 0 where it is less than this part of them: rounding of a few operations.
constexpr double cancelled = 1e-12;

}  // namespace

std::optional<double> constant_value(const std::string& expression,
                                     const std::map<std::string, double, std::less<>>& parameters) {
  const Node node = text::parse_expression(expression);
  const std::optional<Sized> result = ConstantValue(parameters).of(node);
  if (!result || !std::isfinite(result->value)) return std::nullopt;
  return std::abs(result->value) <= cancelled * result->size ? 0.0 : result->value;
}

WrittenTerm number_term(double value) {
  if (value == 0.0) value = 0.0;  // no −0
  return {text::format_number(value), value < 0.0 ? 2 : 4, value};
}

WrittenTerm name_term(const std::string& name) { return {name}; }

WrittenTerm operator+(const WrittenTerm& a, const WrittenTerm& b) {
  if (a.is(0.0)) return b;
  if (b.is(0.0)) return a;
  if (a.value && b.value) return number_term(*a.value + *b.value);
  if (b.level == 2 && b.text.starts_with('-')) return {a.at(1) + " - " + b.text.substr(1), 1};
  return {a.at(1) + " + " + b.at(b.text.starts_with('-') ? 3 : 1), 1};
}

WrittenTerm operator-(const WrittenTerm& a, const WrittenTerm& b) {
  if (b.is(0.0)) return a;
  if (a.is(0.0)) return negative(b);
  if (a.value && b.value) return number_term(*a.value - *b.value);
  if (b.level == 2 && b.text.starts_with('-')) return {a.at(1) + " + " + b.text.substr(1), 1};
  return {a.at(1) + " - " + b.at(2), 1};
}

WrittenTerm operator*(const WrittenTerm& a, const WrittenTerm& b) {
  if (a.is(0.0) || b.is(0.0)) return number_term(0.0);
  if (a.is(1.0)) return b;
  if (b.is(1.0)) return a;
  if (a.value && b.value) return number_term(*a.value * *b.value);
  if (a.is(-1.0)) return negative(b);
  if (b.is(-1.0)) return negative(a);
  return {a.at(2) + "*" + b.at(3), 2};
}

WrittenTerm operator/(const WrittenTerm& a, const WrittenTerm& b) {
  if (a.is(0.0)) return number_term(0.0);
  if (b.is(1.0)) return a;
  if (a.value && b.value && *b.value != 0.0) return number_term(*a.value / *b.value);
  return {a.at(2) + "/" + b.at(3), 2};
}

WrittenTerm rewritten(const Node& node, const Replacement& replacement) {
  return Rewriting(replacement).term(node);
}

WrittenTerm rewritten(const std::string& expression, const Replacement& replacement) {
  const Node node = text::parse_expression(expression);
  return Rewriting(replacement).term(node);
}

WrittenTerm rewritten_residual(const std::string& relation, const Replacement& replacement) {
  const text::Relation parsed = text::parse_relation(relation);
  const Rewriting rewriting(replacement);
  const WrittenTerm left = rewriting.term(parsed.left), right = rewriting.term(parsed.right);
  return left.is(0.0) ? right : left - right;
}

WrittenTerm derivative(const std::string& expression, const Rate& rate) {
  const Node node = text::parse_expression(expression);
  return Differentiation(rate).of(node);
}

std::set<std::string> names_in(const std::string& expression) {
  std::set<std::string> names;
  static_cast<void>(rewritten(expression, [&](const std::string& name) -> std::optional<WrittenTerm> {
    names.insert(name);
    return std::nullopt;
  }));
  return names;
}

}  // namespace mti
