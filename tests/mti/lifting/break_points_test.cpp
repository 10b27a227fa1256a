#include "mti/lifting/break_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

namespace mti {
namespace break_points_test {

using Kind = ElementaryFunction::Kind;

std::optional<BreakPoints> break_points_of(const ElementaryFunction& phi, Range range, double tolerance,
                                           int most) {
  const auto found = break_points(std::span(&phi, 1), range, tolerance, most);
  if (!found) return std::nullopt;
  return found->front();
}

/// max |φ − interpolant| over [low, high], sampled.
double largest_error(const ElementaryFunction& phi, const BreakPoints& points, double low, double high) {
  constexpr int samples = 20000;
  double largest = 0.0;
  for (int i = 0; i <= samples; ++i) {
    const double a = low + (high - low) * i / samples;
    largest = std::max(largest, std::abs(phi.value(a) - points.value(a)));
  }
  return largest;
}

// Lines of the error ε are sqrt(8ε/|φ''|) long: there are ∫ sqrt(|φ''|/(8ε)) of them, of exp on [0, 1] 2(e^½ − 1)/sqrt(8ε).
TEST(BreakPoints, AreAsManyAsTheCurvatureNeeds) {
  for (const double tolerance : {1e-3, 1e-5, 1e-6}) {
    const auto points = break_points_of({Kind::exp}, {0.0, 1.0}, tolerance, 2000);
    ASSERT_TRUE(points);
    const double expected = 2.0 * (std::exp(0.5) - 1.0) / std::sqrt(8.0 * tolerance);
    EXPECT_NEAR(static_cast<double>(points->x.size() - 1), expected, 1.0);
    EXPECT_EQ(points->x.front(), 0.0);
    EXPECT_EQ(points->x.back(), 1.0);
    EXPECT_LE(largest_error({Kind::exp}, *points, 0.0, 1.0), tolerance * (1.0 + 1e-6));
  }
}

TEST(BreakPoints, KeepTheToleranceThroughTurningPointsAndInfiniteSlopes) {
  struct Case {
    ElementaryFunction phi;
    Range range;
  };
  for (const auto& [phi, range] : std::vector<Case>{{{Kind::sin}, {-7.0, 9.0}},
                                                    {{Kind::tanh}, {-4.0, 4.0}},
                                                    {{Kind::erf}, {-3.0, 3.0}},
                                                    {{Kind::sqrt}, {0.0, 2.0}},
                                                    {{Kind::cbrt}, {-1.0, 1.0}},
                                                    {{Kind::asin}, {-1.0, 1.0}},
                                                    {{Kind::power, -1.5}, {0.1, 3.0}}}) {
    const auto points = break_points_of(phi, range, 1e-3, 1000);
    ASSERT_TRUE(points) << phi.name();
    const double error = largest_error(phi, *points, range.low, range.high);
    EXPECT_LE(error, 1e-3 * (1.0 + 1e-6)) << phi.name();
    EXPECT_GE(error, 0.9e-3) << phi.name() << ": no line is longer than it may be, and none is much shorter";
    EXPECT_TRUE(std::ranges::is_sorted(points->x));
  }
}

TEST(BreakPoints, OfSeveralFunctionsAreTheSameAndKeepEveryTolerance) {
  const std::vector<ElementaryFunction> functions = {{Kind::sin}, {Kind::cos}};
  const auto points = break_points(functions, {-2.0, 5.0}, 1e-3, 1000);
  ASSERT_TRUE(points);
  ASSERT_EQ(points->size(), 2U);
  EXPECT_EQ((*points)[0].x, (*points)[1].x);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_LE(largest_error(functions[i], (*points)[i], -2.0, 5.0), 1e-3 * (1.0 + 1e-6));
}

TEST(BreakPoints, AreTwoWhereTheToleranceIsLarge) {
  const auto points = break_points_of({Kind::sin}, {0.0, 0.1}, 0.1, 10);
  ASSERT_TRUE(points);
  EXPECT_EQ(points->x.size(), 2U);
}

TEST(BreakPoints, AreNoneAcrossAPoleOrOutsideOfTheDomain) {
  EXPECT_FALSE(break_points_of({Kind::tan}, {0.0, 3.0}, 1e-3, 1000));
  EXPECT_FALSE(break_points_of({Kind::log}, {0.0, 1.0}, 1e-3, 1000));
  EXPECT_FALSE(break_points_of({Kind::sqrt}, {-1.0, 1.0}, 1e-3, 1000));
  EXPECT_FALSE(break_points_of({Kind::exp}, {0.0, 1.0}, 1e-6, 100)) << "more are needed";
}

}  // namespace break_points_test
}  // namespace mti
