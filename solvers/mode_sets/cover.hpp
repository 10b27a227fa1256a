#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <vector>

#include "solvers/mode_sets/mode_set.hpp"

namespace mti {

/// A mode variable, or its negation.
struct Literal {
  int variable = 0;
  bool negated = false;

  auto operator<=>(const Literal&) const = default;
};

/// Conjunction of literals, by ascending variable; all modes where there are none.
using Product = std::vector<Literal>;

/// A set of modes as a disjunction of products, in ascending order.
struct Cover {
  std::vector<Product> products;
  ModeSet set;
};

/// An irredundant cover of prime products: lower ⊆ cover ⊆ upper, given lower ⊆ upper. Nothing if it needs
/// more than `most_products`, or very long.
/// Source: Minato, Fast generation of prime-irredundant covers from binary decision diagrams, IEICE Trans.
/// Fundamentals E76-A (1993) 967-973.
[[nodiscard]] std::optional<Cover> irredundant_cover(const ModeSet& lower, const ModeSet& upper,
                                                     std::size_t most_products);

/// Leaves out products and literals of `cover` until none can be left out without changing it inside `care`.
/// Whether there were any.
bool leave_out_redundant(Cover& cover, const ModeSet& care);

}  // namespace mti
