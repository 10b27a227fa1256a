// Models with numbers at the ends of what a double holds: runs end with an outcome, and within memory.
#include <gtest/gtest.h>

#include <cmath>

#include "mti/build/build.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti {
namespace extreme_numbers_test {

/// A run that may end as it likes, but soon, and with numbers.
void expect_an_outcome(const Source& source) {
  SimulationOptions options;
  options.max_seconds = 0.3;
  const Trajectory trajectory = simulate(build(source), options);
  for (const double value : trajectory.values()) EXPECT_TRUE(std::isfinite(value));
  EXPECT_EQ(trajectory.outcome.message.empty(), trajectory.outcome.kind == OutcomeKind::reached_stop);
}

/// The constraints x² + y² = 1, (s − x)² + y² = 4 twice differentiated: the first lower stage of their block is singular
/// where x is lost, and the stages after it have no factors.
TEST(ExtremeNumbers, AConstraintThatLosesASignalIsNotSolvedWithFactorsThatAreNotThere) {
  for (const double x : {5e-324, 1e-310, 0.0}) {
    Source source;
    source.states = {{"x", x}, {"y", 1.0}, {"s", std::sqrt(3.0)}, {"vx", 3.0}, {"vy", 0.0}, {"vs", 3.0}};
    source.algebraic = {{"crank"}, {"rod"}};
    source.equations = {"der(x) = vx",
                        "der(y) = vy",
                        "der(s) = vs",
                        "der(vx) = -crank*x + rod*(s - x)",
                        "der(vy) = -crank*y - rod*y",
                        "2*der(vs) = -rod*(s - x)",
                        "x^2 + y^2 = 1",
                        "(s - x)^2 + y^2 = 4"};
    source.experiment = {.stop = 0.5};
    expect_an_outcome(source);
  }
}

/// No digit of sin(x) is known at 1e308, so that what products miss by is asked for before it was ever looked at.
TEST(ExtremeNumbers, AFunctionOfALargeNumberIsComparedFromTheBeginning) {
  for (const double x : {1e12, 1e100, 1e308}) {
    Source source;
    source.states = {{"x", x}, {"w", 0.0}};
    source.binaries = {{"z"}};
    source.equations = {"der(x) = -1 - z", "der(w) = sin(x)*exp(-z)"};
    source.constraints = {"(x - 1)*(1 - 2*z) >= 0"};
    source.experiment = {.stop = 4.0};
    expect_an_outcome(source);
  }
}

}  // namespace extreme_numbers_test
}  // namespace mti
