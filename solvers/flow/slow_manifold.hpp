#pragma once

#include <Eigen/Core>

#include <optional>
#include <span>
#include <vector>

#include "solvers/flow/affine_mode.hpp"
#include "solvers/flow/quadruple.hpp"

namespace mti {

/// An affine mode in coordinates that keep the distance of its fast states from where they relax to:
///
///     w = (x_e, w_s)  →  (d, w_s),    d = x_e − Q w_s,    d' = Λ d,    w_s' = A w_s + M_se d,    s = C_e d + C_s w_s .
///
/// On the slow manifold d = 0 the equations hold with ẋ_e = Z w_s. They are solved for x_e and all other unknowns with ẋ_e as
/// given, x_e = B w_s + K ẋ_e and w_s' = A_0 w_s + D ẋ_e, and Z = (B + K Z)(A_0 + D Z) from
///
///     (I − B D) Z ← B A_0 + K Z (A_0 + D Z),
///
/// which converges by the ratio of slow and fast rates. Affine constraints are unknowns beside the others. So a signal that the states give as a small difference times a large
/// number, as the current (u − x)·G into a capacitor, has all its digits: on the manifold it follows from Z, and off it from
/// d alone. Source: P. V. Kokotović, H. K. Khalil, J. O'Reilly, Singular Perturbation Methods in Control (SIAM 1999), ch. 2.
struct SlowManifold {
  Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic> M,
      C;  ///< C has rows for d, and for the mode's affine constraints, behind those of the slots
  AffineMode::Matrix<Quadruple> Q;
  Eigen::MatrixXd coarse_M;          ///< M, found in double
  Eigen::MatrixXd C_error, Q_error;  ///< of C and Q, at most

  /// `v` by rows of S, `e` the fast states. Nothing if ẋ_e does not converge, or the equations cannot be solved for x_e.
  [[nodiscard]] static std::optional<SlowManifold> of(const AffineMode& mode, std::span<const double> v,
                                                      const std::vector<int>& e);
};

}  // namespace mti
