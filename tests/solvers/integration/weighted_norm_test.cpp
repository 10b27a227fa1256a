#include "solvers/integration/weighted_norm.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace mti {
namespace weighted_norm_test {

/// Sizes about multiples of eight, beside a sum of long doubles.
TEST(WeightedNorm, IsTheRootOfTheMeanSquare) {
  std::mt19937 random(9);
  std::normal_distribution<double> number;
  for (const std::size_t size : {1U, 7U, 8U, 9U, 15U, 16U, 17U, 100U, 1001U}) {
    std::vector<double> v(size), w(size);
    long double sum = 0.0L;
    for (std::size_t i = 0; i < size; ++i) {
      v[i] = number(random);
      w[i] = std::exp(number(random));
      const long double part = static_cast<long double>(v[i]) * w[i];
      sum += part * part;
    }
    const auto expected = static_cast<double>(std::sqrt(sum / static_cast<long double>(size)));
    EXPECT_NEAR(weighted_norm(v, w), expected, 1e-14 * expected) << size;
  }
}

/// What is no number makes the norm none: the step that gave it is refused.
TEST(WeightedNorm, HidesNothing) {
  for (std::size_t place = 0; place < 19; ++place) {
    std::vector<double> v(19, 1.0);
    const std::vector<double> w(19, 1.0);
    v[place] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(weighted_norm(v, w)));
    v[place] = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(std::isinf(weighted_norm(v, w)));
  }
}

}  // namespace weighted_norm_test
}  // namespace mti
