#pragma once

#include <optional>

#include "io/quantities/quantities.hpp"

namespace mti::sbml {

/// A comparison of two operands, one of which chooses, as a condition of comparisons that do not:
///
///     f(piecewise(u, C, v)) > b  →  (C and f(u) > b) or (not C and f(v) > b),     [C] as a number: piecewise(1, C, 0)
///     |u| > b  →  u > b or −u > b,      max(u, v) > b  →  u > b or v > b,      min(u, v) > b  →  u > b and v > b
///
/// and the other way round for b > …. Where a rule or a law gives a name, its formula takes the place of the name if it chooses. A jump
/// that changes the choice then changes comparisons of what jumps, one by one, and none of a signal that has no mode for it.
/// Nothing where there is no choice, where a piecewise has no otherwise, where a piece holds more than sums and products, which may have
/// no value where it is not chosen, or where that takes more than `most_comparisons` or formulas of more than `most_nodes`.
[[nodiscard]] std::optional<Math> split_comparison(const Quantities& quantities, const Math& comparison);

/// A formula with those of rules and laws that choose, at any depth, in the place of their names.
[[nodiscard]] Math with_choices(const Quantities& quantities, const Math& math);
[[nodiscard]] bool holds_choice(const Quantities& quantities, const Math& math);

}  // namespace mti::sbml
