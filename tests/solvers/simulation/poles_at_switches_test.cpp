#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "tests/solvers/simulation/run_queries.hpp"

/// A condition that switches at a pole does not lead past it; what adds up to something finite goes on.
namespace mti {
namespace poles_at_switches_test {

/// ∫ of an expression of x = 1 − t from t = 0 to 3.
Trajectory integral_of(const std::string& expression, double tolerance) {
  Source source;
  source.states = {{"x", 1.0}, {"q", 0.0}};
  source.equations = {"der(x) = -1", "der(q) = " + expression};
  source.experiment.stop = 3.0;
  return test::run(source, test::with_accuracy(tolerance));
}

TEST(PolesAtSwitches, EndTheRun) {
  for (const std::string expression :
       {"if x > 0 then 1/x else 7", "if x < 0 then 7 else 1/x", "if x > 0 then 1/x else -1/x",
        "if x > 0 then 1/x^2 else 0", "if x > 0 then x^-1.5 else 0", "if x > 0 then 1/sin(x) else 1",
        "if x > 0 then tan(1.5707963267948966 - x) else 0", "abs(x)^-1.5", "abs(x)^-3", "(x^2)^-0.75",
        "x/abs(x)", "x/(abs(x) + abs(2*x))"})
    for (const double tolerance : {1e-6, 1e-8}) {
      const Trajectory run = integral_of(expression, tolerance);
      EXPECT_EQ(run.outcome.kind, OutcomeKind::left_domain) << expression << run.outcome.message;
      EXPECT_NEAR(run.outcome.end_time, 1.0, 10.0 * tolerance) << expression;
    }
}

TEST(PolesAtSwitches, AreNoneWhereTheIntegralOrTheQuotientIsFinite) {
  struct Finite {
    std::string expression;
    double integral;
  };
  for (const Finite& finite : {Finite{"if x > 0 then log(x) else 0", -1.0},
                               {"abs(x)^-0.5", 2.0 + 2.0 * std::sqrt(2.0)},
                               {"if x > 0 then sqrt(x)/x else 0", 2.0},
                               {"if x > 0.1 then 1/x else 10", std::log(10.0) + 21.0},
                               {"if x > 0 then x/(x + 1) else 2", 1.0 - std::log(2.0) + 4.0}}) {
    const Trajectory run = integral_of(finite.expression, 1e-8);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << finite.expression << run.outcome.message;
    // Beside the end rates are infinite: of √ε of time nothing is known.
    EXPECT_NEAR(test::last(run, "q"), finite.integral, 1e-5) << finite.expression;
  }
}

/// A divisor of absolute values comes to 0 without a change of sign.
TEST(PolesAtSwitches, AreMetByDivisorsThatOnlyTouchZero) {
  Source source;
  source.inputs = {{.name = "u", .form = SineSource{.amplitude = 1.0, .frequency = 0.5, .phase = 0.5}}};
  source.states = {{"x", 0.2}};
  source.algebraic = {{"w"}, {"y"}};
  source.parameters = {{"a", 0.0}};
  source.equations = {"der(x) = -0.5", "w = u/(abs(u) + a)", "y = min(x, w)"};
  source.experiment.stop = 3.0;
  const Trajectory run = test::run(source, test::with_accuracy(1e-8));
  EXPECT_EQ(run.outcome.kind, OutcomeKind::left_domain) << run.outcome.message;
  EXPECT_NEAR(run.outcome.end_time, 1.0 - 0.5 / std::numbers::pi, 1e-7);
}

/// y = x for ever: what x > y says of signals that are equal, whatever y was guessed to be.
TEST(TiesAtTheStart, AreWhatTheOperatorSaysAndNotTheGuess) {
  struct Tie {
    std::string condition;
    double holds;
  };
  for (const Tie& tie : {Tie{"x > y", 0.0}, {"x >= y", 1.0}, {"y < x", 0.0}, {"y <= x", 1.0}, {"y > x", 0.0}})
    for (const double guess : {-1.0, 0.0, 1.0, 2.0}) {
      Source source;
      source.states = {{"x", 1.0}};
      source.algebraic = {{"y", guess}, {"a"}};
      source.equations = {"der(x) = -x", "y = x", "a = if " + tie.condition + " then 1 else 0"};
      source.experiment.stop = 1.0;
      const Trajectory run = test::run(source, test::with_accuracy(1e-8));
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      EXPECT_EQ(test::last(run, "a"), tie.holds) << tie.condition << " " << guess;
    }
}

}  // namespace poles_at_switches_test
}  // namespace mti
