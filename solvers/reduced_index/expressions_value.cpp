#include "solvers/reduced_index/expressions.hpp"

#include <cmath>
#include <numbers>

#include "mti/text/parse.hpp"

namespace mti {
namespace {

using text::Node;

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

}  // namespace mti
