#pragma once

#include <span>
#include <vector>

#include "mti/model/model.hpp"
#include "mti/multilinear/row_map.hpp"
#include "solvers/blocks/block_solver.hpp"
#include "solvers/blocks/instant.hpp"
#include "solvers/impulses/impulsive_part.hpp"
#include "solvers/mode/mode_system.hpp"

namespace mti {

/// What was balanced by orders of magnitude, without what has nothing to do with it (solvers/restart/scaled_impulses.hpp).
struct LeadingBalance {
  std::vector<int> equations = {};         ///< whose leading terms were made to vanish
  std::vector<double> orders = {};         ///< by row of S; 0 of what does not grow
  std::vector<double> v = {};              ///< what their coefficients were taken from
  std::vector<ImpulsivePart> slopes = {};  ///< ẋ that grow, but less than by a jump
};

/// How a motion begins in a mode whose equations the left limits x⁻ need not fulfil (docs/restarts.md,
/// "Stages"): the limit of an implicit Euler step of length h → 0.
struct Restart {
  SolveFailure failure = {};     ///< why there is none
  std::vector<Ball> dirac = {};  ///< by row of S: weights; of ẋ the jump of x. Empty: nothing was balanced
  std::vector<ImpulsivePart> others = {};  ///< of other orders than 1
  bool apart = false;                      ///< of laws in a slide, without its surfaces and weights
  std::vector<int> balanced = {};          ///< equations whose Dirac part was made to vanish
  std::vector<LeadingBalance> leading = {};

  [[nodiscard]] bool done() const noexcept { return !failure; }
  /// There is none, for this reason.
  void refuse(SolveFailure::Kind kind) {
    failure.kind = kind;
    failure.stage = SolveFailure::Stage::restart;
  }
  /// Weights that stand out of their errors, of ẋ too, ascending by row.
  [[nodiscard]] std::vector<ImpulsivePart> impulsive_parts() const;
};

/// Where a restart begins and what it makes of it.
struct RestartPlace {
  const Model& model;
  const ModeSystem& system;
  const Accuracy& accuracy;
  const Instant& instant;
  std::vector<double>& v;  ///< x⁻ on entry, x⁺ on return; y and ẋ are guesses of values that do not jump
  TaylorSeries& series;    ///< room for the orders of the plan; known signals are entered
};

/// The failure of a block as one of the restart: a singular block is examined with `series` as its solver
/// left them, and where Dirac parts are balanced together with all other blocks of the balance, if it is not
/// too large.
[[nodiscard]] SolveFailure failure_of_restart(const RestartPlace& place, const SolutionBlock& block,
                                              SolveFailure failure, const BlockSeries& series);

/// The row of S that messages name: the jump of x is sought as the Dirac part of ẋ.
[[nodiscard]] inline int named_row(const Signature& signature, int unknown) {
  return unknown < signature.n() ? unknown + signature.n() : unknown;
}

/// The errors of x in the series: of x⁻, at an uncertain time, and of x⁺, a state like any other.
void widen_errors(const RestartPlace& place);
void reset_errors(const RestartPlace& place);

/// Finds x⁺ and lower derivatives in the series, with the weights of impulses.
///
/// Affine in what carries a weight, with coefficients that do not jump: stage −1 of the plan,
///
///     Σ_j ∂f_i/∂ẋ_j Δx_j + Σ_j ∂f_i/∂y_j Y_j = 0           where c_i = 0
///     D^(c_i − 1) f_i = 0 at x⁺                              where c_i ≥ 1
///
/// one solve with the matrices of stage 0, exact. Lower stages are conditions on positions: they must hold
/// within what the run can tell; x is then put on them along the direction in which the mode's own
/// reactions act, that is, by the smallest move in the metric of its mass matrix. In parts that
/// surfaces are connected with (SeparateParts) the conditions of stage −1 are treated like that too, in the metric of ε.
[[nodiscard]] Restart restart(const RestartPlace& place);

}  // namespace mti
