#pragma once

#include <Eigen/Core>

namespace mti {

/// x ≥ 0 that makes |A x − b| smallest, by Lawson and Hanson's active sets; A has at least as many rows as columns.
///
/// A column that depends on those in use, to 1e-11 of its length, stays out. Ends after 3 × columns exchanges of the set at
/// the latest, with the best x ≥ 0 so far. Source: Lawson, Hanson, "Solving Least Squares Problems", 1974, chapter 23.
[[nodiscard]] Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

}  // namespace mti
