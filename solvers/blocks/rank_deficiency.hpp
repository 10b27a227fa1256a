#pragma once

#include <Eigen/SparseCore>

#include <span>
#include <vector>

#include "solvers/mode/mode_system.hpp"

namespace mti {

/// Why equations have no unique solution although their structure gives one.
struct RankDeficiency {
  bool contradiction = true;  ///< no solution; otherwise there are many
  std::vector<int>
      equations;              ///< of the left null vectors that the right side does not annihilate, or of all
  std::vector<int> unknowns;  ///< rows of S in the right null vectors: what is not determined
  int rank = 0, size = 0;     ///< of the matrix examined; size 0: it was too large
};

/// Explains the last of `blocks`, whose Jacobian is singular at v; those before it are solved in v.
///
/// The null vectors are those of the block together with all blocks it depends on: of two diodes in series
/// that both block, i1 = 0 and i2 = 0 take part, though each was solved before the node between them.
[[nodiscard]] RankDeficiency explain_singularity(const RowMap& f, std::span<const SolutionBlock> blocks,
                                                 std::span<const double> v);

/// The same for one block of any stage, given its matrix and the residuals of its equations, with the rounding
/// error of these.
[[nodiscard]] RankDeficiency explain_singularity(const SolutionBlock& block,
                                                 const std::vector<Eigen::Triplet<double>>& entries,
                                                 const Eigen::VectorXd& left,
                                                 const Eigen::VectorXd& rounding);

}  // namespace mti
