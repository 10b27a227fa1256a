#pragma once

#include "io/sbml/document.hpp"

namespace mti::sbml {

/// Whether a formula is one of several by a condition: piecewise with otherwise, abs, max and min, and a condition as a number.
[[nodiscard]] bool chooses(const Math& math);

/// Such a formula as: if condition then one else other.
///
///     |u| = if u > 0 then u else −u,     max(u, v, …) = if u > max(v, …) then u else max(v, …),     [C] = if C then 1 else 0
struct Choice {
  Math condition, one, other;
};
[[nodiscard]] Choice choice_of(const Math& math);

/// A sum of products, as text that needs no signal of its own.
[[nodiscard]] bool is_polynomial(const Math& math);
/// A sum of products of numbers, names and choices of such: it has a value whatever is chosen.
[[nodiscard]] bool is_sum_of_choices(const Math& math);

}  // namespace mti::sbml
