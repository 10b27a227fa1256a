#include "solvers/sampling/distribution.hpp"

#include <boost/math/special_functions/erf.hpp>

#include <cmath>
#include <numbers>

namespace mti {
namespace {

/// Φ⁻¹(u) = −√2 erfc⁻¹(2u), from the nearer end, where u or 1 − u has all its digits.
double standard_normal(double u) {
  return u <= 0.5 ? -std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * u)
                  : std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * (1.0 - u));
}

double value_at(const UniformDistribution& x, double u) { return x.low + (x.high - x.low) * u; }
double value_at(const NormalDistribution& x, double u) { return x.mean + x.deviation * standard_normal(u); }
double value_at(const LognormalDistribution& x, double u) {
  return std::exp(x.log_mean + x.log_deviation * standard_normal(u));
}
double value_at(const TriangularDistribution& x, double u) {
  const double width = x.high - x.low;
  return u * width <= x.mode - x.low ? x.low + std::sqrt(u * width * (x.mode - x.low))
                                     : x.high - std::sqrt((1.0 - u) * width * (x.high - x.mode));
}

}  // namespace

double quantile_of(const Distribution& distribution, double u) {
  return std::visit([u](const auto& x) { return value_at(x, u); }, distribution);
}

}  // namespace mti
