// Polynomials as inputs: values, derivatives and breakpoints by hand, and functions of time that they agree with.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "mti/common/fault.hpp"
#include "mti/polynomials/interpolated_input.hpp"

namespace mti::test {
namespace interpolated_input_test {

PolynomialInput polynomials(std::vector<double> time, int degree, std::vector<double> coefficients) {
  return {.time = std::move(time),
          .degree = degree,
          .coefficients = std::make_shared<const std::vector<double>>(std::move(coefficients))};
}

/// 3 t² up to t = 1, then 3 − 1.5 (t − 1) up to t = 3: 0 before and after.
TEST(PolynomialInput, HasValuesDerivativesAndBreakpoints) {
  const Input input(polynomials({0.0, 1.0, 3.0}, 2, {0.0, 0.0, 3.0, 3.0, -1.5, 0.0}));
  const auto value = [&](double t, int k) { return input.piece(t).derivative(t, k); };
  EXPECT_EQ(value(-1.0, 0), 0.0);
  EXPECT_EQ(value(-1.0, 1), 0.0);
  EXPECT_EQ(value(0.5, 0), 0.75);
  EXPECT_EQ(value(0.5, 1), 3.0);
  EXPECT_EQ(value(0.5, 2), 6.0);
  EXPECT_EQ(value(0.5, 3), 0.0);
  EXPECT_EQ(value(1.0, 0), 3.0);
  EXPECT_EQ(value(1.0, 1), -1.5);  // the piece that begins there
  EXPECT_EQ(input.piece(0.0).value(1.0), 3.0);
  EXPECT_EQ(value(2.0, 0), 1.5);
  EXPECT_EQ(value(3.0, 0), 0.0);
  EXPECT_EQ(value(7.0, 1), 0.0);
  EXPECT_EQ(input.next_breakpoint(-2.0), 0.0);
  EXPECT_EQ(input.next_breakpoint(0.0), 1.0);
  EXPECT_EQ(input.next_breakpoint(2.9), 3.0);
  EXPECT_EQ(input.next_breakpoint(3.0), std::numeric_limits<double>::infinity());
}

TEST(PolynomialInput, RefusesWhatIsNone) {
  const double nan = std::nan("");
  for (const PolynomialInput& wrong : {polynomials({0.0}, 0, {}), polynomials({0.0, 1.0}, 1, {1.0}),
                                       polynomials({0.0, 0.0}, 0, {1.0}), polynomials({1.0, 0.0}, 0, {1.0}),
                                       polynomials({0.0, 1.0}, 0, {nan}), polynomials({0.0, nan}, 0, {1.0}),
                                       polynomials({0.0, 1.0}, -1, {}), PolynomialInput{.time = {0.0, 1.0}}})
    EXPECT_THROW(Input{wrong}, InvalidModel);
}

/// Sums of exponentials and oscillations, seeds fixed: as near as asked for, derivatives with it.
TEST(InterpolatedInput, AgreesWithRandomFunctions) {
  std::mt19937 draw(5);
  std::uniform_real_distribution<double> number(-2.0, 2.0);
  for (int k = 0; k < 30; ++k) {
    const double a = number(draw), b = 3.0 * number(draw), c = number(draw), d = number(draw);
    const auto u = [&](double t) { return a * std::exp(0.3 * d * t) + b * std::sin(4.0 * c * t + d); };
    const auto slope = [&](double t) {
      return 0.3 * a * d * std::exp(0.3 * d * t) + 4.0 * b * c * std::cos(4.0 * c * t + d);
    };
    const double tolerance = k % 2 == 0 ? 1e-6 : 1e-11, start = number(draw);
    const Input input(interpolated_input(u, start, start + 10.0, tolerance));
    double largest = 1.0;
    for (int i = 0; i <= 1000; ++i) largest = std::max(largest, std::abs(u(start + i * 0.01)));
    for (int i = 0; i < 997; ++i) {
      const double t = start + 10.0 * i / 997.0;
      EXPECT_NEAR(input.piece(t).value(t), u(t), 3.0 * tolerance * largest) << t;
      // A derivative loses what a step of a piece divides by.
      EXPECT_NEAR(input.piece(t).derivative(t, 1), slope(t), 1e3 * tolerance * largest) << t;
    }
  }
}

/// A pulse of width 0.3 in a range of 100 lies between all points of one piece.
TEST(InterpolatedInput, SeesNarrowPulses) {
  for (const double place : {3.3, 41.7, 77.77}) {
    const auto u = [place](double t) { return std::exp(-std::pow((t - place) / 0.15, 2)); };
    const Input input(interpolated_input(u, 0.0, 100.0, 1e-8));
    for (int i = 0; i < 5000; ++i) {
      const double t = i * 0.02;
      EXPECT_NEAR(input.piece(t).value(t), u(t), 1e-6) << t;
    }
  }
}

/// Not asked at a kink, which is a breakpoint, where it may jump.
TEST(InterpolatedInput, BeginsPiecesAtKinks) {
  const auto u = [](double t) {
    EXPECT_NE(t, 0.3);
    return t < 0.3 ? std::sin(t) : 2.0 + t;
  };
  const Input input(interpolated_input(u, 0.0, 1.0, 1e-12, {0.3, 5.0, -1.0}));
  EXPECT_EQ(input.next_breakpoint(0.25), 0.3);
  EXPECT_NEAR(input.piece(0.0).value(0.3), std::sin(0.3), 1e-12);
  EXPECT_NEAR(input.piece(0.3).value(0.3), 2.3, 1e-12);
}

TEST(InterpolatedInput, RefusesWhatIsNotSmooth) {
  const auto id_of = [](const std::function<double(double)>& u, double start, double stop, double tolerance) {
    try {
      static_cast<void>(interpolated_input(u, start, stop, tolerance));
    } catch (const InvalidOption& refused) {
      return refused.faults().front().id;
    }
    return std::string();
  };
  const auto step = [](double t) { return t < 0.3 ? 0.0 : 1.0; };
  EXPECT_EQ(id_of(step, 0.0, 1.0, 1e-10), "not-smooth");
  EXPECT_EQ(id_of([](double t) { return 1.0 / t; }, 0.0, 1.0, 1e-10), "not-smooth");
  EXPECT_EQ(id_of([](double t) { return std::sqrt(t - 0.5); }, 0.0, 1.0, 1e-10), "not-smooth");
  EXPECT_EQ(id_of([](double t) { return t; }, 1.0, 1.0, 1e-10), "bad-option");
  EXPECT_EQ(id_of([](double t) { return t; }, 0.0, 1.0, 0.0), "bad-option");
  EXPECT_EQ(id_of([](double t) { return t; }, 0.0, HUGE_VAL, 1e-10), "bad-option");
  EXPECT_EQ(id_of([](double t) { return std::abs(t - 0.3); }, 0.0, 1.0, 1e-8), "");
}

}  // namespace interpolated_input_test
}  // namespace mti::test
