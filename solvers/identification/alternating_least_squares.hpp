#pragma once

#include <optional>

#include "solvers/identification/projected_fit.hpp"

namespace mti {

/// Alternating least squares: factor after factor, the 2 r numbers a_ik + b_ik w_i of signal i are the best ones while
/// the other signals and Φ are held, a linear problem with the normal equations
///
///     (ΦᵀΦ ∘ Zᵀ Z) (a_i, b_i) = Zᵀ (Y Φ),    Z = (P⁽⁻ⁱ⁾, w_i P⁽⁻ⁱ⁾),    P⁽⁻ⁱ⁾ the products without signal i,
///
/// and then Φ. The cost never rises, each sweep takes time T N r², and what it finds is a start for Gauss–Newton:
/// near a solution, or in a valley, its steps become small. Ends after `sweeps`, or where a sweep lessens the cost
/// by less than 1 %. Nothing if columns come to depend on each other.
/// Source: Beylkin, Garcke, Mohlenkamp, "Multivariate regression and machine learning with sums of separable
/// functions", SIAM J. Sci. Comput. 31 (2009) 1840–1857.
[[nodiscard]] std::optional<Eigen::MatrixXd> alternating_least_squares(const Eigen::MatrixXd& start,
                                                                       const RegressionData& data,
                                                                       Signs signs, int sweeps);

}  // namespace mti
