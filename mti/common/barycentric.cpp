#include "mti/common/barycentric.hpp"

#include <cmath>
#include <numbers>

namespace mti {
namespace {

double lambda(std::size_t j, std::size_t n) {
  return (j % 2 == 0 ? 1.0 : -1.0) * (j == 0 || j == n ? 0.5 : 1.0);
}

}  // namespace

double interpolation_node(double begin, double end, std::size_t j, std::size_t n) {
  if (j == 0) return begin;
  if (j == n) return end;
  const double angle = std::numbers::pi * static_cast<double>(j) / static_cast<double>(n);
  return 0.5 * (begin + end) - 0.5 * (end - begin) * std::cos(angle);
}

double interpolated(double t, double begin, double end, std::span<const double> v) {
  if (v.size() == 1) return v.front();  // exactly
  const std::size_t n = v.size() - 1;
  double above = 0.0, below = 0.0;
  for (std::size_t j = 0; j <= n; ++j) {
    const double distance = t - interpolation_node(begin, end, j, n);
    if (distance == 0.0) return v[j];
    const double weight = lambda(j, n) / distance;
    above += weight * v[j];
    below += weight;
  }
  return above / below;
}

std::vector<double> slopes_at_nodes(double begin, double end, std::span<const double> v) {
  std::vector<double> slopes(v.size(), 0.0);
  if (v.size() == 1) return slopes;
  const std::size_t n = v.size() - 1;
  for (std::size_t i = 0; i <= n; ++i) {
    const double own = interpolation_node(begin, end, i, n);
    for (std::size_t j = 0; j <= n; ++j)
      if (j != i)
        slopes[i] +=
            lambda(j, n) / lambda(i, n) * (v[j] - v[i]) / (own - interpolation_node(begin, end, j, n));
  }
  return slopes;
}

}  // namespace mti
