#pragma once

#include <Eigen/Dense>

#include <complex>
#include <vector>

#include "mti/multilinear/cp_map.hpp"
#include "solvers/eigenvalues/pencil_eigenvalues.hpp"

namespace mti {

/// What became of a search around a shift.
struct NearestEigenvalues {
  bool singular = false;   ///< no shift nearby gives a regular A − σE
  bool converged = false;  ///< all that were asked for, or all there are
  std::vector<Eigenvalue> values = {};
};

/// The `count` finite eigenvalues of λE − A nearest to `shift`, and what of a conjugate pair is cut off.
///
/// Krylov–Schur method on (A − σE)⁻¹ E with a sparse factorisation; each eigenvalue is then improved by
/// inverse iteration from both sides, which also gives its left vector and its residual. Where `shift` is
/// an eigenvalue itself, σ is moved off it a little. `unknowns` names the columns, for participation.
[[nodiscard]] NearestEigenvalues nearest_eigenvalues(const SparseColumns& E, const SparseColumns& A,
                                                     std::complex<double> shift, int count,
                                                     bool participation, const std::vector<int>& unknowns);

}  // namespace mti
