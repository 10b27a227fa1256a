#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <functional>
#include <limits>
#include <stop_token>
#include <string>
#include <vector>

#include "mti/common/fault.hpp"
#include "solvers/fitting/fit_problem.hpp"
#include "solvers/fitting/loss.hpp"

namespace mti {

struct FitOptions {
  Loss loss = {};
  int starts = 1;          ///< of the search: the given one, and points of Sobol's sequence within the bounds
  std::uint64_t seed = 1;  ///< of these points
  int most_iterations = 100;
  bool noise_is_known =
      false;  ///< deviations are those of the noise; if not, they are right up to one common factor
  double confidence = 0.95;                                      ///< of intervals
  double max_seconds = std::numeric_limits<double>::infinity();  ///< wall clock
  std::stop_token stop_token = {};
  std::function<void(int done, int starts)> progress = {};  ///< starts that have come to their end

  /// Every fault of these options for `problem` (ids `bad-option`), empty if there is none.
  [[nodiscard]] std::vector<Fault> validate(const FitProblem& problem) const;
};

enum class FitEnd {
  converged,
  stalled,  ///< no step lowers the sum as derivatives say it would, or all are refused: `message`
  iteration_limit,
  interrupted,  ///< the best point so far
  time_budget,  ///< likewise
  no_start,     ///< at no start all data can be computed: there is no point; `message`
};
[[nodiscard]] std::string to_string(FitEnd end);

/// p_j, with its standard deviation and its confidence interval p_j ± t √C_jj, which no bound cuts off. No numbers where the data
/// do not determine the parameter, or a bound holds it.
struct Estimate {
  std::string name = {};
  double value = 0.0;
  double deviation = 0.0, low = 0.0, high = 0.0;
  bool at_lower = false, at_upper = false;
};

/// The data of one signal or kind of event, beside what the fitted run has.
struct FittedSeries {
  std::string experiment = {}, name = {};
  bool is_event = false;
  std::vector<double> time = {};  ///< of data of a signal; of events it is `measured`
  std::vector<double> measured = {}, fitted = {};
  double deviation = 1.0;
};

/// Parameters that can change together while the data stay as they are, to first order.
struct UndeterminedDirection {
  std::vector<std::string> parameters = {};
  std::vector<double> changes = {};  ///< relative to |p|, the largest 1 (the changes themselves, where p = 0)
};

/// Data whose derivatives by some parameters do not exist (docs/sensitivities.md, "Undefined"): they count in the sum, steps take
/// these derivatives for 0, and the covariance knows nothing of these data.
struct UndefinedData {
  std::string experiment = {}, name = {};
  std::vector<std::string> parameters = {};
  int count = 0;
  double first = 0.0;  ///< the measured time of the first of them
  std::string reason = {};
};

/// What became of one start.
struct FitStart {
  std::vector<double> from = {}, to = {};
  FitEnd end = FitEnd::no_start;
  std::string message = {};
  double cost = 0.0;
  int iterations = 0;
};

struct Fit {
  FitEnd end = FitEnd::no_start;
  std::string message = {};
  std::vector<Estimate> estimates = {};  ///< in the order of the parameters; empty: there is no point
  double cost = 0.0;                     ///< ½ Σ ρ(r²)
  int observations = 0;                  ///< N, those with derivatives
  int rank = 0;                          ///< of J
  double noise = 1.0;                    ///< σ, in units of the deviations given; 1 where the noise is known
  double condition = 1.0;
  Eigen::MatrixXd covariance = {};  ///< no numbers for parameters that have no deviation
  std::vector<UndeterminedDirection> undetermined = {};
  std::vector<UndefinedData> undefined = {};
  std::vector<FittedSeries> series = {};
  std::vector<FitStart> starts = {};
  int starts_at_best = 0;  ///< that came to this cost
  long evaluations = 0, refused = 0, runs = 0;
};

/// Estimates of parameters from measured signals and times of events:
///
///     min_p ½ Σ_i ρ(r_i²),    r_i = (y(t_k; p) − y_k)/σ  or  (t_k*(p) − t_k)/σ,    lower ≤ p ≤ upper
///
/// over all experiments, by the method of Levenberg and Marquardt (minimise_squares) with ∂r/∂p from forward sensitivities; from several
/// starts if asked for. What the residuals say of p is in EstimateStatistics. A run that fails during the search is a step
/// that is too long. No method proves that a minimum is the lowest.
///
/// Errors: InvalidOption with the faults of the options and of the problem.
[[nodiscard]] Fit fit(const FitProblem& problem, const FitOptions& options = {});

}  // namespace mti
