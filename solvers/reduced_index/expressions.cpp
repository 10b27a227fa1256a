#include "solvers/reduced_index/expressions.hpp"

#include <cmath>
#include <utility>
#include <vector>

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
        return is_limit(node) ? named(limit_name(node)) : call_term(node.name, terms(node));
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
    if (parts.size() == 1) return parts.front();
    std::string text;
    for (const WrittenTerm& part : parts) text += (text.empty() ? "" : all ? " and " : " or ") + part.at(1);
    return {text, 0};
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

/// Replaces nothing, and notes every name.
Replacement noting(std::set<std::string>& names) {
  return [&names](const std::string& name) -> std::optional<WrittenTerm> {
    names.insert(name);
    return std::nullopt;
  };
}

}  // namespace

WrittenTerm number_term(double value) {
  if (value == 0.0) value = 0.0;  // no −0
  return {text::format_number(value), value < 0.0 ? 2 : 4, value};
}

WrittenTerm name_term(const std::string& name) { return {name}; }

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

std::string limit_name(const Node& call) {
  return std::string(call.name) + "(" + std::string(call.operands.front().name) + ")";
}

std::string name_within(const std::string& name) {
  constexpr std::size_t word = std::string_view("der(").size();  // and of pre(
  return name.ends_with(')') ? name.substr(word, name.size() - word - 1) : name;
}

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

WrittenTerm term_of(const std::string& expression) {
  return rewritten(expression, [](const std::string&) { return std::nullopt; });
}

WrittenTerm term_of(const Node& node) {
  return rewritten(node, [](const std::string&) { return std::nullopt; });
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

std::set<std::string> names_in(const std::string& expression) {
  std::set<std::string> names;
  static_cast<void>(rewritten(expression, noting(names)));
  return names;
}

std::set<std::string> names_in_relation(const std::string& relation) {
  std::set<std::string> names;
  static_cast<void>(rewritten_residual(relation, noting(names)));
  return names;
}

}  // namespace mti
