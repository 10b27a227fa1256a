#pragma once

#include <Eigen/SparseCore>

#include <span>
#include <unordered_map>
#include <vector>

#include "mti/multilinear/row_map.hpp"
#include "solvers/plan/solution_plan.hpp"

namespace mti {

/// The matrix of a block: ∂f_i/∂v_j where order c_i of equation i gives order e_j of unknown j: as itself if
/// c_i = e_j, and of an unknown ẋ through x if c_i = e_j + 1. The same for every stage. Without
/// differentiation: ∂f_i/∂v_j.
class SystemJacobian {
 public:
  /// Rows of S below `states` are ẋ, those of x follow. The block must outlive it.
  SystemJacobian(const SolutionBlock& block, int states);

  /// Entries at v, by positions in the block; repeated ones add up.
  [[nodiscard]] std::vector<Eigen::Triplet<double>> entries(const RowMap& f, std::span<const double> v) const;
  /// The block's unknown that a signal stands for in equation i of the block at its order; −1: none.
  [[nodiscard]] int column(std::size_t i, int signal) const;

 private:
  /// The unknown that a signal stands for, whatever its order; −1: none.
  [[nodiscard]] int position(int signal) const;

  const SolutionBlock& block_;
  int states_;
  std::unordered_map<int, int> position_;  ///< empty where the unknowns are few enough to be searched in turn
};

}  // namespace mti
