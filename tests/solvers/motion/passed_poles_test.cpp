// Runs end where they come to a pole, also where the steps of an integrator beside it lead over it.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace passed_poles_test {

struct Pole {
  std::string w;  ///< of x = 1 − t
  double time;
};

/// With every integrator and tolerance, simple and double poles, of states, inputs and functions.
TEST(PassedPoles, EndTheRun) {
  const Pole poles[] = {
      {"1/(x - 0.25)", 0.75},  {"1/(x - 0.9)", 0.1},      {"1/(x - 0.25)^2", 0.75},
      {"1/(x*x - 0.25)", 0.5}, {"x/(x - 0.25)", 0.75},    {"1/sin(x - 0.25)", 0.75},
      {"1/(time - 0.7)", 0.7}, {"(x - 0.25)^(-3)", 0.75}, {"tan(2*x - 2 - time)", std::acos(-1.0) / 6.0}};
  for (const Pole& pole : poles)
    for (const IntegratorChoice integrator : {IntegratorChoice::automatic, IntegratorChoice::ida})
      for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
        Source source;
        source.states = {{"x", 1.0}, {"q", 0.0}};
        source.algebraic = {{"w", 0.0}};
        source.equations = {RelationSource("w = " + pole.w), "der(x) = -1", "der(q) = clamp(w, -10, 10)"};
        source.experiment = {.stop = 2.0};
        SimulationOptions options = test::with_accuracy(tolerance);
        options.integrator = integrator;
        const Trajectory run = test::run(source, options);
        EXPECT_EQ(run.outcome.kind, OutcomeKind::left_domain) << pole.w << ": " << run.outcome.message;
        EXPECT_NEAR(run.outcome.end_time, pole.time, 100.0 * tolerance) << pole.w;
        for (std::size_t row = 0; row < run.size(); ++row)
          ASSERT_TRUE(std::isfinite(run.value(row, run.column("w")))) << pole.w;
      }
}

/// What only comes near a pole goes on.
TEST(PassedPoles, DoNotEndWhatHasNone) {
  for (const std::string w : {"1/(x*x + 0.01)", "1/(2 + sin(10*time))", "1/(x - 2)"}) {
    Source source;
    source.states = {{"x", 1.0}};
    source.algebraic = {{"w", 0.0}};
    source.equations = {RelationSource("w = " + w), "der(x) = -1"};
    source.experiment = {.stop = 2.0};
    EXPECT_EQ(test::run(source, test::with_accuracy(1e-6)).outcome.kind, OutcomeKind::reached_stop) << w;
  }
}

}  // namespace passed_poles_test
}  // namespace mti
