#pragma once

#include <Eigen/Core>

#include <string>
#include <vector>

#include "mti/derivatives/parameter_derivative.hpp"
#include "mti/model/model.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// x(0) ↦ x(T) through all events on the way, with its derivatives (docs/sensitivities.md).
struct ReturnMap {
  std::string message =
      {};  ///< why there is none: how the run ended, what is undefined, that z(T) is not z(0)
  Trajectory run = {};
  Eigen::VectorXd left = {};          ///< x(T) − x(0), n
  Eigen::VectorXd rate = {};          ///< ẋ(T), n
  Eigen::MatrixXd M = {};             ///< ∂x(T)/∂x(0), n × n
  Eigen::VectorXd by_parameter = {};  ///< ∂x(T)/∂p at fixed x(0), n, where there is a parameter
  double residual = 0.0;              ///< largest |left| in units of max(nominal, |x(0)|)

  [[nodiscard]] bool is_defined() const { return message.empty(); }
};

/// From the start of `model` on, from `options.start` to `options.stop`, with derivatives by `options.sensitivities`: those by all
/// starts, in the order of states, and then by a parameter if there is one.
///
/// Throws NotReached (ids `interrupted`, `time_budget`).
[[nodiscard]] ReturnMap return_map(const Model& model, const SimulationOptions& options);

/// Derivatives of a model by the start values of its states: of x_start alone.
[[nodiscard]] std::vector<ParameterDerivative> derivatives_by_starts(const Model& model);

/// x, y and z of v as the start of a model.
void start_at(Model& model, const std::vector<double>& v);

/// Nothing where the run has reached its end, and how it ended otherwise.
///
/// Throws NotReached where it was stopped (ids `interrupted`, `time_budget`).
[[nodiscard]] std::string early_end_of(const Trajectory& run);

/// Options of a run from `start` over `length`, to all digits that matter unless others are asked for. The seconds are those that the
/// watched budget leaves.
[[nodiscard]] SimulationOptions options_of_round(const SimulationOptions& asked, double seconds_used,
                                                 double start, double length);

/// The matrix of Newton's method for x(T) = x(0), in units of `nominal` and of T:
///
///     [M − I   ẋ(T)]
///     [ẋ(T)ᵀ     0 ]    (row of length 1; the last row and column only where T is free)
[[nodiscard]] Eigen::MatrixXd newton_matrix(const ReturnMap& map, const Eigen::VectorXd& nominal,
                                            double period, bool free_period);

/// J where it is regular, and where it is singular with the rows added that hold what is conserved. A left null vector ℓ of J,
///
///     ℓᵀ J = 0:    J + ℓ (ℓ_x, 0)ᵀ,
///
/// is the gradient of a quantity that no round changes: orbits lie beside each other then, and the one that is sought has that quantity as it was. Null is what is
/// below `rounding` of the rows, each of which counts in its own size, or 1 if that is more.
[[nodiscard]] Eigen::MatrixXd with_conserved(const Eigen::MatrixXd& J, Eigen::Index n, double rounding);

/// Times in (a, b] at which an input has a breakpoint, ascending; the first thousand.
[[nodiscard]] std::vector<double> breakpoints_between(const Model& model, double a, double b);

}  // namespace mti
