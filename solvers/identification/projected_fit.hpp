#pragma once

#include <Eigen/Core>

#include <optional>
#include <vector>

#include "solvers/identification/cp_factors.hpp"

namespace mti {

/// What the entries of a CP function may be.
enum class Signs {
  any,
  nonnegative,  ///< Φ ≥ 0 and 0 ≤ θ ≤ π/2, that is a, b ≥ 0 in all factors a + b w
};

/// Outputs whose Φ uses the same columns, and an orthonormal basis Q of these, (T × columns).
struct ColumnSupport {
  std::vector<Eigen::Index> outputs = {};
  Eigen::MatrixXd Q = {};
};

/// For given θ the Φ, of the signs asked for, that makes  cost = |Y − P Φᵀ|²  smallest.
struct ProjectedFit {
  Eigen::MatrixXd Phi, residual;
  std::vector<ColumnSupport> supports;
  double cost = 0.0;
};

/// Nothing where the columns of P depend on each other (to 1e-9 of their length; of any sign only): terms that
/// cancel to nothing have no place in a model.
[[nodiscard]] std::optional<ProjectedFit> project(const Eigen::MatrixXd& angle, const RegressionData& data,
                                                  Signs signs);

}  // namespace mti
