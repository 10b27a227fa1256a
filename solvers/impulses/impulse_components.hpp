#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "mti/multilinear/row_map.hpp"
#include "solvers/plan/solution_plan.hpp"

namespace mti {

/// Blocks of a Dirac balance that know each other's impulses, taken apart: what is balanced by orders of magnitude is scaled
/// by one step h, but orders of parts that share no impulse have nothing to do with each other.
struct ImpulseComponents {
  std::vector<std::vector<std::size_t>>
      components;  ///< blocks that are balanced together, ascending; by their first
  /// By block: nothing but sums of impulses that others have made, Σ a_j Y_j + Σ b_k Y_k = 0 with its own Y_j, which no
  /// component needs (solvers/impulses/following_impulses.hpp).
  std::vector<char> follows;
};

/// Of the blocks `together`. A block that is no sum is in a component, with all that it takes impulses from; `states`
/// is the number of x.
[[nodiscard]] ImpulseComponents impulse_components(const RowMap& f, std::span<const SolutionBlock> blocks,
                                                   const std::vector<char>& together, int states);

}  // namespace mti
