#pragma once

#include <span>
#include <vector>

#include "solvers/block_factor.hpp"
#include "solvers/mode_system.hpp"

namespace mti {

enum class BlockStatus { solved, singular, no_convergence };

/// Outcome of solving one block; the unknowns themselves are in v.
struct BlockSolution {
  BlockStatus status = BlockStatus::solved;
  BlockFactor factor;  ///< of the block's Jacobian at the solution
};

/// Solves the equations of a block for its unknowns, everything else in v being known.
///
/// A linear block takes one solve with iterative refinement; a multilinear one takes Newton's method from
/// the values in v, damped by the natural monotonicity test (Deuflhard, Newton Methods for Nonlinear
/// Problems, sec. 3.3). Should that fail, it starts again from `guess` and from points away from zero. v has
/// one entry per row of S.
[[nodiscard]] BlockSolution solve_block(const RowMap& f, const SolutionBlock& block, std::span<double> v,
                                        std::span<const double> guess);

}  // namespace mti
