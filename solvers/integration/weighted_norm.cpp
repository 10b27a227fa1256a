#include "solvers/integration/weighted_norm.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace mti {

double weighted_norm(std::span<const double> v, std::span<const double> w) {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> sums = {};
  const auto square = [&](std::size_t i) {
    const double part = v[i] * w[i];
    return part * part;
  };
  std::size_t i = 0;
  for (; i + lanes <= v.size(); i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += square(i + lane);
  for (std::size_t lane = 0; i < v.size(); ++i, ++lane) sums[lane] += square(i);
  const double sum =
      ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  return std::sqrt(sum / static_cast<double>(v.size()));
}

}  // namespace mti
