#pragma once

#include "solvers/identification/projected_fit.hpp"

namespace mti {

/// The quadratic model of the least cost at θ, Φ being the best one:  c(θ + Δ) ≈ c − 2 gᵀΔ + ΔᵀHΔ,
///
///     g = Dᵀ(Y − P Φᵀ)Φ,    H_(ik)(i'k') = (ΦᵀΦ)_kk' · [(D − QQᵀD)ᵀ(D − QQᵀD)]_(ik)(i'k')
///
/// with the slopes D of product_slopes and Q an orthonormal basis of the columns of P in use, summed over the supports
/// of `fit`. Entry (i, k) is at k N + i. Only the lower triangle of H is set. `full` is the diagonal without the
/// projection, (ΦᵀΦ)_kk |D_(ik)|²: what θ_ik does to F while Φ is held.
struct NormalEquations {
  Eigen::MatrixXd H;
  Eigen::VectorXd g, full;
};

/// Time T (N r)² for each support, memory (N r)².
[[nodiscard]] NormalEquations normal_equations(const Eigen::MatrixXd& angle, const RegressionData& data,
                                               const ProjectedFit& fit);

}  // namespace mti
