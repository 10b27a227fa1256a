#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace mti {

/// The reals between lo and hi; an end may be infinite.
struct Interval {
  double lo = -std::numeric_limits<double>::infinity();
  double hi = std::numeric_limits<double>::infinity();

  [[nodiscard]] static Interval point(double value) { return {value, value}; }
  [[nodiscard]] bool bounded() const { return std::isfinite(lo) && std::isfinite(hi); }
  [[nodiscard]] bool contains(double value) const { return lo <= value && value <= hi; }
  /// max |v|.
  [[nodiscard]] double magnitude() const { return std::max(std::abs(lo), std::abs(hi)); }

  friend bool operator==(const Interval&, const Interval&) = default;
};

inline Interval operator+(const Interval& a, const Interval& b) { return {a.lo + b.lo, a.hi + b.hi}; }
inline Interval operator-(const Interval& a) { return {-a.hi, -a.lo}; }

/// { a·b }: 0 times anything is 0, for an infinite end stands for large numbers.
inline Interval operator*(const Interval& a, const Interval& b) {
  const auto times = [](double x, double y) { return x == 0.0 || y == 0.0 ? 0.0 : x * y; };
  const double p = times(a.lo, b.lo), q = times(a.lo, b.hi), r = times(a.hi, b.lo), s = times(a.hi, b.hi);
  return {std::min(std::min(p, q), std::min(r, s)), std::max(std::max(p, q), std::max(r, s))};
}

inline Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}
inline Interval intersection(const Interval& a, const Interval& b) {
  return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
}

}  // namespace mti
