#include "solvers/laws/risen_again.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"

namespace mti::risen_again_test {

/// w is x > 1; the law of w is due where z⁻ has a 0 in its place.
class RisenAgainTest : public testing::Test {
 protected:
  RisenAgainTest() {
    Source source;
    source.states = {{.name = "x"}, {.name = "n"}};
    source.equations = {"der(x) = 1", "der(n) = 0"};
    source.whens = {{.condition = "x > 1", .set = {{"n", "n + 1"}}}};
    model = build(source);
    for (const Transition& law : model.transitions)
      if (law.when == Transition::When::risen) w = law.target;
  }
  [[nodiscard]] std::vector<double> v_with(double x, double n) const {
    std::vector<double> v(at(model.signature.size()));
    v[at(model.signature.state_row(0))] = x;
    v[at(model.signature.state_row(1))] = n;
    return v;
  }
  bool is_due(RisenAgain& risen, const std::vector<double>& v) const {
    const std::vector<char> off(at(model.signature.q()), 0), on(at(model.signature.q()), 1);
    return risen.before(off, on, v)[at(w)] == 0;
  }

  Model model;
  int w = -1;
};

TEST_F(RisenAgainTest, WhatHasStayedIsNotDueAnew) {
  const Accuracy accuracy(model, 1e-6, 1e-6);
  RisenAgain risen(model, accuracy);
  EXPECT_TRUE(is_due(risen, v_with(1.0, 0.0)));
  risen.pass(v_with(1.0, 1.0));  // n is none of what the condition is about
  EXPECT_FALSE(is_due(risen, v_with(1.0, 1.0)));
  risen.pass(v_with(0.5, 1.0));  // x is, and comes back
  EXPECT_TRUE(is_due(risen, v_with(1.0, 1.0)));
  EXPECT_FALSE(is_due(risen, v_with(1.0, 2.0)));
}

// A sequence that led nowhere is forgotten with what had become true in it.
TEST_F(RisenAgainTest, WhoGoesBackTakesWhatItWas) {
  const Accuracy accuracy(model, 1e-6, 1e-6);
  RisenAgain risen(model, accuracy);
  const RisenAgain before = risen;
  EXPECT_TRUE(is_due(risen, v_with(1.0, 0.0)));
  EXPECT_FALSE(is_due(risen, v_with(1.0, 0.0)));
  risen = before;
  EXPECT_TRUE(is_due(risen, v_with(1.0, 0.0)));
}

}  // namespace mti::risen_again_test
