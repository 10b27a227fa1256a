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

/// low + (high − low) u, where the width is no number, too.
double value_at(const UniformDistribution& x, double u) {
  const double width = x.high - x.low;
  return std::isfinite(width) ? x.low + width * u : x.low * (1.0 - u) + x.high * u;
}
double value_at(const NormalDistribution& x, double u) { return x.mean + x.deviation * standard_normal(u); }
double value_at(const LognormalDistribution& x, double u) {
  return std::exp(x.log_mean + x.log_deviation * standard_normal(u));
}
double value_at(const TriangularDistribution& x, double u) {
  const double half = 0.5 * x.high - 0.5 * x.low;  // finite, and squares of widths are not formed
  if (half == 0.0) return x.low;
  const double rising = (0.5 * x.mode - 0.5 * x.low) / half;  // the part of the width up to the mode
  if (u <= rising) return value_at(UniformDistribution{x.low, x.high}, std::sqrt(u * rising));
  return value_at(UniformDistribution{x.high, x.low}, std::sqrt((1.0 - u) * (1.0 - rising)));
}

}  // namespace

double quantile_of(const Distribution& distribution, double u) {
  return std::visit([u](const auto& x) { return value_at(x, u); }, distribution);
}

}  // namespace mti
