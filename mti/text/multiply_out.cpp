#include "mti/text/multiply_out.hpp"

#include <algorithm>

namespace mti::text {
namespace {

/// True if the first character is a parenthesis that the last one closes.
bool enclosed(std::string_view text) {
  if (text.empty() || text.front() != '(') return false;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i + 1 == text.size();
  }
  return false;
}

std::string parenthesised(std::string_view text) {
  std::string result = "(";
  result += text;
  result += ')';
  return result;
}

/// The text of a node as the factor of a product.
std::string as_factor(std::string_view text, const Node& node) {
  std::string result = slice(text, node);
  const bool loose = node.kind == Node::Kind::sum || node.kind == Node::Kind::product;
  return loose && !enclosed(result) ? parenthesised(result) : result;
}

/// Writes nodes multiplied by one divisor.
class MultipliedOut {
 public:
  MultipliedOut(std::string_view text, const Node& divisor)
      : text_(text), divisor_(as_factor(text, divisor)) {}

  [[nodiscard]] std::string write(const Node& node) const {
    if (node.kind == Node::Kind::sum && divides(node)) return sum(node);
    if (node.kind == Node::Kind::product && divides(node)) return product(node);
    if (node.kind == Node::Kind::number && node.number == 0.0) return "0";
    if (node.kind == Node::Kind::number && node.number == 1.0) return divisor_;
    const std::string whole = node.kind == Node::Kind::product ? slice(text_, node) : as_factor(text_, node);
    return whole + "*" + divisor_;
  }

 private:
  [[nodiscard]] bool is_divisor(const Node& node) const {
    return node.inverse && as_factor(text_, node) == divisor_;
  }

  /// True if the divisor divides a term of the node, so that it can be multiplied away.
  [[nodiscard]] bool divides(const Node& node) const {
    if (node.kind != Node::Kind::sum && node.kind != Node::Kind::product) return false;
    return std::any_of(node.operands.begin(), node.operands.end(), [&](const Node& operand) {
      if (node.kind == Node::Kind::sum) return divides(operand);
      return is_divisor(operand) || (!operand.inverse && divides(operand));
    });
  }

  [[nodiscard]] std::string sum(const Node& node) const {
    std::string result;
    for (const Node& operand : node.operands) {
      const bool first = result.empty();
      if (operand.inverse) result += first ? "-" : " - ";
      if (!operand.inverse && !first) result += " + ";
      const std::string term = write(operand);
      result += operand.inverse && operand.kind == Node::Kind::sum ? parenthesised(term) : term;
    }
    return result;
  }

  [[nodiscard]] std::string product(const Node& node) const {
    const auto& operands = node.operands;
    auto used = std::find_if(operands.begin(), operands.end(), [&](const Node& o) { return is_divisor(o); });
    const bool cancels = used != operands.end();
    if (!cancels)
      used = std::find_if(operands.begin(), operands.end(),
                          [&](const Node& o) { return !o.inverse && divides(o); });
    const auto left_over = operands.size() - (cancels ? 1U : 0U);
    std::string result;
    for (auto operand = operands.begin(); operand != operands.end(); ++operand) {
      if (cancels && operand == used) continue;
      if (left_over == 1 && !operand->inverse)
        return operand == used ? write(*operand) : slice(text_, *operand);
      if (result.empty()) {
        if (operand->inverse) result = "1/";
      } else {
        result += operand->inverse ? "/" : "*";
      }
      result += operand == used ? parenthesised(write(*operand)) : as_factor(text_, *operand);
    }
    return result.empty() ? "1" : result;
  }

  std::string_view text_;
  std::string divisor_;
};

}  // namespace

std::string slice(std::string_view text, const Node& node) {
  return std::string(text.substr(node.begin, node.end - node.begin));
}

std::string division_by_signal(std::string_view text, const Relation& relation, const Node& divisor) {
  const MultipliedOut multiplied(text, divisor);
  const bool equal = relation.comparison == Relation::Comparison::equal;
  const char* comparison = equal                                                     ? " = "
                           : relation.comparison == Relation::Comparison::less_equal ? " <= "
                                                                                     : " >= ";
  return "division by " + slice(text, divisor) + ", which holds a signal; write " +
         multiplied.write(relation.left) + comparison + multiplied.write(relation.right) +
         (equal ? "" : " (if the divisor is positive)");
}

std::string negative_power(std::string_view text, const Node& base) {
  return "a negative power divides by " + slice(text, base) +
         ", which holds a signal; multiply the relation by it instead";
}

}  // namespace mti::text
