// Multipliers that grow without bound where their constraint can no longer push: no step leads over such a pole.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace singular_passage_test {

Trajectory run(const Source& source, IntegratorChoice integrator, double rtol, double stop) {
  return simulate(build(source), {.stop = stop, .rtol = rtol, .integrator = integrator});
}

constexpr IntegratorChoice engines[] = {IntegratorChoice::automatic, IntegratorChoice::ida};

/// A knife edge that slides along a wall and turns at the rate 1: the forces of edge and wall are parallel at θ = π.
Source knife() {
  Source source;
  source.states = {{"th", 2.5}, {"vx"}, {"vy"}};
  source.algebraic = {{"l"}, {"N"}};
  source.binaries = {{"k", 1.0}};
  source.equations = {"der(th) = 1", "der(vx) = -1 - l*sin(th)", "der(vy) = 1 + l*cos(th) - N",
                      "-vx*sin(th) + vy*cos(th) = 0", "k*vy + (1 - k)*N = 0"};
  source.constraints = {"vy <= 0", "N >= 0"};
  return source;
}

// Danger: IDA went on behind the pole, where N ≥ 0 stayed broken within an error bound of 10^15.
TEST(SingularPassage, EndsBesideThePoleOfAMultiplier) {
  for (const IntegratorChoice engine : engines)
    for (const double rtol : {1e-4, 1e-6, 1e-9}) {
      const Trajectory rows = run(knife(), engine, rtol, 3.0);
      EXPECT_EQ(rows.outcome.kind, OutcomeKind::left_domain) << rows.outcome.message;
      const double pole = std::numbers::pi - 2.5;
      EXPECT_NEAR(rows.outcome.end_time, pole, 10.0 * rtol * 3.0);
      EXPECT_NE(rows.outcome.message.find("no longer determine l"), std::string::npos)
          << rows.outcome.message;
      EXPECT_TRUE(rows.warnings.empty());
      const std::size_t N = rows.column("N");
      for (std::size_t row = 0; row < rows.size(); ++row)
        EXPECT_GE(rows.value(row, N), 0.0) << rows.time(row);
    }
}

TEST(SingularPassage, EndsWhereOneEquationLosesItsUnknown) {
  for (const IntegratorChoice engine : engines) {
    Source source;
    source.states = {{"x"}};
    source.algebraic = {{"N"}};
    source.equations = {"der(x) = 1", "N*(1 - x) = 1"};
    const Trajectory rows = run(source, engine, 1e-6, 3.0);
    EXPECT_NE(rows.outcome.kind, OutcomeKind::reached_stop);
    EXPECT_NEAR(rows.outcome.end_time, 1.0, 10.0 * 1e-6 * 3.0);
  }
}

// A factor that two sides have in common: the Jacobian changes its sign, and y does not mind.
TEST(SingularPassage, IsNoneWhereAFactorIsCommon) {
  for (const char* equation : {"x*y = x*w", "x*y = x*x", "x*y = x*(w + 5)", "x*y = x*(x - 0.01)"}) {
    Source source;
    source.states = {{"x", -1.0}, {"w", 1.0}, {"d"}};
    source.algebraic = {{"y"}};
    source.equations = {"der(x) = 1", "der(w) = d", "der(d) = -w", equation};
    const Trajectory rows = run(source, IntegratorChoice::ida, 1e-8, 2.0);
    ASSERT_EQ(rows.outcome.kind, OutcomeKind::reached_stop) << equation << ": " << rows.outcome.message;
    const double x = 1.0, w = std::cos(2.0);
    const std::string text = equation;
    const double expected = text == "x*y = x*w"         ? w
                            : text == "x*y = x*x"       ? x
                            : text == "x*y = x*(w + 5)" ? w + 5.0
                                                        : x - 0.01;
    EXPECT_NEAR(test::last(rows, "y"), expected, 1e-6) << equation;
  }
}

// A factor that jumps, with an input or at an event, turns y round: no step has led there.
TEST(SingularPassage, IsNoneWhereSomethingJumps) {
  for (const IntegratorChoice engine : engines) {
    Source source;
    source.states = {{"x", 1.0}};
    source.algebraic = {{"y"}};
    source.equations = {"der(x) = 1", "u*y = x"};
    source.inputs = {{.name = "u", .form = TableSource{{0.0, 1.0, 1.0, 3.0}, {1.0, 1.0, -1.0, -1.0}}}};
    const Trajectory by_input = run(source, engine, 1e-6, 3.0);
    ASSERT_EQ(by_input.outcome.kind, OutcomeKind::reached_stop) << by_input.outcome.message;
    EXPECT_NEAR(test::last(by_input, "y"), -4.0, 1e-5);
    source.inputs = {};
    source.states.push_back({"u", 1.0});
    source.equations.emplace_back("der(u) = 0");
    source.whens = {{.condition = "x > 2", .set = {{"u", "-1"}}}};
    const Trajectory by_law = run(source, engine, 1e-6, 3.0);
    ASSERT_EQ(by_law.outcome.kind, OutcomeKind::reached_stop) << by_law.outcome.message;
    EXPECT_NEAR(test::last(by_law, "y"), -4.0, 1e-5);
  }
}

}  // namespace singular_passage_test
}  // namespace mti
