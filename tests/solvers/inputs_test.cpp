#include <gtest/gtest.h>

#include <cmath>

#include "tests/solvers/simulation/run_queries.hpp"

/// Inputs in a run: breakpoints as stop times, events at them, stop time and output times.
namespace mti {
namespace inputs_test {

using test::event_times;
using test::events_text;

Source integrator_of(const TableSource& table, double stop) {
  Source source;
  source.inputs = {{"u", table}};
  source.states = {{"x", 0.0}};
  source.equations = {"der(x) = u"};
  source.experiment = {.stop = stop, .rtol = 1e-8, .atol = 1e-8};
  return source;
}

/// Danger: a step across a jump smears it; a pulse between two steps is not seen at all. ∫u over the pulses.
TEST(Inputs, IntegrationStopsAtBreakpoints) {
  const Source source = integrator_of(
      {{0.0, 100.0, 100.001, 500.0, 500.5}, {0.0, 1000.0, 0.0, 2.0, 0.0}, Interpolation::previous}, 1000.0);
  const Trajectory trajectory = test::run(source);
  // On each piece x is affine in t, so what is left are roundings and the tolerance at a few steps.
  EXPECT_NEAR(test::last(trajectory, "x"), 1000.0 * 0.001 + 2.0 * 0.5, 1e-6);
  EXPECT_NEAR(test::recorded(trajectory, "x", 100.0), 0.0, 1e-9);
  EXPECT_TRUE(trajectory.events.empty()) << "a breakpoint that changes no mode is no event";
}

/// x = t²/2 up to 3, then the jump to 0 and the ramp down to −2.
TEST(Inputs, LinearPiecesJumpsAndHeldEnds) {
  const Source source = integrator_of({{1.0, 3.0, 3.0, 5.0}, {1.0, 3.0, 0.0, -2.0}}, 8.0);
  const Trajectory trajectory = test::run(source);
  const double accuracy = 1e-6;
  EXPECT_NEAR(test::recorded(trajectory, "x", 1.008), 1.0 + (1.008 * 1.008 - 1.0) / 2.0, accuracy);
  EXPECT_NEAR(test::recorded(trajectory, "x", 5.008), 1.0 + 4.0 - 2.0 - 2.0 * 0.008, accuracy);
  EXPECT_NEAR(test::last(trajectory, "x"), 1.0 + 4.0 - 2.0 - 6.0, accuracy);
}

/// z = [u ≥ limit] with a table u.
Source threshold(const TableSource& table, double limit) {
  Source source;
  source.parameters = {{"limit", limit}};
  source.inputs = {{"u", table}};
  source.states = {{"x", 0.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x) = z"};
  source.constraints = {"(u - limit)*(1 - 2*z) <= 0"};
  source.experiment = {.stop = 10.0, .rtol = 1e-8, .atol = 1e-8};
  return source;
}

/// Danger: rows of inputs alone are not among what the integrator sees.
TEST(Inputs, ConstraintOnAnInputAlone) {
  const Source source = threshold({{0.0, 8.0}, {0.0, 4.0}}, 1.0);
  const Trajectory trajectory = test::run(source);
  ASSERT_EQ(event_times(trajectory).size(), 1U);
  EXPECT_NEAR(event_times(trajectory)[0], 2.0, 1e-12);
  EXPECT_NEAR(test::last(trajectory, "x"), 8.0, 1e-7);
}

/// Danger: a jump over the boundary has no crossing to be located.
TEST(Inputs, AJumpOverTheBoundarySwitchesAtTheBreakpoint) {
  const Source source = threshold({{0.0, 3.0, 3.0, 6.0}, {0.0, 0.5, 2.0, 2.0}}, 1.0);
  const Model model = build(source);
  const Trajectory trajectory = simulate(model);
  EXPECT_EQ(events_text(trajectory, model), "input c1 | z:0>1\n");
  EXPECT_EQ(trajectory.events.at(0).time, 3.0);
  test::expect_well_formed(trajectory);
}

/// Danger: at a kink that just reaches the boundary the left slope decides. Here the slope to the right
/// turns back: no event; the negative control goes on.
TEST(Inputs, TheSlopeToTheRightDecidesAtAKink) {
  const Trajectory back = test::run(threshold({{0.0, 2.0, 4.0}, {0.0, 1.0, 0.0}}, 1.0));
  EXPECT_TRUE(back.events.empty());
  EXPECT_EQ(back.outcome.kind, OutcomeKind::reached_stop);
  const Trajectory rest = test::run(threshold({{0.0, 2.0, 4.0}, {0.0, 1.0, 1.0}}, 1.0));
  EXPECT_TRUE(rest.events.empty()) << "zero and staying is inside";
  const Trajectory on = test::run(threshold({{0.0, 2.0, 4.0}, {0.0, 1.0, 3.0}}, 1.0));
  ASSERT_EQ(event_times(on).size(), 1U);
  EXPECT_EQ(event_times(on)[0], 2.0);
}

/// Danger: a crossing and a breakpoint at one instant are two events.
TEST(Inputs, ACrossingAtABreakpointIsOneEvent) {
  Source source = threshold({{0.0, 2.0, 2.0}, {0.0, 0.0, 5.0}}, 1.0);
  source.states.push_back({"w", 0.0});
  source.binaries.push_back({"late", 0.0});
  source.equations.emplace_back("der(w) = 1");
  source.constraints.emplace_back("(w - 2)*(1 - 2*late) <= 0");
  const Model model = build(source);
  const Trajectory trajectory = simulate(model);
  EXPECT_EQ(events_text(trajectory, model), "input c1 c2 | z:0>1 late:0>1\n");
  test::expect_well_formed(trajectory);
}

/// Danger: what happens at the stop time is lost, or reported before an output row of the same time.
TEST(Inputs, ACrossingAtTheStopTimeIsAnEvent) {
  Source source;
  source.states = {{"x", 0.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x) = 1"};
  source.constraints = {"(x - 4)*(1 - 2*z) <= 0"};
  source.experiment = {.stop = 4.0, .rtol = 1e-8, .atol = 1e-8, .output_interval = Number(0.5)};
  const Trajectory trajectory = test::run(source);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  ASSERT_EQ(event_times(trajectory).size(), 1U);
  EXPECT_NEAR(event_times(trajectory)[0], 4.0, 1e-7);
  EXPECT_EQ(test::last(trajectory, "z"), 1.0);
  EXPECT_NEAR(trajectory.time(trajectory.size() - 1), 4.0, 1e-7);
  test::expect_well_formed(trajectory);
  // Negative control: the boundary a little further is not met.
  source.constraints = {"(x - 4.0001)*(1 - 2*z) <= 0"};
  EXPECT_TRUE(test::run(source).events.empty());
}

/// Danger: one instant is written as an output time and as an event.
TEST(Inputs, OutputTimesThatCoincideWithEventsAreWrittenOnce) {
  for (const double limit : {0.3, 0.7, 1.1, 2.9}) {  // multiples of 0.1 that round to either side
    Source source;
    source.parameters = {{"limit", limit}};
    source.states = {{"x", 0.0}};
    source.binaries = {{"z", 0.0}};
    source.equations = {"der(x) = 1"};
    source.constraints = {"(x - limit)*(1 - 2*z) <= 0"};
    source.experiment = {.stop = 4.0, .rtol = 1e-10, .atol = 1e-10, .output_interval = Number(0.1)};
    const Trajectory trajectory = test::run(source);
    ASSERT_EQ(event_times(trajectory).size(), 1U);
    EXPECT_EQ(trajectory.size(), 40U + 2U) << "41 output times, one of them with an event";
    test::expect_well_formed(trajectory);
  }
}

TEST(Inputs, OutputTimesAreEvenAndHoldBothEnds) {
  Source source = integrator_of({{0.0}, {1.0}}, 1.0);
  source.experiment.output_interval = Number(0.3);
  const Trajectory trajectory = test::run(source);
  const std::vector<double> expected{0.0, 0.3, 0.6, 0.9, 1.0};
  ASSERT_EQ(trajectory.size(), expected.size());
  for (std::size_t row = 0; row < expected.size(); ++row) {
    EXPECT_NEAR(trajectory.time(row), expected[row], 1e-15);
    EXPECT_NEAR(trajectory.value(row, 0), expected[row], 1e-8);
  }
}

TEST(Inputs, ARunOfNoLengthHasItsStart) {
  Source source = integrator_of({{0.0}, {1.0}}, 0.0);
  const Trajectory trajectory = test::run(source);
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop);
  ASSERT_EQ(trajectory.size(), 1U);
  EXPECT_EQ(trajectory.value(0, 0), 0.0);
}

/// Danger: a binary input is an ordinary input and enters the integrator with its pieces.
/// Where a run begins nothing happens, be it that roundings put it one number before a tick or a step.
TEST(Inputs, WhatRoundingsPutBehindTheStartIsAtTheStart) {
  for (const double T : {0.1, 0.7, 1.0 / 3.0, 1.0 / 7.0, 0.3})
    for (int j = 1; j < 13; ++j)
      for (const double start : {j * T, std::nextafter(j * T, 0.0)}) {
        Source source;
        source.states = {{"n"}, {"m"}};
        source.clocks = {{.name = "k", .period = T}};
        source.inputs = {
            {.name = "u",
             .form = TableSource{
                 .time = {0.0, j * T}, .value = {0.0, 1.0}, .interpolation = Interpolation::previous}}};
        source.equations = {"next(n) = n + 1", "der(m) = 0"};
        source.whens = {{.condition = "u > 0.5", .set = {{"m", "m + 1"}}}};
        source.experiment = {.start = start, .stop = (j + 2.5) * T};
        const Trajectory run = test::run(source);
        EXPECT_EQ(test::recorded(run, "n", (j + 2.5) * T), 2.0) << T << ' ' << j;
        EXPECT_EQ(test::recorded(run, "m", (j + 2.5) * T), 0.0) << T << ' ' << j;
      }
}

TEST(Inputs, ABinaryInputIsPartOfTheMode) {
  Source source;
  source.inputs = {{"engaged", TableSource{{0.0, 5.0, 7.0}, {0.0, 1.0, 0.0}}, "", 1.0, true}};
  source.states = {{"x", 0.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x) = engaged", "z = engaged"};
  source.experiment = {.stop = 10.0, .rtol = 1e-8, .atol = 1e-8, .output_interval = Number(1.0)};
  const Model model = build(source);
  const Trajectory trajectory = simulate(model);
  EXPECT_EQ(events_text(trajectory, model), "input | z:0>1 engaged:0>1\ninput | z:1>0 engaged:1>0\n");
  EXPECT_NEAR(test::last(trajectory, "x"), 2.0, 1e-7);
  EXPECT_EQ(test::recorded(trajectory, "z", 6.0), 1.0);
  test::expect_well_formed(trajectory);
}

/// A binary input alone changes the mode, so it is an event even where no binary follows it.
TEST(Inputs, ABinaryInputAloneIsAnEvent) {
  Source source;
  source.inputs = {{"engaged", TableSource{{0.0, 5.0, 6.0, 7.0}, {0.0, 1.0, 1.0, 0.0}}, "", 1.0, true}};
  source.states = {{"x", 0.0}};
  source.equations = {"der(x) = engaged"};
  source.experiment = {.stop = 10.0, .rtol = 1e-8, .atol = 1e-8};
  const Model model = build(source);
  const Trajectory trajectory = simulate(model);
  EXPECT_EQ(events_text(trajectory, model), "input | engaged:0>1\ninput | engaged:1>0\n");
  EXPECT_NEAR(test::last(trajectory, "x"), 2.0, 1e-7);
}

}  // namespace inputs_test
}  // namespace mti
