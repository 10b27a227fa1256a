// "when": states take new values where a condition becomes true. Oracles are closed forms, and laws of constraints that say the
// same.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "mti/components/append.hpp"
#include "mti/derivatives/parameter_derivative.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace whens_test {

double last(const Trajectory& run, const std::string& name) {
  return run.value(run.size() - 1, run.column(name));
}

std::vector<std::string> emitted(const Trajectory& run) {
  std::vector<std::string> all;
  for (const Event& event : run.events) all.insert(all.end(), event.emitted.begin(), event.emitted.end());
  return all;
}

Source ball(double stop) {
  Source source;
  source.parameters = {{"e", 0.8}, {"g", 9.81}};
  source.states = {{"h", 1.0}, {"v"}, {"n"}};
  source.equations = {"der(h) = v", "der(v) = -g", "der(n) = 0"};
  source.whens = {{"h <= 0 and v < 0", {{"v", "-e*v"}, {"n", "n + 1"}}, "bounce"}};
  source.experiment.stop = stop;
  return source;
}

/// t_k = √(2/g)·(1 + 2e + … + 2e^k)
TEST(Whens, BounceABall) {
  const double first = std::sqrt(2.0 / 9.81);
  for (const double tolerance : {1e-4, 1e-6, 1e-9})
    for (const IntegratorChoice integrator : {IntegratorChoice::automatic, IntegratorChoice::ida}) {
      SimulationOptions options = test::with_accuracy(tolerance);
      options.integrator = integrator;
      const Trajectory run = test::run(ball(3.0), options);
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      std::vector<double> times;
      for (const Event& event : run.events)
        if (!event.emitted.empty()) times.push_back(event.time);
      std::vector<double> expected;
      double t = first, part = 0.8;
      while (t < 3.0) {
        expected.push_back(t);
        t += 2.0 * first * part;
        part *= 0.8;
      }
      ASSERT_EQ(times.size(), expected.size());
      for (std::size_t k = 0; k < times.size(); ++k) EXPECT_NEAR(times[k], expected[k], 60.0 * tolerance);
      EXPECT_EQ(last(run, "n"), static_cast<double>(times.size()));
    }
}

TEST(Whens, TakeValuesWithBracketsAroundNames) {
  const std::vector<std::pair<std::string, double>> values = {{"2*(x)", 1.0},
                                                              {"(h) + x", 3.5},
                                                              {"-(x)", -0.5},
                                                              {"h + 7*((x))", 6.5},
                                                              {"(pre(x))*abs((x))", 0.25},
                                                              {"(x)*(x) + (h)", 3.25}};
  for (const auto& [text, expected] : values) {
    Source source;
    source.states = {{"x"}, {"h", 3.0}};
    source.equations = {"der(x) = 1", "der(h) = 0"};
    source.whens = {{"x > 0.5", {{"h", text}}, ""}};
    source.experiment.stop = 1.0;
    const Trajectory run = test::run(source, test::with_accuracy(1e-9));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << text << ": " << run.outcome.message;
    EXPECT_NEAR(last(run, "h"), expected, 1e-7) << text;
  }
}

/// At the limit of its impacts, √(2/g)·(1 + e)/(1 − e), nothing says what is to be.
TEST(Whens, EndAtALimitOfSwitches) {
  const Trajectory run = test::run(ball(10.0), test::with_accuracy(1e-8));
  EXPECT_EQ(run.outcome.kind, OutcomeKind::zeno) << run.outcome.message;
  EXPECT_NEAR(run.outcome.end_time, std::sqrt(2.0 / 9.81) * 9.0, 1e-4);
  EXPECT_NE(run.outcome.message.find("bounce"), std::string::npos);
}

TEST(Whens, AreDifferentiatedAsLawsAre) {
  Source law = ball(2.0);
  law.whens.clear();
  law.constraints = {RelationSource("floor", "-h <= 0")};
  law.transitions = {{"reach(floor)", {}, {"v = -e*pre(v)", "n = pre(n) + 1"}}};
  const std::vector<std::string> by = {"e", "g", "start(h)", "start(v)"};
  std::vector<std::vector<double>> seen;
  for (Source source : {ball(2.0), law}) {
    source.states[1].start = 0.5;  // at 0 the condition v < 0 would have no side
    source.experiment.rtol = source.experiment.atol = 1e-10;
    const DifferentiatedModel differentiated = build_with_derivatives(source, by);
    SimulationOptions options;
    options.sensitivities = differentiated.derivatives;
    const Trajectory run = simulate(differentiated.model, options);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    std::vector<double>& of_one = seen.emplace_back();
    const auto row = run.sensitivities.row(run.size() - 1);
    for (std::size_t i = 0; i < 2 * by.size(); ++i) of_one.push_back(row[i]);  // of h and v
  }
  for (std::size_t i = 0; i < seen[0].size(); ++i)
    EXPECT_NEAR(seen[0][i], seen[1][i], 1e-6 * (1.0 + std::abs(seen[1][i]))) << i;
}

/// One condition stays true behind what it sets; another becomes true by what the first has set, at the same instant, and a third by
/// that of the second. A value may be any expression, of left limits.
TEST(Whens, FollowEachOtherAtOneInstant) {
  Source source;
  source.states = {{"x"}, {"k"}, {"w"}};
  source.equations = {"der(x) = 1", "der(k) = 0", "der(w) = k"};
  source.whens = {{"x >= 1", {{"x", "x + 5"}}, "jump"},
                  {"x >= 3 or time > 10", {{"k", "sin(x) + x^2"}}, ""},
                  {"not (k < 1)", {{"w", "w + k"}, {"x", "pre(x) - 2"}}, "third"}};
  source.experiment.stop = 2.0;
  const Trajectory run = test::run(source, test::with_accuracy(1e-9));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  const double k = std::sin(6.0) + 36.0;
  EXPECT_EQ(emitted(run), (std::vector<std::string>{"jump", "third"}));
  EXPECT_NEAR(last(run, "k"), k, 1e-7);
  EXPECT_NEAR(last(run, "w"), 2.0 * k, 1e-6);
  EXPECT_NEAR(last(run, "x"), 5.0, 1e-8);
}

/// Two swap their values: both are set from left limits.
TEST(Whens, TakeLeftLimitsTogether) {
  Source source;
  source.states = {{"a", 1.0}, {"b", 7.0}};
  source.equations = {"der(a) = 0", "der(b) = 0"};
  source.whens = {{"time >= 1", {{"a", "b"}}, ""}, {"time >= 1", {{"b", "a"}}, ""}};
  source.experiment.stop = 2.0;
  const Trajectory run = test::run(source);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_EQ(last(run, "a"), 7.0);
  EXPECT_EQ(last(run, "b"), 1.0);
}

TEST(Whens, ThatSetOneStateAtOnceEndTheRun) {
  Source source;
  source.states = {{"x"}, {"k"}};
  source.equations = {"der(x) = 1", "der(k) = 0"};
  source.whens = {{"x >= 1", {{"k", 2.0}}, "first"}, {"x + 1 >= 2", {{"k", "3"}}, "second"}};
  source.experiment.stop = 2.0;
  const Trajectory run = test::run(source);
  EXPECT_EQ(run.outcome.kind, OutcomeKind::refused_law);
  EXPECT_NEAR(run.outcome.end_time, 1.0, 1e-5);
  for (const char* name : {"first", "second", " k"})
    EXPECT_NE(run.outcome.message.find(name), std::string::npos) << run.outcome.message;
}

/// What is true where a run begins has not become true; it does when it has been false.
TEST(Whens, WaitForTheConditionToBecomeTrue) {
  Source source;
  source.states = {{"n"}};
  source.inputs = {{"u", SineSource{.amplitude = 1.0, .frequency = 1.0, .phase = 1.0, .offset = 0.0}}};
  source.equations = {"der(n) = 0"};
  source.whens = {{"u > 0.25", {{"n", "n + 1"}}, "up"}};
  source.experiment.stop = 5.0;
  const Trajectory run = test::run(source);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_EQ(last(run, "n"), 5.0);
}

/// The capacitor's voltage jumps as the switch closes, and that is what the condition waits for. The charge is kept: (1·2 + 3·0)/4.
TEST(Whens, HearOfJumpsByRestarts) {
  Source source;
  source.states = {{"a", 2.0}, {"b"}, {"n"}};
  source.algebraic = {{"i"}};
  source.binaries = {{"closed"}};
  source.equations = {"der(a) = -i", "3*der(b) = i", "closed*(a - b) + (1 - closed)*i = 0", "der(n) = 0",
                      "closed = (time > 1)"};
  source.whens = {{"b > 0.25 and a < 1", {{"n", "n + b"}}, "shared"}};
  source.experiment.stop = 2.0;
  const Trajectory run = test::run(source);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_EQ(emitted(run), std::vector<std::string>{"shared"});
  EXPECT_NEAR(last(run, "n"), 0.5, 1e-6);
}

/// Laws of other kinds have names in events, too; they need equations.
TEST(Whens, AreNotTheOnlyLawsWithANameInEvents) {
  Source source = ball(1.0);
  source.whens.clear();
  source.constraints = {RelationSource("floor", "-h <= 0")};
  source.binaries = {{"late"}};
  source.equations.emplace_back("late = (time > 0.9)");
  source.transitions = {{"reach(floor)", {}, {"v = -e*pre(v)"}, "bounce"},
                        {"rise(late)", {}, {"n = 7"}, "bell"}};
  const Trajectory run = test::run(source, test::with_accuracy(1e-8));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_EQ(emitted(run), (std::vector<std::string>{"bounce", "bell"}));
  source.transitions[1].equations.clear();
  EXPECT_THROW(static_cast<void>(build(source)), InvalidModel);
}

TEST(Whens, BelongToTheirComponents) {
  Source system;
  Source softer = ball(1.0);
  softer.parameters[0].value = 0.5;
  append(system, ball(1.0), "a");
  append(system, softer, "b");
  system.experiment.stop = 1.0;
  const Trajectory run = test::run(system, test::with_accuracy(1e-8));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  // Both fall at once; b is back after t_1(1 + 2·0.5), a after t_1(1 + 2·0.8).
  EXPECT_EQ(emitted(run), (std::vector<std::string>{"a.bounce", "b.bounce", "b.bounce"}));
  EXPECT_EQ(last(run, "a.n"), 1.0);
  EXPECT_EQ(last(run, "b.n"), 2.0);
}

std::string refusal(Source source) {
  try {
    static_cast<void>(build(source));
  } catch (const InvalidModel& invalid) {
    const Fault& fault = invalid.faults().front();
    return fault.id + " " + fault.pointer;
  }
  return "none";
}

TEST(Whens, ThatSayNothingSensibleAreRefusedWhereTheyStand) {
  const auto with = [](WhenSource when) {
    Source source = ball(1.0);
    source.algebraic = {{"y"}};
    source.equations.emplace_back("y = 2*h");
    source.whens = {std::move(when)};
    return refusal(source);
  };
  EXPECT_EQ(with({"h <= 0", {{"w", 1.0}}, ""}), "unknown-name /when/0/set/w");
  EXPECT_EQ(with({"h <= 0", {{"y", 1.0}}, ""}), "set-of-non-state /when/0/set/y");
  EXPECT_EQ(with({"h <= w", {{"v", 1.0}}, ""}), "unknown-name /when/0/condition");
  EXPECT_EQ(with({"h", {{"v", 1.0}}, ""}), "not-a-condition /when/0/condition");
  EXPECT_EQ(with({"h <= 0 an v < 1", {{"v", 1.0}}, ""}), "syntax-error /when/0/condition");
  EXPECT_EQ(with({"h <= 0", {{"v", "2*w"}}, ""}), "unknown-name /when/0/set/v");
  EXPECT_EQ(with({"h <= 0", {}, ""}), "empty-when /when/0");
  EXPECT_EQ(with({"h <= 0", {}, "2b"}), "bad-name /when/0/emit");
  EXPECT_EQ(with({"h <= 0", {}, "hit"}), "none");
}

}  // namespace whens_test
}  // namespace mti
