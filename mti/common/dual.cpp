#include "mti/common/dual.hpp"

#include <algorithm>
#include <cmath>

namespace mti {
namespace {

/// a·da + b·db; a direction without a slope takes nothing from an infinite factor.
std::vector<double> combined(double a, const std::vector<double>& da, double b,
                             const std::vector<double>& db) {
  if (da.empty() && db.empty()) return {};
  std::vector<double> result(std::max(da.size(), db.size()), 0.0);
  for (std::size_t d = 0; d < da.size(); ++d)
    if (da[d] != 0.0) result[d] += a * da[d];
  for (std::size_t d = 0; d < db.size(); ++d)
    if (db[d] != 0.0) result[d] += b * db[d];
  return result;
}

}  // namespace

bool Dual::varies() const {
  return std::any_of(slopes.begin(), slopes.end(), [](double slope) { return slope != 0.0; });
}

Dual operator+(const Dual& a, const Dual& b) {
  return {a.value + b.value, combined(1.0, a.slopes, 1.0, b.slopes)};
}

Dual operator-(const Dual& a, const Dual& b) {
  return {a.value - b.value, combined(1.0, a.slopes, -1.0, b.slopes)};
}

Dual operator*(const Dual& a, const Dual& b) {
  return {a.value * b.value, combined(b.value, a.slopes, a.value, b.slopes)};
}

Dual operator/(const Dual& a, const Dual& b) {
  const double quotient = a.value / b.value;
  return {quotient, combined(1.0 / b.value, a.slopes, -quotient / b.value, b.slopes)};
}

Dual chained(double value, double slope, const Dual& a) {
  return {value, combined(slope, a.slopes, 0.0, {})};
}

Dual power(const Dual& a, const Dual& b) {
  const double value = std::pow(a.value, b.value);
  if (a.slopes.empty() && b.slopes.empty()) return value;
  return {value, combined(b.value == 0.0 ? 0.0 : b.value * std::pow(a.value, b.value - 1.0), a.slopes,
                          value * std::log(a.value), b.slopes)};
}

}  // namespace mti
