// A signal that occurs in no equation of a mode is absent there: it keeps its value and comes back with it.
#include <gtest/gtest.h>

#include <cmath>

#include "solvers/motion/system_jacobian_rank.hpp"
#include "solvers/solvability/singular_modes.hpp"
#include "solvers/structure/mode_structure.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti::test {
namespace absent_signals_test {

constexpr double tolerance = 1e-9;
/// Local errors of rtol = atol = 1e-9 add up over some tens of steps.
constexpr double accuracy = 1e-7;

/// x' = −x and y = 2x where on = 1; nothing where on = 0, from 1 to 2.
Source decay() {
  Source source;
  source.states = {{.name = "x", .start = 1.0}};
  source.algebraic = {{.name = "y"}};
  source.inputs = {{.name = "on", .form = TableSource{{0.0, 1.0, 2.0}, {1.0, 0.0, 1.0}}, .binary = true}};
  source.equations = {"on*(der(x) + x) = 0", "on*(y - 2*x) = 0"};
  source.experiment.stop = 3.0;
  source.experiment.output_interval = 0.25;
  return source;
}

double decay_at(double t) { return std::exp(-(t <= 1.0 ? t : t <= 2.0 ? 1.0 : t - 1.0)); }

TEST(AbsentSignals, KeepTheirValuesAndComeBackWithThem) {
  const Trajectory trajectory = run(decay(), with_accuracy(tolerance));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  const std::size_t x = trajectory.column("x"), y = trajectory.column("y");
  for (std::size_t row = 0; row < trajectory.size(); ++row) {
    const double expected = decay_at(trajectory.time(row));
    EXPECT_NEAR(trajectory.value(row, x), expected, accuracy) << trajectory.time(row);
    EXPECT_NEAR(trajectory.value(row, y), 2 * expected, 2 * accuracy) << trajectory.time(row);
  }
}

TEST(AbsentSignals, AreMarkedInTheResults) {
  const Model model = build(decay());
  const Trajectory trajectory = simulate(model, with_accuracy(tolerance));
  const int x = model.signature.state_row(0), y = model.signature.algebraic_row(0);
  ASSERT_EQ(trajectory.events.size(), 2U);
  EXPECT_EQ(trajectory.events[0].left, (std::vector{x, y}));
  EXPECT_TRUE(trajectory.events[0].returned.empty());
  EXPECT_TRUE(trajectory.events[0].jumps.empty());
  EXPECT_TRUE(trajectory.events[1].left.empty());
  EXPECT_EQ(trajectory.events[1].returned, (std::vector{x, y}));
  ASSERT_EQ(trajectory.absences.size(), 2U);
  for (const Absence& absence : trajectory.absences) {
    EXPECT_EQ(absence.from, 1.0);
    EXPECT_EQ(absence.to, 2.0);
  }
}

TEST(AbsentSignals, AreSaidByTheStructureOfTheMode) {
  const Model model = build(decay());
  const Mode on{.z = {}, .pre = {}, .binary_inputs = {1}}, off{.z = {}, .pre = {}, .binary_inputs = {0}};
  const ModeStructure structure = analyze_mode(model, off);
  EXPECT_FALSE(structure.singular);
  EXPECT_EQ(structure.absent, structure.signals);
  EXPECT_EQ(structure.degrees_of_freedom, 0);
  EXPECT_TRUE(analyze_mode(model, on).absent.empty());
  const auto rank = examine_rank(model, off);
  ASSERT_TRUE(rank.has_value());
  EXPECT_EQ(rank->size, 0);
  EXPECT_EQ(warn_of_singular_modes(model), std::nullopt);
}

// Absent to the end: the time ends with the run.
TEST(AbsentSignals, MayBeAbsentFromTheStartOn) {
  Source source = decay();
  source.inputs[0].form = Number{0.0};
  const Trajectory trajectory = run(source, with_accuracy(tolerance));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_EQ(recorded(trajectory, "x", 3.0), 1.0);
  ASSERT_EQ(trajectory.absences.size(), 2U);
  EXPECT_EQ(trajectory.absences[0].from, 0.0);
  EXPECT_EQ(trajectory.absences[0].to, 3.0);
}

/// A thermostat: T' = 30h − 10 with h between 19 and 21; `w` counts the heating only, with 1/heating and 0.
Source thermostat() {
  Source source;
  source.states = {{.name = "T", .start = 20.0}, {.name = "w", .start = 0.5}};
  source.binaries = {{.name = "h"}};
  source.equations = {"der(T) = 30*h - 10", "h*(der(w) - 1) = 0"};
  source.constraints = {"(19 - T)*(1 - h) <= 0", "(T - 21)*h <= 0"};
  source.experiment.stop = 1.0;
  return source;
}

// T falls from 20 to 19 in 0.1, rises to 21 in 0.1, falls to 19 in 0.2, …: heating in [0.1, 0.2], [0.4, 0.5],
// [0.7, 0.8], then off until 1.0, where heating would begin again: 0.3 in all.
TEST(AbsentSignals, OfAModeTheRunEntersAgainAndAgain) {
  const Trajectory trajectory = run(thermostat(), with_accuracy(tolerance));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_NEAR(trajectory.end_point[3], 0.8, accuracy) << "w";
  double absent = 0.0;
  for (const Absence& absence : trajectory.absences) absent += absence.to - absence.from;
  EXPECT_NEAR(absent, 0.7, accuracy);
}

// The same temperature whether something is absent beside it or not.
TEST(AbsentSignals, ChangeNothingElse) {
  Source plain = thermostat();
  plain.states.pop_back();
  plain.equations.pop_back();
  const Trajectory with = run(thermostat(), with_accuracy(tolerance)),
                   without = run(plain, with_accuracy(tolerance));
  const auto a = event_times(with), b = event_times(without);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], accuracy);
}

// A constraint on a state that is absent is judged with the value that the state keeps.
TEST(AbsentSignals, AStateMayStandInAConstraint) {
  Source source = decay();
  source.constraints = {"x <= 2",
                        "0.3 - x <= 0"};  // e^(-1) = 0.37 is kept from 1 on, 0.3 reached at 1 + ln(1/0.3)
  source.experiment.stop = 2.1;
  const Trajectory trajectory = run(source, with_accuracy(tolerance));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
}

// Laws give an absent state a value: at the fall, where it leaves, and at the rise, where it comes back.
TEST(AbsentSignals, TakeTheValuesOfLaws) {
  Source source = thermostat();
  source.transitions = {{.when = "fall(h)", .equations = {"w = 7"}}};
  Trajectory trajectory = run(source, with_accuracy(tolerance));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_NEAR(recorded(trajectory, "w", 0.3), 7.0, accuracy);
  EXPECT_NEAR(recorded(trajectory, "w", 0.45), 7.05, accuracy);
  source.transitions = {{.when = "rise(h)", .equations = {"w = 7"}}};
  trajectory = run(source, with_accuracy(tolerance));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_NEAR(recorded(trajectory, "w", 0.05), 0.5, accuracy);
  EXPECT_NEAR(recorded(trajectory, "w", 0.15), 7.05, accuracy);
  EXPECT_NEAR(recorded(trajectory, "w", 0.3), 7.1, accuracy);
}

// Back into a mode that prescribes it, x jumps there: 1 − t of the input at t = 2 is −1.
TEST(AbsentSignals, ComeBackByTheRestart) {
  Source source;
  source.states = {{.name = "x", .start = 1.0}};
  source.inputs = {{.name = "on", .form = TableSource{{0.0, 1.0, 2.0}, {1.0, 0.0, 1.0}}, .binary = true},
                   {.name = "later", .form = TableSource{{0.0, 2.0}, {0.0, 1.0}}, .binary = true},
                   {.name = "u", .form = TableSource{{0.0, 4.0}, {1.0, -3.0}}}};
  source.equations = {"on*((1 - later)*(der(x) + x) + later*(x - u)) = 0"};
  source.experiment.stop = 3.0;
  source.experiment.output_interval = 0.25;
  const Trajectory trajectory = run(source, with_accuracy(tolerance));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_NEAR(recorded(trajectory, "x", 1.5), std::exp(-1.0), accuracy);
  EXPECT_NEAR(recorded(trajectory, "x", 2.5), -1.5, accuracy);
  const Event& back = trajectory.events.back();
  ASSERT_EQ(back.jumps.size(), 1U);
  EXPECT_NEAR(back.jumps[0].before, std::exp(-1.0), accuracy);
  EXPECT_NEAR(back.jumps[0].after, -1.0, accuracy);
}

// Beside a constraint that is differentiated: a' = F, a = 1 + t, so that F = 1.
TEST(AbsentSignals, BesideEquationsOfHigherIndex) {
  Source source = decay();
  source.states.push_back({.name = "a", .start = 1.0});
  source.algebraic.push_back({.name = "F"});
  source.inputs.push_back({.name = "u", .form = TableSource{{0.0, 3.0}, {1.0, 4.0}}});
  source.equations.emplace_back("der(a) = F");
  source.equations.emplace_back("a = u");
  const Trajectory trajectory = run(source, with_accuracy(tolerance));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  for (const double t : {0.5, 1.5, 2.5}) {
    EXPECT_NEAR(recorded(trajectory, "x", t), decay_at(t), accuracy) << t;
    EXPECT_NEAR(recorded(trajectory, "F", t), 1.0, accuracy) << t;
    EXPECT_NEAR(recorded(trajectory, "a", t), 1.0 + t, accuracy) << t;
  }
}

// The negative control: x itself is needed where nothing determines its slope.
TEST(AbsentSignals, AreNotThoseThatOtherEquationsNeed) {
  Source source = decay();
  source.equations = {"on*(der(x) + x) = 0", "y - 2*x = 0"};
  const Trajectory trajectory = run(source, with_accuracy(tolerance));
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::dead_end) << trajectory.outcome.message;
  EXPECT_EQ(trajectory.outcome.end_time, 1.0);
  EXPECT_NE(warn_of_singular_modes(build(source)), std::nullopt);
}

// next(x) = x/2 at samples with on = 1.
TEST(AbsentSignals, OfDiscreteTimeKeepTheirValues) {
  Source source;
  source.sample_time = 1.0;
  source.states = {{.name = "x", .start = 1.0}};
  source.inputs = {{.name = "on", .form = TableSource{{0.0, 2.0, 4.0}, {1.0, 0.0, 1.0}}, .binary = true}};
  source.equations = {"on*(next(x) - x/2) = 0"};
  source.experiment.stop = 6.0;
  const Trajectory trajectory = run(source);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  const double expected[] = {1.0, 0.5, 0.25, 0.25, 0.25, 0.125, 0.0625};
  for (int k = 0; k <= 6; ++k) EXPECT_EQ(recorded(trajectory, "x", k), expected[k]) << k;
  ASSERT_EQ(trajectory.absences.size(), 1U);
  EXPECT_EQ(trajectory.absences[0].from, 2.0);
  EXPECT_EQ(trajectory.absences[0].to, 4.0);
}

}  // namespace absent_signals_test
}  // namespace mti::test
