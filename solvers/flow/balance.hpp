#pragma once

#include <Eigen/Core>

namespace mti {

/// D, powers of two, that makes row and column sums of the states' part of D⁻¹|M|D alike, M being not negative; 1 for the
/// generators behind it. The diagonal takes part, so that a state which drives others and is driven by none of them has a
/// scale too. Source: B. N. Parlett, C. Reinsch, Numer. Math. 13 (1969) 293-304.
[[nodiscard]] Eigen::VectorXd balance(const Eigen::MatrixXd& M, int states);

}  // namespace mti
