#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/solvers/simulation/run_queries.hpp"

/// Boundaries that are easily missed, met twice or met on the wrong side. z = [s ≥ 0] is written
/// (1 − 2z)·s ≤ 0 throughout: z tells on which side of s = 0 the run is.
namespace mti {
namespace crossings_test {

using test::event_times;
using test::events_text;

/// Local errors of a few dozen steps add up to some 20 (rtol·|x| + atol); a crossing moves by that over |ṡ|.
constexpr double steps = 20.0;

/// x' = rate from `start`, and z = [s(x) ≥ 0].
Source ramp(const std::string& s, double start = 0.0, double rate = 1.0, double stop = 10.0) {
  Source source;
  source.parameters = {{"rate", rate}};
  source.states = {{"x", start}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x) = rate"};
  source.constraints = {"(" + s + ")*(1 - 2*z) <= 0"};
  source.experiment = {.stop = stop, .rtol = 1e-8, .atol = 1e-8};
  return source;
}

/// Danger: the step grows to the whole interval, g is negative at both of its ends.
TEST(Crossings, TwoInsideOneStepAreBothSeen) {
  for (const double half_width : {0.5, 0.05, 5e-3, 5e-4}) {
    Source source = ramp("w^2 - x^2", -5.0);
    source.parameters.push_back({"w", half_width});
    const Trajectory trajectory = test::run(source);
    const std::vector<double> times = event_times(trajectory);
    ASSERT_EQ(times.size(), 2U) << "half width " << half_width;
    const double accuracy = steps * 1e-8 * 6.0;  // in x, whose rate is 1
    EXPECT_NEAR(times[0], 5.0 - half_width, accuracy);
    EXPECT_NEAR(times[1], 5.0 + half_width, accuracy);
    test::expect_well_formed(trajectory);
  }
}

/// Negative control: the same bump, just below the boundary.
TEST(Crossings, ABumpThatStaysBelowIsNone) {
  const Trajectory trajectory = test::run(ramp("-1e-4 - x^2", -5.0));
  EXPECT_TRUE(event_times(trajectory).empty());
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop);
}

/// Danger: a higher power than the cubic that bounds g on a step.
TEST(Crossings, TwoInsideOneStepOfASixthPower) {
  const std::vector<double> times = event_times(test::run(ramp("1e-6 - x^6", -5.0)));
  ASSERT_EQ(times.size(), 2U);
  EXPECT_NEAR(times[0], 4.9, steps * 6e-8);
  EXPECT_NEAR(times[1], 5.1, steps * 6e-8);
}

/// A thrown ball's height: x1 = t − t²/2 has its top at ½, t = 1.
Source parabola(double limit) {
  Source source;
  source.parameters = {{"limit", limit}};
  source.states = {{"x1", 0.0}, {"x2", 1.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x1) = x2", "der(x2) = -1"};
  source.constraints = {"(x1 - limit)*(1 - 2*z) <= 0"};
  source.experiment = {.stop = 3.0, .rtol = 1e-8, .atol = 1e-8};
  return source;
}

/// Danger: a boundary that is touched is reported, and the run ends or chatters.
TEST(Crossings, ATangencyThatTurnsBackIsNone) {
  const Trajectory trajectory = test::run(parabola(0.5));
  EXPECT_TRUE(event_times(trajectory).empty()) << events_text(trajectory, build(parabola(0.5)));
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
}

/// Negative control: 10⁻⁴ lower it is crossed twice.
TEST(Crossings, ATopJustAboveTheBoundaryIsCrossedTwice) {
  const double above = 1e-4;
  const std::vector<double> times = event_times(test::run(parabola(0.5 - above)));
  const double half = std::sqrt(2.0 * above);  // ½ − (t − 1)²/2 = ½ − above
  ASSERT_EQ(times.size(), 2U);
  const double accuracy = steps * 2e-8 / half;  // |ṡ| = half there
  EXPECT_NEAR(times[0], 1.0 - half, accuracy);
  EXPECT_NEAR(times[1], 1.0 + half, accuracy);
}

/// Danger: of several boundaries met at one instant all but one get lost.
TEST(Crossings, SimultaneousOnesAreOneEvent) {
  Source source;
  source.states = {{"x1", 0.0}, {"x2", 3.0}, {"x3", 0.0}};
  source.binaries = {{"z1", 0.0}, {"z2", 0.0}, {"z3", 0.0}};
  source.equations = {"der(x1) = 1", "der(x2) = -2", "der(x3) = 1e5"};
  source.constraints = {"(x1 - 1)*(1 - 2*z1) <= 0", "(1 - x2)*(1 - 2*z2) <= 0", "(x3 - 1e5)*(1 - 2*z3) <= 0"};
  source.experiment = {.stop = 2.0, .rtol = 1e-8, .atol = 1e-8};
  const Model model = build(source);
  const Trajectory trajectory = simulate(model);
  EXPECT_EQ(events_text(trajectory, model), "switch c1 c2 c3 | z1:0>1 z2:0>1 z3:0>1\n");
  ASSERT_EQ(event_times(trajectory).size(), 1U);
  EXPECT_NEAR(event_times(trajectory)[0], 1.0, steps * 2e-8);
  test::expect_well_formed(trajectory);
}

/// The same on curves: two decays that halve at one instant.
TEST(Crossings, SimultaneousOnesOnCurvesAreOneEvent) {
  Source source;
  source.states = {{"x1", 1.0}, {"x2", 4.0}};
  source.binaries = {{"z1", 0.0}, {"z2", 0.0}};
  source.equations = {"der(x1) = -x1", "der(x2) = -x2"};
  source.constraints = {"(0.5 - x1)*(1 - 2*z1) <= 0", "(2 - x2)*(1 - 2*z2) <= 0"};
  source.experiment = {.stop = 2.0, .rtol = 1e-8, .atol = 1e-8};
  const Model model = build(source);
  const Trajectory trajectory = simulate(model);
  EXPECT_EQ(events_text(trajectory, model), "switch c1 c2 | z1:0>1 z2:0>1\n");
  ASSERT_EQ(event_times(trajectory).size(), 1U);
  EXPECT_NEAR(event_times(trajectory)[0], std::log(2.0), steps * 2e-8 / 0.5);
}

/// Negative control: 10⁻³ apart they are three events in their order.
TEST(Crossings, NearOnesStayApart) {
  Source source = ramp("x - 5");
  source.binaries = {{"z1", 0.0}, {"z2", 0.0}, {"z3", 0.0}};
  source.constraints = {"(x - 5.001)*(1 - 2*z1) <= 0", "(x - 5)*(1 - 2*z2) <= 0",
                        "(x - 5.002)*(1 - 2*z3) <= 0"};
  const Model model = build(source);
  const Trajectory trajectory = simulate(model);
  EXPECT_EQ(events_text(trajectory, model), "switch c2 | z2:0>1\nswitch c1 | z1:0>1\nswitch c3 | z3:0>1\n");
}

/// Danger: g = 0 at the start hides the crossing from a root finder that looks for a change of sign.
TEST(Crossings, ABoundaryMetAtTheStartSwitchesThere) {
  const Model model = build(ramp("x - 5", 5.0));
  const Trajectory trajectory = simulate(model);
  EXPECT_EQ(events_text(trajectory, model), "initial c1 | z:0>1\n");
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop);
  EXPECT_EQ(trajectory.time(0), 0.0);
  test::expect_well_formed(trajectory);
}

/// Negative control: leaving the boundary inwards is no event, at the start and later.
TEST(Crossings, ABoundaryLeftInwardsAtTheStartIsNone) {
  const Trajectory trajectory = test::run(ramp("x - 5", 5.0, -1.0));
  EXPECT_TRUE(trajectory.events.empty());
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop);
}

/// Danger: a row that starts on its boundary stays disarmed, and its return is never seen. s = sin t.
TEST(Crossings, ABoundaryLeftInwardsAtTheStartIsSeenOnReturn) {
  Source source;
  source.states = {{"x1", 0.0}, {"x2", -1.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x1) = x2", "der(x2) = -x1"};
  source.constraints = {"x1*(1 - 2*z) <= 0"};
  source.experiment = {.stop = 10.0, .rtol = 1e-8, .atol = 1e-8};
  const std::vector<double> times = event_times(test::run(source));
  ASSERT_EQ(times.size(), 3U);
  // About 400 steps to t = 10, without damping.
  for (std::size_t k = 0; k < times.size(); ++k)
    EXPECT_NEAR(times[k], std::numbers::pi * static_cast<double>(k + 1), 400 * 2e-8);
}

/// Danger: second derivatives of the states are asked of an integrator that still runs at order one.
TEST(Crossings, ConstraintOnAStateDerivative) {
  Source source;
  source.states = {{"x", 1.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x) = -x"};
  source.constraints = {"(der(x) + 0.5)*(1 - 2*z) <= 0"};
  source.experiment = {.stop = 3.0, .rtol = 1e-8, .atol = 1e-8};
  const Trajectory trajectory = test::run(source);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  const std::vector<double> times = event_times(trajectory);
  ASSERT_EQ(times.size(), 1U);
  // The derivative of the interpolant is one order less accurate than its value.
  EXPECT_NEAR(times[0], std::log(2.0), 1e-5);
}

/// Danger: the event loop asks an integrator for steps although the model has nothing to integrate.
TEST(Crossings, AlgebraicModelWithoutStates) {
  Source source;
  source.inputs = {{"u", TableSource{{0.0, 10.0}, {0.0, 10.0}}}};
  source.algebraic = {{"y", 0.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"y = 2*u + z"};
  source.constraints = {"(u - 2.5)*(1 - 2*z) <= 0"};
  source.experiment = {.stop = 10.0, .rtol = 1e-8, .atol = 1e-8};
  const Trajectory trajectory = test::run(source);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  ASSERT_EQ(event_times(trajectory).size(), 1U);
  EXPECT_NEAR(event_times(trajectory)[0], 2.5, 1e-12);
  EXPECT_NEAR(test::last(trajectory, "y"), 21.0, 1e-6);
  EXPECT_NEAR(test::recorded(trajectory, "y", 2.0), 4.0, 1e-7);
}

/// Danger: no continuous unknown at all: empty vectors and matrices.
TEST(Crossings, ModelOfInputsAndBinariesAlone) {
  Source source;
  source.inputs = {{"u", TableSource{{0.0, 10.0}, {0.0, 10.0}}}};
  source.binaries = {{"z", 0.0}, {"off", 1.0}};
  source.equations = {"off - 1 + z = 0"};
  source.constraints = {"(u - 2.5)*(1 - 2*z) <= 0"};
  source.experiment = {.stop = 10.0, .output_interval = Number(1.0)};
  const Trajectory trajectory = test::run(source);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  ASSERT_EQ(event_times(trajectory).size(), 1U);
  EXPECT_NEAR(event_times(trajectory)[0], 2.5, 1e-12);
  EXPECT_EQ(test::recorded(trajectory, "z", 2.0), 0.0);
  EXPECT_EQ(test::recorded(trajectory, "z", 3.0), 1.0);
}

/// Danger: nothing but the input moves, so the steps grow over many of its periods. sin(2πt) + t/100 first
/// exceeds 1.5 near the top t = 50.25 (at t = 49.25 it reaches 1.4925).
TEST(Crossings, ConstraintOnAnOscillatingInputAlone) {
  Source source = ramp("u + 0.01*x - 1.5", 0.0, 1.0, 60.0);
  source.inputs = {{"u", SineSource{1.0, 1.0, 0.0, 0.0}}};
  const std::vector<double> times = event_times(test::run(source));
  double low = 50.0, high = 50.25;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (std::sin(2.0 * std::numbers::pi * middle) + 0.01 * middle < 1.5 ? low : high) = middle;
  }
  ASSERT_EQ(times.size(), 20U);  // in and out at the tops 50.25 … 59.25
  EXPECT_NEAR(times[0], low, 1e-6);
}

/// Danger: the input looks the same at both ends of a step. 1 − cos(2πt) exceeds 1.5 for a third of a period.
TEST(Crossings, ConstraintOnAnInputWithWholePeriodsInAStep) {
  Source source;
  source.inputs = {{"u", SineSource{1.0, 1.0, "-pi/2", 1.0}}};
  source.binaries = {{"z", 0.0}, {"off", 1.0}};
  source.equations = {"off = 1 - z"};
  source.constraints = {"(u - 1.5)*(1 - 2*z) <= 0"};
  source.experiment = {.stop = 3.0, .rtol = 1e-8, .atol = 1e-8};
  const std::vector<double> times = event_times(test::run(source));
  ASSERT_EQ(times.size(), 6U);
  for (std::size_t k = 0; k < 6; ++k) {
    const std::size_t period = k / 2;
    EXPECT_NEAR(times[k], static_cast<double>(period) + (k % 2 == 0 ? 1.0 : 2.0) / 3.0, 1e-12);
  }
}

/// Danger: a second row for the same boundary is a second event, or a second flip.
TEST(Crossings, DuplicatesOfAConstraintChangeNothing) {
  Source source = ramp("w^2 - (x - 5)^2");
  source.parameters.push_back({"w", 0.25});
  const Trajectory single = test::run(source);
  source.constraints.push_back(source.constraints[0]);
  source.constraints.emplace_back("(w^2 - (x - 5)^2)*(3 - 6*z) <= 0");
  const Trajectory triple = test::run(source);
  ASSERT_EQ(event_times(single).size(), 2U);
  ASSERT_EQ(event_times(triple).size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(event_times(triple)[k], event_times(single)[k], 1e-12);
  EXPECT_EQ(triple.events[0].constraints.size(), 3U);
}

/// Danger: watching changes what is watched.
TEST(Crossings, APassiveConstraintDoesNotChangeTheTrajectory) {
  Source source;
  source.states = {{"x1", 1.0}, {"x2", 0.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x1) = x2", "der(x2) = -x1 - z"};
  source.constraints = {"(x1 + 0.3)*(2*z - 1) <= 0"};
  source.experiment = {.stop = 20.0, .rtol = 1e-6, .atol = 1e-6, .output_interval = Number(0.1)};
  const Trajectory alone = test::run(source);
  source.constraints.emplace_back("x1*x1 + x2*x2 - 10 <= 0");
  source.constraints.emplace_back("x1 - 9 <= 0");
  source.constraints.emplace_back("der(x2) - 5 <= 0");
  Trajectory watched = test::run(source);
  ASSERT_GT(event_times(alone).size(), 2U);
  // The copies of x1 and x2 for the squares are signals of their own, so equality is to the integrator's
  // accuracy there and to the last bit without them.
  ASSERT_EQ(event_times(alone).size(), event_times(watched).size());
  source.constraints.erase(source.constraints.begin() + 1);
  watched = test::run(source);
  test::expect_identical(alone, watched);
}

}  // namespace crossings_test
}  // namespace mti
