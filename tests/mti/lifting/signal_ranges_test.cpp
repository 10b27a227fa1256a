#include "mti/lifting/signal_ranges.hpp"

#include <gtest/gtest.h>

#include <string>

#include "mti/build/build.hpp"

namespace mti {
namespace signal_ranges_test {

/// The range of y = `text` with x in [−1, 2], w in [1, 3] and a binary z.
std::optional<Range> range_of(const std::string& text) {
  Source source;
  source.states = {{.name = "x", .start = 0.5}, {.name = "w", .start = 2.0}, {.name = "other"}};
  source.algebraic = {{.name = "y"}};
  source.binaries = {{.name = "z"}};
  source.equations = {"der(x) = -x", "der(w) = z", "der(other) = 1", "y = " + text};
  source.constraints = {"(x - 1)*z <= 0"};
  const Model model = build(source);
  SignalRanges ranges(model, {{model.signature.find("x").value(), {-1.0, 2.0}},
                              {model.signature.find("w").value(), {1.0, 3.0}}});
  return ranges.of(model.signature.find("y").value());
}

TEST(SignalRanges, FollowFromEquations) {
  struct Case {
    const char* text;
    double low, high;
  };
  for (const auto& [text, low, high] :
       {Case{"2*x - 3", -5.0, 1.0}, Case{"x*w", -3.0, 6.0},
        Case{"x*w - w", -6.0, 3.0},                             // w(x − 1): corners, not term by term
        Case{"x + 3*z", -1.0, 5.0}, Case{"x^2 + 1", 1.0, 5.0},  // powers as such
        Case{"x^3", -1.0, 8.0}, Case{"x/w", -1.0, 2.0}, Case{"w^2*x", -9.0, 18.0}}) {
    const auto range = range_of(text);
    ASSERT_TRUE(range) << text;
    EXPECT_NEAR(range->low, low, 1e-12) << text;
    EXPECT_NEAR(range->high, high, 1e-12) << text;
  }
}

TEST(SignalRanges, AreNotKnownWhereOneIsMissing) {
  EXPECT_FALSE(range_of("x + other"));
  EXPECT_FALSE(range_of("w/x")) << "x may be 0";
}

}  // namespace signal_ranges_test
}  // namespace mti
