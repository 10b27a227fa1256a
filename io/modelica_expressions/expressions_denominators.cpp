// What takes whole numbers, or multiples of a fraction, alone.
#include <algorithm>
#include <cmath>

#include "io/modelica_expressions/expressions.hpp"
#include "mti/common/denominators.hpp"

namespace mti::modelica {

bool Expressions::is_integer(const Node& outer) const {
  const Node& node = plain(outer);
  const auto all_are = [this](const std::vector<Node>& operands) {
    return std::ranges::all_of(operands, [this](const Node& operand) { return is_integer(operand); });
  };
  switch (node.kind) {
    case Node::Kind::number:
      return node.name.find_first_of(".eE") == std::string_view::npos;
    case Node::Kind::name: {
      const Variable* variable = names_.find(node.name);
      return variable != nullptr && variable->type == Variable::Type::integer;
    }
    case Node::Kind::sum:
      return all_are(node.operands);
    case Node::Kind::product:
      return all_are(node.operands) && std::ranges::none_of(node.operands, &Node::inverse);
    case Node::Kind::choice:
      for (std::size_t i = 1; i < node.operands.size(); i += 2)
        if (!is_integer(node.operands[i])) return false;
      return is_integer(node.operands.back());
    case Node::Kind::call:
      // Of size another fault says that it is not read.
      if (node.name == "sign" || node.name == "integer" || node.name == "div" || node.name == "size")
        return true;
      if (node.name != "pre" && node.name != "abs" && node.name != "max" && node.name != "min" &&
          node.name != "mod" && node.name != "rem")
        return false;
      return all_are(node.operands);
    default:
      return false;
  }
}

/// Numbers, and what is made of them by + − * / and powers.
std::optional<double> Expressions::number_of(const Node& outer) {
  const Node& node = plain(outer);
  switch (node.kind) {
    case Node::Kind::number:
      return node.number;
    case Node::Kind::power: {
      const auto base = number_of(node.operands.front()), exponent = number_of(node.operands.back());
      return base && exponent ? std::optional(std::pow(*base, *exponent)) : std::nullopt;
    }
    case Node::Kind::sum:
    case Node::Kind::product: {
      const bool is_sum = node.kind == Node::Kind::sum;
      double value = is_sum ? 0.0 : 1.0;
      for (const Node& operand : node.operands) {
        const auto part = number_of(operand);
        if (!part) return std::nullopt;
        value = is_sum ? value + (operand.inverse ? -*part : *part)
                       : (operand.inverse ? value / *part : value * *part);
      }
      return value;
    }
    default:
      return std::nullopt;
  }
}

int Expressions::denominator(const Node& outer) const {
  constexpr double largest_power = 8.0;
  const Node& node = plain(outer);
  if (const auto value = number_of(node)) return denominator_of(*value);
  switch (node.kind) {
    case Node::Kind::power: {
      const double exponent = number_of(node.operands.back()).value_or(-1.0);
      if (!(exponent >= 0.0 && exponent <= largest_power) || std::trunc(exponent) != exponent) return 0;
      const int base = denominator(node.operands.front());
      int q = base == 0 ? 0 : 1;
      for (int factor = 0; factor < static_cast<int>(exponent); ++factor) q = denominator_of_product(q, base);
      return q;
    }
    case Node::Kind::sum:
    case Node::Kind::product: {
      int q = 1;
      for (const Node& operand : node.operands) {
        int part = denominator(operand);
        if (node.kind == Node::Kind::product && operand.inverse) {
          const auto divisor = number_of(operand);
          part = divisor ? denominator_of(1.0 / *divisor) : 0;
        }
        q = node.kind == Node::Kind::sum ? denominator_of_sum(q, part) : denominator_of_product(q, part);
      }
      return q;
    }
    case Node::Kind::choice: {
      int q = denominator(node.operands.back());
      for (std::size_t i = 1; i < node.operands.size(); i += 2)
        q = denominator_of_sum(q, denominator(node.operands[i]));
      return q;
    }
    case Node::Kind::call: {
      if (node.name != "pre" && node.name != "abs" && node.name != "max" && node.name != "min")
        return is_integer(node) ? 1 : 0;
      int q = 1;
      for (const Node& operand : node.operands) q = denominator_of_sum(q, denominator(operand));
      return q;
    }
    default:
      return is_integer(node) ? 1 : 0;
  }
}

}  // namespace mti::modelica
