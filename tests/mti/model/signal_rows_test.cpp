#include "mti/model/signal_rows.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "mti/build/build.hpp"

/// Who occurs where in the rows of a model.
namespace mti {
namespace signal_rows_test {

std::vector<int> list(std::span<const int> items) { return {items.begin(), items.end()}; }

/// v = (ẋ, x, u, on, y, a, b, pre(b)).
Model latch() {
  Source source;
  source.states = {{"x", 0.0}};
  source.inputs = {{.name = "u"}, {.name = "on", .binary = true}};
  source.algebraic = {{"y", 0.0}};
  source.binaries = {{"a", 0.0}, {"b", 0.0}};
  source.equations = {"der(x) = y*b + u*a", "y = x*b", "b = a*on + pre(b) - a*on*pre(b)"};
  source.constraints = {"(1 - x)*(1 - 2*a) <= 0"};
  return build(source);
}

TEST(SignalRows, SayWhichRowsHoldASignal) {
  const Model model = latch();
  const SignalRows rows(model);
  const Signature& signature = model.signature;
  EXPECT_EQ(list(rows.f.with(signature.derivative_row(0))), std::vector<int>{0});
  EXPECT_EQ(list(rows.f.with(signature.state_row(0))), std::vector<int>{1});
  EXPECT_EQ(list(rows.f.with(signature.algebraic_row(0))), (std::vector<int>{0, 1}));
  EXPECT_EQ(list(rows.f.with(signature.binary_row(1))), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(list(rows.f.with(signature.pre_row(0))), std::vector<int>{2});
  EXPECT_EQ(list(rows.g.with(signature.state_row(0))), std::vector<int>{0});
  EXPECT_TRUE(rows.g.with(signature.input_row(0)).empty());
  const std::vector<int> some{signature.input_row(0), signature.binary_row(0)};
  EXPECT_EQ(rows.f.with_any(some), (std::vector<int>{0, 2}));
}

TEST(SignalRows, SayWhatARowHolds) {
  const Model model = latch();
  const SignalRows rows(model);
  const Signature& signature = model.signature;
  EXPECT_EQ(list(rows.f.binaries(0)), (std::vector<int>{0, 1}));
  EXPECT_EQ(list(rows.f.binaries(2)), (std::vector<int>{0, 1})) << "pre(b) is not b";
  EXPECT_EQ(list(rows.f.signals(0)),
            (std::vector<int>{signature.derivative_row(0), signature.algebraic_row(0)}));
  EXPECT_TRUE(rows.f.signals(2).empty());
  EXPECT_FALSE(rows.f.is_logic(0));
  EXPECT_TRUE(rows.f.is_logic(2));
  EXPECT_FALSE(rows.g.is_logic(0));
}

}  // namespace signal_rows_test
}  // namespace mti
