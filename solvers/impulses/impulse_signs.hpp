#pragma once

#include <map>
#include <span>
#include <vector>

#include "mti/multilinear/row_map.hpp"
#include "solvers/impulses/impulsive_part.hpp"

namespace mti {

/// Whether a constraint g ≤ 0 lets the impulses of a restart pass.
enum class ImpulseSign {
  none,       ///< its impulsive part vanishes
  allowed,    ///< the highest power of δ that does not vanish has a negative coefficient
  forbidden,  ///< a positive one: i² ≤ 100 does not pass an infinite current
  depends,    ///< it is a product of different weights, whose sign depends on how they overlap
};

/// Which impulses are multiples of one pulse, whatever its course. Rows of f tie them that are affine in all that is
/// impulsive and hold two such signals,
///
///     a v_i + b v_j + (what is finite) = 0
///
/// Weights that happen to be the same number say nothing: the product of two pulses depends on how they overlap.
class TiedPulses {
 public:
  /// `parts` ascend by row.
  TiedPulses(const RowMap& f, std::span<const ImpulsivePart> parts);

  /// Of two rows of S among the parts.
  [[nodiscard]] bool are_tied(int a, int b) const;

 private:
  std::map<int, int> pulse_;  ///< by row of S
};

/// Puts v_b + Σ weight·δ^order into row `row` of g and looks at the powers of δ, the highest first. `parts`
/// ascend by row.
[[nodiscard]] ImpulseSign impulse_sign(const RowMap& g, int row, std::span<const double> v,
                                       std::span<const ImpulsivePart> parts, const TiedPulses& ties);

}  // namespace mti
