#pragma once

#include <utility>
#include <vector>

#include "solvers/identification/projected_fit.hpp"

namespace mti {

/// Which entries of S the samples determine.
///
/// σ_1 ≥ σ_2 ≥ … are the singular values of the Jacobian of F at the samples with respect to θ, Φ following, each column in units of
/// its length while Φ is held. Entries at a bound (of non-negative functions) are left out.
struct Identifiability {
  double condition = 1.0;  ///< σ_1/σ_last; what is above 1e7 is rounding
  /// Directions with σ ≤ 1e-6 σ_1: entries (signal, column) that can change together while F at the samples stays as it
  /// is; of each the largest ones, at most six.
  std::vector<std::vector<std::pair<int, int>>> free_directions = {};
};

[[nodiscard]] Identifiability identifiability(const CpFactors& factors, const RegressionData& data,
                                              Signs signs);

}  // namespace mti
