// The part of Conditions that expands what stands in smooth(k, …), without binaries and so without events:
//
//     |p|                          a function row,    |p| = |−p| is one
//     max(a, b), min(a, b)         (a + b ± |a − b|)/2
//     pos(a), neg(a)               (|a| ± a)/2
//     clamp(a, low, high)          max(low, min(a, high));    deadzone(a, low, high) = a − clamp(a, low, high)
//     table(x, [x_k], [y_k])       y_1 + s_1·(x − x_1) + Σ (s_(k+1) − s_k)·(|x − x_k| + x − x_k)/2  over the inner x_k
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "mti/conditions/conditions.hpp"
#include "mti/conditions/table_points.hpp"
#include "mti/conditions/truth.hpp"
#include "mti/text/multiply_out.hpp"

namespace mti::conditions {

using text::Expansion;
using text::Node;
using text::Polynomial;

Polynomial Conditions::smooth(Expansion& place, const Node& node) {
  const Node& order_node = node.operands[0];
  const auto order = place.number(order_node);
  if (!order) return Polynomial::constant(0.0);
  if (!(order->value >= 0.0) || order->value != std::floor(order->value))
    return place.fail("wrong-arguments", order_node,
                      "smooth(order, expression) takes an order of 0, 1, 2, ..., found " +
                          text::slice(place.text(), order_node));
  ++smooth_;
  Polynomial result = place.expand(node.operands[1]);
  --smooth_;
  return result;
}

Polynomial Conditions::not_in_smooth(Expansion& place, const Node& node) {
  return place.fail(
      "condition-in-smooth", node,
      text::slice(place.text(), node) +
          " cannot stand in smooth(...): without events there are max, min, abs, pos, neg, clamp, "
          "deadzone and table, which do not jump");
}

Polynomial Conditions::without_events(Expansion& place, const Node& node) {
  const bool is_call = node.kind == Node::Kind::call;
  if (is_call && node.name == "table") return smooth_table(place, node);
  const bool is_extreme = node.name == "max" || node.name == "min",
             is_limited = node.name == "clamp" || node.name == "deadzone";
  if (!is_call ||
      !(is_extreme || is_limited || node.name == "abs" || node.name == "pos" || node.name == "neg"))
    return not_in_smooth(place, node);
  std::vector<Polynomial> of;
  for (const Node& operand : node.operands) of.push_back(place.expand(operand));
  if (place.failed()) return of[0];
  Polynomial result = of[0];
  if (is_extreme) {
    for (std::size_t i = 1; i < of.size(); ++i)
      result = node.name == "max" ? larger(place, result, of[i], node) : smaller(place, result, of[i], node);
  } else if (is_limited) {
    const auto width = difference(of[2], of[1]).constant_value();
    if (width && *width < 0.0) return limited(place, node);  // which refuses them
    result = larger(place, of[1], smaller(place, of[0], of[2], node), node);
    if (node.name == "deadzone") result = difference(of[0], result);
  } else {
    result = absolute(place, of[0], node);
    if (node.name != "abs") {
      place.add(result, of[0], node.name == "pos" ? 1.0 : -1.0, node);
      result.scale(0.5);
    }
  }
  result.drop_cancelled();
  return result;
}

/// |p|
Polynomial Conditions::absolute(Expansion& place, Polynomial p, const Node& node) {
  p.drop_cancelled();
  if (p.constant_value() == 0.0 &&
      place.is_decided(p, node, "the sign in " + text::slice(place.text(), node)))
    return p;
  if (const text::PolynomialKey key = text::key_of_value(p); !key.empty() && key.front().second < 0.0)
    p.scale(-1.0);
  return elementary_.apply(place, {ElementaryFunction::Kind::abs}, p, node, text::slice(place.text(), node));
}

/// (a + b + |a − b|)/2
Polynomial Conditions::larger(Expansion& place, const Polynomial& a, const Polynomial& b, const Node& node) {
  Polynomial result = absolute(place, difference(a, b), node);
  place.add(result, a, 1.0, node);
  place.add(result, b, 1.0, node);
  result.scale(0.5);
  return result;
}

/// (a + b − |a − b|)/2
Polynomial Conditions::smaller(Expansion& place, const Polynomial& a, const Polynomial& b, const Node& node) {
  Polynomial result = absolute(place, difference(a, b), node);
  result.scale(-1.0);
  place.add(result, a, 1.0, node);
  place.add(result, b, 1.0, node);
  result.scale(0.5);
  return result;
}

Polynomial Conditions::smooth_table(Expansion& place, const Node& node) {
  Polynomial x = argument(place, node.operands[0]);
  const auto points = points_of(place, node.operands[1]);
  const auto values = values_of(place, node.operands[2], points);
  if (!points || !values || place.failed()) return x;
  const auto beyond = [&](std::size_t k) { return difference(x, Polynomial::constant((*points)[k])); };
  const auto slope = [&](std::size_t k) {
    return ((*values)[k + 1] - (*values)[k]) / ((*points)[k + 1] - (*points)[k]);
  };
  Polynomial result = Polynomial::constant((*values)[0]);
  result.add(beyond(0), slope(0));
  for (std::size_t k = 1; k + 1 < points->size(); ++k) {
    const Dual half = Dual(0.5) * (slope(k) - slope(k - 1));
    result.add(absolute(place, beyond(k), node), half);
    result.add(beyond(k), half);
  }
  result.drop_cancelled();
  return result;
}

}  // namespace mti::conditions
