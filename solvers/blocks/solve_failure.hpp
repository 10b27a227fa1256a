#pragma once

#include <string>
#include <vector>

#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"
#include "solvers/blocks/rank_deficiency.hpp"

namespace mti {

/// Why equations were not solved: one value, from the block whose solution failed up to the outcome of the run.
///
/// A block solver knows no more than `singular` or `no_convergence`. Whoever asked it to solve the block knows
/// the equations around it: examined() makes of `singular` what their null vectors tell. From there on nobody
/// changes the value.
struct SolveFailure {
  enum class Kind {
    none,
    structure,            ///< the structure of the mode leaves (ẋ, y) without a unique solution
    singular,             ///< a matrix without full rank whose null vectors nobody has looked at
    contradiction,        ///< there is no solution
    not_unique,           ///< there are many
    no_convergence,       ///< none was found
    not_finite,           ///< what the equations give is no finite number
    off_position,         ///< x would have to jump by more than Dirac impulses do
    jumping_coefficient,  ///< what multiplies the weight of an impulse jumps itself
    product_of_impulses,  ///< impulses are multiplied with each other, and no scaling decides it
  };
  /// What was to be solved: where a motion begins, or how it goes on from there.
  enum class Stage { motion, restart };

  Kind kind = Kind::none;
  Stage stage = Stage::motion;
  std::vector<int> equations = {};  ///< that stand in the way
  std::vector<int> signals = {};    ///< rows of S concerned: what is not determined, or what jumps
  int rank = 0, size = 0;           ///< of the matrix, if it is singular; size 0: not examined
  std::vector<int> impulses = {};   ///< rows of S: the weights that what jumps multiplies

  explicit operator bool() const noexcept { return kind != Kind::none; }
};

/// The restart would depend on how the model is written: no other way of solving it would help.
[[nodiscard]] inline bool depends_on_writing(SolveFailure::Kind kind) noexcept {
  return kind == SolveFailure::Kind::jumping_coefficient || kind == SolveFailure::Kind::product_of_impulses;
}

/// A block that its solver could not solve.
[[nodiscard]] inline SolveFailure failure_of(const SolutionBlock& block, SolveFailure::Kind kind) {
  return {kind, SolveFailure::Stage::motion, block.equations, block.unknowns};
}

/// A singular block by what its null vectors tell.
///
/// A motion contradicts itself or leaves something open; where Newton's method came upon a singular Jacobian on
/// its way, the equations may well have a solution. Of a restart only a linear block whose matrix has been
/// examined is known to contradict: everything else leaves what jumps undetermined.
[[nodiscard]] SolveFailure examined(SolveFailure::Stage stage, const SolutionBlock& block,
                                    RankDeficiency deficiency);

/// The failure in the model's names, for a candidate that is turned down and for a law without solution; empty
/// if there is none.
[[nodiscard]] std::string describe(const SolveFailure& failure, const Model& model, const Mode& mode);

}  // namespace mti
