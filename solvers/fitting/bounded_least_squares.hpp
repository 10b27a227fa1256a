#pragma once

#include <Eigen/Core>

#include <functional>
#include <string>
#include <vector>

#include "solvers/fitting/loss.hpp"

namespace mti {

/// Residuals whose derivatives by some parameters are not known.
struct UnknownRows {
  std::vector<int> rows = {}, parameters = {};
  std::string reason = {};
};

/// Residuals r (N) and J = ∂r/∂p (N × n) at a point. Entries of J that are no numbers are not known, and count as 0 in steps.
struct ResidualPoint {
  Eigen::VectorXd residuals = {};
  Eigen::MatrixXd jacobian = {};
  std::vector<UnknownRows> unknown = {};
};

struct ResidualEvaluation {
  enum class Kind {
    done,
    refused,  ///< there are no residuals at this point: `message` says why
    ended,    ///< the search has to end
  };
  Kind kind = Kind::done;
  ResidualPoint point = {};
  std::string message = {};
  double exact = 0.0;  ///< a cost below this may be rounding: short steps that do not lower it end the search
};

struct LeastSquaresOptions {
  Loss loss = {};
  int most_iterations = 100;
  double cost_tolerance = 1e-12;  ///< converged: no step promises more than this part of the cost
  double step_tolerance = 1e-9;   ///< or a full step has ‖D Δp‖ ≤ this·‖D p‖
};

enum class LeastSquaresEnd {
  converged,
  stalled,          ///< no short step takes the cost down as J says it would, or each is refused
  iteration_limit,  ///< `most_iterations` steps
  ended,            ///< an evaluation said so
  no_start,         ///< the first point is refused
};

struct LeastSquaresResult {
  LeastSquaresEnd end = LeastSquaresEnd::no_start;
  std::string message = {};  ///< why it stalled or has no start
  Eigen::VectorXd p = {};    ///< the best point
  ResidualPoint point = {};
  double cost = 0.0, exact = 0.0;  ///< costs below `exact` may be rounding
  int iterations = 0, evaluations = 0, refused = 0;
};

/// A local minimum of ½ Σ ρ(r_i(p)²) with lower ≤ p ≤ upper, by the method of Levenberg and Marquardt:
///
///     minimise ‖W^½ (r + J s)‖² + λ ‖D s‖²,    W_ii = ρ'(r_i²),    D_jj the largest norm so far of column j of W^½ J
///
/// over the parameters that no bound holds (one at a bound is held while the gradient leads out of it). What would leave its
/// bounds is put there, and the other parameters are solved for again. A step is taken if it lowers the cost, which λ is chosen
/// by; a point that is refused is one step too long. As λ → ∞ a step becomes one along the scaled negative gradient, projected to the bounds.
///
/// `lower` ≤ `start` ≤ `upper`, infinite bounds allowed. J comes with every evaluation.
/// Source: [more1978]; [kanzow2004] for the bounds; [nielsen1999] for λ.
[[nodiscard]] LeastSquaresResult minimise_squares(
    const std::function<ResidualEvaluation(const Eigen::VectorXd& p)>& residuals,
    const Eigen::VectorXd& start, const Eigen::VectorXd& lower, const Eigen::VectorXd& upper,
    const LeastSquaresOptions& options = {});

}  // namespace mti
