#include "mti/polynomials/extrapolation.hpp"

#include <cmath>
#include <vector>

namespace mti {

std::optional<Extrapolated> extrapolated_to_zero(std::span<const double> t, std::span<const double> x) {
  constexpr std::size_t fewest = 3;
  std::optional<Extrapolated> best;
  const auto take = [&](double value, double change) {
    if (std::isfinite(change) && (!best || change < best->error)) best = {value, change};
  };
  // p[k] becomes the value at 0 of the polynomial through k … node.
  std::vector<double> p(x.begin(), x.end());
  double before = 0.0;
  for (std::size_t node = 0; node < x.size(); ++node) {
    for (std::size_t k = node; k-- > 0;) p[k] = (t[k] * p[k + 1] - t[node] * p[k]) / (t[k] - t[node]);
    if (node + 1 >= fewest) take(p[0], std::abs(p[0] - before));
    before = p[0];
  }
  const auto sum_from = [&](std::size_t k) -> std::optional<double> {
    const double q = (x[k] - x[k + 1]) / (x[k + 1] - x[k + 2]);
    return std::abs(q) < 1.0 ? std::optional(x[k] + (x[k] - x[k + 1]) * q / (1.0 - q)) : std::nullopt;
  };
  if (x.size() > fewest)
    if (const auto sum = sum_from(0), earlier = sum_from(1); sum && earlier)
      take(*sum, std::abs(*sum - *earlier));
  return best;
}

}  // namespace mti
