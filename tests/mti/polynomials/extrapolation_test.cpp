#include "mti/polynomials/extrapolation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace mti {
namespace extrapolation_test {

std::optional<Extrapolated> of(const std::function<double(double)>& x, int count, double ratio = 0.5) {
  std::vector<double> times, values;
  for (int k = 0; k < count; ++k) {
    times.push_back(-0.1 * std::pow(ratio, -k));
    values.push_back(x(times.back()));
  }
  return extrapolated_to_zero(times, values);
}

TEST(Extrapolation, IsExactForPolynomials) {
  const auto square = of([](double t) { return 3.0 + t * (2.0 - 5.0 * t); }, 4);
  ASSERT_TRUE(square);
  EXPECT_NEAR(square->value, 3.0, 1e-13);
  EXPECT_LE(square->error, 1e-12);
  const auto constant = of([](double) { return 7.0; }, 3);
  ASSERT_TRUE(constant);
  EXPECT_NEAR(constant->value, 7.0, 1e-14);
  EXPECT_LE(constant->error, 1e-14);
}

// At times in geometric progression |t|^γ is one itself.
TEST(Extrapolation, IsExactForPowers) {
  for (const double gamma : {0.3, 0.9, 1.05, 1.5, 2.7}) {
    const auto found = of([&](double t) { return 1.0 + 2.0 * std::pow(-t, gamma); }, 5, 0.7);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->value, 1.0, 1e-12) << gamma;
    EXPECT_LE(found->error, 1e-11) << gamma;
  }
}

TEST(Extrapolation, TellsItsError) {
  for (const int count : {3, 4, 5}) {
    const auto found = of([](double t) { return std::exp(t); }, count);
    ASSERT_TRUE(found);
    EXPECT_LE(std::abs(found->value - 1.0), found->error) << count;
    EXPECT_GT(found->error, 0.0);
  }
}

TEST(Extrapolation, NeedsThreeValues) {
  for (const int count : {0, 1, 2}) EXPECT_FALSE(of([](double t) { return t; }, count));
  EXPECT_TRUE(of([](double t) { return t; }, 3));
}

}  // namespace extrapolation_test
}  // namespace mti
