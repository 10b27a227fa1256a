#include "mti/conditions/table_points.hpp"

#include <string>

#include "mti/text/multiply_out.hpp"

namespace mti::conditions {

using text::Expansion;
using text::Node;

std::optional<std::vector<Dual>> numbers_of(Expansion& place, const Node& node) {
  if (node.kind != Node::Kind::list) {
    place.fail("wrong-arguments", node,
               "expected a list of numbers, as in [0, 1, 2], found " + text::slice(place.text(), node));
    return std::nullopt;
  }
  std::vector<Dual> numbers;
  for (const Node& element : node.operands) {
    const auto number = place.number(element);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<std::vector<Dual>> points_of(Expansion& place, const Node& node) {
  auto points = numbers_of(place, node);
  if (!points) return std::nullopt;
  if (points->size() < 2) {
    place.fail("bad-table", node, "a table needs two break points or more");
    return std::nullopt;
  }
  for (std::size_t i = 1; i < points->size(); ++i)
    if (!((*points)[i].value > (*points)[i - 1].value)) {
      place.fail("bad-table", node.operands[i],
                 "break points must rise: " + text::slice(place.text(), node.operands[i]) + " stands after " +
                     text::slice(place.text(), node.operands[i - 1]));
      return std::nullopt;
    }
  return points;
}

std::optional<std::vector<Dual>> values_of(Expansion& place, const Node& node,
                                           const std::optional<std::vector<Dual>>& points) {
  auto values = numbers_of(place, node);
  if (!values || !points || values->size() == points->size()) return values;
  place.fail("bad-table", node,
             "found " + std::to_string(values->size()) + " values for " + std::to_string(points->size()) +
                 " break points");
  return std::nullopt;
}

}  // namespace mti::conditions
