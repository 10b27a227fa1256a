#include "io/modelica_expressions/logic.hpp"

#include <utility>

#include "io/modelica_expressions/expressions.hpp"

namespace mti::modelica {
namespace {

Node constant(bool value, const Node& place) {
  return {.kind = Node::Kind::name, .name = value ? "true" : "false", .begin = place.begin, .end = place.end};
}

bool is_constant(const Node& node, bool value) {
  return node.kind == Node::Kind::name && node.name == (value ? "true" : "false");
}

class Simplifier {
 public:
  Simplifier(std::string_view self, bool before) : self_(self), before_(before) {}

  [[nodiscard]] Node simplify(const Node& outer, bool negate) const {
    const Node& node = plain(outer);
    switch (node.kind) {
      case Node::Kind::negation:
        return simplify(node.operands.front(), !negate);
      case Node::Kind::conjunction:
      case Node::Kind::disjunction:
        return joined(node, negate);
      case Node::Kind::choice:
        return chosen(node, negate, 0);
      case Node::Kind::comparison:
        if (node.name != "==" && node.name != "<>") return compared(node, negate);
        break;
      case Node::Kind::call:
        if (node.name == "pre" && node.operands.size() == 1 && node.operands.front().name == self_)
          return constant(before_ != negate, node);
        break;
      case Node::Kind::name:
        if (is_constant(node, true) || is_constant(node, false))
          return constant(is_constant(node, !negate), node);
        break;
      default:
        break;
    }
    if (!negate) return node;
    Node result{.kind = Node::Kind::negation, .begin = node.begin, .end = node.end};
    result.operands.push_back(node);
    return result;
  }

 private:
  static Node compared(Node node, bool negate) {
    if (!negate) return node;
    node.name = node.name == "<" ? ">=" : node.name == ">=" ? "<" : node.name == ">" ? "<=" : ">";
    return node;
  }

  static Node join(std::vector<Node> operands, bool is_and, const Node& place) {
    const Node::Kind kind = is_and ? Node::Kind::conjunction : Node::Kind::disjunction;
    Node result{.kind = kind, .begin = place.begin, .end = place.end};
    for (Node& operand : operands) {
      if (is_constant(operand, !is_and)) return constant(!is_and, place);
      if (is_constant(operand, is_and)) continue;
      if (operand.kind == kind) {
        for (Node& inner : operand.operands) result.operands.push_back(std::move(inner));
      } else {
        result.operands.push_back(std::move(operand));
      }
    }
    if (result.operands.empty()) return constant(is_and, place);
    if (result.operands.size() == 1) return Node(result.operands.front());
    return result;
  }

  [[nodiscard]] Node joined(const Node& node, bool negate) const {
    std::vector<Node> operands;
    for (const Node& operand : node.operands) operands.push_back(simplify(operand, negate));
    return join(std::move(operands), (node.kind == Node::Kind::conjunction) != negate, node);
  }

  /// if c then a else b is c and a or not c and b.
  [[nodiscard]] Node chosen(const Node& node, bool negate, std::size_t first) const {
    if (first + 1 == node.operands.size()) return simplify(node.operands.back(), negate);
    const Node& condition = node.operands[first];
    Node yes = join({simplify(condition, false), simplify(node.operands[first + 1], negate)}, true, node);
    Node no = join({simplify(condition, true), chosen(node, negate, first + 2)}, true, node);
    return join({std::move(yes), std::move(no)}, false, node);
  }

  std::string_view self_;
  bool before_;
};

}  // namespace

Node simplified(const Node& condition, std::string_view self, bool before) {
  return Simplifier(self, before).simplify(condition, false);
}

std::optional<std::vector<Node>> comparisons_of(const Node& condition, Node::Kind kind) {
  if (is_constant(condition, kind == Node::Kind::conjunction)) return std::vector<Node>();
  const auto is_ordering = [](const Node& node) {
    return node.kind == Node::Kind::comparison && node.name != "==" && node.name != "<>";
  };
  if (is_ordering(condition)) return std::vector<Node>{condition};
  if (condition.kind != kind) return std::nullopt;
  for (const Node& operand : condition.operands)
    if (!is_ordering(operand)) return std::nullopt;
  return condition.operands;
}

}  // namespace mti::modelica
