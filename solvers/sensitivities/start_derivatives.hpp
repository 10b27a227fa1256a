#pragma once

#include <Eigen/Core>

#include <span>
#include <string>
#include <vector>

#include "mti/derivatives/parameter_derivative.hpp"
#include "solvers/blocks/instant.hpp"
#include "solvers/derivatives/mode_derivatives.hpp"
#include "solvers/mode/mode_system.hpp"

namespace mti {

/// Derivatives of a start that initial equations determine.
struct StartDerivatives {
  Eigen::MatrixXd x;                 ///< ∂x/∂p: states × parameters
  std::vector<std::string> failure;  ///< by parameter: why there is none
};

/// With r(w; p) = 0 the equations of the start in its mode (StartEquations),
///
///     ∂r/∂w ∂w/∂p = −∂r/∂p
///
/// in which parameters occur in f and its derivatives, in initial equations, in inputs, and in starts that are fixed. Rows that
/// follow from others have to do so for other p as well, or there are no derivatives. `instant` is that of the start that was found.
[[nodiscard]] StartDerivatives differentiate_start(const Model& model, const ModeSystem& system,
                                                   const Instant& instant, const ModeDerivatives& of_mode,
                                                   std::span<const ParameterDerivative> parameters);

}  // namespace mti
