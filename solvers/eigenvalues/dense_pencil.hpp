#pragma once

#include <Eigen/Dense>

#include <optional>
#include <vector>

#include "solvers/eigenvalues/pencil_eigenvalues.hpp"

namespace mti {

/// Eigenvalues of one pencil and, if asked for, their vectors.
struct DenseSpectrum {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd right;   ///< column i: r_i
  Eigen::MatrixXcd left_E;  ///< row i: l_i* E with l_i* E r_i = 1
};

/// The finite eigenvalues of λE − A by deflation of the infinite ones; nothing if the pencil is singular.
///
/// Rank decisions are taken after scaling rows and columns so that the entries of E are about 1.
[[nodiscard]] std::optional<DenseSpectrum> solve_dense(const Eigen::MatrixXd& E, const Eigen::MatrixXd& A,
                                                       bool vectors);

/// Eigenvalues of an ordinary matrix, balanced first (Parlett and Reinsch, Numer. Math. 13 (1969) 293-304).
[[nodiscard]] DenseSpectrum solve_ordinary(Eigen::MatrixXd A, bool vectors);

/// Shares and condition of an eigenvalue with the vectors r and l* E; `unknowns` names their entries.
void set_participation(Eigenvalue& eigenvalue, const Eigen::VectorXcd& right, const Eigen::VectorXcd& left_E,
                       const std::vector<int>& unknowns);

}  // namespace mti
