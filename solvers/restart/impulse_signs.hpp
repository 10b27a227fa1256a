#pragma once

#include <span>
#include <vector>

#include "mti/multilinear/row_map.hpp"
#include "solvers/restart/restart.hpp"

namespace mti {

/// Whether a constraint g ≤ 0 lets the impulses of a restart pass.
enum class ImpulseSign {
  none,       ///< its impulsive part vanishes
  allowed,    ///< the highest power of δ that does not vanish has a negative coefficient
  forbidden,  ///< a positive one: i² ≤ 100 does not pass an infinite current
  depends,    ///< it is a product of different weights, whose sign depends on how they overlap
};

/// Puts v_b + Σ weight·δ^order into row `row` of g and looks at the powers of δ, the highest first. `parts`
/// ascend by row.
[[nodiscard]] ImpulseSign impulse_sign(const RowMap& g, int row, std::span<const double> v,
                                       std::span<const ImpulsivePart> parts);

}  // namespace mti
