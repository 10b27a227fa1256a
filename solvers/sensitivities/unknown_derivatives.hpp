#pragma once

#include <Eigen/Core>

#include <optional>
#include <span>
#include <vector>

#include "solvers/sensitivities/linearised_mode.hpp"

namespace mti {

/// Derivatives of all unknowns and their rates at one instant.
struct UnknownDerivatives {
  Eigen::MatrixXd w, wp;            ///< unknowns × parameters; rates that do not occur are 0
  Eigen::MatrixXd w_size, wp_size;  ///< of what these were added up from: x1_p and x2_p for y = x1 − x2
  std::vector<double> misfit;  ///< by parameter: what the equations leave over, relative to their summands
};

/// What E ẇ_p + A w_p + B = 0 makes of the derivatives of states: x_p (n × parameters) is given, but for states whose
/// derivatives do not occur and those that are absent; `x_size` is that of what it was added up from. Nothing if the equations
/// do not determine the others.
[[nodiscard]] std::optional<UnknownDerivatives> complete(LinearisedMode& mode, double t,
                                                         std::span<const double> w,
                                                         std::span<const double> wp,
                                                         const Eigen::MatrixXd& x_p,
                                                         const Eigen::MatrixXd& x_size);

}  // namespace mti
