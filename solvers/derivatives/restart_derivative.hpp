#pragma once

#include <Eigen/Core>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mti/derivatives/parameter_derivative.hpp"
#include "solvers/derivatives/mode_derivatives.hpp"
#include "solvers/laws/transition_laws.hpp"
#include "solvers/motion/motion.hpp"

namespace mti {

/// One change of x⁻ at an instant: laws of reached constraints by themselves, or the restart with which a motion begins.
struct RestartStep {
  std::shared_ptr<const ModeSystem> system;
  std::shared_ptr<Motion> motion;
  DueLaws laws;
  std::vector<double> before;  ///< v
  bool is_law_alone = false;
};

/// What a restart is differentiated at.
struct RestartPoint {
  const Model& model;
  const Accuracy& accuracy;
  const Instant& instant;
  const ModeDerivatives& derivatives;
  std::span<const ParameterDerivative> parameters;
  /// Total derivative of d^k u_i/dt^k at the instant, by parameter.
  std::function<Eigen::RowVectorXd(int input, int k)> input;
};

/// The derivative of the states behind a restart, x⁺(p) = R(x⁻(p), p), along p: total derivatives, of values at an instant
/// that moves with p. From the equations of the restart (solvers/restart/restart.hpp),
///
///     Σ_b ∂f_i/∂v_b δD_b + Σ_b Σ_m ∂²f_i/∂v_b∂v_m D_b δv_m + Σ_b ∂f_i,p/∂v_b D_b = 0        where c_i = 0
///     δ(D^k f_i) = 0 at x⁺,  k = 0 … c_i − 1                                                   where c_i ≥ 1
///     δL(x⁺, Y, pre(v)) = 0                                                                    of laws
///
/// for the jumps δΔx, the weights δY and the derivatives of v that stage −1 and those below it determine. States whose
/// positions may not jump are continuous.
struct RestartDerivative {
  std::string failure;         ///< why there is none, for all parameters; empty if there is one
  std::vector<double> misfit;  ///< by parameter: what the equations leave over, relative to their summands
};

/// `total`: rows of v × parameters, at x⁻ on entry and with the states of x⁺ on return; `size`: of what it was added up from.
[[nodiscard]] RestartDerivative differentiate_restart(const RestartPoint& point, const RestartStep& step,
                                                      const Eigen::MatrixXd& size, Eigen::MatrixXd& total);

/// u with M u = right in the sense of least squares, M having at least as many rows as columns, rows and columns in units of
/// their own. Nothing if the columns depend on each other.
[[nodiscard]] std::optional<Eigen::MatrixXd> solve_scaled(const Eigen::MatrixXd& M,
                                                          const Eigen::MatrixXd& right);

/// |M u − right| by column, relative to the summands of each row. What is far below the largest of them is rounding.
[[nodiscard]] std::vector<double> misfit_of(const Eigen::MatrixXd& left, const Eigen::MatrixXd& summands);

}  // namespace mti
