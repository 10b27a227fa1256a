#include "mti/model/input.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "mti/common/fault.hpp"

namespace mti {
namespace input_test {

constexpr double infinity = std::numeric_limits<double>::infinity();

double right_of(const Input& input, double t) { return input.piece(t).value(t); }

TEST(ConstantInput, NeverChanges) {
  const Input input(ConstantInput{2.5});
  for (const double t : {-1e9, 0.0, 3.0}) {
    EXPECT_EQ(right_of(input, t), 2.5);
    EXPECT_EQ(input.piece(t).derivative(t, 1), 0.0);
  }
  EXPECT_EQ(input.next_breakpoint(0.0), infinity);
}

TEST(ClockInput, IsTheTime) {
  const Input input(ClockInput{});
  for (const double t : {-2.0, 0.0, 1e6}) {
    EXPECT_EQ(right_of(input, t), t);
    EXPECT_EQ(input.piece(t).derivative(t, 1), 1.0);
    EXPECT_EQ(input.piece(t).derivative(t, 2), 0.0);
  }
  EXPECT_EQ(input.next_breakpoint(0.0), infinity);
}

/// 1 at t = 0, 5 at t = 2, 4 at t = 4: lines of slope 2 and −½, held outside.
TEST(TableInput, Linear) {
  const Input input(TableInput{{0.0, 2.0, 4.0}, {1.0, 5.0, 4.0}, Interpolation::linear});
  const std::vector<std::vector<double>> expected = {
      // t, value, slope, next breakpoint
      {-1.0, 1.0, 0.0, 0.0}, {0.0, 1.0, 2.0, 2.0},      {0.5, 2.0, 2.0, 2.0},     {2.0, 5.0, -0.5, 4.0},
      {3.0, 4.5, -0.5, 4.0}, {4.0, 4.0, 0.0, infinity}, {9.0, 4.0, 0.0, infinity}};
  for (const std::vector<double>& row : expected) {
    const double t = row[0];
    EXPECT_EQ(right_of(input, t), row[1]) << "t = " << t;
    EXPECT_EQ(input.piece(t).derivative(t, 1), row[2]) << "t = " << t;
    EXPECT_EQ(input.piece(t).derivative(t, 2), 0.0) << "t = " << t;
    EXPECT_EQ(input.next_breakpoint(t), row[3]) << "t = " << t;
  }
}

/// The value of the last time that is not later; a piece keeps it up to and including its end.
TEST(TableInput, Previous) {
  const Input input(TableInput{{0.0, 1.0, 2.0}, {3.0, 7.0, 1.0}, Interpolation::previous});
  EXPECT_EQ(right_of(input, -1.0), 3.0);
  EXPECT_EQ(right_of(input, 0.0), 3.0);
  EXPECT_EQ(input.piece(0.5).value(1.0), 3.0);
  EXPECT_EQ(right_of(input, 1.0), 7.0);
  EXPECT_EQ(right_of(input, 5.0), 1.0);
  EXPECT_EQ(input.piece(1.5).derivative(1.5, 1), 0.0);
  EXPECT_EQ(input.next_breakpoint(-1.0), 0.0);
  EXPECT_EQ(input.next_breakpoint(0.0), 1.0);
  EXPECT_EQ(input.next_breakpoint(2.0), infinity);
}

/// Two values at t = 1: the one before is reached from the left, the last one holds from there on.
TEST(TableInput, EqualTimesAreAJump) {
  const Input input(TableInput{{0.0, 1.0, 1.0, 3.0}, {0.0, 2.0, 5.0, 1.0}, Interpolation::linear});
  EXPECT_EQ(input.piece(0.5).value(1.0), 2.0);
  EXPECT_EQ(right_of(input, 1.0), 5.0);
  EXPECT_EQ(right_of(input, 2.0), 3.0);
  EXPECT_EQ(input.piece(1.0).derivative(1.0, 1), -2.0);
  EXPECT_EQ(input.next_breakpoint(0.0), 1.0);
  EXPECT_EQ(input.next_breakpoint(1.0), 3.0);
  const Input at_the_ends(TableInput{{0.0, 0.0, 1.0, 1.0}, {8.0, 2.0, 4.0, 9.0}, Interpolation::linear});
  EXPECT_EQ(right_of(at_the_ends, -1.0), 8.0);
  EXPECT_EQ(right_of(at_the_ends, 0.0), 2.0);
  EXPECT_EQ(at_the_ends.piece(0.5).value(1.0), 4.0);
  EXPECT_EQ(right_of(at_the_ends, 1.0), 9.0);
}

TEST(TableInput, OneEntryIsAConstant) {
  const Input input(TableInput{{3.0}, {-1.0}, Interpolation::linear});
  for (const double t : {0.0, 3.0, 9.0}) EXPECT_EQ(right_of(input, t), -1.0);
}

TEST(TableInput, RefusesWhatIsNoTable) {
  const auto refused = [](const TableInput& table) {
    try {
      const Input input(table);
    } catch (const InvalidModel& error) {
      return error.faults().front().id == "bad-table";
    }
    return false;
  };
  EXPECT_TRUE(refused({{}, {}}));
  EXPECT_TRUE(refused({{0.0, 1.0}, {1.0}}));
  EXPECT_TRUE(refused({{1.0, 0.0}, {1.0, 2.0}}));
  EXPECT_TRUE(refused({{0.0, std::nan("")}, {1.0, 2.0}}));
  EXPECT_TRUE(refused({{0.0, 1.0}, {1.0, infinity}}));
  EXPECT_FALSE(refused({{0.0, 0.0}, {1.0, 2.0}}));
}

/// 1 + 2 sin(π/2·t + π/6): at t = 0 the sine is ½ and the cosine √3/2.
TEST(SineInput, ClosedForm) {
  const Input input(SineInput{2.0, 0.25, std::numbers::pi / 6.0, 1.0});
  const InputPiece piece = input.piece(0.0);
  const double omega = std::numbers::pi / 2.0, root = std::numbers::sqrt3;
  const double expected[] = {2.0, root * omega, -std::pow(omega, 2), -root * std::pow(omega, 3),
                             std::pow(omega, 4)};
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(piece.derivative(0.0, k), expected[k], 1e-14) << "derivative " << k;
  EXPECT_NEAR(piece.value(1.0), 1.0 + root, 1e-14);
  EXPECT_NEAR(piece.value(400.0), 2.0, 1e-11);
  EXPECT_EQ(input.next_breakpoint(0.0), infinity);
}

/// The derivatives at one time give the values at others: Σ_k u⁽ᵏ⁾ hᵏ/k!.
TEST(SineInput, DerivativesMakeTheTaylorSeries) {
  const InputPiece piece = Input(SineInput{1.5, 0.3, 0.7, -2.0}).piece(0.0);
  for (const double h : {-1.0, 0.4, 1.0}) {
    double sum = 0.0, weight = 1.0;
    for (int k = 0; k < 30; ++k) {
      sum += weight * piece.derivative(0.2, k);
      weight *= h / (k + 1);
    }
    EXPECT_NEAR(sum, piece.value(0.2 + h), 1e-13) << "h = " << h;
  }
}

}  // namespace input_test
}  // namespace mti
