#include <gtest/gtest.h>

#include <cmath>

#include "tests/solvers/sensitivities/differentiated_run.hpp"

/// Where derivatives do not exist the run goes on, says so, and what does not depend on the parameter stays defined.
namespace refusals_test {
namespace {

using mti::Source;
using mti::test::derivative;
using mti::test::differentiated_run;

constexpr double rtol = 1e-9;
mti::SimulationOptions until(double stop) { return {.stop = stop, .rtol = rtol, .atol = rtol}; }

/// The reason at the last event with one; empty if there is none.
std::string reason(const mti::Trajectory& run) {
  std::string text;
  for (const mti::Event& event : run.events)
    for (const mti::UndefinedSensitivity& one : event.undefined) text = one.reason;
  return text;
}

/// x1 and x2 reach their thresholds at the same time; by `a` alone they no longer do.
Source two_at_once() {
  Source source;
  source.parameters = {{"a", 1.0}, {"b", 2.0}};
  source.states = {{.name = "x1"}, {.name = "x2"}, {.name = "y"}};
  source.binaries = {{"z1"}, {"z2"}};
  source.equations = {"der(x1) = a", "der(x2) = 1", "der(y) = b + z1 - 3*z1*z2 + 2*z2"};
  source.constraints = {"(x1 - 1)*(1 - z1) <= 0", "(x2 - 1)*(1 - z2) <= 0"};
  return source;
}

TEST(SensitivitiesRefused, OrderOfEventsThatDependsOnTheParameter) {
  const mti::Trajectory run = differentiated_run(two_at_once(), {"a", "b"}, until(2.0));
  ASSERT_EQ(run.outcome.kind, mti::OutcomeKind::reached_stop);
  EXPECT_TRUE(std::isnan(derivative(run, "y", "a")));
  EXPECT_NEAR(derivative(run, "y", "b"), 2.0, 1e-7);
  EXPECT_NE(reason(run).find("order"), std::string::npos) << reason(run);
}

/// The derivative of a state that nothing reads is no measure of what others are known to, nor is a small p.
TEST(SensitivitiesRefused, OrderOfEventsWhateverOtherStatesDo) {
  Source source = two_at_once();
  source.states.push_back({.name = "E"});
  source.equations.emplace_back("der(E) = 1e9*a");
  const mti::Trajectory run = differentiated_run(source, {"a"}, until(2.0));
  EXPECT_TRUE(std::isnan(derivative(run, "y", "a")));
  EXPECT_NE(reason(run).find("order"), std::string::npos) << reason(run);
  for (const double start : {0.0, 1e-12, 1e-4, 0.5}) {
    SCOPED_TRACE(start);
    Source tanks = two_at_once();
    tanks.states[0].start = tanks.states[1].start = start;
    const mti::Trajectory tank = differentiated_run(tanks, {"start(x1)", "b"}, until(2.0));
    EXPECT_TRUE(std::isnan(derivative(tank, "y", "start(x1)")));
    EXPECT_NEAR(derivative(tank, "y", "b"), 2.0, 1e-7);
  }
}

/// w = x1 − x2 = 1 whatever p is, though both grow with 10⁶ p, and s = 1: what cancels is known to rtol of what it was added up
/// from, so that both arrive at the same time.
TEST(SensitivitiesRefused, NothingWhereLargeDerivativesCancel) {
  Source source;
  source.parameters = {{"p", 1.0}};
  source.states = {{.name = "x1"}, {.name = "x2"}, {.name = "s"}, {.name = "y"}};
  source.algebraic = {{"w"}};
  source.binaries = {{"z1"}, {"z2"}};
  source.equations = {"der(x1) = 1e6*p*cos(s) + 1", "der(x2) = 1e6*p*cos(s)", "der(s) = 1", "w = x1 - x2",
                      "der(y) = z1 + z2"};
  source.constraints = {"(w - 1)*(1 - z1) <= 0", "(s - 1)*(1 - z2) <= 0"};
  const mti::Trajectory run = differentiated_run(source, {"p"}, until(2.0));
  EXPECT_NEAR(derivative(run, "y", "p"), 0.0, 1e-2) << reason(run);
}

/// x' = u, u = 1 in the first half of each period from p on. At p = 0 it is 1 in [p, p + 0.2), [p + 0.4, p + 0.6) and from
/// p + 0.8 to the end at 0.9, of which neither p ≥ 0 nor p ≤ 0 has all: x(0.9) = 0.5 − p to the right, 0.5 to the left. At
/// p = 0.15 two pulses lie within: 0. A breakpoint that goes along with the start leaves no gap, nor does a kink.
TEST(SensitivitiesRefused, BreakpointThatLeavesTheStart) {
  std::vector<std::string> told;
  const auto slope = [&told](double p, const mti::Number& start, auto form) {
    Source source;
    source.parameters = {{"p", p}};
    source.states = {{.name = "x"}};
    source.inputs = {{.name = "u", .form = form}};
    source.equations = {"der(x) = u"};
    source.experiment.start = start;
    source.experiment.stop = 0.9;
    mti::SimulationOptions options{.rtol = rtol, .atol = rtol};
    options.warn = [&told](const std::string& text) { told.push_back(text); };
    return differentiated_run(source, {"p"}, options);
  };
  const mti::PulseSource pulse{.period = 0.4, .start = "p"};
  const mti::Trajectory leaves = slope(0.0, 0.0, pulse);
  EXPECT_TRUE(std::isnan(derivative(leaves, "x", "p")));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told[0].find("a breakpoint of u stands at the start"), std::string::npos) << told[0];
  EXPECT_NEAR(derivative(slope(0.15, 0.0, pulse), "x", "p"), 0.0, 1e-9);
  EXPECT_NEAR(derivative(slope(0.0, "p", pulse), "x", "p"), -1.0, 1e-9);
  const mti::TriangleSource kink{.period = 4.0, .start = "p"};
  EXPECT_NEAR(derivative(slope(0.0, 0.0, kink), "x", "p"), -0.45, 1e-9);  // ∫ (t − p)/2
}

/// y' = z, z while x = sin-like parabola 1 − (t − 1)² is above c: at c = 1 it only touches.
Source parabola(double c) {
  Source source;
  source.parameters = {{"c", c}};
  source.states = {{.name = "x", .start = 0.0}, {.name = "v", .start = 2.0}, {.name = "y"}};
  source.binaries = {{"z"}};
  source.equations = {"der(x) = v", "der(v) = -2", "der(y) = z"};
  source.constraints = {"(x - c)*(1 - z) <= 0", "(c - x)*z <= 0"};
  return source;
}

/// Above c for 2 sqrt(1 − c): ∂y/∂c = −1/sqrt(1 − c), unbounded as c → 1.
TEST(SensitivitiesRefused, GrazingIsTheLimitOfWhatIsDefined) {
  const double c = 0.99;
  const mti::Trajectory near = differentiated_run(parabola(c), {"c"}, until(2.0));
  ASSERT_EQ(near.events.size(), 2U);
  EXPECT_NEAR(derivative(near, "y", "c"), -1.0 / std::sqrt(1.0 - c), 1e-5);
  const mti::Trajectory touching = differentiated_run(parabola(1.0), {"c"}, until(2.0));
  EXPECT_EQ(touching.outcome.kind, mti::OutcomeKind::reached_stop);
  if (!touching.events.empty()) {
    EXPECT_TRUE(std::isnan(derivative(touching, "y", "c")));
  }
}

TEST(SensitivitiesRefused, LimitOfImpacts) {
  Source ball;
  ball.parameters = {{"e", 0.5}};
  ball.states = {{.name = "h", .start = 1.0}, {.name = "v"}};
  ball.algebraic = {{"F"}};
  ball.binaries = {{"contact"}};
  ball.equations = {"der(h) = v", "der(v) = F - 9.81", {"support", "contact*h + (1 - contact)*F = 0"}};
  ball.constraints = {{"floor", "-h <= 0"}, {"pushes", "-F <= 0"}};
  ball.transitions = {{"reach(floor)", {"support"}, {"v = -e*pre(v)"}}};
  const mti::Trajectory run = differentiated_run(ball, {"e"}, until(3.0));
  ASSERT_EQ(run.outcome.kind, mti::OutcomeKind::reached_stop);
  EXPECT_TRUE(std::isnan(derivative(run, "h", "e")));
  EXPECT_NE(reason(run).find("accumulate"), std::string::npos) << reason(run);
}

TEST(SensitivitiesRefused, OneOfTwoModesThatTie) {
  Source source;
  source.parameters = {{"a", 1.0}};
  source.states = {{.name = "x"}, {.name = "y"}};
  source.binaries = {{"z1"}, {"z2"}};
  source.equations = {"der(x) = a", "der(y) = z1 + 2*z2"};
  source.constraints = {"(x - 1)*(1 - z1)*(1 - z2) <= 0"};
  const mti::Trajectory run = differentiated_run(source, {"a"}, until(2.0));
  ASSERT_EQ(run.events.size(), 1U);
  ASSERT_FALSE(run.events[0].ties.empty());
  EXPECT_TRUE(std::isnan(derivative(run, "y", "a")));
}

/// Where the motion goes on along a boundary it begins to slide on one side of p and leaves on the other: h falls to c at
/// t = 1/(2k) and, without a flow, stays. For all fill > 0 it slides there, ∂h/∂fill = 0; for fill < 0 it is t − t*.
TEST(SensitivitiesRefused, AMotionThatStaysExactlyOnABoundary) {
  Source source;
  source.parameters = {{"fill", 0.0}, {"c", 0.5}, {"k", 0.25}};
  source.states = {{.name = "h", .start = 1.0}, {.name = "m"}};
  source.equations = {"der(h) = if h > c then -k else fill", "der(m) = h"};
  const mti::Trajectory run = differentiated_run(source, {"fill", "k"}, until(4.0));
  ASSERT_EQ(run.outcome.kind, mti::OutcomeKind::reached_stop);
  EXPECT_TRUE(std::isnan(derivative(run, "h", "fill")));
  EXPECT_TRUE(std::isnan(derivative(run, "m", "fill")));
  // ∫ (1 − kt) up to t* = 0.5/k, then c: m = t*(1 − c)/2 + c·4.
  EXPECT_NEAR(derivative(run, "h", "k"), 0.0, 1e-7);
  EXPECT_NEAR(derivative(run, "m", "k"), -0.125 / (0.25 * 0.25), 1e-6);
  source.parameters[0] = {"fill", -0.01};
  EXPECT_NEAR(derivative(differentiated_run(source, {"fill"}, until(4.0)), "h", "fill"), 2.0, 1e-7);

  Source friction;  // F = mu: it sticks for F < mu
  friction.parameters = {{"F", 0.5}, {"mu", 0.5}};
  friction.states = {{.name = "v", .start = -1.0}};
  friction.binaries = {{"z"}};
  friction.equations = {"der(v) = F - mu*(2*z - 1)"};
  friction.constraints = {"(1 - 2*z)*v <= 0"};
  EXPECT_TRUE(std::isnan(derivative(differentiated_run(friction, {"F"}, until(3.0)), "v", "F")));

  Source threshold;  // on it from the start, and all the time
  threshold.parameters = {{"p", 0.0}};
  threshold.states = {{.name = "x", .start = 1.0}, {.name = "q"}};
  threshold.equations = {"der(x) = p", "der(q) = (x > 1)"};
  EXPECT_TRUE(std::isnan(derivative(differentiated_run(threshold, {"p"}, until(2.0)), "q", "p")));
}

/// Both sides have the same motion up to the first order: q' = p − q·|q| has q = √p tanh(√p t), and ∂q/∂p = t at p = 0.
TEST(SensitivitiesRefused, AreNotBoundariesWithTheSameMotionOnBothSides) {
  Source source;
  source.parameters = {{"p", 0.0}, {"k", 1.0}};
  source.states = {{.name = "q"}, {.name = "x"}};
  source.equations = {"der(q) = p - k*q*abs(q)", "der(x) = k*q"};
  const mti::Trajectory run = differentiated_run(source, {"p", "k"}, until(2.0));
  EXPECT_NEAR(derivative(run, "q", "p"), 2.0, 1e-7);
  EXPECT_NEAR(derivative(run, "x", "p"), 2.0, 1e-7);  // t²/2
  EXPECT_NEAR(derivative(run, "q", "k"), 0.0, 1e-7);
}

/// Not so where something else hears of the side: a law, another constraint; nor is a small signal with a large coefficient 0.
TEST(SensitivitiesRefused, BoundariesThatSomethingElseHearsOf) {
  Source source;
  source.parameters = {{"p", 0.0}};
  source.states = {{.name = "q"}, {.name = "x"}};
  source.binaries = {{"z"}};
  source.equations = {"der(q) = p - (2*z - 1)*q*q", "der(x) = 0"};
  source.constraints = {"(1 - 2*z)*q <= 0"};
  EXPECT_NEAR(derivative(differentiated_run(source, {"p"}, until(2.0)), "q", "p"), 2.0, 1e-7);
  Source law = source;
  law.transitions = {{"rise(z)", {}, {"x = pre(x) + 1"}}};
  EXPECT_TRUE(std::isnan(derivative(differentiated_run(law, {"p"}, until(2.0)), "x", "p")));
  Source other = source;
  other.states.push_back({.name = "T"});
  other.binaries.push_back({"c"});
  other.equations = {"der(q) = p - (2*z - 1)*q*q", "der(x) = c", "der(T) = 1"};
  other.constraints.push_back({"(T - 1)*(1 - c)*z <= 0"});
  EXPECT_TRUE(std::isnan(derivative(differentiated_run(other, {"p"}, until(2.0)), "x", "p")));
  Source large = source;
  large.states.push_back({.name = "y", .start = 1e-6});
  large.equations = {"der(q) = p - (2*z - 1)*q*q", "der(x) = 1e6*z*y", "der(y) = 0"};
  EXPECT_TRUE(std::isnan(derivative(differentiated_run(large, {"p"}, until(2.0)), "x", "p")));
}

/// What is left out since it follows from other rows says nothing where p changes it with them, and excludes every other p
/// where it does not; in whichever order the rows stand.
TEST(SensitivitiesRefused, ParametersThatMakeARedundantRowAContradiction) {
  const auto of = [](std::vector<mti::RelationSource> rows) {
    Source source;
    source.parameters = {{"p", 1.0}};
    source.states = {{.name = "x", .start = 1.0}};
    source.algebraic = {{.name = "y"}};
    source.equations = {"der(x) = -x + 0.1*y"};
    source.equations.insert(source.equations.end(), rows.begin(), rows.end());
    const mti::Trajectory run = differentiated_run(source, {"p"}, until(2.0));
    EXPECT_EQ(run.outcome.kind, mti::OutcomeKind::reached_stop);
    return derivative(run, "x", "p");
  };
  EXPECT_TRUE(std::isnan(of({"y = p*x", "y = x"})));
  EXPECT_TRUE(std::isnan(of({"y = x", "y = p*x"})));
  // x = exp((0.1p − 1) t)
  const double x_p = 0.1 * 2.0 * std::exp(-0.9 * 2.0);
  EXPECT_NEAR(of({"y = p*x", "2*y = 2*p*x"}), x_p, 1e-7);
  EXPECT_NEAR(of({"y = p*x"}), x_p, 1e-7);
}

/// The sign of what depends on p is decided by the motion, not by p.
TEST(SensitivitiesRefused, AreNotSignsOfSignals) {
  for (const char* text : {"sign(a*x - b)", "2*step(a*x - b) - 1", "2*(a*x > b) - 1"}) {
    Source source;
    source.parameters = {{"a", 0.5}, {"b", 0.3}};
    source.states = {{.name = "x", .start = 1.0}, {.name = "q"}};
    source.equations = {"der(x) = -x", mti::RelationSource(std::string("der(q) = ") + text)};
    // q = 2 t* − 2 with t* = log(a/b): ∂q/∂b = −2/b.
    EXPECT_NEAR(derivative(differentiated_run(source, {"b"}, until(2.0)), "q", "b"), -2.0 / 0.3, 1e-6)
        << text;
  }
}

TEST(SensitivitiesRefused, DerivativesOfAnotherModel) {
  const mti::DifferentiatedModel one = mti::build_with_derivatives(two_at_once(), {"a"});
  const mti::Model other = mti::build_with_derivatives(parabola(0.5), {"c"}).model;
  EXPECT_THROW(static_cast<void>(mti::simulate(other, {.sensitivities = one.derivatives})),
               mti::InvalidOption);
}

}  // namespace
}  // namespace refusals_test
