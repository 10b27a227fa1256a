#pragma once

#include "solvers/derivatives/restart_derivative.hpp"

namespace mti {

/// Whether a restart is one of restart_linear_mode(): of a linear mode with conditions on positions.
[[nodiscard]] bool is_linear_restart(const RestartPoint& point, const RestartStep& step);

/// The derivative of the consistency projector (solvers/restart/linear_projection.hpp): with X_m,p for ∂X_m/∂p
///
///     E (X_{m+1,p} − [m = −1] x⁻_p) + A X_{m,p} = b_p^(m) − E_p (X_{m+1} − [m = −1] x⁻) − A_p X_m
///
/// stage by stage with the same matrices.
[[nodiscard]] RestartDerivative differentiate_linear_restart(const RestartPoint& point,
                                                             const RestartStep& step, Eigen::MatrixXd& total);

/// Total derivatives of the Dirac parts that recombined rows have beside those of their signals
/// (solvers/restart/known_impulses.hpp): of order `order` of an equation, by parameter.
[[nodiscard]] Eigen::RowVectorXd known_impulse_derivative(const RestartPoint& point, const ModeSystem& system,
                                                          int equation, int order,
                                                          const std::vector<double>& before,
                                                          const Eigen::MatrixXd& total);

}  // namespace mti
