#pragma once

#include <optional>
#include <vector>

#include "mti/text/expansion.hpp"

namespace mti::conditions {

/// The lists of table(x, [x_1, …, x_n], [y_1, …, y_n]) and table2, made of numbers and parameters. Nothing after a
/// fault: `wrong-arguments`, `bad-table`, and those of numbers.
[[nodiscard]] std::optional<std::vector<Dual>> numbers_of(text::Expansion& place, const text::Node& node);
/// Two or more, ascending.
[[nodiscard]] std::optional<std::vector<Dual>> points_of(text::Expansion& place, const text::Node& node);
/// As many as there are points, if these are known.
[[nodiscard]] std::optional<std::vector<Dual>> values_of(text::Expansion& place, const text::Node& node,
                                                         const std::optional<std::vector<Dual>>& points);

}  // namespace mti::conditions
