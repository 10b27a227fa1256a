// Rows that follow from others are left out of a run; structure is judged without them.
#include "solvers/solvability/redundant_rows.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "mti/build/build.hpp"
#include "solvers/solvability/singular_modes.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace redundant_rows_test {

std::string warning(const Source& source) {
  return warn_of_singular_modes(build(source)).value_or("nothing");
}

Source doubled(const std::string& again) {
  Source source;
  source.states = {{"x", 1.0}};
  source.algebraic = {{"y"}};
  source.binaries = {{"z", 0.0}};
  source.equations = {{"motion", "der(x) = -x"}, {"gain", "y = 2*x"}, {"again", again}};
  source.constraints = {"(1 - 2*z)*(0.5 - x) <= 0"};
  return source;
}

TEST(RedundantRows, MakeNoModeSingular) {
  EXPECT_EQ(warning(doubled("2*y = 4*x")), "nothing");
  EXPECT_EQ(warning(doubled("(1 + z)*y = (1 + z)*2*x")), "nothing");
}

/// Danger: what one mode shows is taken for all of them.
TEST(RedundantRows, OtherModesStaySingular) {
  EXPECT_EQ(warning(doubled("2*y = 4*x + z")).find("1 of 2 modes are structurally singular, where z;"), 0U);
  EXPECT_EQ(warning(doubled("2*y = 4*x + 1")).find("2 of 2 modes are structurally singular;"), 0U);
  EXPECT_EQ(warning(doubled("y*x = 2*x*x")).find("2 of 2 modes are structurally singular;"), 0U)
      << "the factor is no number";
}

/// The fourth row is a sum of the others in every mode but for c = z1·(z2 − z3): 2 of 8 modes contradict.
TEST(RedundantRows, WhereTheConstantsAgree) {
  const std::string r1 = "(y1 + 2*y2 - y3 - x)", r2 = "(3*y1 - y2 + y3 - 2*x)", r3 = "(y1 + y2 + 7*y3 - 1)";
  Source source;
  source.states = {{"x", 1.0}};
  source.algebraic = {{"y1"}, {"y2"}, {"y3"}};
  source.binaries = {{"z1", 0.0}, {"z2", 0.0}, {"z3", 0.0}};
  source.equations = {{"motion", "der(x) = -x"},
                      {"r1", r1 + " = 0"},
                      {"r2", r2 + " = 0"},
                      {"r3", r3 + " = 0"},
                      {"sum", "(1 - z1)*(0.1*" + r1 + " + 0.3*" + r2 + ") + z1*(" + r1 + "/3 - " + r3 +
                                  ") + z1*z2 - z1*z3 = 0"}};
  const std::string text = warning(source);
  EXPECT_EQ(text.find("2 of 8 modes are structurally singular"), 0U) << text;
  for (const bool z1 : {false, true}) {
    source.binaries[0].start = z1 ? 1.0 : 0.0;
    const Trajectory run = simulate(build(source), {.stop = 1.0});
    EXPECT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    ASSERT_EQ(run.warnings.size(), 1U);
    EXPECT_NE(run.warnings[0].find(z1 ? "follows from r1, r3" : "follows from r1, r2"), std::string::npos)
        << run.warnings[0];
  }
}

/// w = 2x once differentiated. Danger: a mode is taken for another in which the rows are not the same.
TEST(RedundantRows, FollowFromDerivatives) {
  Source source;
  source.states = {{"x", 1.0}, {"w", 2.0}};
  source.binaries = {{"z", 0.0}, {"other", 0.0}};
  source.equations = {
      {"motion", "der(x) = -x - 0.25*z"}, {"gain", "w = 2*x"}, {"later", "der(w) = -w - 0.5*z"}};
  source.constraints = {"(1 - 2*z)*(0.5 - x) <= 0", "(1 - 2*other)*(0.25 - x) <= 0"};
  EXPECT_EQ(warning(source), "nothing");
  const Trajectory run = simulate(build(source), {.stop = 1.0});
  EXPECT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  ASSERT_EQ(run.warnings.size(), 1U);
  EXPECT_NE(run.warnings[0].find("later follows from motion, gain and the derivative of gain"),
            std::string::npos)
      << run.warnings[0];
  source.equations[2].text = "der(w) = -w - z";
  EXPECT_EQ(warning(source).find("2 of 4 modes are structurally singular, where z;"), 0U) << warning(source);
  source.equations[2].text = "der(w) = -w - 0.5*z + 1";
  EXPECT_EQ(warning(source).find("4 of 4 modes are structurally singular;"), 0U) << warning(source);
}

/// Without the row that follows, the mode has an unknown too many, and that is what is said.
TEST(RedundantRows, WhatIsMissingIsStillSaid) {
  Source source = doubled("2*y = 4*x");
  source.algebraic = {{"y"}, {"a"}, {"b"}};
  source.equations.push_back({"both", "a + b = x"});
  const std::string text = warning(source);
  EXPECT_EQ(text.find("2 of 2 modes are structurally singular; under-determined are a, b"), 0U) << text;
}

}  // namespace redundant_rows_test
}  // namespace mti
