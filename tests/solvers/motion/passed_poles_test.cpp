// Runs end where they come to a pole, also where the steps of an integrator beside it lead over it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "solvers/stepping/run.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace passed_poles_test {

struct Pole {
  std::string w;  ///< of x = 1 − t
  double time;
};

double last_of(const Trajectory& run, const char* name) {
  return run.value(run.size() - 1, run.column(name));
}

/// With every integrator and tolerance, simple and double poles, of states, inputs and functions.
TEST(PassedPoles, EndTheRun) {
  const Pole poles[] = {{"1/(x - 0.25)", 0.75},    {"1/(x - 0.9)", 0.1},
                        {"1/(x - 0.25)^2", 0.75},  {"1/((x - 0.25)^2*(x + 3))", 0.75},
                        {"1/(x*x - 0.25)", 0.5},   {"x/(x - 0.25)", 0.75},
                        {"1/sin(x - 0.25)", 0.75}, {"1/(time - 0.7)", 0.7},
                        {"(x - 0.25)^(-3)", 0.75}, {"tan(2*x - 2 - time)", std::acos(-1.0) / 6.0}};
  for (const Pole& pole : poles)
    for (const IntegratorChoice integrator : {IntegratorChoice::automatic, IntegratorChoice::ida})
      for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
        Source source;
        source.states = {{"x", 1.0}, {"q", 0.0}};
        source.algebraic = {{"w", 0.0}};
        source.equations = {RelationSource("w = " + pole.w), "der(x) = -1", "der(q) = clamp(w, -10, 10)"};
        source.experiment = {.stop = 2.0};
        SimulationOptions options = test::with_accuracy(tolerance);
        options.integrator = integrator;
        const Trajectory run = test::run(source, options);
        EXPECT_EQ(run.outcome.kind, OutcomeKind::left_domain) << pole.w << ": " << run.outcome.message;
        EXPECT_NEAR(run.outcome.end_time, pole.time, 100.0 * tolerance) << pole.w;
        for (std::size_t row = 0; row < run.size(); ++row)
          ASSERT_TRUE(std::isfinite(run.value(row, run.column("w")))) << pole.w;
      }
}

/// Of a pole that nothing follows IDA's steps are long: the rows up to it are those of the motion.
TEST(PassedPoles, AreReached) {
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    Source source;
    source.states = {{"x", 1.0}};
    source.algebraic = {{"w", 0.0}};
    source.binaries = {{"z", 1.0}};
    source.equations = {"w = z + (1 - z)*1/(x + 0.5)", "der(x) = -1"};
    source.constraints = {"(x - 0.9)*(1 - z) <= 0", "(0.8 - x)*z <= 0"};
    source.experiment = {.stop = 3.0};
    SimulationOptions options = test::with_accuracy(tolerance);
    options.integrator = IntegratorChoice::ida;
    const Trajectory run = test::run(source, options);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::left_domain) << run.outcome.message;
    EXPECT_NEAR(run.outcome.end_time, 1.5, 10.0 * 3.0 * tolerance);
    for (std::size_t row = 0; row < run.size(); ++row) {
      const double x = 1.0 - run.time(row);
      EXPECT_NEAR(run.value(row, run.column("x")), x, 10.0 * tolerance);
    }
    EXPECT_GT(run.size(), 240U);  // of 251 to 1.5
  }
}

/// A divisor that decays to nothing changes its sign by errors alone: m1/(m1 + m2) stays a third.
TEST(PassedPoles, AreNoneWhereADivisorDecays) {
  for (const IntegratorChoice integrator : {IntegratorChoice::automatic, IntegratorChoice::ida})
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      Source source;
      source.states = {{"m1", 1.0}, {"m2", 2.0}, {"a", 0.0}, {"b", 0.0}};
      source.algebraic = {{"w", 0.3}};
      source.equations = {"w = m1/(m1 + m2)", "der(m1) = -m1*(1 + 0.1*b)", "der(m2) = -m2*(1 + 0.1*b)",
                          "der(a) = 1e6*(w - a - a^3)", "der(b) = 1e5*(a - sin(b) - b)"};
      source.experiment = {.stop = 60.0};
      SimulationOptions options = test::with_accuracy(tolerance);
      options.integrator = integrator;
      const Trajectory run = test::run(source, options);
      EXPECT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    }
}

/// A divisor that an event takes to the other side of 0.
TEST(PassedPoles, AreNoneWhereADivisorJumps) {
  Source source;
  source.states = {{"x", 1.0}, {"d", 1.0}};
  source.algebraic = {{"w", 1.0}};
  source.equations = {"w = 1/d", "der(x) = -1", "der(d) = 0"};
  source.constraints = {{"floor", "0.5 - x <= 0"}};
  source.transitions = {{"reach(floor)", {}, {"x = pre(x) + 1", "d = -2*pre(d)"}}};
  source.experiment = {.stop = 3.0};
  for (const IntegratorChoice integrator : {IntegratorChoice::automatic, IntegratorChoice::ida}) {
    SimulationOptions options = test::with_accuracy(1e-6);
    options.integrator = integrator;
    const Trajectory run = test::run(source, options);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_NEAR(test::last(run, "w"), -0.125, 1e-6);  // at 0.5, 1.5, 2.5
  }
}

/// Of a run that is advanced from outside a pole beyond the present time, which a long step has passed, may not come:
/// x = 1 − t up to 1.3, before the pole at 1.5, then with u = 1.
TEST(PassedPoles, AreForgottenWithNewInputs) {
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    Source source;
    source.states = {{"x", 1.0}};
    source.algebraic = {{"w", 0.0}};
    source.inputs = {{.name = "u", .form = Number(-1.0)}};
    source.binaries = {{"z", 1.0}};
    source.equations = {"w = z + (1 - z)*1/(x + 0.5)", "der(x) = u"};
    source.constraints = {"(x - 0.9)*(1 - z) <= 0", "(0.8 - x)*z <= 0"};
    source.experiment = {.stop = 3.0};
    SimulationOptions options = test::with_accuracy(tolerance);
    options.integrator = IntegratorChoice::ida;
    const Model model = build(source);
    mti::Run run(model, options);
    run.advance(0.05);
    run.set_input(0, -1.0);
    while (run.advance(1.3) == StepEnd::event) {
    }
    run.set_input(0, 1.0);
    while (run.advance(3.0) == StepEnd::event) {
    }
    const Trajectory trajectory = run.finish();
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
    EXPECT_NEAR(test::last(trajectory, "x"), 1.4, 100.0 * tolerance);
  }
}

/// What only comes near a pole goes on.
TEST(PassedPoles, DoNotEndWhatHasNone) {
  for (const std::string w : {"1/(x*x + 0.01)", "1/(2 + sin(10*time))", "1/(x - 2)"}) {
    Source source;
    source.states = {{"x", 1.0}};
    source.algebraic = {{"w", 0.0}};
    source.equations = {RelationSource("w = " + w), "der(x) = -1"};
    source.experiment = {.stop = 2.0};
    EXPECT_EQ(test::run(source, test::with_accuracy(1e-6)).outcome.kind, OutcomeKind::reached_stop) << w;
  }
}

/// d = h1 − h2 of two vessels, d' = u − 2 √d, by the classical Runge–Kutta method until d is used up.
double time_of_level() {
  constexpr double step = 2e-7, from = 2.4, omega = 0.4 * std::numbers::pi;
  const auto slope = [&](double t, double d) {
    return 0.5 * std::sin(omega * t) - 2.0 * std::sqrt(std::max(d, 0.0));
  };
  double t = 0.0, d = 0.8;
  while (d > 0.0) {
    const double h = t < from ? 1e-4 : step;
    const double k1 = slope(t, d), k2 = slope(t + 0.5 * h, d + 0.5 * h * k1),
                 k3 = slope(t + 0.5 * h, d + 0.5 * h * k2), k4 = slope(t + h, d + h * k3);
    d += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    t += h;
  }
  return t;
}

Source two_vessels(const std::string& flow) {
  Source source;
  source.states = {{"h1", 1.0}, {"h2", 0.2}};
  source.algebraic = {{"q"}};
  source.inputs = {{.name = "u", .form = SineSource{.amplitude = 0.5, .frequency = 0.2}}};
  source.equations = {"der(h1) = u - q", "der(h2) = q", RelationSource("q = " + flow)};
  source.experiment.stop = 20.0;
  return source;
}

// Danger: beside the end of a root its series is infinite, and the last row of the states was not finite. Two vessels level
// out while the inflow turns negative: h1 − h2 comes to 0 with a flow −√(h1 − h2).
TEST(EndsOfDomains, KeepTheStatesFinite) {
  const double end = time_of_level(), omega = 0.4 * std::numbers::pi;
  // h1 = h2, and h1 + h2 is what there was and has come in.
  const double level = 0.5 * (1.2 + 0.5 * (1.0 - std::cos(omega * end)) / omega);
  for (const double tolerance : {1e-3, 1e-5, 1e-6, 1e-8, 1e-10}) {
    const Trajectory run = test::run(two_vessels("sqrt(h1 - h2)"), test::with_accuracy(tolerance));
    EXPECT_EQ(run.outcome.kind, OutcomeKind::left_domain) << run.outcome.message;
    EXPECT_NEAR(run.outcome.end_time, end, 1e-6 + 10.0 * tolerance);
    for (std::size_t row = 0; row < run.size(); ++row)
      for (const char* name : {"h1", "h2", "q"})
        ASSERT_TRUE(std::isfinite(run.value(row, run.column(name)))) << name << " at t = " << run.time(row);
    EXPECT_NEAR(last_of(run, "h1"), level, 1e-6 + 10.0 * tolerance);
  }
}

/// d = h1 − h2 with flows of both directions, by steps that are short where the flow turns: they are off by h^(3/2) there.
double difference_after(double stop) {
  constexpr double omega = 0.4 * std::numbers::pi;
  const auto slope = [&](double t, double d) {
    return 0.5 * std::sin(omega * t) - 2.0 * std::copysign(std::sqrt(std::abs(d)), d);
  };
  double t = 0.0, d = 0.8;
  while (t < stop) {
    const double h = std::min(std::abs(d) < 1e-3 ? 1e-6 : 1e-4, stop - t);
    const double k1 = slope(t, d), k2 = slope(t + 0.5 * h, d + 0.5 * h * k1),
                 k3 = slope(t + 0.5 * h, d + 0.5 * h * k2), k4 = slope(t + h, d + h * k3);
    d += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    t += h;
  }
  return d;
}

/// Where both directions are written, the flow turns at h1 = h2, and the run goes on.
TEST(EndsOfDomains, AFlowTurns) {
  const double expected = difference_after(4.0);
  for (const char* flow :
       {"sign(h1 - h2)*sqrt(abs(h1 - h2))", "if h1 > h2 then sqrt(h1 - h2) else -sqrt(h2 - h1)"})
    for (const double tolerance : {1e-5, 1e-6, 1e-8, 1e-10}) {
      Source source = two_vessels(flow);
      source.experiment.stop = 4.0;
      const Trajectory run = test::run(source, test::with_accuracy(tolerance));
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << flow << run.outcome.message;
      EXPECT_NEAR(last_of(run, "h1") - last_of(run, "h2"), expected, 1e-7 + 20.0 * tolerance)
          << flow << tolerance;
      EXPECT_EQ(run.events.size(), 1U) << flow << tolerance;
    }
}

}  // namespace passed_poles_test
}  // namespace mti
