#include "mti/polynomials/polynomial_roots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "mti/common/rounding.hpp"

/// Passages of polynomials with known roots, and of random ones against samples in long double.
namespace mti {
namespace polynomial_roots_test {

using Long = std::vector<long double>;

long double exact_value(const Long& c, long double tau) {
  long double sum = 0.0L;
  for (std::size_t k = c.size(); k-- > 0;) sum = sum * tau + c[k];
  return sum;
}

long double exact_slope(const Long& c, long double tau) {
  long double sum = 0.0L;
  for (std::size_t k = c.size(); k-- > 1;) sum = sum * tau + static_cast<long double>(k) * c[k];
  return sum;
}

Long times(const Long& a, const Long& b) {
  Long product(a.size() + b.size() - 1, 0.0L);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k) product[i + k] += a[i] * b[k];
  return product;
}

/// What a double holds of it, as a polynomial of its own.
std::vector<double> rounded(Long& c) {
  std::vector<double> result;
  for (long double& coefficient : c) {
    result.push_back(static_cast<double>(coefficient));
    coefficient = result.back();
  }
  return result;
}

/// All passages, one after the other.
std::vector<double> passages(Coefficients c, double level, double from, double to) {
  std::vector<double> found;
  bool above = value_of(c, from) > level;
  while (from < to) {
    const auto next = above ? first_fall(c, level, from, to, 0.0) : first_rise(c, level, from, to, 0.0);
    if (!next) break;
    found.push_back(next->tau);
    from = next->right;  // nothing else lies in its interval
    above = !above;
  }
  return found;
}

struct Sample {
  std::vector<double> roots, c;
  Long exact;
};

/// ±Π (τ − r_i) with some roots in (0, 1), times quadratic factors without a root there, up to `degree`.
Sample with_known_roots(std::mt19937& random, int degree, int count, double gap, double scale) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  Sample sample;
  const int pairs = count / 2;
  for (int i = 0; i < count; ++i) {
    const int pair = i / 2;
    sample.roots.push_back(i % 2 == 1 ? sample.roots.back() + gap
                                      : (pair + 0.2 + 0.3 * unit(random)) / (pairs + 1));
  }
  sample.exact = {unit(random) < 0.5 ? scale : -scale};
  for (const double root : sample.roots) sample.exact = times(sample.exact, {-root, 1.0L});
  // 1 + aτ + bτ² > 0: poles of a motion beyond the end of the step
  while (static_cast<int>(sample.exact.size()) + 1 <= degree)
    sample.exact = times(sample.exact, {1.0L, 0.4L * unit(random) - 0.2L, 0.3L * unit(random)});
  sample.c = rounded(sample.exact);
  return sample;
}

TEST(PolynomialRoots, AllKnownRootsAreFoundInOrder) {
  std::mt19937 random(1);
  int compared = 0;
  for (const double gap : {0.1, 1e-2, 1e-3, 1e-5, 1e-6, 1e-7})
    for (const double scale : {1e-12, 1.0, 1e12})
      for (int degree = 1; degree <= 40; ++degree) {
        const int count = std::min(degree, 1 + degree % 5);
        const Sample sample = with_known_roots(random, degree, count, gap, scale);
        const double rounding = rounding_of(sample.c, 1.0);
        // Pairs whose hump is lost in rounding may be left out.
        bool visible = true;
        for (std::size_t i = 0; i + 1 < sample.roots.size(); ++i) {
          const long double middle = 0.5L * (sample.roots[i] + sample.roots[i + 1]);
          visible = visible && std::abs(exact_value(sample.exact, middle)) > 20.0L * rounding;
        }
        if (!visible) continue;
        const std::vector<double> found = passages(sample.c, 0.0, 0.0, 1.0);
        ASSERT_EQ(found.size(), sample.roots.size()) << degree << " " << gap << " " << scale;
        for (std::size_t i = 0; i < found.size(); ++i) {
          // Coefficients are rounded, and evaluating rounds as much again.
          const double slope = std::abs(static_cast<double>(exact_slope(sample.exact, sample.roots[i])));
          EXPECT_NEAR(found[i], sample.roots[i], std::min(2.0 * rounding / slope, 0.5) + 1e-15);
        }
        ++compared;
      }
  EXPECT_GT(compared, 500);
}

/// Sums with decaying coefficients, as a step has them, and a level anywhere in their range.
TEST(PolynomialRoots, RandomOnesPassWhereSamplesChangeTheirSign) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> symmetric(-1.0, 1.0);
  constexpr int samples = 4000;
  int passed = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const auto size = static_cast<std::size_t>(2 + trial % 40);
    const double decay = 0.5 + 0.25 * (trial % 4), length = std::pow(10.0, trial % 5 - 2);
    std::vector<double> c;
    for (std::size_t k = 0; k < size; ++k)
      c.push_back(symmetric(random) * std::pow(decay / length, static_cast<double>(k)));
    const double level = 0.3 * symmetric(random);
    const Long exact(c.begin(), c.end());
    std::vector<double> expected;
    const double from = 0.1 * length;
    long double before = exact_value(exact, from) - level;
    for (int i = 1; i <= samples; ++i) {
      const double tau = from + (length - from) * i / samples;
      const long double now = exact_value(exact, tau) - level;
      if ((now > 0.0L) != (before > 0.0L)) expected.push_back(tau);
      before = now;
    }
    const std::vector<double> found = passages(c, level, from, length);
    // Two passages between two samples are seen by the search only.
    ASSERT_GE(found.size(), expected.size()) << trial;
    ASSERT_EQ((found.size() - expected.size()) % 2, 0U) << trial;
    std::size_t i = 0;
    for (const double tau : expected) {
      while (i < found.size() && found[i] < tau - length / samples) ++i;
      ASSERT_LT(i, found.size());
      EXPECT_LE(found[i], tau * (1.0 + 1e-15)) << trial;
    }
    for (const double tau : found)
      EXPECT_LE(std::abs(exact_value(exact, tau) - level), 4.0 * rounding_of(c, length)) << trial;
    passed += static_cast<int>(found.size());
  }
  EXPECT_GT(passed, 250);
}

/// −(τ − r)² (1 + τ²/4) + δ: nothing below zero, both sides of the top above it, to less than a millionth.
TEST(PolynomialRoots, TouchingIsToldFromPassing) {
  for (const double root : {0.0625, 0.3, 0.71}) {
    Long exact = times(times({-root, 1.0L}, {root, -1.0L}), {1.0L, 0.0L, 0.25L});
    std::vector<double> c = rounded(exact);
    const double rounding = rounding_of(c, 1.0);
    for (const double part : {2.0, 1e3, 1e6, 1e9}) {
      EXPECT_TRUE(passages(c, part * rounding, 0.0, 1.0).empty());
      const std::vector<double> both = passages(c, -part * rounding, 0.0, 1.0);
      ASSERT_EQ(both.size(), 2U) << root << " " << part;
      const double half = std::sqrt(part * rounding / (1.0 + 0.25 * root * root));
      EXPECT_NEAR(both[0], root - half, 2.0 * half);
      EXPECT_NEAR(both[1], root + half, 2.0 * half);
    }
    // On the top itself: none, or two within rounding.
    for (const double tau : passages(c, 0.0, 0.0, 1.0)) EXPECT_LE(std::abs(value_of(c, tau)), rounding);
  }
}

/// Of roots of higher order those of odd order are passages.
TEST(PolynomialRoots, RootsOfHigherOrder) {
  const Long factor{-0.5L, 1.0L};
  Long power{1.0L};
  for (int order = 1; order <= 7; ++order) {
    power = times(power, factor);
    Long exact = times(power, {1.0L, 0.5L});
    const std::vector<double> c = rounded(exact);
    const std::vector<double> found = passages(c, 0.0, 0.0, 1.0);
    const double blur = std::pow(rounding_of(c, 1.0), 1.0 / order);
    EXPECT_EQ(found.size() % 2, order % 2 == 1 ? 1U : 0U) << order;
    for (const double tau : found) EXPECT_NEAR(tau, 0.5, 2.0 * blur);
  }
}

TEST(PolynomialRoots, EndsBelongToTheInterval) {
  const std::vector<double> line{-0.5, 1.0};
  EXPECT_TRUE(first_rise(line, 0.0, 0.5, 1.0, 0.0).has_value());   // leaves the level at once
  EXPECT_FALSE(first_rise(line, 0.0, 0.0, 0.5, 0.0).has_value());  // arrives, and does not pass
  EXPECT_FALSE(first_rise(line, 0.0, 0.75, 1.0, 0.0).has_value());
  EXPECT_FALSE(first_rise(line, 0.0, 0.0, 0.0, 0.0).has_value());
  EXPECT_FALSE(first_fall(line, 0.0, 0.0, 1.0, 0.0).has_value());
  const std::vector<double> constant{1.0, 0.0, 0.0};
  EXPECT_FALSE(first_rise(constant, 0.0, 0.0, 1.0, 0.0).has_value());
  EXPECT_FALSE(first_rise({}, 0.0, 0.0, 1.0, 0.0).has_value());
}

/// Danger: where another row ends the interval at a second zero of this one, x·(1 − y) where x is 0, the sign of its rounding
/// there is taken for a passage that comes with it.
TEST(PolynomialRoots, AZeroAtTheEndHidesNoPassageBeforeIt) {
  std::mt19937 random(51);
  std::uniform_real_distribution<double> root(0.5, 2.0), slope(0.1, 3.0);
  for (int trial = 0; trial < 2000; ++trial) {
    const double passes = root(random), ends = passes * (1.0 + 0.2 * root(random)), a = slope(random),
                 b = slope(random);
    // (a τ − a r)(b e − b τ)
    const double c0 = -a * passes * b * ends, c1 = a * b * ends + a * b * passes, c2 = -a * b;
    const std::vector<double> c{c0, c1, c2, 0.0};
    for (const double end : {std::nextafter(ends, 0.0), ends, std::nextafter(ends, 9.0)}) {
      const auto found = first_rise(c, 0.0, 0.0, end, machine_epsilon * end);
      ASSERT_TRUE(found.has_value()) << trial;
      EXPECT_NEAR(found->tau, passes, 1e-13 / (ends - passes)) << trial;
    }
  }
}

/// Danger: what values round by at the far end of a long interval is taken for what they round by at the root.
TEST(PolynomialRoots, ALongIntervalCostsNoAccuracy) {
  for (const double length : {1.0, 30.0, 1e3}) {
    const double slope = 519.8 * length * length;  // of τ² where the interval is [0, 1]
    std::vector<double> c(25, 0.0);
    c[0] = -1.0;
    c[2] = slope;
    const auto passage = first_rise(c, 0.0, 0.0, 1.0, 0.0);
    ASSERT_TRUE(passage);
    const double exact = 1.0 / std::sqrt(slope);
    EXPECT_NEAR(passage->tau, exact, 64.0 * machine_epsilon * exact);
  }
}

/// The reported end of the bracket has arrived; one resolution before it has not.
TEST(PolynomialRoots, ThePassageHasArrived) {
  const std::vector<double> c{-1.0, 1.0, 0.5, 0.25, -0.01};
  const auto found = first_rise(c, 0.0, 0.0, 2.0, 1e-9);
  ASSERT_TRUE(found.has_value());
  EXPECT_GT(value_of(c, found->tau), 0.0);
  EXPECT_LE(value_of(c, found->tau - 1.01e-9), 0.0);
  EXPECT_LE(found->left, found->tau);
  EXPECT_GE(found->right, found->tau);
}

TEST(PolynomialRoots, TheSumOfWhatRisesIsABound) {
  const std::vector<double> c{0.5, -1.0, 2.0, -3.0, 1.0};
  EXPECT_EQ(upper_bound(c, 0.0), 0.5);
  for (int eighths = 0; eighths <= 16; ++eighths) {
    const double tau = 0.125 * eighths;
    EXPECT_GE(upper_bound(c, tau), value_of(c, tau));
  }
}

}  // namespace polynomial_roots_test
}  // namespace mti
