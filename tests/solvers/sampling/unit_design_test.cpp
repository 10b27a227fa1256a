// Points of the unit cube: published numbers, the properties that the designs are chosen for, and that a point depends
// on nothing but its number and the seed.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "mti/common/at.hpp"
#include "solvers/sampling/random_bits.hpp"
#include "solvers/sampling/unit_design.hpp"

namespace mti {
namespace unit_design_test {

using Four = std::array<std::uint32_t, 4>;

// The known answers that the authors publish with their library Random123 (kat_vectors, "philox4x32 10").
TEST(UnitDesign, RandomBitsAreThePublishedOnes) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Four{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}),
            (Four{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Four{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(UnitDesign, NumbersLieInsideOfTheOpenInterval) {
  EXPECT_EQ(unit_number(0), 0x1p-53);
  EXPECT_EQ(unit_number(~std::uint64_t{0}), 1.0 - 0x1p-53);
  EXPECT_LT(unit_number(~std::uint64_t{0}), 1.0);
}

// The first points of three dimensions as Joe and Kuo's program prints them for their file new-joe-kuo-6.
TEST(UnitDesign, SobolBeginsAsPublished) {
  const std::vector<std::array<double, 3>> published = {{0, 0, 0},
                                                        {0.5, 0.5, 0.5},
                                                        {0.75, 0.25, 0.25},
                                                        {0.25, 0.75, 0.75},
                                                        {0.375, 0.375, 0.625},
                                                        {0.875, 0.875, 0.125},
                                                        {0.625, 0.125, 0.875},
                                                        {0.125, 0.625, 0.375}};
  const auto directions = sobol_directions(3);
  for (std::size_t i = 0; i < published.size(); ++i)
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_EQ(std::ldexp(static_cast<double>(
                               sobol_coordinate(directions, 3, static_cast<long>(i), static_cast<int>(j))),
                           -64),
                published[i][j])
          << "point " << i << ", dimension " << j;
}

/// V_1 … V_bits of a dimension from its primitive polynomial of degree s with inner coefficients a, and m_1 … m_s: the
/// recurrence (3.6) of Bratley and Fox, written down here once more.
std::vector<std::uint64_t> direction_numbers(int s, unsigned a, const std::vector<std::uint64_t>& m,
                                             int bits) {
  std::vector<std::uint64_t> v(at(bits));
  for (int k = 0; k < bits; ++k) {
    if (k < s) {
      v[at(k)] = m[at(k)] << (63 - k);
      continue;
    }
    v[at(k)] = v[at(k - s)] ^ (v[at(k - s)] >> s);
    for (int i = 1; i < s; ++i)
      if (((a >> (s - 1 - i)) & 1U) != 0) v[at(k)] ^= v[at(k - i)];
  }
  return v;
}

// The lines of new-joe-kuo-6 for dimensions 2 to 10: degree, inner coefficients of the polynomial, m_1 ….
TEST(UnitDesign, SobolFollowsThePublishedDirectionNumbers) {
  struct Line {
    int s;
    unsigned a;
    std::vector<std::uint64_t> m;
  };
  const std::vector<Line> lines = {{1, 0, {1}},
                                   {2, 1, {1, 3}},
                                   {3, 1, {1, 3, 1}},
                                   {3, 2, {1, 1, 1}},
                                   {4, 1, {1, 1, 3, 3}},
                                   {4, 4, {1, 3, 5, 13}},
                                   {5, 2, {1, 1, 5, 5, 17}},
                                   {5, 4, {1, 1, 5, 5, 5}},
                                   {5, 7, {1, 1, 7, 11, 19}}};
  constexpr int bits = 20, dimensions = 10;
  const auto directions = sobol_directions(dimensions);
  for (int j = 0; j < dimensions; ++j) {
    const std::vector<std::uint64_t> expected =
        j == 0 ? direction_numbers(1, 0, {1}, 1)
               : direction_numbers(lines[at(j - 1)].s, lines[at(j - 1)].a, lines[at(j - 1)].m, bits);
    for (int k = 0; k < bits; ++k)
      EXPECT_EQ(directions[at(k * dimensions + j)], j == 0 ? std::uint64_t{1} << (63 - k) : expected[at(k)])
          << "dimension " << j + 1 << ", digit " << k;
  }
}

/// In which of n equal intervals the points of a dimension lie.
std::multiset<long> intervals(const UnitDesign& design, long points, long n, int dimension) {
  std::multiset<long> found;
  for (long i = 0; i < points; ++i)
    found.insert(static_cast<long>(design.coordinate(i, dimension) * static_cast<double>(n)));
  return found;
}

std::multiset<long> each_once(long n) {
  std::multiset<long> all;
  for (long k = 0; k < n; ++k) all.insert(k);
  return all;
}

TEST(UnitDesign, ALatinHypercubeHasOnePointInEachInterval) {
  for (const long n : {1L, 2L, 7L, 1000L}) {
    const UnitDesign design(Spread::latin_hypercube, n, 5, 42);
    for (int j = 0; j < 5; ++j) EXPECT_EQ(intervals(design, n, n, j), each_once(n)) << n;
  }
  // Negative control: independent points leave about a third of the intervals empty.
  const UnitDesign random(Spread::random, 1000, 1, 42);
  EXPECT_NE(intervals(random, 1000, 1000, 0), each_once(1000));
}

TEST(UnitDesign, ShiftedSobolPointsHaveOneInEachIntervalToo) {
  constexpr long n = 256;
  const UnitDesign design(Spread::sobol, n, 6, 7);
  for (int j = 0; j < 6; ++j) EXPECT_EQ(intervals(design, n, n, j), each_once(n));
  // Two dimensions at once: each of the 16 x 16 squares has one point in dimensions 1 and 2, a (0, 8, 2)-net.
  std::multiset<long> squares;
  for (long i = 0; i < n; ++i)
    squares.insert(static_cast<long>(design.coordinate(i, 0) * 16) * 16 +
                   static_cast<long>(design.coordinate(i, 1) * 16));
  EXPECT_EQ(squares, each_once(n));
}

TEST(UnitDesign, APointDependsOnItsNumberAndTheSeedAlone) {
  for (const Spread spread : {Spread::random, Spread::sobol}) {
    const UnitDesign few(spread, 10, 3, 5), many(spread, 1'000'000, 3, 5), other(spread, 10, 3, 6);
    for (long i = 0; i < 10; ++i)
      for (int j = 0; j < 3; ++j) {
        EXPECT_EQ(few.coordinate(i, j), many.coordinate(i, j));
        EXPECT_NE(few.coordinate(i, j), other.coordinate(i, j));
      }
  }
  const UnitDesign one(Spread::latin_hypercube, 10, 3, 5), same(Spread::latin_hypercube, 10, 3, 5);
  EXPECT_EQ(one.coordinate(9, 2), same.coordinate(9, 2));
}

// Mean and variance of n numbers, 1/2 and 1/12, within four of their standard errors, √(1/12n) and √(1/180n); so for
// every dimension, and the product of two dimensions is not correlated: √(1/144n).
TEST(UnitDesign, RandomNumbersAreEquallyDistributedAndIndependent) {
  constexpr long n = 100'000;
  const UnitDesign design(Spread::random, n, 4, 1);
  for (int j = 0; j < 4; ++j) {
    double mean = 0.0, square = 0.0, product = 0.0;
    for (long i = 0; i < n; ++i) {
      const double u = design.coordinate(i, j) - 0.5, w = design.coordinate(i, (j + 1) % 4) - 0.5;
      mean += u / n;
      square += u * u / n;
      product += u * w / n;
    }
    EXPECT_NEAR(mean, 0.0, 4 * std::sqrt(1.0 / 12 / n));
    EXPECT_NEAR(square, 1.0 / 12, 4 * std::sqrt(1.0 / 180 / n));
    EXPECT_NEAR(product, 0.0, 4 * std::sqrt(1.0 / 144 / n));
  }
}

}  // namespace unit_design_test
}  // namespace mti
