// Distributions, quantiles of samples and the influence of factors, each against its definition.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "solvers/sampling/distribution.hpp"
#include "solvers/sampling/sample_statistics.hpp"
#include "solvers/sampling/unit_design.hpp"

namespace mti {
namespace sample_statistics_test {

// P(X ≤ x), by the functions of the standard library.
double probability(const NormalDistribution& x, double value) {
  return 0.5 * std::erfc(-(value - x.mean) / x.deviation / std::sqrt(2.0));
}
double probability(const LognormalDistribution& x, double value) {
  return probability(NormalDistribution{x.log_mean, x.log_deviation}, std::log(value));
}
double probability(const TriangularDistribution& x, double value) {
  const double width = x.high - x.low;
  return value <= x.mode ? std::pow(value - x.low, 2) / width / (x.mode - x.low)
                         : 1.0 - std::pow(x.high - value, 2) / width / (x.high - x.mode);
}

// The unit of x is of no consequence, and widths need be no numbers.
TEST(SampleStatistics, QuantilesScaleOverAllNumbers) {
  const TriangularDistribution one{-1.0, 0.5, 1.0};
  for (const double scale : {1e-300, 1e-200, 1e-3, 1e200, 1.7e308})
    for (const double u : {0.01, 0.4, 0.75, 0.76, 0.99}) {
      const double x = quantile_of(TriangularDistribution{-scale, 0.5 * scale, scale}, u);
      EXPECT_NEAR(x / scale, quantile_of(one, u), 1e-14) << scale;
      EXPECT_NEAR(quantile_of(UniformDistribution{-scale, scale}, u) / scale, 2.0 * u - 1.0, 1e-15) << scale;
    }
  const std::vector<double> ends = {-1.7e308, 1.7e308};
  EXPECT_EQ(sample_quantile(ends, 0.0), -1.7e308);
  EXPECT_EQ(sample_quantile(ends, 0.5), 0.0);
  EXPECT_EQ(sample_quantile(ends, 1.0), 1.7e308);
}

TEST(SampleStatistics, QuantilesOfDistributionsInvertThem) {
  const NormalDistribution normal{3.0, 0.5};
  const LognormalDistribution lognormal{1.0, 0.25};
  const TriangularDistribution triangular{-1.0, 0.5, 4.0};
  for (const double u : {1e-12, 0.001, 0.1, 0.3, 0.5, 0.7, 0.999}) {
    // A rounding of the argument, some ε·|x|, moves P by density times that; relative to u it is largest in the tail.
    EXPECT_NEAR(probability(normal, quantile_of(normal, u)) / u, 1.0, 1e-13);
    EXPECT_NEAR(probability(lognormal, quantile_of(lognormal, u)) / u, 1.0, 1e-13);
    EXPECT_NEAR(probability(triangular, quantile_of(triangular, u)), u, 1e-14);
    EXPECT_EQ(quantile_of(UniformDistribution{2.0, 6.0}, u), 2.0 + 4.0 * u);
  }
  // Φ⁻¹(0.975) and Φ⁻¹(0.99), as in every table.
  EXPECT_NEAR(quantile_of(NormalDistribution{}, 0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(quantile_of(NormalDistribution{}, 0.01), -2.326347874040841, 1e-14);
  EXPECT_EQ(quantile_of(NormalDistribution{}, 0.5), 0.0);
  // A mode at an end.
  EXPECT_EQ(quantile_of(TriangularDistribution{0.0, 0.0, 1.0}, 0.75), 0.5);
  EXPECT_EQ(quantile_of(TriangularDistribution{0.0, 1.0, 1.0}, 0.25), 0.5);
}

/// The polygon through (k/(n − 1), y_k), found by looking at each of its sides.
double on_polygon(const std::vector<double>& y, double p) {
  const double sides = static_cast<double>(y.size() - 1);
  for (std::size_t k = 0; k + 1 < y.size(); ++k) {
    const double begin = static_cast<double>(k) / sides, end = static_cast<double>(k + 1) / sides;
    if (p >= begin && p <= end) return y[k] + (y[k + 1] - y[k]) * (p - begin) / (end - begin);
  }
  return y.back();
}

TEST(SampleStatistics, QuantilesAreThoseOfThePolygon) {
  const std::vector<double> y = {-3.0, -1.0, -1.0, 0.5, 2.0, 7.0, 100.0};
  for (int i = 0; i <= 100; ++i) EXPECT_NEAR(sample_quantile(y, i / 100.0), on_polygon(y, i / 100.0), 1e-12);
  // quantile(1:4, 0.25) of R, numpy.quantile([1, 2, 3, 4], 0.25): 1.75.
  EXPECT_EQ(sample_quantile(std::vector<double>{1, 2, 3, 4}, 0.25), 1.75);
  EXPECT_EQ(sample_quantile(std::vector<double>{5}, 0.3), 5.0);
}

TEST(SampleStatistics, MomentsAreThoseOfTheFormula) {
  const SampleMoments moments = moments_of(std::vector<double>{2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_EQ(moments.count, 8U);
  EXPECT_EQ(moments.mean, 5.0);
  EXPECT_DOUBLE_EQ(moments.deviation, std::sqrt(32.0 / 7.0));
  EXPECT_EQ(moments.minimum, 2.0);
  EXPECT_EQ(moments.maximum, 9.0);
  EXPECT_EQ(moments_of(std::vector<double>{3}).deviation, 0.0);
}

/// y = Σ a_j x_j with independent x_j of equal variance: S_j = a_j² / Σ a².
const std::vector<double> slopes = {3.0, -2.0, 1.0, 0.0};
double share(std::size_t j) {
  return slopes[j] * slopes[j] / std::inner_product(slopes.begin(), slopes.end(), slopes.begin(), 0.0);
}

TEST(SampleStatistics, InfluenceInALinearModelIsTheClosedForm) {
  constexpr long n = 4096;
  for (const Spread spread : {Spread::random, Spread::latin_hypercube, Spread::sobol}) {
    const UnitDesign design(spread, n, 4, 11);
    const Sample sample = spread == Spread::sobol ? Sample::low_discrepancy : Sample::random;
    std::vector<double> y(n, 0.0);
    std::vector<std::vector<double>> x(4, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        x[j][i] = design.coordinate(static_cast<long>(i), static_cast<int>(j));
        y[i] += slopes[j] * x[j][i];
      }
    // Three standard errors of a correlation ratio, 2√(S(1 − S)/n), and what 64 groups miss: S/64².
    for (std::size_t j = 0; j < 4; ++j)
      EXPECT_NEAR(first_order_index(x[j], y, sample), share(j),
                  6 * std::sqrt(std::max(share(j) * (1 - share(j)), 64.0 / n) / n) + share(j) / 4096);
  }
}

// Influences below 1/√n, which points that lie evenly do show: the mean over seeds is the closed form, and none is off by half.
TEST(SampleStatistics, SmallInfluenceOnPointsOfLowDiscrepancyIsNotLost) {
  for (const long n : {256L, 1024L, 4096L}) {
    SCOPED_TRACE(n);
    double sum = 0.0;
    constexpr int seeds = 8;
    constexpr double small = 0.2, exact = small * small / (1.0 + small * small);
    for (int seed = 1; seed <= seeds; ++seed) {
      const UnitDesign design(Spread::sobol, n, 3, static_cast<std::uint64_t>(seed));
      std::vector<double> x, y;
      for (long i = 0; i < n; ++i) {
        x.push_back(design.coordinate(i, 0));
        y.push_back(small * x.back() + design.coordinate(i, 1));
      }
      const double found = first_order_index(x, y, Sample::low_discrepancy);
      EXPECT_NEAR(found, exact, 0.5 * exact);
      sum += found;
    }
    EXPECT_NEAR(sum / seeds, exact, 0.15 * exact);
  }
}

TEST(SampleStatistics, InfluenceOnAWholeGridIsExact) {
  std::vector<std::vector<double>> x(4);
  std::vector<double> y;
  for (int i = 0; i < 5 * 5 * 5 * 5; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0, rest = static_cast<std::size_t>(i); j < 4; ++j, rest /= 5) {
      x[j].push_back(static_cast<double>(rest % 5));
      sum += slopes[j] * x[j].back();
    }
    y.push_back(sum);
  }
  for (std::size_t j = 0; j < 4; ++j)
    EXPECT_NEAR(first_order_index(x[j], y, Sample::all_combinations), share(j), 1e-12);
}

// y = p² + 1 of one factor: all of the variance is that of E[y | p], however many levels there are.
TEST(SampleStatistics, InfluenceOfTheOnlyFactorOfAGridIsAll) {
  for (const int levels : {2, 3, 4, 11, 100}) {
    std::vector<double> x, y;
    for (int i = 0; i < levels; ++i) {
      x.push_back(static_cast<double>(i) / levels);
      y.push_back(x.back() * x.back() + 1.0);
    }
    EXPECT_NEAR(first_order_index(x, y, Sample::all_combinations), 1.0, 1e-12) << levels;
  }
}

// y = c + h (2 j + k) of a grid of 64 × 64 points: all numbers are exact, so that shares are 4/5 and 1/5 and the deviation is
// h √(5 (64² − 1)/12 n/(n − 1)), however large the mean and however small h is.
TEST(SampleStatistics, SmallVariationsOfLargeNumbersAreNotLost) {
  for (const auto& [c, h] :
       {std::pair{0.0, 1.0}, std::pair{1.0, 0x1p-50}, std::pair{-1e9, 0x1p-20}, std::pair{0.0, 0x1p-600},
        std::pair{0.0, 0x1p+1010}, std::pair{0x1p-550, 0x1p-600}}) {
    SCOPED_TRACE(h);
    std::vector<double> a, b, y;
    for (int j = 0; j < 64; ++j)
      for (int k = 0; k < 64; ++k) {
        a.push_back(j);
        b.push_back(k);
        y.push_back(c + h * (2 * j + k));
      }
    EXPECT_NEAR(first_order_index(a, y, Sample::all_combinations), 0.8, 1e-12);
    EXPECT_NEAR(first_order_index(b, y, Sample::all_combinations), 0.2, 1e-12);
    EXPECT_NEAR(moments_of(y).deviation / h, std::sqrt(5 * 4095.0 / 12 * 4096 / 4095), 1e-10);
    EXPECT_NEAR((moments_of(y).mean - c) / h, 94.5, 0.5 + 1e-10);  // of the last digit of c + 94.5 h
  }
}

TEST(SampleStatistics, WhatDoesNotVaryHasNoInfluence) {
  const std::vector<double> x = {1, 2, 3, 4}, constant(4, 0.1 + 0.2);
  EXPECT_EQ(first_order_index(x, constant, Sample::random), 0.0);
  EXPECT_EQ(first_order_index(constant, x, Sample::random), 0.0);
}

}  // namespace sample_statistics_test
}  // namespace mti
