// What a page keeps of a long signal: checked against all of its points.
#include "io/report/thinned_series.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "mti/common/at.hpp"

namespace mti {
namespace thinned_series_test {

using Point = ThinnedSeries::Point;

std::vector<Point> thinned(const std::vector<Point>& all, std::size_t most, double start, double stop) {
  ThinnedSeries series(most, start, stop);
  for (const Point& point : all) series.add(point);
  return series.points();
}

bool holds(const std::vector<Point>& kept, std::size_t row) {
  return std::ranges::any_of(kept, [&](const Point& point) { return point.row == row; });
}

/// A random walk with a jump at every 500th instant.
std::vector<Point> walk(std::size_t rows, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> step(0.0, 0.01), jump(0.0, 1.0);
  std::vector<Point> points;
  double value = 0.0;
  for (std::size_t k = 0; points.size() < rows; ++k) {
    const double time = static_cast<double>(k);
    value += step(random);
    if (k % 500 == 499) {
      points.push_back({points.size(), time, -1, value});
      value += jump(random);
      points.push_back({points.size(), time, 1, value});
    } else {
      points.push_back({points.size(), time, 0, value});
    }
  }
  return points;
}

TEST(ThinnedSeries, FewPointsAreAllKept) {
  for (const std::size_t rows : {0U, 1U, 2U, 30U}) {
    const std::vector<Point> all = walk(rows, 1), kept = thinned(all, 4000, 0.0, 30.0);
    ASSERT_EQ(kept.size(), rows);
    for (std::size_t i = 0; i < rows; ++i) {
      EXPECT_EQ(kept[i].row, i);
      EXPECT_EQ(kept[i].value, all[i].value);
    }
  }
}

/// In every stretch of the run that holds two windows at least, the extremes of all points lie no farther out than
/// those of the points kept within one window more on both sides: 4,000 points are 400 windows of rows, at least 200
/// of them in use.
TEST(ThinnedSeries, EveryStretchKeepsItsExtremes) {
  for (const std::size_t rows : {10'000U, 99'999U, 123'457U}) {
    const std::vector<Point> all = walk(rows, 7);
    const std::vector<Point> kept = thinned(all, 4000, 0.0, all.back().time);
    EXPECT_LE(kept.size(), 4001U);
    EXPECT_EQ(kept.front().row, 0U);
    EXPECT_EQ(kept.back().row, rows - 1);
    EXPECT_TRUE(std::ranges::is_sorted(kept, {}, &Point::row));
    const std::size_t window = (rows + 199) / 200;
    for (std::size_t first = 0; first + 2 * window < rows; first += window / 3 + 1) {
      const auto [least, greatest] =
          std::minmax_element(all.begin() + static_cast<std::ptrdiff_t>(first),
                              all.begin() + static_cast<std::ptrdiff_t>(first + 2 * window),
                              [](const Point& a, const Point& b) { return a.value < b.value; });
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (const Point& point : kept) {
        if (point.row + window < first || point.row > first + 3 * window) continue;
        low = std::min(low, point.value);
        high = std::max(high, point.value);
      }
      EXPECT_LE(low, least->value);
      EXPECT_GE(high, greatest->value);
    }
    for (const Point& point : kept) EXPECT_EQ(point.value, all[point.row].value);
  }
}

/// 200 jumps in 100,000 rows: no window holds two of them, so that all keep both sides.
TEST(ThinnedSeries, JumpsKeepBothSides) {
  const std::vector<Point> all = walk(100'000, 3);
  const std::vector<Point> kept = thinned(all, 4000, 0.0, all.back().time);
  for (const Point& point : all) EXPECT_TRUE(point.side == 0 || holds(kept, point.row)) << point.row;
}

/// 10⁵ rows within the first hundredth of the time, 500 in all that is left: sin there is drawn to 1e-2.
TEST(ThinnedSeries, WhatIsSlowAfterManyEventsIsDrawn) {
  std::vector<Point> all;
  for (std::size_t k = 0; k < 100'000; ++k)
    all.push_back({k, 1e-7 * static_cast<double>(k), k % 2 == 0 ? -1 : 1, k % 2 == 0 ? 0.0 : 1.0});
  for (int k = 5; k <= 500; ++k) {
    const double time = 0.002 * k;
    all.push_back({all.size(), time, 0, std::sin(6.28 * time)});
  }
  const std::vector<Point> kept = thinned(all, 4000, 0.0, 1.0);
  double previous = 0.01;
  for (const Point& point : kept) {
    if (point.time < 0.011) continue;
    EXPECT_LE(point.time - previous, 2.0 / 400) << point.time;
    previous = point.time;
  }
}

TEST(ThinnedSeries, WhatIsNoNumberHidesNothing) {
  std::vector<Point> all = walk(50'000, 5);
  for (std::size_t k = 0; k < all.size(); k += 100) all[k].value = std::nan("");
  all[777].value = 50.0;
  all[40'001].value = -50.0;
  const std::vector<Point> kept = thinned(all, 400, 0.0, all.back().time);
  EXPECT_TRUE(holds(kept, 777));
  EXPECT_TRUE(holds(kept, 40'001));
}

}  // namespace thinned_series_test
}  // namespace mti
