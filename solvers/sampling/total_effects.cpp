#include "solvers/sampling/total_effects.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "mti/common/at.hpp"
#include "solvers/sampling/sample_statistics.hpp"

namespace mti {

Effects effects_of(std::span<const double> y, int factors) {
  const std::size_t d = at(factors), block = d + 2, blocks = y.size() / block;
  Effects effects{std::vector<double>(d, 0.0), std::vector<double>(d, 0.0)};
  std::vector<double> independent;
  for (std::size_t b = 0; b < blocks; ++b)
    for (const std::size_t k : {std::size_t{0}, d + 1}) independent.push_back(y[b * block + k]);
  const SampleMoments moments = moments_of(independent);
  constexpr double rounding = 0x1p-50;
  const double size = std::max(std::abs(moments.minimum), std::abs(moments.maximum));
  if (!(moments.deviation > rounding * size)) return effects;
  for (std::size_t j = 0; j < d; ++j) {
    double by_others = 0.0, by_itself = 0.0;
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::span<const double> of_block = y.subspan(b * block, block);
      // In units of the deviation, so that no square leaves the range of numbers.
      by_others += std::pow((of_block[d + 1] - of_block[j + 1]) / moments.deviation, 2);
      by_itself += std::pow((of_block[0] - of_block[j + 1]) / moments.deviation, 2);
    }
    const double twice = 2.0 * static_cast<double>(blocks);
    effects.first_order[j] = std::max(0.0, 1.0 - by_others / twice);
    effects.total[j] = by_itself / twice;
  }
  return effects;
}

}  // namespace mti
