#pragma once

#include <variant>

namespace mti {

/// P(X ≤ x) = (x − low)/(high − low), low < high.
struct UniformDistribution {
  double low = 0.0, high = 1.0;
};
/// P(X ≤ x) = Φ((x − mean)/deviation), deviation > 0.
struct NormalDistribution {
  double mean = 0.0, deviation = 1.0;
};
/// ln X is normal with these: the median of X is exp(log_mean).
struct LognormalDistribution {
  double log_mean = 0.0, log_deviation = 1.0;
};
/// The density rises linearly from 0 at `low` to its peak at `mode` and falls to 0 at `high`; low ≤ mode ≤ high, low < high.
struct TriangularDistribution {
  double low = 0.0, mode = 0.5, high = 1.0;
};
using Distribution =
    std::variant<UniformDistribution, NormalDistribution, LognormalDistribution, TriangularDistribution>;

/// x with P(X ≤ x) = u, 0 < u < 1: what makes a number with this distribution of an equally distributed one.
[[nodiscard]] double quantile_of(const Distribution& distribution, double u);

}  // namespace mti
