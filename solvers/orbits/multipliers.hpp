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

}  // namespace mti
