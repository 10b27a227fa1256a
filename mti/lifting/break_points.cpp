#include "mti/lifting/break_points.hpp"

#include <algorithm>
#include <cmath>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// The largest distance of φ from its chord over [from, to]; infinite where φ is not finite.
double chord_error(const ElementaryFunction& phi, double from, double to) {
  constexpr int parts = 64, halvings = 40;
  const double y = phi.value(from), slope = (phi.value(to) - y) / (to - from);
  const auto distance = [&](double a) {
    const double error = std::abs(phi.value(a) - (y + slope * (a - from)));
    return std::isnan(error) ? HUGE_VAL : error;
  };
  const double width = (to - from) / parts;
  double best = from, largest = 0.0;
  for (int i = 1; i < parts; ++i)
    if (const double error = distance(from + i * width); error > largest)
      largest = error, best = from + i * width;
  if (!std::isfinite(largest) || !std::isfinite(slope)) return HUGE_VAL;
  // Between the neighbours of the largest one the distance has one maximum: thirds of what is left.
  double low = std::max(from, best - width), high = std::min(to, best + width);
  for (int i = 0; i < halvings; ++i) {
    const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
    (distance(a) < distance(b) ? low : high) = distance(a) < distance(b) ? a : b;
  }
  return std::max(largest, distance(0.5 * (low + high)));
}

}  // namespace

double BreakPoints::value(double a) const {
  const auto above = std::upper_bound(x.begin() + 1, x.end() - 1, a);
  const auto i = static_cast<std::size_t>(above - x.begin());
  return y[i - 1] + (y[i] - y[i - 1]) / (x[i] - x[i - 1]) * (a - x[i - 1]);
}

std::optional<BreakPoints> break_points(const ElementaryFunction& phi, Range range, double tolerance,
                                        int most) {
  constexpr int bisections = 50;
  BreakPoints points{{range.low}, {phi.value(range.low)}};
  if (!std::isfinite(points.y[0]) || !std::isfinite(phi.value(range.high))) return std::nullopt;
  while (points.x.back() < range.high) {
    if (static_cast<int>(points.x.size()) >= most) return std::nullopt;
    const double from = points.x.back();
    double to = range.high;
    if (chord_error(phi, from, to) > tolerance) {
      double good = from, bad = to;
      for (int i = 0; i < bisections; ++i) {
        const double middle = 0.5 * (good + bad);
        (chord_error(phi, from, middle) <= tolerance ? good : bad) = middle;
      }
      if (good == from) return std::nullopt;
      to = good;
    }
    points.x.push_back(to);
    points.y.push_back(phi.value(to));
  }
  return points;
}

}  // namespace mti
