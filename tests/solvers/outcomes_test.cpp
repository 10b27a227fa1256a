#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <stop_token>
#include <string>

#include "mti/common/at.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

/// How runs end, and that they keep what was computed before.
namespace mti {
namespace outcomes_test {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Source clock_source(double stop = 10.0) {
  Source source;
  source.states = {{"x", 0.0}};
  source.equations = {"der(x) = 1"};
  source.experiment = {.stop = stop, .rtol = 1e-8, .atol = 1e-8, .output_interval = Number(1.0)};
  return source;
}

/// Danger: a band that the accuracy cannot resolve ends a run without a word on what is wrong.
TEST(Outcomes, ADeadEndInANarrowHysteresisNamesItsRows) {
  const auto ended = [](double half_width) {
    Source source;
    source.parameters = {{"h", half_width}};
    source.states = {{"x", 0.5}};
    source.binaries = {{"z", 1.0}};
    source.equations = {"der(x) = 1 - 2*z"};
    source.constraints = {{"upper", "(x - h)*(1 - z) <= 0"}, {"lower", "(-h - x)*z <= 0"}};
    source.experiment = {.stop = 1.0, .rtol = 1e-6, .atol = 1e-6};
    return test::run(source).outcome;
  };
  const Outcome narrow = ended(1e-10);
  EXPECT_EQ(narrow.kind, OutcomeKind::dead_end);
  EXPECT_TRUE(contains(narrow.message,
                       "lower and upper are thresholds that lie 2e-10 apart, within their error bounds of "))
      << narrow.message;
  EXPECT_EQ(ended(1e-3).kind, OutcomeKind::reached_stop);
}

/// Danger: the run goes on behind a boundary that no mode can pass.
TEST(Outcomes, DeadEndNamesTimeAndConstraintAndKeepsResults) {
  Source source = clock_source();
  source.constraints = {{"wall", "x - 2.5 <= 0"}};
  const Trajectory trajectory = test::run(source);
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::dead_end);
  EXPECT_NEAR(trajectory.outcome.end_time, 2.5, 1e-7);
  EXPECT_TRUE(contains(trajectory.outcome.message, "wall")) << trajectory.outcome.message;
  EXPECT_TRUE(contains(trajectory.outcome.message, "2.5")) << trajectory.outcome.message;
  EXPECT_NEAR(test::recorded(trajectory, "x", 2.0), 2.0, 1e-7);
  EXPECT_NEAR(trajectory.end_point.at(1), 2.5, 1e-7) << "v = (der(x), x)";
  // Negative control: a wall that is not reached.
  source.constraints = {"x - 10.5 <= 0"};
  EXPECT_EQ(test::run(source).outcome.kind, OutcomeKind::reached_stop);
}

/// Danger: a dead end that does not say what each candidate broke.
TEST(Outcomes, DeadEndNamesEveryCandidatesReason) {
  Source source = clock_source();
  source.binaries = {{"valve", 0.0}, {"pump", 0.0}};
  source.equations.emplace_back("interlock", "valve*pump + valve*(1 - pump) = 0");
  source.constraints = {{"wall", "(x - 2.5)*(1 - valve) <= 0"}};
  const Trajectory trajectory = test::run(source);
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::dead_end);
  for (const char* name : {"wall", "valve = 1", "interlock"})
    EXPECT_TRUE(contains(trajectory.outcome.message, name))
        << name << " not in: " << trajectory.outcome.message;
}

TEST(Outcomes, NoConsistentStartNamesTheContradiction) {
  Source source = clock_source();
  source.algebraic = {{"y", 0.0}};
  source.equations.emplace_back("first", "y - x = 1");
  source.algebraic.push_back({"w", 0.0});
  source.equations.emplace_back("second", "2*y - 2*x + 0*w = 3");
  const Trajectory trajectory = test::run(source);
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::no_consistent_start) << trajectory.outcome.message;
  EXPECT_TRUE(contains(trajectory.outcome.message, "first") && contains(trajectory.outcome.message, "second"))
      << trajectory.outcome.message;
}

/// Two tanks drain at rate ½ each; one pipe fills one of them at rate ¾, the one that just ran empty (Alur,
/// Henzinger: Modularity for timed and hybrid systems, 1997). The total falls at rate ¼, both are empty at
/// t = 2 / ¼ = 8, after infinitely many switches.
Source two_tanks() {
  Source source;
  source.states = {{"x1", 1.0}, {"x2", 1.0}};
  source.binaries = {{"z", 1.0}};
  source.equations = {"der(x1) = 0.75*z - 0.5", "der(x2) = 0.75*(1 - z) - 0.5"};
  source.constraints = {"-x1*(1 - z) <= 0", "-x2*z <= 0"};
  source.experiment = {.stop = 20.0, .rtol = 1e-8, .atol = 1e-8};
  return source;
}

/// Danger: the run hangs, or crawls to the event limit.
TEST(Outcomes, ZenoIsRecognisedWithItsLimit) {
  const Trajectory trajectory = test::run(two_tanks());
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::zeno) << trajectory.outcome.message;
  EXPECT_NEAR(trajectory.outcome.end_time, 8.0, 1e-5);
  EXPECT_LT(trajectory.events.size(), 100U);
  EXPECT_GT(trajectory.events.size(), 10U);
  // The intervals' ratio: the filling tank gains ¼·d while the other loses ½·d, so the next one lasts d/2.
  EXPECT_TRUE(contains(trajectory.outcome.message, "0.5") || contains(trajectory.outcome.message, "0.49"))
      << trajectory.outcome.message;
}

/// Negative control: with inflow 1 the total stays, the pattern is periodic and the run ends at its stop.
TEST(Outcomes, PeriodicSwitchingIsNotZeno) {
  Source source = two_tanks();
  source.states = {{"x1", 1.0}, {"x2", 0.5}};
  source.equations = {"der(x1) = z - 0.5", "der(x2) = (1 - z) - 0.5"};
  source.constraints = {"(0.2 - x1)*(1 - z) <= 0", "(0.2 - x2)*z <= 0"};
  source.experiment.stop = 200.0;
  const Trajectory trajectory = test::run(source);
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_GT(trajectory.events.size(), 50U);
}

/// Negative control: intervals that shrink, though not for ever. Switching at t = 1 − 2^−k, k ≤ 12.
TEST(Outcomes, IntervalsThatShrinkForAWhileAreNotZeno) {
  Source source = clock_source(2.0);
  const int switches = 12;
  for (int k = 1; k <= switches; ++k) {
    source.binaries.push_back({"z" + std::to_string(k), 0.0});
    source.constraints.emplace_back("(x - 1 + 1/2^" + std::to_string(k) + ")*(1 - 2*z" + std::to_string(k) +
                                    ") <= 0");
  }
  const Trajectory trajectory = test::run(source);
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_EQ(trajectory.events.size(), at(switches));
}

/// z flips each time x has run to the other end of a narrow band: an event with every step.
Source narrow_band() {
  Source source;
  source.states = {{"x", 0.0}};
  source.binaries = {{"up", 1.0}};
  source.equations = {"der(x) = 2*up - 1"};
  source.constraints = {"(x - 1e-4)*up <= 0", "(-1e-4 - x)*(1 - up) <= 0"};
  source.experiment = {.stop = 1e3, .rtol = 1e-8, .atol = 1e-8};
  return source;
}

TEST(Outcomes, EventLimit) {
  SimulationOptions options;
  options.max_events = 7;
  const Trajectory trajectory = test::run(narrow_band(), options);
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::event_limit);
  EXPECT_EQ(trajectory.events.size(), 7U);
  EXPECT_NEAR(trajectory.outcome.end_time, 1e-4 + 6 * 2e-4, 1e-6);
}

/// Danger: a run whose every step ends in an event never looks at the clock.
TEST(Outcomes, TimeBudgetEndsARunOfManyEvents) {
  SimulationOptions options;
  options.max_seconds = 0.2;
  const auto begun = std::chrono::steady_clock::now();
  const Trajectory trajectory = test::run(narrow_band(), options);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun;
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::time_budget);
  EXPECT_LT(seconds.count(), 10.0);
  EXPECT_FALSE(trajectory.events.empty());
}

/// An oscillation that would take far longer than the budget, without any event.
Source long_oscillation() {
  Source source;
  source.states = {{"x1", 1.0}, {"x2", 0.0}};
  source.equations = {"der(x1) = x2", "der(x2) = -x1"};
  source.experiment = {.stop = 1e9, .rtol = 1e-8, .atol = 1e-8, .output_interval = Number(1e3)};
  return source;
}

TEST(Outcomes, TimeBudgetKeepsResults) {
  SimulationOptions options;
  options.max_seconds = 0.2;
  const Trajectory trajectory = test::run(long_oscillation(), options);
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::time_budget);
  EXPECT_GT(trajectory.outcome.end_time, 0.0);
  EXPECT_GE(trajectory.size(), 1U);
}

TEST(Outcomes, AStopRequestEndsTheRunCleanly) {
  std::stop_source stop;
  SimulationOptions options;
  options.stop_token = stop.get_token();
  double seen = -1.0;
  options.progress = [&](double time) {
    seen = time;
    stop.request_stop();
  };
  const Trajectory trajectory = test::run(long_oscillation(), options);
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::interrupted);
  EXPECT_GE(seen, 0.0);
  EXPECT_GE(trajectory.outcome.end_time, seen);
}

TEST(Outcomes, AStopRequestBeforeTheRunLeavesItsStart) {
  std::stop_source stop;
  stop.request_stop();
  SimulationOptions options;
  options.stop_token = stop.get_token();
  const Trajectory trajectory = test::run(narrow_band(), options);
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::interrupted);
  EXPECT_GE(trajectory.size(), 1U);
}

/// x' = x², x(0) = 1 grows without bound at t = 1: the integrator cannot pass.
TEST(Outcomes, FiniteEscapeIsASolverFailureWithItsPoint) {
  Source source = clock_source();
  source.states = {{"x", 1.0}};
  source.algebraic = {{"square", 1.0}};
  source.equations = {"der(x) = square", "square = x*x"};
  source.experiment.output_interval = Number(0.125);
  const Trajectory trajectory = test::run(source);
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::solver_failure);
  EXPECT_NEAR(trajectory.outcome.end_time, 1.0, 1e-4);
  EXPECT_FALSE(trajectory.outcome.message.empty());
  EXPECT_NEAR(test::recorded(trajectory, "x", 0.5), 2.0, 1e-5);
  EXPECT_GT(trajectory.end_point.at(1), 1e3) << "the point where it stopped, not where the segment began";
}

TEST(Outcomes, CandidateLimit) {
  Source source = clock_source();
  for (int k = 1; k <= 8; ++k) source.binaries.push_back({"z" + std::to_string(k), 0.0});
  source.constraints = {"(x - 1)*(1 - z1*z2*z3*z4*z5*z6*z7*z8) <= 0"};
  SimulationOptions options;
  options.max_candidates = 20;
  const Trajectory limited = test::run(source, options);
  EXPECT_EQ(limited.outcome.kind, OutcomeKind::candidate_limit) << limited.outcome.message;
  options.max_candidates = 1000;
  const Trajectory enough = test::run(source, options);
  EXPECT_EQ(enough.outcome.kind, OutcomeKind::reached_stop) << enough.outcome.message;
  EXPECT_EQ(enough.events.at(0).candidates_tried, 256);
}

/// Danger: the limit, reached while further admissible modes are collected, throws the found one away.
TEST(Outcomes, CandidateLimitKeepsASuccessorThatWasFound) {
  Source source = clock_source();
  for (int k = 1; k <= 8; ++k) source.binaries.push_back({"z" + std::to_string(k), 0.0});
  source.constraints = {
      "(x - 1)*(1 - z1)*(1 - z2)*(1 - z3)*(1 - z4)*(1 - z5)*(1 - z6)*(1 - z7)*(1 - z8) <= 0"};
  SimulationOptions options;
  options.max_candidates = 4;
  const Trajectory trajectory = test::run(source, options);
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
}

TEST(Outcomes, OptionsThatAreNotUsableAreListed) {
  const Model model = build(clock_source());
  SimulationOptions options;
  options.stop = -1.0;
  options.rtol = 0.0;
  options.atol = std::nan("");
  options.output_interval = -2.0;
  options.max_seconds = 0.0;
  const std::vector<Fault> faults = options.validate(model);
  EXPECT_EQ(faults.size(), 5U);
  for (const Fault& fault : faults) EXPECT_EQ(fault.id, "bad-option");
  EXPECT_THROW(static_cast<void>(simulate(model, options)), InvalidOption);
  EXPECT_TRUE(SimulationOptions{}.validate(model).empty());
}

}  // namespace outcomes_test
}  // namespace mti
