#pragma once

#include <span>
#include <vector>

#include "mti/multilinear/row_map.hpp"
#include "solvers/blocks/rank_deficiency.hpp"
#include "solvers/blocks/solve_failure.hpp"
#include "solvers/linear_algebra/lu_factor.hpp"
#include "solvers/mode/constant_factors.hpp"
#include "solvers/plan/solution_plan.hpp"

namespace mti {

/// Outcome of solving one block; the unknowns themselves are in v.
struct BlockSolution {
  SolveFailure failure;  ///< of kind `singular` or `no_convergence`, with the block's equations and unknowns
  LuFactor factor;       ///< of the block's Jacobian at the solution

  [[nodiscard]] bool solved() const noexcept { return !failure; }
};

/// Where a differentiated block finds the Taylor coefficients it needs, and Dirac parts as order −1. Rows of
/// S below `states` are ẋ, those of x follow.
struct BlockSeries {
  TaylorSeries* series = nullptr;
  int states = 0;
  std::vector<Ball>* dirac = nullptr;  ///< by row of S; needed where order −1 occurs
  std::span<const double> left = {};   ///< v before the jump, if `dirac` is there
  /// By equation: a Dirac part beside that of its signals; empty: none has one.
  std::span<const Ball> known = {};
  ConstantFactors* constant = nullptr;  ///< of the mode; null: every matrix is factorised anew

  /// Enters order k of an unknown. Of ẋ also order k + 1 of x, x_{k+1} = ẋ_k/(k+1), or x = x⁻ + Δx; of an
  /// algebraic x also order k − 1 of ẋ; all that if there is room for it.
  void enter(int unknown, int order, const Ball& coefficient) const;
  /// What multiplies δ(t) in an equation: Σ_b ∂f/∂v_b · (Dirac part of v_b), and what is known.
  [[nodiscard]] Ball dirac_part(const RowMap& f, int equation, std::span<const double> v) const;
};

/// Solves the equations of a block for its unknowns, everything else in v (and the series) being known.
///
/// A linear block takes one solve with iterative refinement; a multilinear one takes Newton's method from
/// the values in v, damped by the natural monotonicity test (Deuflhard, Newton Methods for Nonlinear
/// Problems, sec. 3.3). Should that fail, it starts again from `guess` and from points away from zero. v has
/// one entry per row of S. What is not finite is no solution: `not_finite`. The factor is that of ∂f_i/∂v_j, in
/// the scaling of stage 0: order c_i of equation i times c_i!, order e_j of unknown j times e_j!.
[[nodiscard]] BlockSolution solve_block(const RowMap& f, const SolutionBlock& block, std::span<double> v,
                                        std::span<const double> guess, const BlockSeries& series);

/// The same, and the unknowns enter the series with the errors that those of everything known cause.
[[nodiscard]] BlockSolution solve_and_carry(const RowMap& f, const SolutionBlock& block, std::span<double> v,
                                            std::span<const double> guess, const BlockSeries& series);

/// Why solve_block found a block singular; v and the series are as it left them.
[[nodiscard]] RankDeficiency explain_block(const RowMap& f, const SolutionBlock& block, std::span<double> v,
                                           const BlockSeries& series);

}  // namespace mti
