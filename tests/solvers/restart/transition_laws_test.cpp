// Transition laws with closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace transition_laws_test {

Source ball(double restitution) {
  Source source;
  source.parameters = {{"g", 9.81}, {"e", restitution}};
  source.states = {{"h", 1.0}, {"v", 0.0}};
  source.equations = {"der(h) = v", "der(v) = -g"};
  source.constraints = {{"floor", "-h <= 0"}};
  source.transitions = {{"reach(floor)", {}, {"v = -e*pre(v)"}}};
  source.experiment = {.stop = 2.0};
  return source;
}

struct ModelRun {
  explicit ModelRun(const Source& source, double tolerance = 1e-9)
      : model(build(source)), trajectory(simulate(model, test::with_accuracy(tolerance))) {}
  [[nodiscard]] bool names(const std::string& text) const {
    return trajectory.outcome.message.find(text) != std::string::npos;
  }
  Model model;
  Trajectory trajectory;
};

TEST(TransitionLaws, ABallBounces) {
  const ModelRun run(ball(0.8));
  const double fall = std::sqrt(2.0 / 9.81);
  ASSERT_EQ(run.trajectory.outcome.kind, OutcomeKind::reached_stop);
  ASSERT_EQ(run.trajectory.events.size(), 3U);
  const double times[] = {fall, 2.6 * fall, 3.88 * fall};  // 1 + 2·0.8, + 2·0.64
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(run.trajectory.events[i].time, times[i], 1e-7);
}

/// x + y reaches 0 at t = 1, where the law leaves it at 0.5: the switch answers, and no second law does.
TEST(TransitionLaws, AreAppliedOnceWhereAnotherModeAnswers) {
  for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
    Source source;
    source.states = {{"x", 0.0}, {"y", -1.0}};
    source.binaries = {{"z", 0.0}};
    source.equations = {"der(x) = 1", "der(y) = 0"};
    source.constraints = {{"up", "(1 - z)*(x + y) <= 0"}};
    source.transitions = {{"reach(up)", {}, {"y = 0.5*pre(y)"}}};
    source.experiment = {.stop = 1.2};
    const ModelRun run(source, tolerance);
    ASSERT_EQ(run.trajectory.outcome.kind, OutcomeKind::reached_stop) << run.trajectory.outcome.message;
    ASSERT_EQ(run.trajectory.events.size(), 1U);
    EXPECT_EQ(test::last(run.trajectory, "y"), -0.5);
    EXPECT_EQ(test::last(run.trajectory, "z"), 1.0);
  }
}

/// The logic behind the law takes a step that leads nowhere, which is taken back: the law has been applied before it.
TEST(TransitionLaws, AreNotRepeatedWhereAStepOfMemoryIsTakenBack) {
  Source source;
  source.states = {{"x", 0.0}, {"n", 0.0}};
  source.binaries = {{"z", 0.0}, {"w", 0.0}, {"o", 0.0}};
  source.algebraic = {{"ya", 0.0}};
  source.equations = {"der(x) = (1 - 2*o)*(1 - w) + w", "der(n) = 0", "o = z + (1 - z)*pre(o)",
                      "ya = o*(1 - w) + pre(o)*w*(1 - pre(w))"};
  source.constraints = {{"up", "(1 - 2*z)*(x - 1) <= 0"}, {"blk", "ya <= 0"}};
  source.transitions = {{"reach(up)", {}, {"n = pre(n) + 1"}}};
  source.experiment = {.stop = 1.5};
  const ModelRun run(source);
  ASSERT_EQ(run.trajectory.outcome.kind, OutcomeKind::reached_stop) << run.trajectory.outcome.message;
  EXPECT_EQ(test::last(run.trajectory, "n"), 1.0);
}

/// A slug leaves with each filling: level' = 1 up to 1, then on with 1.5 as long as it is open, −1, down to 0.
TEST(TransitionLaws, TurnAMotionThatItsModeTakesUp) {
  Source source;
  source.states = {{"level", 0.0}};
  source.binaries = {{"open", 0.0}};
  source.equations = {"der(level) = 1 - 2*open"};
  source.constraints = {{"full", "(1 - open)*(level - 1) <= 0"}, {"empty", "-open*level <= 0"}};
  source.transitions = {{"reach(full)", {}, {"level = pre(level) + 0.5"}}};
  source.experiment = {.stop = 6.0};
  const ModelRun run(source);
  ASSERT_EQ(run.trajectory.outcome.kind, OutcomeKind::reached_stop) << run.trajectory.outcome.message;
  const std::vector<double> times = test::event_times(run.trajectory), expected{1.0, 2.5, 3.5, 5.0, 6.0};
  ASSERT_EQ(times.size(), expected.size());
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], expected[i], 1e-8);
}

TEST(TransitionLaws, ThirdImpactAndKinds) {
  const ModelRun run(ball(0.5));
  const double fall = std::sqrt(2.0 / 9.81);
  double time = fall, part = 1.0;
  for (const Event& event : run.trajectory.events) {
    EXPECT_EQ(event.kind, EventKind::law);
    ASSERT_EQ(event.jumps.size(), 1U);
    EXPECT_NEAR(event.jumps[0].after, -0.5 * event.jumps[0].before, 1e-13);
    if (part > 1e-3) {
      EXPECT_NEAR(event.time, time, 1e-6);
    }
    part *= 0.5;
    time += 2.0 * part * fall;
  }
  EXPECT_EQ(run.trajectory.outcome.kind, OutcomeKind::zeno) << "nothing says how it rests";
  EXPECT_NEAR(run.trajectory.outcome.end_time, 3.0 * fall, 1e-5);
}

// A start on the floor, falling, is an impact at the start.
TEST(TransitionLaws, AreDueAtTheStart) {
  Source source = ball(0.5);
  source.states = {{"h", 0.0}, {"v", -2.0}};
  source.experiment.stop = 0.1;
  const ModelRun run(source);
  ASSERT_EQ(run.trajectory.outcome.kind, OutcomeKind::reached_stop) << run.trajectory.outcome.message;
  ASSERT_EQ(run.trajectory.events.size(), 1U);
  EXPECT_EQ(run.trajectory.events[0].kind, EventKind::initial);
  EXPECT_NEAR(run.trajectory.events[0].jumps.at(0).after, 1.0, 1e-14);
}

// Two balls reach their floors at one instant: two laws, one event. The same law declared twice counts once.
TEST(TransitionLaws, SeveralAtOneInstantAndTwins) {
  Source source = ball(0.8);
  source.states.push_back({"k", 2.0});
  source.states.push_back({"w", 0.0});
  source.equations.push_back("der(k) = w");
  source.equations.push_back("der(w) = -2*g");
  source.constraints.push_back({"ground", "-k <= 0"});
  source.transitions.push_back({"reach(ground)", {}, {"w = -pre(w)/4"}});
  source.transitions.push_back({"reach(ground)", {}, {"w = -pre(w)/4"}});
  source.experiment.stop = 0.6;
  const ModelRun run(source);
  ASSERT_EQ(run.trajectory.outcome.kind, OutcomeKind::reached_stop) << run.trajectory.outcome.message;
  ASSERT_EQ(run.trajectory.events.size(), 1U);
  const std::vector<Change>& jumps = run.trajectory.events[0].jumps;
  ASSERT_EQ(jumps.size(), 2U);
  EXPECT_NEAR(jumps[0].after, -0.8 * jumps[0].before, 1e-13);
  EXPECT_NEAR(jumps[1].after, -0.25 * jumps[1].before, 1e-13);
}

// Three equal balls in a row, the first hits the second that touches the third: elastic impacts pass the
// velocity on, both at one instant.
TEST(TransitionLaws, AnImpactThatCausesTheNext) {
  Source source;
  source.states = {{"x1", 0.0}, {"x2", 1.0}, {"x3", 1.0}, {"v1", 2.0}, {"v2", 0.0}, {"v3", 0.0}};
  source.algebraic = {{"F12", 0.0}, {"F23", 0.0}};
  source.equations = {"der(x1) = v1",        "der(x2) = v2",  "der(x3) = v3",        "der(v1) = -F12",
                      "der(v2) = F12 - F23", "der(v3) = F23", {"free12", "F12 = 0"}, {"free23", "F23 = 0"}};
  source.constraints = {{"gap12", "x1 - x2 <= 0"}, {"gap23", "x2 - x3 <= 0"}};
  source.transitions = {{"reach(gap12)", {"free12"}, {"v2 - v1 = pre(v1) - pre(v2)"}},
                        {"reach(gap23)", {"free23"}, {"v3 - v2 = pre(v2) - pre(v3)"}}};
  source.experiment = {.stop = 1.0};
  const ModelRun run(source);
  ASSERT_EQ(run.trajectory.outcome.kind, OutcomeKind::reached_stop) << run.trajectory.outcome.message;
  ASSERT_EQ(run.trajectory.events.size(), 1U);
  EXPECT_NEAR(run.trajectory.events[0].time, 0.5, 1e-8);
  EXPECT_NEAR(test::recorded(run.trajectory, "v1", 1.0), 0.0, 1e-12);
  EXPECT_NEAR(test::recorded(run.trajectory, "v2", 1.0), 0.0, 1e-12);
  EXPECT_NEAR(test::recorded(run.trajectory, "v3", 1.0), 2.0, 1e-12);
}

/// Two laws of one instant, the second one by what the first one has done. At n = 3 the mode of w = |n − ½| is another one, so
/// that pre(w) is neither the left limit 0.5 nor 2.5; the state n itself is what the first law has left.
TEST(TransitionLaws, OfOneInstantTakeNoValueOfAModeThatIsLeft) {
  const auto run = [](const std::string& value) {
    Source source;
    source.states = {{"x"}, {"n"}, {"k"}, {"y"}};
    source.algebraic = {{.name = "w"}};
    source.equations = {"der(x) = 1", "der(n) = 0", "der(k) = 0", "der(y) = 0", "w = abs(n - 0.5)"};
    source.constraints = {{"a", "x <= 1"}, {"b", "n*(1 - k) <= 1"}};
    source.transitions = {{"reach(a)", {}, {"x = 0", "n = 3"}}, {"reach(b)", {}, {"k = 1", "y = " + value}}};
    source.experiment = {.stop = 1.5, .output_interval = Number(0.1)};
    return ModelRun(source);
  };
  const ModelRun refused = run("pre(w)");
  EXPECT_EQ(refused.trajectory.outcome.kind, OutcomeKind::refused_law);
  EXPECT_NE(refused.trajectory.outcome.message.find("pre(w)"), std::string::npos)
      << refused.trajectory.outcome.message;
  const ModelRun taken = run("pre(n)");
  ASSERT_EQ(taken.trajectory.outcome.kind, OutcomeKind::reached_stop) << taken.trajectory.outcome.message;
  EXPECT_NEAR(test::recorded(taken.trajectory, "y", 1.4), 3.0, 1e-12);
}

// A law on a binary belongs to the restart of the mode: the brake's heat takes up the lost energy's measure.
TEST(TransitionLaws, RiseAndFall) {
  Source source;
  source.states = {{"clock", 0.0}, {"count", 0.0}, {"falls", 0.0}};
  source.inputs = {{"u", SineSource{1.0, 0.5, 0.0, 0.0}}};
  source.binaries = {{"z", 1.0}};
  source.equations = {"der(clock) = 1", "der(count) = 0", "der(falls) = 0"};
  source.constraints = {"(1 - 2*z)*u <= 0"};
  source.transitions = {{"rise(z)", {}, {"count = pre(count) + clock"}},
                        {"fall(z)", {}, {"falls = pre(falls) + 1"}}};
  source.experiment = {.stop = 4.5, .output_interval = Number(0.1)};
  const ModelRun run(source);
  ASSERT_EQ(run.trajectory.outcome.kind, OutcomeKind::reached_stop) << run.trajectory.outcome.message;
  ASSERT_EQ(run.trajectory.events.size(), 4U);  // falls at 1, rises at 2, falls at 3, rises at 4
  EXPECT_EQ(run.trajectory.events[0].kind, EventKind::law);
  EXPECT_NEAR(test::recorded(run.trajectory, "count", 4.4), 2.0 + 4.0, 1e-7);
  EXPECT_NEAR(test::recorded(run.trajectory, "falls", 4.4), 2.0, 1e-12);
}

/// A jump is the difference of two values that are known to rounding: v⁺ − v⁻ = k·v⁻ for any k. Jumps below some 1e-9 of v
/// were refused, or left out.
TEST(TransitionLaws, JumpsMayBeSmall) {
  for (int i = 0; i < 23; ++i) {
    const double k = 1e-2 * std::pow(0.3, i);
    Source source;
    source.states = {{.name = "x"}, {.name = "v", .start = 128.7}};
    source.binaries = {{.name = "z"}};
    source.parameters = {{"k", k}};
    source.equations = {"der(x) = 1", "der(v) = 0"};
    source.constraints = {{"off", "(x - 0.5)*(1 - z) <= 0"}, {"on", "(0.5 - x)*z <= 0"}};
    source.transitions = {{"rise(z)", {}, {"v = pre(v) + k*pre(v)"}}};
    source.experiment = {.stop = 1.0, .rtol = 1e-13, .atol = 1e-13};
    const ModelRun run(source);
    ASSERT_EQ(run.trajectory.outcome.kind, OutcomeKind::reached_stop) << run.trajectory.outcome.message;
    EXPECT_NEAR(test::recorded(run.trajectory, "v", 1.0), 128.7 * (1.0 + k), 128.7 * 4e-16) << k;
  }
}

/// x = sin t passes 1/2 upwards at π/6 + 2πk: n counts that, also where memory changes at the same instant and the law's
/// effect is another binary's cause. The law was forgotten with the step of memory.
TEST(TransitionLaws, AreDueAfterAStepOfMemory) {
  Source source;
  source.states = {{.name = "x"}, {.name = "n"}};
  source.inputs = {
      {.name = "u",
       .form = SineSource{.amplitude = 1.0, .frequency = Number("1/(2*pi)"), .phase = Number("pi/2")}}};
  source.binaries = {{.name = "high"}, {.name = "odd"}, {.name = "many"}};
  source.equations = {"der(x) = u", "der(n) = 0",
                      "odd = high*(1 - pre(high))*(1 - pre(odd)) + (1 - high*(1 - pre(high)))*pre(odd)"};
  source.constraints = {{"up", "(x - 0.5)*(1 - high) <= 0"},
                        {"down", "(0.5 - x)*high <= 0"},
                        {"more", "(n - 1.5)*(1 - many) <= 0"},
                        {"less", "(1.5 - n)*many <= 0"}};
  source.transitions = {{"rise(high)", {}, {"n = pre(n) + 1"}}};
  source.experiment = {.stop = 45.0};
  const ModelRun run(source);
  ASSERT_EQ(run.trajectory.outcome.kind, OutcomeKind::reached_stop) << run.trajectory.outcome.message;
  const double rises =
      std::floor((45.0 - 3.14159265358979323846 / 6.0) / (2.0 * 3.14159265358979323846)) + 1.0;
  EXPECT_NEAR(test::recorded(run.trajectory, "n", 45.0), rises, 1e-9);
  EXPECT_EQ(test::recorded(run.trajectory, "many", 45.0), 1.0);
  EXPECT_EQ(test::recorded(run.trajectory, "odd", 45.0), std::fmod(rises, 2.0));
}

/// The mode that the law leads to is stiff: what integrates it begins anew there, the law does not.
TEST(TransitionLaws, HoldOnceWhateverIntegratesTheMode) {
  Source source;
  source.states = {{.name = "x"}, {.name = "n"}, {.name = "s"}, {.name = "w"}};
  source.inputs = {{.name = "u", .form = SineSource{.amplitude = 1.0, .frequency = 0.1}}};
  source.binaries = {{.name = "z"}};
  source.equations = {"der(x) = 1", "der(n) = 0", "der(s) = z*2000*(u - s)", "der(w) = z*(s*w - w)"};
  source.constraints = {{"off", "(x - 0.5)*(1 - z) <= 0"}, {"on", "(0.5 - x)*z <= 0"}};
  source.transitions = {{"rise(z)", {}, {"n = pre(n) + 1"}}};
  source.experiment = {.stop = 20.0};
  for (const double rtol : {1e-4, 1e-6, 1e-9}) {
    source.experiment.rtol = rtol;
    const ModelRun run(source);
    EXPECT_EQ(test::recorded(run.trajectory, "n", 20.0), 1.0) << rtol;
  }
}

TEST(TransitionLaws, WhatIsLeftOpenIsNamed) {
  Source source = ball(0.5);
  source.equations[1] = {"fall", "der(v) = -g"};
  source.transitions = {{"reach(floor)", {"fall"}, {}}};
  const ModelRun run(source);
  EXPECT_EQ(run.trajectory.outcome.kind, OutcomeKind::refused_law);
  EXPECT_TRUE(run.names("v") && run.names("floor")) << run.trajectory.outcome.message;
}

TEST(TransitionLaws, AContradictionIsNamed) {
  Source source = ball(0.5);
  source.transitions.push_back({"reach(floor)", {"eq1"}, {"v = 1"}});
  const ModelRun run(source);
  EXPECT_EQ(run.trajectory.outcome.kind, OutcomeKind::refused_law) << run.trajectory.outcome.message;
  EXPECT_TRUE(run.names("floor") && run.names("v")) << run.trajectory.outcome.message;
}

}  // namespace transition_laws_test
}  // namespace mti
