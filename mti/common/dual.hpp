#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace mti {

/// A number that carries its derivatives in directions d = 0, 1, …:
///
///     a = value + Σ_d slopes[d] ε_d,    ε_d ε_e = 0
///
/// Slopes that are not there are 0. Values are computed as those of doubles. Source: [griewank2008], ch. 3.
struct Dual {
  double value = 0.0;
  std::vector<double> slopes = {};

  Dual() = default;
  Dual(double number) : value(number) {}  // NOLINT(google-explicit-constructor): a number without derivatives
  Dual(double number, std::vector<double> slopes_) : value(number), slopes(std::move(slopes_)) {}

  [[nodiscard]] double slope(std::size_t direction) const {
    return direction < slopes.size() ? slopes[direction] : 0.0;
  }
  /// Whether some slope is not 0.
  [[nodiscard]] bool varies() const;
};

[[nodiscard]] Dual operator+(const Dual& a, const Dual& b);
[[nodiscard]] Dual operator-(const Dual& a, const Dual& b);
[[nodiscard]] Dual operator*(const Dual& a, const Dual& b);
[[nodiscard]] Dual operator/(const Dual& a, const Dual& b);

/// φ(a) from its value and φ'(a).
[[nodiscard]] Dual chained(double value, double slope, const Dual& a);
/// a^b. Slopes are not finite where there is no derivative.
[[nodiscard]] Dual power(const Dual& a, const Dual& b);

}  // namespace mti
