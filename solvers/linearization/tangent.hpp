#pragma once

#include <Eigen/Core>

#include <vector>

#include "solvers/linear_algebra/lu_factor.hpp"
#include "solvers/linearization/leading.hpp"
#include "solvers/linearization/linearize.hpp"

namespace mti {

/// The linear map from changes of states and inputs to those of rates and algebraic signals at a point of a mode of index at
/// most 1, without its matrix: each product is one solution with the factors of the blocks, so that time and memory follow
/// the entries of the equations.
///
///     (δẋ, δw) = T (δx, δu)
///
/// w are the unknowns of the linearisation behind the states, u its inputs.
class Tangent {
 public:
  /// Errors: those of Leading, also where the numbers of a block are singular.
  explicit Tangent(const Linearization& linearization);

  [[nodiscard]] Eigen::Index knowns() const noexcept { return leading_.right.cols(); }
  [[nodiscard]] Eigen::Index unknowns() const noexcept { return leading_.matrix.cols(); }
  /// T a
  [[nodiscard]] Eigen::VectorXd apply(const Eigen::VectorXd& a) const;
  /// Tᵀ b
  [[nodiscard]] Eigen::VectorXd apply_transposed(const Eigen::VectorXd& b) const;

 private:
  Leading leading_;
  std::vector<LuFactor> factors_;  ///< by block
  std::vector<int> block_of_;      ///< of each unknown
};

}  // namespace mti
