// A comparison whose sides are equal and stay so keeps its value, and leaves an event to what crosses there (docs/language.md,
// "The binary of a comparison"). Closed forms; the inner condition of each model is never true.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace comparisons_at_rest_test {

constexpr double rtol = 1e-8;

Trajectory run_of(const std::vector<std::string>& equations, double x_start, double stop,
                  IntegratorChoice integrator = IntegratorChoice::automatic) {
  Source source;
  source.states = {{"x", x_start}, {"n", 0.0}};
  source.algebraic = {{"y"}};
  for (const std::string& equation : equations) source.equations.emplace_back(equation);
  source.equations.emplace_back("der(n) = 0");
  SimulationOptions options = test::with_accuracy(rtol);
  options.stop = stop;
  options.integrator = integrator;
  return simulate(build(source), options);
}

void expect_end(const Trajectory& run, const char* signal, double value, const std::string& what) {
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << what << run.outcome.message;
  EXPECT_NEAR(run.value(run.size() - 1, run.column(signal)), value, 100.0 * rtol) << what;
}

TEST(ComparisonsAtRest, LeaveTheEventToWhatCrosses) {
  for (const IntegratorChoice integrator :
       {IntegratorChoice::automatic, IntegratorChoice::series, IntegratorChoice::ida}) {
    for (const char* inner :
         {"(if n > 0 then 0 else x)", "x*(1 - step(n))", "x*(n <= 0)", "max(x*(1 - step(n)), 0.1)"}) {
      const std::string of_inner = inner;
      const Trajectory run = run_of({"der(x) = 1", "y = (" + of_inner + " > 0.5)"}, 0.0, 1.0, integrator);
      expect_end(run, "y", 1.0, of_inner);
      EXPECT_EQ(test::event_times(run).size(), of_inner.starts_with("max") ? 2U : 1U) << of_inner;
      EXPECT_NEAR(test::event_times(run).back(), 0.5, 10.0 * rtol) << of_inner;
    }
    expect_end(run_of({"der(x) = 1", "y = max(x*(1 - step(n)), 0.5)"}, 0.0, 1.0, integrator), "y", 1.0,
               "max");
  }
}

/// 18 + 4 t up to 21, at 0.75; 21 − (t − 0.75) down to 19, at 2.75; up to 21 at 3.25, and down to 20.25 at 4.
TEST(ComparisonsAtRest, DoNotHoldAThermostat) {
  const Trajectory run =
      run_of({"der(x) = 5*y - 1", "y = 1 - hysteresis(if n > 0 then 0 else x, 19, 21)"}, 18.0, 4.0);
  expect_end(run, "x", 20.25, "");
  EXPECT_EQ(test::event_times(run).size(), 3U);
}

/// Nor does what would begin to move its sides once it had changed: n' is 1 where n > 0, and n is 0.
TEST(ComparisonsAtRest, DoNotMoveThemselves) {
  Source source;
  source.states = {{"x", 0.0}, {"n", 0.0}};
  source.algebraic = {{"y"}};
  source.equations = {"der(x) = 1", "der(n) = if n > 0 then 1 else 0",
                      "y = ((if n > 0 then 0 else x) > 0.5)"};
  source.experiment.stop = 1.0;
  const Trajectory run = simulate(build(source));
  expect_end(run, "y", 1.0, "");
  expect_end(run, "n", 0.0, "");
}

/// Samples, a model that was written and read again, and searches that are remembered or not, or explained.
TEST(ComparisonsAtRest, AreTheSameInEveryWriting) {
  Source source;
  source.states = {{"x", 0.0}, {"n", 0.0}};
  source.algebraic = {{"y"}};
  source.equations = {"der(x) = 1", "der(n) = 0", "y = ((if n > 0 then 0 else x) > 0.5)"};
  source.experiment.stop = 1.0;
  Model model = build(source);
  for (const bool explain : {false, true}) {
    SimulationOptions options = test::with_accuracy(rtol);
    options.explain = explain;
    expect_end(simulate(model, options), "y", 1.0, "explained " + std::to_string(explain));
  }
  model.sign_binaries.clear();  // as a model of matrices has none
  expect_end(simulate(model), "y", 1.0, "without a list of signs");
  source.sample_time = 0.1;
  source.equations = {"next(x) = x + 0.1", "next(n) = n", "y = ((if n > 0 then 0 else x) > 0.55)"};
  expect_end(simulate(build(source)), "y", 1.0, "in samples");
}

/// By hand, in one row for both sides.
TEST(ComparisonsAtRest, OfOneRowKeepTheirValues) {
  Source source;
  source.states = {{"x", 0.0}, {"n", 0.0}};
  source.binaries = {{"inner"}, {"outer"}};
  source.equations = {"der(x) = 1", "der(n) = 0"};
  source.constraints = {"(1 - 2*inner)*n <= 0", "(1 - 2*outer)*(x*(1 - inner) - 0.5) <= 0"};
  source.experiment.stop = 1.0;
  const Trajectory run = simulate(build(source));
  expect_end(run, "outer", 1.0, "");
  expect_end(run, "inner", 0.0, "");
}

/// What moves them is a cause, be it the change itself: x' is 1 below zero, and 0 from there on.
TEST(ComparisonsAtRest, BeginToRestByTheirOwnChange) {
  const Trajectory run =
      run_of({"der(x) = if x >= 0 then 0 else 1", "y = if x >= 0 then 3 else 2"}, -0.5, 1.0);
  expect_end(run, "x", 0.0, "");
  expect_end(run, "y", 3.0, "");
  EXPECT_NEAR(test::event_times(run).front(), 0.5, 10.0 * rtol);
}

}  // namespace comparisons_at_rest_test
}  // namespace mti
