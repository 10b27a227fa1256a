#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "mti/common/fault.hpp"
#include "mti/model/input.hpp"

namespace mti {
namespace periodic_input_test {

double right_of(const Input& input, double t) { return input.piece(t).value(t); }

/// 3 for the first tenth of each period 0.1, else 1.
Input square(double start = 0.0) {
  return {PeriodicInput{{{0.0, 0.01}, {3.0, 1.0}, Interpolation::previous}, 0.1, start}};
}

TEST(PeriodicInput, ComesAgainOnBothSides) {
  for (const double start : {0.0, 0.05, -7.0})
    for (const int k : {-3, 0, 1, 1000}) {
      const double begin = (100.0 * start + 10.0 * k) / 100.0;
      EXPECT_EQ(right_of(square(start), begin), 3.0);
      EXPECT_EQ(right_of(square(start), begin + 0.005), 3.0);
      EXPECT_EQ(right_of(square(start), begin + 0.02), 1.0);
      EXPECT_EQ(right_of(square(start), std::nextafter(begin, -1e9)), 1.0);
    }
}

/// Starts, periods and ends that are decimal numbers: what is due at the end is not behind it, wherever doubles round to.
TEST(PeriodicInput, EndsWhereItsDecimalNumbersDo) {
  for (const int hundredths : {1, 5, 10, 20, 30, 70, 125})
    for (int start = -80; start <= 80; ++start)
      for (const int k : {1, 3, 7, 50, 60, 99, 1000, 123456}) {
        const Input input{PeriodicInput{{{0.0, hundredths / 200.0}, {3.0, 1.0}, Interpolation::previous},
                                        hundredths / 100.0,
                                        start / 10.0}};
        const double end = (10 * start + k * hundredths) / 100.0;
        EXPECT_EQ(right_of(input, end), 3.0) << start << " " << hundredths << " " << k;
        EXPECT_EQ(right_of(input, std::nextafter(end, -1e9)), 1.0) << start << " " << hundredths << " " << k;
        EXPECT_EQ(input.next_breakpoint(end - 0.001), end) << start << " " << hundredths << " " << k;
      }
}

/// Breakpoint after breakpoint for a million periods: each is k/10 and k/10 + 0.01 rounded once,
/// whatever came before.
TEST(PeriodicInput, DoesNotDrift) {
  const Input input = square();
  double t = 0.0;
  for (int k = 0; k < 1'000'000; ++k) {
    ASSERT_EQ(t, k / 10.0);
    t = input.next_breakpoint(t);
    ASSERT_EQ(t, (10.0 * k + 1.0) / 100.0);
    ASSERT_EQ(right_of(input, t), 1.0);
    ASSERT_EQ(right_of(input, std::nextafter(t, 0.0)), 3.0);
    t = input.next_breakpoint(t);
  }
}

TEST(PeriodicInput, IsLinearBetweenTheTimesOfItsTable) {
  const Input input(PeriodicInput{{{0.0, 1.0, 2.0}, {0.0, 4.0, 0.0}, Interpolation::linear}, 2.0, 0.0});
  for (const double shift : {-4.0, 0.0, 1e6}) {
    EXPECT_NEAR(right_of(input, shift + 0.25), 1.0, 1e-9);
    EXPECT_EQ(input.piece(shift + 0.25).derivative(0.0, 1), 4.0);
    EXPECT_EQ(input.piece(shift + 1.25).derivative(0.0, 1), -4.0);
    EXPECT_EQ(input.next_breakpoint(shift + 1.0), shift + 2.0);
    EXPECT_EQ(right_of(input, shift + 2.0), 0.0);
  }
}

TEST(PeriodicInput, HoldsTheLastValueUntilTheNextPeriod) {
  const Input input(PeriodicInput{{{0.0, 1.0}, {0.0, 4.0}, Interpolation::linear}, 3.0, 0.0});
  EXPECT_EQ(right_of(input, 2.9), 4.0);
  EXPECT_EQ(input.next_breakpoint(1.0), 3.0);
  EXPECT_EQ(right_of(input, 3.0), 0.0);
}

TEST(PulseWidthInput, SamplesItsDutyWhereAPeriodBegins) {
  const auto duty =
      std::make_shared<const Input>(TableInput{{0.0, 4.0}, {0.25, 2.25}, Interpolation::linear});
  const Input input(PulseWidthInput{1.0, 0.0, -1.0, 2.0, duty, "duty"});
  for (int k = 0; k < 6; ++k) {
    const double width = std::min(1.0, 0.25 + 0.5 * std::min(k, 4));
    EXPECT_EQ(right_of(input, k), 2.0);
    if (width < 1.0) {
      EXPECT_EQ(input.next_breakpoint(k), k + width);
      EXPECT_EQ(right_of(input, k + width), -1.0);
      EXPECT_EQ(input.next_breakpoint(k + width), k + 1.0);
    } else {
      EXPECT_EQ(input.next_breakpoint(k), k + 1.0);
      EXPECT_EQ(right_of(input, k + 0.999), 2.0);
    }
  }
}

/// A table whose times are k·T as a product rounds them, beside periods that begin at decimal numbers: the duty is that behind its step.
TEST(PulseWidthInput, SamplesItsDutyBehindAStepThatRoundingHoldsApart) {
  for (const double T : {1e-4, 2e-5, 0.1, 0.7, 1.0 / 3.0, 1.0 / 7.0, 1.0 / 30000.0, 1.0 / 50.0}) {
    std::vector<double> times, values;
    for (int k = 0; k < 200; k += 3) {
      times.push_back(k * T);
      values.push_back(k % 2 == 0 ? 0.25 : 0.75);
    }
    const auto duty = std::make_shared<const Input>(TableInput{times, values, Interpolation::previous});
    const Input input(PulseWidthInput{T, 0.0, 0.0, 1.0, duty, "duty"});
    for (int k = 0; k < 200; ++k)
      EXPECT_EQ(right_of(input, (k + 0.5) * T), k / 3 * 3 % 2 == 0 ? 0.0 : 1.0) << k << " of " << T;
  }
}

TEST(PeriodicInput, RefusesWhatHasNoPeriod) {
  const TableInput table{{0.0, 1.0}, {0.0, 1.0}, Interpolation::linear};
  EXPECT_THROW(Input(PeriodicInput{table, 0.0, 0.0}), InvalidModel);
  EXPECT_THROW(Input(PeriodicInput{table, -1.0, 0.0}), InvalidModel);
  EXPECT_THROW(Input(PeriodicInput{table, 0.5, 0.0}), InvalidModel);
  EXPECT_THROW(Input(PulseWidthInput{1.0, 0.0, 0.0, 1.0, nullptr, ""}), InvalidModel);
}

}  // namespace periodic_input_test
}  // namespace mti
