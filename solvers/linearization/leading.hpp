#pragma once

#include <Eigen/SparseCore>

#include <vector>

#include "solvers/linearization/linearize.hpp"
#include "solvers/structure/block_triangular.hpp"

namespace mti {

/// What rates and algebraic signals follow from, at a point of a mode of index at most 1:
///
///     [∂f/∂ẋ  ∂f/∂y] (δẋ; δy) = −∂f/∂x δx − ∂f/∂u δu
///
/// with its block triangular form. Errors: InvalidModel, id `no-state-space`, where the matrix is not square or structurally
/// singular.
struct Leading {
  using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

  explicit Leading(const Linearization& linearization);

  Rows matrix, right;
  std::vector<Block> blocks;  ///< in solving order
};

/// InvalidModel, id `no-state-space`: the numbers of this block leave its unknowns open.
[[noreturn]] void fail_singular(const Linearization& linearization, const Block& block);

}  // namespace mti
