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

std::optional<std::vector<BreakPoints>> break_points(std::span<const ElementaryFunction> functions,
                                                     Range range, double tolerance, int most) {
  constexpr int bisections = 50;
  const auto is_close = [&](double from, double to) {
    return std::ranges::all_of(
        functions, [&](const ElementaryFunction& phi) { return chord_error(phi, from, to) <= tolerance; });
  };
  const auto is_finite = [&](double a) {
    return std::ranges::all_of(functions,
                               [&](const ElementaryFunction& phi) { return std::isfinite(phi.value(a)); });
  };
  if (!is_finite(range.low) || !is_finite(range.high)) return std::nullopt;
  std::vector<double> x = {range.low};
  while (x.back() < range.high) {
    if (static_cast<int>(x.size()) >= most) return std::nullopt;
    double to = range.high;
    if (!is_close(x.back(), to)) {
      double good = x.back(), bad = to;
      for (int i = 0; i < bisections; ++i) {
        const double middle = 0.5 * (good + bad);
        (is_close(x.back(), middle) ? good : bad) = middle;
      }
      if (good == x.back()) return std::nullopt;
      to = good;
    }
    x.push_back(to);
  }
  std::vector<BreakPoints> result;
  for (const ElementaryFunction& phi : functions) {
    BreakPoints& points = result.emplace_back(BreakPoints{x, {}});
    for (const double a : x) points.y.push_back(phi.value(a));
  }
  return result;
}

}  // namespace mti
