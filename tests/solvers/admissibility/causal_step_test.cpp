#include <gtest/gtest.h>

#include "mti/common/at.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

/// Instants that memory makes a sequence of: what trips, latches and comes back has no simultaneous solution.
namespace mti {
namespace causal_step_test {

using test::changes_text;
using test::event_times;

constexpr double rtol = 1e-8;
/// What an event's time may be off: rates are about 1, errors of a few steps add up.
constexpr double time_tolerance = 1e-6;

Source with_binaries(std::initializer_list<const char*> names) {
  Source source;
  for (const char* name : names) source.binaries.push_back({name, 0.0});
  source.experiment = {.stop = 5.0, .rtol = rtol, .atol = rtol};
  return source;
}

std::vector<std::string> steps_of(const Event& event, const Model& model) {
  std::vector<std::string> texts;
  for (const std::vector<Change>& step : event.steps) texts.push_back(changes_text(step, model));
  return texts;
}

/// q = s or (pre(q) and not r) turns x back at ±½: a triangle wave of period 2 from x = 0.
Source relay() {
  Source source = with_binaries({"s", "r", "q"});
  source.states = {{"x", 0.0}};
  source.equations = {"der(x) = 1 - 2*q", "q - s - pre(q)*(1 - r) + s*pre(q)*(1 - r) = 0"};
  source.constraints = {"(1 - 2*s)*(x - 0.5) <= 0", "(1 - 2*r)*(-0.5 - x) <= 0"};
  return source;
}

/// Danger: the motion slides on x = ½, where with pre(q) = 1 the side q = 0 has no solution.
TEST(CausalStep, ARelayWithMemoryOscillates) {
  const Model model = build(relay());
  const Trajectory trajectory = simulate(model);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  const std::vector<double> times = event_times(trajectory);
  ASSERT_EQ(times.size(), 5U);
  for (std::size_t i = 0; i < times.size(); ++i)
    EXPECT_NEAR(times[i], 0.5 + static_cast<double>(i), time_tolerance);
  EXPECT_NEAR(test::last(trajectory, "x"), 0.0, time_tolerance);
  ASSERT_FALSE(trajectory.events.empty());
  EXPECT_EQ(steps_of(trajectory.events[0], model), (std::vector<std::string>{"s:0>1 q:0>1", "s:1>0"}));
  EXPECT_EQ(changes_text(trajectory.events[0].changed, model), "q:0>1");
  test::expect_well_formed(trajectory);
}

/// i' = 1 − o until i = 1; then o = s or pre(o) cuts it off, i = exp(−10 (t − 1)), and s goes off.
TEST(CausalStep, AnOvercurrentTripStaysTripped) {
  Source source = with_binaries({"s", "o"});
  source.states = {{"i", 0.0}};
  source.equations = {"der(i) = (1 - o) - 10*o*i", "o - s - pre(o) + s*pre(o) = 0"};
  source.constraints = {"(1 - 2*s)*(i - 1) <= 0"};
  source.experiment.stop = 2.0;
  const Model model = build(source);
  const Trajectory trajectory = simulate(model);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  ASSERT_EQ(event_times(trajectory).size(), 1U);
  EXPECT_NEAR(event_times(trajectory)[0], 1.0, time_tolerance);
  EXPECT_EQ(steps_of(trajectory.events.back(), model), (std::vector<std::string>{"s:0>1 o:0>1", "s:1>0"}));
  EXPECT_NEAR(test::last(trajectory, "i"), std::exp(-10.0), 1e-7);
  EXPECT_EQ(test::last(trajectory, "o"), 1.0);
}

/// The same with an algebraic current: i = u (1 − o).
TEST(CausalStep, AnAlgebraicCurrentTripsAsWell) {
  Source source = with_binaries({"s", "o"});
  source.inputs = {{"u", TableSource{{0.0, 5.0}, {0.0, 5.0}}}};
  source.states = {{"charge", 0.0}};
  source.algebraic = {{"i", 0.0}};
  source.equations = {"der(charge) = i", "i = u*(1 - o)", "o - s - pre(o) + s*pre(o) = 0"};
  source.constraints = {"(1 - 2*s)*(i - 2) <= 0"};
  const Trajectory trajectory = test::run(source);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_NEAR(test::last(trajectory, "charge"), 2.0, 1e-5);
  EXPECT_EQ(test::last(trajectory, "s"), 0.0);
}

/// A latch that is told by constraints, s (1 − o) ≤ 0 and pre(o) ≤ o, follows s like one of an equation.
TEST(CausalStep, ALatchOfConstraintsFollows) {
  Source source = with_binaries({"s", "o"});
  source.states = {{"i", 0.0}};
  source.equations = {"der(i) = (1 - o) - 10*o*i"};
  source.constraints = {"(1 - 2*s)*(i - 1) <= 0", "s*(1 - o) <= 0", "pre(o) - o <= 0"};
  source.experiment.stop = 2.0;
  const Model model = build(source);
  const Trajectory trajectory = simulate(model);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_EQ(steps_of(trajectory.events.back(), model), (std::vector<std::string>{"s:0>1 o:0>1", "s:1>0"}));
  EXPECT_NEAR(test::last(trajectory, "i"), std::exp(-10.0), 1e-7);
}

/// x slides on 0 with s = ½; the latch that s feeds has been set when it came there, and y shows it.
TEST(CausalStep, AThresholdThatSlidesSetsItsLatch) {
  Source source = with_binaries({"s", "o"});
  source.states = {{"x", -1.0}, {"y", 0.0}};
  source.equations = {"der(x) = 1 - 2*s", "der(y) = o", "o - s - pre(o) + s*pre(o) = 0"};
  source.constraints = {"(1 - 2*s)*x <= 0"};
  source.experiment.stop = 3.0;
  const Model model = build(source);
  const Trajectory trajectory = simulate(model);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_NEAR(test::last(trajectory, "x"), 0.0, 1e-7);
  EXPECT_NEAR(test::last(trajectory, "s"), 0.5, 1e-6);
  EXPECT_EQ(test::last(trajectory, "o"), 1.0);
  EXPECT_NEAR(test::last(trajectory, "y"), 2.0, time_tolerance);
}

/// Two trips in a chain: the first hands its load to the second, i2 = 1.5 > 1.2.
TEST(CausalStep, OneTripOverloadsTheNext) {
  Source source = with_binaries({"s1", "s2", "o1", "o2"});
  source.inputs = {{"u", TableSource{{0.0, 5.0}, {0.0, 5.0}}}};
  source.states = {{"w", 0.0}};
  source.algebraic = {{"i1", 0.0}, {"i2", 0.0}};
  source.equations = {"der(w) = i1 + i2", "i1 = u*(1 - o1)*(1 - o2) + 0.5*u*o2*(1 - o1)",
                      "i2 = 0.5*u*(1 - o2) + u*o1*(1 - o2)", "o1 - s1 - pre(o1) + s1*pre(o1) = 0",
                      "o2 - s2 - pre(o2) + s2*pre(o2) = 0"};
  source.constraints = {"(1 - 2*s1)*(i1 - 1) <= 0", "(1 - 2*s2)*(i2 - 1.2) <= 0"};
  const Model model = build(source);
  const Trajectory trajectory = simulate(model);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  ASSERT_EQ(event_times(trajectory).size(), 1U);
  EXPECT_NEAR(event_times(trajectory)[0], 1.0, time_tolerance);
  EXPECT_EQ(steps_of(trajectory.events.back(), model),
            (std::vector<std::string>{"s1:0>1 o1:0>1", "s1:1>0 s2:0>1 o2:0>1", "s2:1>0"}));
  EXPECT_NEAR(test::last(trajectory, "w"), 0.5 + 0.25, 1e-5);  // ∫₀¹ 3t/2 dt
}

/// A flip-flop of two nor gates with memory, q = nor(r, pre(p)), p = nor(s, pre(q)): set and reset.
TEST(CausalStep, AFlipFlopOfNorGates) {
  Source source = with_binaries({"s", "r", "q", "p"});
  source.states = {{"x", 0.0}};
  source.binaries.back().start = 1.0;
  source.equations = {"der(x) = 1 - 2*q", "q = (1 - r)*(1 - pre(p))", "p = (1 - s)*(1 - pre(q))"};
  source.constraints = {"(1 - 2*s)*(x - 0.5) <= 0", "(1 - 2*r)*(-0.5 - x) <= 0"};
  const Trajectory trajectory = test::run(source);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_NEAR(test::last(trajectory, "x"), 0.0, time_tolerance);
  EXPECT_EQ(event_times(trajectory).size(), 5U);
}

/// A buzzer: q = s or (pre(q) and not r) cuts off the current i = x (1 − q), s = [i ≥ 1], r = [i ≤ ½].
/// Nothing settles, a relay with memory does not slide, and the run says what goes round.
TEST(CausalStep, ALoopNamesItsCycle) {
  Source source = with_binaries({"s", "r", "q"});
  source.binaries[1].start = 1.0;
  source.states = {{"x", 0.0}};
  source.algebraic = {{"i", 0.0}};
  source.equations = {"der(x) = 1", "i = x*(1 - q)", "q - s - pre(q)*(1 - r) + s*pre(q)*(1 - r) = 0"};
  source.constraints = {"(1 - 2*s)*(i - 1) <= 0", "(1 - 2*r)*(0.5 - i) <= 0"};
  const Trajectory trajectory = test::run(source);
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::cycle);
  EXPECT_NEAR(trajectory.outcome.end_time, 1.0, time_tolerance);
  for (const char* part : {"s: 0 > 1", "s: 1 > 0", "r: 0 > 1", "r: 1 > 0", "q: 0 > 1", "q: 1 > 0"})
    EXPECT_NE(trajectory.outcome.message.find(part), std::string::npos) << trajectory.outcome.message;
}

/// Negative control: without memory nothing makes a sequence of a contradiction.
TEST(CausalStep, WithoutMemoryADeadEndStaysOne) {
  Source source = with_binaries({"s"});
  source.states = {{"x", 0.0}};
  source.equations = {"der(x) = 1 - 2*s"};
  source.constraints = {"(1 - 2*s)*(x - 0.5) <= 0"};
  SimulationOptions options;
  options.sliding = false;
  EXPECT_EQ(test::run(source, options).outcome.kind, OutcomeKind::dead_end);
}

/// Danger: memory that has nothing to do with what is triggered takes part in the decision.
TEST(CausalStep, MemoryElsewhereDoesNotCount) {
  Source source = with_binaries({"s", "t", "o"});
  source.states = {{"x", 0.0}, {"w", -9.0}};
  source.equations = {"der(x) = 1 - 2*s", "der(w) = 0", "o - t - pre(o) + t*pre(o) = 0"};
  source.constraints = {"(1 - 2*s)*(x - 0.5) <= 0", "(1 - 2*t)*w <= 0"};
  SimulationOptions options;
  options.sliding = false;
  EXPECT_EQ(test::run(source, options).outcome.kind, OutcomeKind::dead_end);
  const Trajectory sliding = test::run(source);
  EXPECT_EQ(sliding.outcome.kind, OutcomeKind::reached_stop);
  EXPECT_NEAR(test::last(sliding, "x"), 0.5, 1e-7);
  EXPECT_EQ(test::last(sliding, "o"), 0.0);
}

/// b_{i+1} = pre(b_i): one event, as many steps as there are dominoes.
TEST(CausalStep, DominoesFallInOneEvent) {
  constexpr int dominoes = 1200;
  Source source = with_binaries({"s"});
  source.states = {{"x", -1.0}};
  source.equations = {"der(x) = 1"};
  std::string last = "s";
  for (int i = 1; i <= dominoes; ++i) {
    const std::string name = "b" + std::to_string(i);
    source.binaries.push_back({name, 0.0});
    source.equations.emplace_back(name + " = pre(" + last + ")");
    last = name;
  }
  source.constraints = {"(1 - 2*s)*x <= 0"};
  source.experiment.stop = 2.0;
  const Trajectory trajectory = test::run(source);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  ASSERT_EQ(event_times(trajectory).size(), 1U);
  EXPECT_EQ(trajectory.events.back().steps.size(), at(dominoes) + 1);
  EXPECT_EQ(test::last(trajectory, last), 1.0);
}

/// The same of constraints, which make deciders of the dominoes.
TEST(CausalStep, DominoesOfConstraintsFallAsWell) {
  constexpr int dominoes = 200;
  Source source = with_binaries({"s"});
  source.states = {{"x", -1.0}};
  source.equations = {"der(x) = 1"};
  source.constraints = {"(1 - 2*s)*x <= 0"};
  std::string last = "s";
  for (int i = 1; i <= dominoes; ++i) {
    const std::string name = "b" + std::to_string(i);
    source.binaries.push_back({name, 0.0});
    source.constraints.emplace_back("pre(" + last + ")*(1 - " + name + ") <= 0");
    source.constraints.emplace_back("pre(" + name + ") - " + name + " <= 0");
    last = name;
  }
  source.experiment.stop = 2.0;
  const Trajectory trajectory = test::run(source);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  ASSERT_EQ(event_times(trajectory).size(), 1U);
  EXPECT_EQ(test::last(trajectory, last), 1.0);
}

/// At the start: the current is at its limit and rising, the trip opens at t = 0.
TEST(CausalStep, TheStartIsAnInstantLikeAnyOther) {
  Source source = with_binaries({"s", "o"});
  source.states = {{"i", 1.0}};
  source.equations = {"der(i) = (1 - o) - 10*o*i", "o - s - pre(o) + s*pre(o) = 0"};
  source.constraints = {"(1 - 2*s)*(i - 1) <= 0"};
  source.experiment.stop = 1.0;
  const Trajectory trajectory = test::run(source);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_NEAR(test::last(trajectory, "i"), std::exp(-10.0), 1e-7);
  EXPECT_EQ(test::last(trajectory, "o"), 1.0);
  EXPECT_EQ(test::last(trajectory, "s"), 0.0);
}

}  // namespace causal_step_test
}  // namespace mti
