#include "solvers/blocks/start_point.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "mti/build/build.hpp"

namespace mti {
namespace start_point_test {

// A jump at the start is over when the run begins; pre(z) is what z was declared to be.
TEST(StartPoint, HoldsDeclaredValuesAndInputsToTheRightOfTheStart) {
  Source source;
  source.inputs = {{"u", TableSource{{0.0, 1.0, 1.0, 3.0}, {0.0, 0.0, 5.0, 7.0}}},
                   {"e", TableSource{{0.0, 1.0}, {0.0, 1.0}}, "", 1.0, true}};
  source.states = {{"x", 2.0}};
  source.algebraic = {{"y", 3.0}};
  source.binaries = {{"a", 0.0}, {"b", 1.0}};
  source.equations = {"der(x) = u*a + e", "y = x + b - pre(b)"};
  const Model model = build(source);
  const Mode mode = start_mode(model, 1.0);
  EXPECT_EQ(mode.z, (std::vector<char>{0, 1}));
  EXPECT_EQ(mode.pre, (std::vector<char>{1}));
  EXPECT_EQ(mode.binary_inputs, (std::vector<char>{1}));
  const Instant start = start_instant(model, 1.0, mode);
  EXPECT_EQ(start.t, 1.0);
  EXPECT_EQ(start.v, (std::vector<double>{0.0, 2.0, 5.0, 1.0, 3.0, 0.0, 1.0, 1.0}))
      << "x', x, u, e, y, a, b, pre(b)";
  EXPECT_EQ(start.pieces.size(), 2U);
  EXPECT_EQ(inputs_from(model, 1.0).next_breakpoint, 3.0);
}

}  // namespace start_point_test
}  // namespace mti
