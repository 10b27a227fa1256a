#pragma once

#include <Eigen/Dense>

#include <functional>

namespace mti {

/// Eigenvalues of largest magnitude of an operator, with their vectors as columns of unit length.
struct KrylovSchur {
  bool converged = false;
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};

/// The `count` eigenvalues of largest magnitude of w ↦ apply(w) on vectors of `size` entries.
///
/// Krylov–Schur method: an orthonormal basis is extended by Arnoldi steps, the projected matrix is brought to
/// Schur form, and the basis shrinks to what belongs to its largest eigenvalues. Converged are those with
/// ‖Op v − μv‖ ≤ 1e-12·|μ|, or all there are if the basis spans an invariant space. Fewer come back where
/// the operator has fewer that are not zero, and more where the last one is multiple: the search is repeated
/// beside the vectors that were found until nothing as large is left there. These later vectors are
/// orthogonal to the earlier ones: start vectors for inverse iteration. Source: Stewart, SIAM J. Matrix Anal.
/// Appl. 23 (2002) 601-614.
[[nodiscard]] KrylovSchur largest_eigenvalues(
    const std::function<Eigen::VectorXcd(const Eigen::VectorXcd&)>& apply, int size, int count);

}  // namespace mti
