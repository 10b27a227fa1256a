#pragma once

#include <Eigen/Core>

#include <vector>

#include "solvers/fitting/bounded_least_squares.hpp"

namespace mti {

struct StatisticsOptions {
  Loss loss = {};
  /// The deviations that residuals are measured in are those of the noise; if not, they are right up to one factor, which the
  /// residuals tell.
  bool noise_is_known = false;
  double confidence = 0.95;
  /// Two parameters are told apart if the data change by more than this part with their difference: J is no better known.
  double rank_tolerance = 1e-6;
};

/// A direction in which parameters can change while the residuals stay as they are, to first order: J d = 0.
///
/// Entries are relative changes d_j/|p_j| (changes, where p_j = 0), the largest of them 1.
struct FreeDirection {
  std::vector<int> parameters = {};
  std::vector<double> changes = {};
};

/// What the residuals at a minimum say of n parameters:
///
///     C = σ² (J^T J)⁻¹,    σ² = r^T r/(N − rank) or 1 (known noise),    p_j ± t √C_jj
///
/// t is Student's quantile with N − rank degrees of freedom, or that of the normal distribution where the noise is known. With
/// another loss than squares, σ² = Σ ψ²/(N − rank)/(mean ψ')². Parameters that a bound holds do not take part.
///
/// Where J, its columns brought to length 1, has singular values below `rank_tolerance` of the largest, some parameters are not
/// determined: they have no deviation, the others have theirs from what is left of J. Nor has a parameter by which most residuals
/// have no derivative: the others have theirs as if it were known.
/// Source: [seber2003], chapter 2; [huber1981], chapter 7.
struct EstimateStatistics {
  int observations = 0;        ///< N: residuals whose derivatives are known
  int rank = 0;                ///< of J
  double noise = 1.0;          ///< σ; no number where N ≤ rank and the noise is not known
  double condition = 1.0;      ///< of J with columns of length 1, without what it does not determine
  double quantile = 0.0;       ///< t
  std::vector<char> is_known;  ///< by parameter: it has a deviation
  Eigen::MatrixXd covariance;  ///< (n × n); no numbers in rows and columns of parameters that have none
  std::vector<FreeDirection> free_directions;
};

/// `is_held` by parameter: a bound holds it at p.
[[nodiscard]] EstimateStatistics statistics_of(const Eigen::VectorXd& p, const std::vector<char>& is_held,
                                               const ResidualPoint& point, const StatisticsOptions& options);

/// x with P(|T| ≤ x) = confidence for Student's distribution with so many degrees of freedom; infinitely many: the normal
/// one.
[[nodiscard]] double two_sided_quantile(double confidence, double degrees_of_freedom);

}  // namespace mti
