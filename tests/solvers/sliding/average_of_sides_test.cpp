#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/solvers/sliding/sliding_queries.hpp"

/// A slide that is not Filippov's combination of its sides is warned of, with the rate that this has.
namespace mti {
namespace average_of_sides_test {

/// x' = 1 from x = −1: x = 0 at t = 1, slid on from there.
Source sliding(const std::vector<std::string>& algebraic, const std::vector<std::string>& equations) {
  Source source;
  source.states = {{"x", -1.0}, {"q", 0.0}, {"w", 1.0}};
  for (const std::string& name : algebraic) source.algebraic.push_back({name});
  for (const std::string& equation : equations) source.equations.emplace_back(equation);
  source.equations.emplace_back("der(w) = 0");
  source.binaries = {{"s"}};
  source.constraints.emplace_back("(1 - 2*s)*x <= 0");
  source.experiment.stop = 3.0;
  return source;
}

std::vector<std::string> warnings_of(const Source& source) {
  const Trajectory run = test::run(source, test::with_accuracy(1e-8));
  EXPECT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  return run.warnings;
}

/// The same function of s, affine, by a division of numbers, or of signals that do not depend on s.
TEST(AverageOfSides, IsTheMotionWhereRatesAreAffineInTheBinary) {
  const std::string x = "der(x) = 1 - 2*s";
  for (const char* q : {"der(q) = s", "der(q) = 1/(1 + 3*s)", "der(q) = (w + 2*s)^2",
                        "der(q) = max(2*s - 1, 0.3*s)", "der(q) = s*s*w", "der(q)*w = s"})
    EXPECT_TRUE(warnings_of(sliding({}, {x, q})).empty()) << q;
  EXPECT_TRUE(warnings_of(sliding({"i"}, {"der(x) = i", "i + 2*s = 1", "der(q) = i*w"})).empty());
}

/// With θ = ½ on x' = 1 − 2s the average of q' is half the sum of its values at s = 0 and s = 1 (x, w = 0, 1).
TEST(AverageOfSides, IsNamedWhereItIsNotTheMotion) {
  struct Case {
    std::vector<std::string> algebraic, equations;
    double average = 0.0;
  };
  const std::string x = "der(x) = 1 - 2*s";
  for (
      const Case& c : std::vector<Case>{
          {{"g"}, {x, "g = 1 + 2*s", "der(q) = g*g"}, 0.5 * (1.0 + 9.0)},
          {{"g"}, {x, "g*(1 + s) = 1", "der(q) = g"}, 0.5 * (1.0 + 0.5)},
          {{}, {x, "(1 + 3*s)*der(q) = 1"}, 0.5 * (1.0 + 0.25)},
          {{}, {x, "der(q) = 1/(w + 3*s)"}, 0.5 * (1.0 + 0.25)},
          {{}, {x, "der(q) = abs(w - 3*s)"}, 0.5 * (1.0 + 2.0)},
          {{}, {x, "der(q) = max(w, 4*s)"}, 0.5 * (1.0 + 4.0)},
          {{"y"}, {x, "y = w - 3*s", "der(q) = if y > 0 then y else 10*y"}, 0.5 * (1.0 - 20.0)},
          // Two conditions beside the one that slides: those of the bounds hold on both sides, or follow one another.
          {{}, {x, "der(q) = if 2*s - 1.2 > clamp(x, -0.3, 0.4) then 1 else 0"}, 0.5 * (1.0 + 0.0)},
          {{"y"}, {x, "y = 2*s - 1", "der(q) = pos(if 0.7*w > y then -0.01 else w)"}, 0.5 * (1.0 + 0.0)}}) {
    const std::vector<std::string> warnings = warnings_of(sliding(c.algebraic, c.equations));
    ASSERT_EQ(warnings.size(), 1U) << c.equations.back();
    const std::string text = "and would be ";
    const std::size_t found = warnings[0].find(text);
    ASSERT_NE(found, std::string::npos) << warnings[0];
    EXPECT_NE(warnings[0].find("while s slides"), std::string::npos) << warnings[0];
    EXPECT_NEAR(std::stod(warnings[0].substr(found + text.size())), c.average, 1e-6) << warnings[0];
  }
}

/// The weight itself: on both sides x' is 1 and −½, so that θ = ⅔ is Filippov's; the columns give ½ and x' = 0.
TEST(AverageOfSides, IsNamedWhereTheWeightIsAnotherOne) {
  const std::vector<std::string> warnings =
      warnings_of(sliding({}, {"(1 + s)*der(x) = 1 - 2*s", "der(q) = s"}));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("der(x) is 0 there, and would be 0.25 "), std::string::npos) << warnings[0];
}

}  // namespace average_of_sides_test
}  // namespace mti
