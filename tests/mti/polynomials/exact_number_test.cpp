#include "mti/polynomials/exact_number.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/mti/multilinear/random_map.hpp"

/// Sums of products against fma(), which rounds a·b + c once as well.
namespace mti {
namespace exact_number_test {

using text::ExactNumber;

/// Of any size, mostly with all 53 digits.
double any_number(test::Random& random) {
  const double digits = random.index(4) == 0 ? random.index(1000) : random.uniform(-1.0, 1.0);
  return std::ldexp(digits, random.index(160) - 80);
}

TEST(ExactNumber, RoundsSumsOfProductsToTheNearest) {
  test::Random random(3);
  for (int i = 0; i < 100'000; ++i) {
    const double a = any_number(random), b = any_number(random);
    // Also where nearly nothing is left, and where a digit far behind the last one decides.
    const double c = random.index(3) == 0 ? -a * b : any_number(random);
    EXPECT_EQ((ExactNumber(a) * ExactNumber(b)).rounded(), a * b);
    EXPECT_EQ((ExactNumber(a) * ExactNumber(b) + ExactNumber(c)).rounded(), std::fma(a, b, c));
    EXPECT_EQ((-(ExactNumber(a) * ExactNumber(b)) + ExactNumber(c)).rounded(), std::fma(-a, b, c));
  }
}

/// Half of the last digit goes to the even one; what lies any number of digits behind decides otherwise.
TEST(ExactNumber, TellsHalfOfTheLastDigitFromMore) {
  const double half = std::ldexp(1.0, -53), last = std::ldexp(1.0, -52);
  EXPECT_EQ((ExactNumber(1.0) + ExactNumber(half)).rounded(), 1.0);
  EXPECT_EQ((ExactNumber(1.0 + last) + ExactNumber(half)).rounded(), 1.0 + 2.0 * last);
  for (int behind = 54; behind < 200; ++behind) {
    const ExactNumber sum = ExactNumber(1.0) + ExactNumber(half) + ExactNumber(std::ldexp(1.0, -behind));
    EXPECT_EQ(sum.rounded(), 1.0 + last) << behind;
  }
}

}  // namespace exact_number_test
}  // namespace mti
