#pragma once

#include <optional>

#include "solvers/identification/projected_fit.hpp"

namespace mti {

/// A least-squares fit is exact where its cost is below this part of |Y|²: rounding leaves less.
inline constexpr double exact_cost = 1e-24;

/// When Gauss–Newton iterations end.
struct GaussNewtonOptions {
  Signs signs = Signs::any;
  int iterations = 100;
  double tolerance = 1e-6;    ///< three steps in a row lessen the cost by less than this part of it
  double exact = exact_cost;  ///< the cost is below this part of |Y|²
};

/// A CP function, what it leaves of Y, |Y − F(W)|², and how many steps led there.
struct CpFit {
  CpFactors factors;
  double cost = 0.0;
  int iterations = 0;
};

/// Levenberg–Marquardt on all factors at once, with Φ eliminated (variable projection, Kaufman's Jacobian):
///
///     (H + λ diag H) Δθ = g
///
/// with H and g of normal_equations(), after which Φ is the best one for the new θ. H is that of Gauss–Newton on (θ, Φ)
/// with Φ eliminated, so that no Jacobian of size T n × (N + n) r is needed. Angles at a bound that the gradient presses
/// against are held there. Nothing if the columns of the start depend on each other.
/// Sources: Golub, Pereyra, "Separable nonlinear least squares", Inverse Problems 19 (2003); Kaufman, BIT 15 (1975) 49–57.
[[nodiscard]] std::optional<CpFit> gauss_newton(const Eigen::MatrixXd& start, const RegressionData& data,
                                                const GaussNewtonOptions& options);

}  // namespace mti
