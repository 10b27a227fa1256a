#pragma once

#include <Eigen/Core>

#include <vector>

namespace mti {

struct FastStates {
  std::vector<int> states;
  double rate = 0.0;  ///< the least −Re λ beyond the gap
};

/// Of w' = M w, whose first `states` entries are states and whose others are generators of inputs: as many states as there are
/// eigenvalues of M beyond its widest gap, in a choice that fixes the motions of these eigenvalues,
///
///     −Re λ ≥ `least_gap`·|μ|    for all λ beyond the gap and all others μ, those of the generators and `slowest` included.
///
/// What is slower than `slowest` stands still over the motion that matters. None if there is no such gap with
/// −Re λ ≥ `least_rate` beyond it. The fast motions are spanned by P = (I − sign(M + σI))/2, σ within the gap, and the states
/// are the pivots of a QR decomposition of P. Source: N. J. Higham, Functions of Matrices (SIAM 2008), ch. 5 (the sign by
/// Newton's method, scaled by norms).
[[nodiscard]] FastStates fast_states(const Eigen::MatrixXd& M, int states, double least_rate,
                                     double least_gap, double slowest);

}  // namespace mti
