#include <gtest/gtest.h>

#include "tests/solvers/simulation/run_queries.hpp"

/// pre(z): latches, toggles, and instants that do not settle.
namespace mti {
namespace memory_test {

using test::events_text;

/// Danger: a latch opens again when the current that tripped it is gone. i = u·(1 − o).
TEST(Memory, ALatchKeepsWhatTrippedIt) {
  Source source;
  source.inputs = {{"u", TableSource{{0.0, 4.0, 8.0}, {0.0, 4.0, 0.0}}}};
  source.states = {{"charge", 0.0}};
  source.algebraic = {{"i", 0.0}};
  source.binaries = {{"o", 0.0}};
  source.equations = {"der(charge) = i", "i = u*(1 - o)"};
  source.constraints = {"(i - 2)*(1 - o) <= 0", "pre(o) - o <= 0"};
  source.experiment = {.stop = 8.0, .rtol = 1e-8, .atol = 1e-8};
  const Model model = build(source);
  const Trajectory trajectory = simulate(model);
  EXPECT_EQ(events_text(trajectory, model), "switch c1 | o:0>1\n");
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_NEAR(trajectory.events.at(0).time, 2.0, 1e-7);
  EXPECT_NEAR(test::last(trajectory, "charge"), 2.0, 1e-6);
  EXPECT_EQ(test::last(trajectory, "o"), 1.0);
}

/// Negative control: without the memory row the breaker would have to be open and closed at once. It then
/// chatters: in the limit o is what keeps the current at its limit, i = u (1 − o) = 2.
TEST(Memory, WithoutMemoryTheCutOffContradictsItself) {
  Source source;
  source.inputs = {{"u", TableSource{{0.0, 4.0}, {0.0, 4.0}}}};
  source.algebraic = {{"i", 0.0}};
  source.binaries = {{"o", 0.0}};
  source.equations = {"i = u*(1 - o)"};
  source.constraints = {"(i - 2)*(1 - 2*o) <= 0"};
  source.experiment = {.stop = 4.0};
  const Model model = build(source);
  const Trajectory refused = simulate(model, {.sliding = false});
  EXPECT_EQ(refused.outcome.kind, OutcomeKind::dead_end);
  EXPECT_NEAR(refused.outcome.end_time, 2.0, 1e-5);
  const Trajectory chattering = simulate(model);
  EXPECT_EQ(chattering.outcome.kind, OutcomeKind::reached_stop) << chattering.outcome.message;
  EXPECT_NEAR(test::last(chattering, "i"), 2.0, 1e-5);
  EXPECT_NEAR(test::last(chattering, "o"), 0.5, 1e-5);
}

/// z flips with every rising edge of the binary input e; s remembers e.
Source toggle() {
  Source source;
  source.inputs = {
      {"e", TableSource{{0.0, 1.0, 2.0, 3.0, 4.0, 5.0}, {0.0, 1.0, 0.0, 1.0, 0.0, 1.0}}, "", 1.0, true}};
  source.states = {{"x", 0.0}};
  source.binaries = {{"z", 0.0}, {"s", 0.0}};
  source.equations = {"der(x) = z", "s = e", "z = pre(z) + e*(1 - pre(s)) - 2*pre(z)*e*(1 - pre(s))"};
  source.experiment = {.stop = 6.0, .rtol = 1e-8, .atol = 1e-8};
  return source;
}

/// Danger: the flip is undone, or repeated, when the problem is posed again with pre(z) := z.
TEST(Memory, AToggleFlipsOncePerEdge) {
  const Model model = build(toggle());
  const Trajectory trajectory = simulate(model);
  EXPECT_EQ(events_text(trajectory, model),
            "input | z:0>1 s:0>1 e:0>1\n"
            "input | s:1>0 e:1>0\n"
            "input | z:1>0 s:0>1 e:0>1\n"
            "input | s:1>0 e:1>0\n"
            "input | z:0>1 s:0>1 e:0>1\n");
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_NEAR(test::last(trajectory, "x"), 2.0 + 1.0, 1e-7);
}

/// Danger: an instant that never settles hangs the run. z + pre(z) = 1 flips for ever.
TEST(Memory, AnInstantThatRepeatsItselfIsACycle) {
  Source source;
  source.states = {{"x", 0.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x) = z", "z + pre(z) = 1"};
  const Trajectory trajectory = test::run(source);
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::cycle);
  EXPECT_NE(trajectory.outcome.message.find("z = "), std::string::npos) << trajectory.outcome.message;
  EXPECT_EQ(trajectory.outcome.end_time, 0.0);
}

/// The same later on, started by an event: results up to it are kept.
TEST(Memory, ACycleLaterKeepsWhatWasComputed) {
  Source source;
  source.states = {{"x", 0.0}};
  source.binaries = {{"on", 0.0}, {"z", 0.0}};
  source.equations = {"der(x) = 1", "z - pre(z) - on*(1 - 2*pre(z)) = 0"};
  source.constraints = {"(x - 2)*(1 - 2*on) <= 0"};
  source.experiment = {.stop = 4.0, .output_interval = Number(0.5)};
  const Trajectory trajectory = test::run(source);
  EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::cycle);
  EXPECT_NEAR(trajectory.outcome.end_time, 2.0, 1e-6);
  EXPECT_NEAR(test::recorded(trajectory, "x", 1.5), 1.5, 1e-6);
}

/// A counter of two bits steps through an instant: b1 follows a, b2 follows what b1 was before. One event,
/// with its steps.
TEST(Memory, StepsOfAnInstantAreOneEvent) {
  Source source;
  source.states = {{"x", 0.0}};
  source.binaries = {{"a", 0.0}, {"b1", 0.0}, {"b2", 0.0}};
  source.equations = {"der(x) = 1", "b1 = pre(a)", "b2 = pre(b1)"};
  source.constraints = {"(x - 2)*(1 - 2*a) <= 0"};
  source.experiment = {.stop = 4.0, .rtol = 1e-8, .atol = 1e-8};
  const Model model = build(source);
  const Trajectory trajectory = simulate(model);
  EXPECT_EQ(events_text(trajectory, model), "switch c1 | a:0>1 b1:0>1 b2:0>1\n");
  ASSERT_EQ(trajectory.events.at(0).steps.size(), 3U);
  EXPECT_EQ(test::changes_text(trajectory.events[0].steps[0], model), "a:0>1");
  EXPECT_EQ(test::changes_text(trajectory.events[0].steps[1], model), "b1:0>1");
  EXPECT_EQ(test::changes_text(trajectory.events[0].steps[2], model), "b2:0>1");
  test::expect_well_formed(trajectory);
}

}  // namespace memory_test
}  // namespace mti
