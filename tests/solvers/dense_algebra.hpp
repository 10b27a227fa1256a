#pragma once

#include <Eigen/Core>

namespace mti::test {

/// What oracles ask of dense matrices. Eigen's decompositions take long to compile: they are compiled here, once.

/// M = U Σ Vᵀ with square U and V; the singular values fall.
struct SingularValues {
  Eigen::MatrixXd U, V;
  Eigen::VectorXd values;
};

[[nodiscard]] SingularValues singular_values(const Eigen::MatrixXd& M);

/// By complete pivoting.
[[nodiscard]] Eigen::MatrixXd inverse(const Eigen::MatrixXd& M);

/// e^M.
[[nodiscard]] Eigen::MatrixXd exponential(const Eigen::MatrixXd& M);

/// max |λ|; 0 for a matrix without rows.
[[nodiscard]] double spectral_radius(const Eigen::MatrixXd& M);

}  // namespace mti::test
