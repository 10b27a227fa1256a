#pragma once

#include <Eigen/Core>

#include <complex>
#include <span>
#include <vector>

namespace mti {

/// A Floquet multiplier, and how far it may be from the right one.
struct Multiplier {
  std::complex<double> value;
  double error = 0.0;
};

/// The eigenvalues of M = ∂x(T)/∂x(0) in nominal units, the largest first, where M is known to δ = part·max(1, ‖M‖): a simple
/// one, with eigenvectors y of Mᵀ and x of M, to δ |y||x|/|y·x|, one of two that coincide to √δ.
[[nodiscard]] std::vector<Multiplier> multipliers_of(const Eigen::MatrixXd& M,
                                                     std::span<const double> nominal, double part);

/// What the multipliers of an orbit say: |μ| < 1 and |μ| > 1 only where they are known that well.
struct OrbitStability {
  bool stable = false;    ///< all lie within the unit circle, by more than they may be wrong
  bool marginal = false;  ///< none lies outside of it by more than that, but some within that of it
  /// Those that matter: without the multiplier 1 of the motion along an orbit whose period is free.
  std::vector<Multiplier> multipliers = {};
};

/// `rtol`: that of the run which M is of.
[[nodiscard]] OrbitStability stability_of(std::vector<Multiplier> all, bool free_period, double rtol);

}  // namespace mti
