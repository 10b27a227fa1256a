// Starts that are not found from the guess, where equations are singular or lead astray, but from beside it.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace other_beginnings_test {

/// x(0) from the initial equation 0 = x', for x' = `rate`.
double start_of(const std::string& rate, double guess, const std::vector<std::string>& others = {}) {
  Source source;
  StateSource x{.name = "x", .start = guess};
  x.fixed = false;
  source.states = {x};
  if (!others.empty()) source.algebraic = {{.name = "y"}};
  source.equations.emplace_back("der(x) = " + rate);
  for (const std::string& equation : others) source.equations.emplace_back(equation);
  source.initial = {RelationSource("der(x) = 0")};
  source.experiment.stop = 0.1;
  const Trajectory run = test::run(source, test::with_accuracy(1e-9));
  EXPECT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << rate << ": " << run.outcome.message;
  return run.outcome.kind == OutcomeKind::reached_stop ? test::recorded(run, "x", 0.0) : std::nan("");
}

TEST(OtherBeginnings, LeadAwayFromWhereASlopeIsZero) {
  EXPECT_NEAR(std::abs(start_of("4 - x^2", 0.0)), 2.0, 1e-9);
  EXPECT_NEAR(start_of("3 - x^3", 0.0), std::cbrt(3.0), 1e-9);
  EXPECT_NEAR(std::abs(start_of("1 - x^4", 0.0)), 1.0, 1e-9);
  EXPECT_NEAR(std::abs(start_of("3 - cosh(x)", 0.0)), std::acosh(3.0), 1e-9);
  EXPECT_NEAR(std::abs(start_of("1 - log(1 + x^2)", 0.0)), std::sqrt(std::exp(1.0) - 1.0), 1e-9);
}

/// x + x³ = 2 has the root 1 alone; y follows.
TEST(OtherBeginnings, LeadAwayFromWhereAQuotientLeadsAstray) {
  for (const double guess : {-5.0, -2.0, -0.5, 0.0, 0.1, 3.0})
    EXPECT_NEAR(start_of("2 - x - x^3", guess, {"y = 1/(1 + x^2)"}), 1.0, 1e-9) << guess;
}

// Danger: which of the roots ±2 the run begins at was decided without a word.
TEST(OtherBeginnings, AreTold) {
  for (const double guess : {0.0, 1.0}) {
    Source source;
    source.states = {{.name = "x", .start = guess, .fixed = false}};
    source.equations = {"der(x) = 4 - x^2"};
    source.initial = {RelationSource("der(x) = 0")};
    const Trajectory run = test::run(source, {.stop = 0.1});
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop);
    EXPECT_EQ(run.warnings.size(), guess == 0.0 ? 1U : 0U);
    if (guess == 0.0) {
      EXPECT_NE(run.warnings.front().find("from the guesses themselves"), std::string::npos);
    }
  }
}

// Danger: from the guess itself Newton's method came to a solution that is none of the mode, and others were not looked for.
TEST(OtherBeginnings, AreTakenWhereThoseOfTheGuessAreOfAnotherMode) {
  Source source;
  source.states = {{.name = "x", .fixed = false}};
  source.binaries = {{.name = "z"}};
  source.equations = {"der(x) = 1 - z - x"};
  source.constraints = {"(1 - 2*z)*x <= 0"};
  source.initial = {RelationSource("x^2 = 1")};
  const Trajectory run = test::run(source, {.stop = 0.01});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  const double x = test::recorded(run, "x", 0.0);
  EXPECT_NEAR(std::abs(x), 1.0, 1e-9);
  EXPECT_EQ(test::recorded(run, "z", 0.0), x > 0.0 ? 1.0 : 0.0);
}

/// x² = −1 has no root, wherever it is looked for.
TEST(OtherBeginnings, FindNothingWhereNothingIs) {
  Source source;
  StateSource x{.name = "x", .start = 0.0};
  x.fixed = false;
  source.states = {x};
  source.equations = {"der(x) = 1 + x^2"};
  source.initial = {RelationSource("der(x) = 0")};
  EXPECT_EQ(test::run(source).outcome.kind, OutcomeKind::no_consistent_start);
}

}  // namespace other_beginnings_test
}  // namespace mti
