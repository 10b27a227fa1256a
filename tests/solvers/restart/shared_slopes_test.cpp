// Laws "s = …" where several equations hold der(s): outputs of an acceleration, inertia that couples. Oracles are closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "mti/derivatives/parameter_derivative.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace shared_slopes_test {

double last(const Trajectory& run, const std::string& name) {
  return run.value(run.size() - 1, run.column(name));
}

Source ball() {
  Source source;
  source.parameters = {{"e", 0.8}, {"g", 9.81}};
  source.states = {{"h", 1.0}, {"v"}};
  source.equations = {"der(h) = v", "der(v) = -g"};
  source.whens = {{"h <= 0 and v < 0", {{"v", "-e*v"}}, "bounce"}};
  source.experiment.stop = 1.0;
  return source;
}

/// One bounce at t₁ = √(2/g): v(1) = e·g·t₁ − g·(1 − t₁).
TEST(SharedSlopes, OutputsOfTheAccelerationLeaveTheBounceAlone) {
  const double g = 9.81, t = std::sqrt(2.0 / g), v = 0.8 * g * t - g * (1.0 - t);
  for (const double rtol : {1e-4, 1e-6, 1e-9}) {
    Source source = ball();
    source.algebraic = {{"a"}, {"F"}};
    source.equations.insert(source.equations.end(), {"a = der(v)", "F = 2*der(v) + 1"});
    const Trajectory run = test::run(source, {.rtol = rtol, .atol = rtol});
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_NEAR(last(run, "v"), v, 100.0 * rtol);
    EXPECT_NEAR(last(run, "a"), -g, 1e-12);
    EXPECT_NEAR(last(run, "F"), 1.0 - 2.0 * g, 1e-12);
    // The impulse of a is the jump of v, (1 + e)·g·t₁.
    double impulse = 0.0;
    for (const Event& event : run.events)
      for (const Impulse& one : event.impulses)
        if (one.row == *build(source).signature.find("a")) impulse = one.weight;
    EXPECT_NEAR(impulse, 1.8 * g * t, 100.0 * rtol);
  }
}

/// Laws of constraints, and values that read the slope: q + der(v) is q − g.
TEST(SharedSlopes, OfLawsAndOfValues) {
  Source source = ball();
  source.states.push_back({"q", 2.0});
  source.equations.emplace_back("der(q) = 0");
  source.whens = {{"h <= 0 and v < 0", {{"v", "-e*v"}, {"q", "q + der(v)"}}, ""}};
  const Trajectory run = test::run(source, {.rtol = 1e-9, .atol = 1e-9});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(last(run, "q"), 2.0 - 9.81, 1e-9);

  Source by_law = ball();
  by_law.whens.clear();
  by_law.algebraic = {{"a"}};
  by_law.equations.emplace_back("a = der(v)");
  by_law.constraints = {{"floor", "h >= 0"}};
  by_law.transitions = {{.when = "reach(floor)", .equations = {"v = -e*pre(v)"}}};
  const Trajectory same = test::run(by_law, {.rtol = 1e-9, .atol = 1e-9});
  ASSERT_EQ(same.outcome.kind, OutcomeKind::reached_stop) << same.outcome.message;
  EXPECT_NEAR(last(same, "v"), last(run, "v"), 1e-7);
}

/// 2w' + v'/2 = 0, v' + w'/2 = −1: v' = −8/7, w' = 2/7. v is set to 1 where it passes 0, at 7/8, and w keeps its value.
TEST(SharedSlopes, StatesThatInertiaCouplesKeepTheirValues) {
  Source source;
  source.states = {{"v", 1.0}, {"w", 1.0}};
  source.equations = {"2*der(w) + 0.5*der(v) = 0", "der(v) + 0.5*der(w) = -1"};
  source.whens = {{"v <= 0", {{"v", "1"}}, ""}};
  source.experiment.stop = 1.0;
  const Trajectory run = test::run(source, {.rtol = 1e-9, .atol = 1e-9});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(last(run, "v"), 1.0 - 1.0 / 7.0, 1e-8);
  EXPECT_NEAR(last(run, "w"), 9.0 / 7.0, 1e-8);
}

/// Two bodies that move as one and press on each other with L: which of them is set, and so what L does, is left open.
TEST(SharedSlopes, AreRefusedWhereTheyLeaveOpenWhichOneGoes) {
  Source source;
  source.states = {{"v", 1.0}};
  source.algebraic = {{"L"}};
  source.equations = {"2*der(v) = L - 2", "3*der(v) = -L - 3"};
  source.whens = {{"v <= 0", {{"v", "1"}}, ""}};
  source.experiment.stop = 2.0;
  const Trajectory run = test::run(source, {.rtol = 1e-9, .atol = 1e-9});
  EXPECT_EQ(run.outcome.kind, OutcomeKind::refused_law) << run.outcome.message;
  EXPECT_NE(run.outcome.message.find("L"), std::string::npos) << run.outcome.message;
}

/// By h(0) and e, against differences of runs.
TEST(SharedSlopes, DerivativesGoThroughTheBounce) {
  for (const bool coupled : {false, true}) {
    Source source = ball();
    if (coupled) {
      source.states.push_back({"w", 0.5});
      source.equations = {"der(h) = v", "der(v) + 0.5*der(w) = -g", "2*der(w) + 0.5*der(v) = 0"};
    } else {
      source.algebraic = {{"a"}};
      source.equations.emplace_back("a = der(v)");
    }
    const auto end_of = [&](double e, double h) {
      Source moved = source;
      moved.parameters[0].value = e;
      moved.states[0].start = h;
      return last(test::run(moved, {.rtol = 1e-11, .atol = 1e-11}), "v");
    };
    DifferentiatedModel made = build_with_derivatives(source, {"e", "start(h)"});
    const Trajectory run =
        simulate(made.model, {.rtol = 1e-10, .atol = 1e-10, .sensitivities = std::move(made.derivatives)});
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    const auto derivative = [&](const std::string& parameter) {
      return run.sensitivities.row(run.size() - 1)[run.sensitivities.column("v", parameter)];
    };
    constexpr double h = 1e-5;
    EXPECT_NEAR(derivative("e"), (end_of(0.8 + h, 1.0) - end_of(0.8 - h, 1.0)) / (2.0 * h), 1e-5);
    EXPECT_NEAR(derivative("start(h)"), (end_of(0.8, 1.0 + h) - end_of(0.8, 1.0 - h)) / (2.0 * h), 1e-5);
  }
}

}  // namespace shared_slopes_test
}  // namespace mti
