// Models with functions of signals and their multilinear forms move alike, and as closed forms say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/lifting/interpolate_functions.hpp"
#include "mti/lifting/lift_functions.hpp"
#include "solvers/linearization/linearization_points.hpp"
#include "solvers/multimode/jumping_states.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti {
namespace lifted_runs_test {

constexpr double tolerance = 1e-11;

SimulationOptions options_for(std::vector<double> times,
                              IntegratorChoice engine = IntegratorChoice::automatic) {
  SimulationOptions options;
  options.integrator = engine;
  options.stop = times.back();
  options.output_times = std::move(times);
  options.rtol = options.atol = tolerance;
  return options;
}

Model lifted(const Model& model) { return lift_functions(model, start_of_run(model), jumping_states(model)); }

/// The value at a time that was asked for; of two rows at an event that from the right.
double value_at(const Trajectory& run, double time, const std::string& name) {
  std::size_t row = 0;
  while (row + 1 < run.size() && run.time(row + 1) <= time) ++row;
  EXPECT_NEAR(run.time(row), time, 1e-12);
  return run.value(row, run.column(name));
}

/// Both models are run; the states and the algebraic signals of the first are alike at all times.
void expect_same_run(const Source& source, const std::vector<double>& times, double bound = 1e-8) {
  const Model model = build(source), multilinear = lifted(model);
  EXPECT_TRUE(multilinear.is_multilinear());
  EXPECT_TRUE(multilinear.divisors.empty());
  const Trajectory expected = simulate(model, options_for(times)),
                   run = simulate(multilinear, options_for(times));
  ASSERT_EQ(expected.outcome.kind, OutcomeKind::reached_stop) << expected.outcome.message;
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  for (const double time : times)
    for (const std::string& name : expected.names()) {
      if (std::ranges::find(run.names(), name) == run.names().end()) continue;
      const double value = value_at(expected, time, name);
      EXPECT_NEAR(value_at(run, time, name), value, bound * (1.0 + std::abs(value)))
          << name << " at " << time;
    }
}

/// w' = φ(x), y = φ(x) with x = x0 + t/4.
Source sweep(const std::string& function, double x0) {
  Source source;
  source.states = {{.name = "x", .start = x0}, {.name = "w"}};
  source.algebraic = {{.name = "y"}};
  source.equations = {"der(x) = 0.25", "der(w) = y", "y = " + function};
  return source;
}

/// Functions in a branch that is not taken at the start begin where their arguments are: products of what is absent, too.
TEST(LiftedRuns, BeginWhereFunctionsOfABranchThatIsNotTakenAre) {
  for (const char* slope :
       {"max(x - 1, 0)*exp(-sin(x)^2) + 1", "if x > 1 then (1 + cos(x)^2)^0.7 else 1",
        "if x > 1 then exp(-sin(x)*sin(x)) + 1 else 1", "max(x - 1, 0)*tanh(3*cos(x)) + 2",
        "if x > 1 then atan(3*cos(x)*sin(x)) + 2 else 1"}) {
    SCOPED_TRACE(slope);
    Source source;
    source.states = {{.name = "x", .start = 0.5}};
    source.equations = {"der(x) = " + std::string(slope)};
    const Model model = build(source);
    const std::vector<double> times = {0.25, 1.0, 2.0, 3.0};
    const Trajectory expected = simulate(model, options_for(times)),
                     run = simulate(lifted(model), options_for(times));
    for (const double time : times)  // what is absent is 0 in the one, and a state of the other
      EXPECT_NEAR(value_at(run, time, "x"), value_at(expected, time, "x"), 1e-8);
  }
}

TEST(LiftedRuns, FollowTheClosedFormOfEveryFunction) {
  struct Swept {
    const char* text;
    double x0;
    std::function<double(double)> value;
  };
  const std::vector<Swept> functions = {
      {"sin(x)", 0.3, [](double x) { return std::sin(x); }},
      {"cos(3*x)", 0.3, [](double x) { return std::cos(3.0 * x); }},
      {"tan(x)", -0.3, [](double x) { return std::tan(x); }},
      {"asin(x)", -0.3, [](double x) { return std::asin(x); }},
      {"acos(x)", -0.3, [](double x) { return std::acos(x); }},
      {"atan(x)", -0.3, [](double x) { return std::atan(x); }},
      {"sinh(x)", -0.3, [](double x) { return std::sinh(x); }},
      {"cosh(x)", -0.3, [](double x) { return std::cosh(x); }},
      {"tanh(2*x)", -0.3, [](double x) { return std::tanh(2.0 * x); }},
      {"asinh(x)", -0.3, [](double x) { return std::asinh(x); }},
      {"acosh(x)", 1.3, [](double x) { return std::acosh(x); }},
      {"atanh(x)", -0.3, [](double x) { return std::atanh(x); }},
      {"exp(-x^2)", -0.3, [](double x) { return std::exp(-x * x); }},
      {"log(x)", 0.3, [](double x) { return std::log(x); }},
      {"sqrt(x^3)", 0.3, [](double x) { return std::pow(x, 1.5); }},
      {"cbrt(x)", 0.3, [](double x) { return std::cbrt(x); }},
      {"x^1.5", 0.3, [](double x) { return std::pow(x, 1.5); }},
      {"x^(-0.75)", 0.3, [](double x) { return std::pow(x, -0.75); }},
      {"x^1.3", 0.3, [](double x) { return std::pow(x, 1.3); }},
      {"x^x", 0.3, [](double x) { return std::pow(x, x); }},
      {"erf(x)", -0.3, [](double x) { return std::erf(x); }},
      {"sin(exp(x)*log(2 + x))", 0.3, [](double x) { return std::sin(std::exp(x) * std::log(2.0 + x)); }},
      {"exp(sqrt(x))/x", 0.3, [](double x) { return std::exp(std::sqrt(x)) / x; }},
      {"atan(cosh(x) + cbrt(x))", 0.3, [](double x) { return std::atan(std::cosh(x) + std::cbrt(x)); }},
  };
  for (const auto& [text, x0, value] : functions) {
    SCOPED_TRACE(text);
    const Model model = lifted(build(sweep(text, x0)));
    EXPECT_TRUE(model.is_multilinear());
    for (const IntegratorChoice engine : {IntegratorChoice::automatic, IntegratorChoice::ida}) {
      const Trajectory run = simulate(model, options_for({0.5, 1.0, 2.5}, engine));
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      for (const double time : {0.5, 1.0, 2.5}) {
        const double expected = value(x0 + 0.25 * time);
        EXPECT_NEAR(value_at(run, time, "y"), expected, 2e-8 * (1.0 + std::abs(expected))) << "t = " << time;
      }
    }
  }
}

// From rest at φ₀ the period is 4 K(sin φ₀/2).
TEST(LiftedRuns, APendulumSwingsWithItsPeriod) {
  Source source;
  source.states = {{.name = "phi", .start = 2.0}, {.name = "omega"}};
  source.equations = {"der(phi) = omega", "der(omega) = -sin(phi)"};
  const double period = 4.0 * std::comp_ellint_1(std::sin(1.0));
  const Trajectory run =
      simulate(lifted(build(source)), options_for({0.25 * period, 0.5 * period, 10.0 * period}));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(value_at(run, 0.25 * period, "phi"), 0.0, 1e-8);
  EXPECT_NEAR(value_at(run, 0.5 * period, "phi"), -2.0, 1e-8);
  EXPECT_NEAR(value_at(run, 10.0 * period, "phi"), 2.0, 1e-7);
  for (std::size_t row = 0; row < run.size(); ++row) {
    const double s = run.value(row, run.column("fn.sin1")), c = run.value(row, run.column("fn.sin1.cos"));
    EXPECT_NEAR(s * s + c * c, 1.0, 1e-9) << "the invariant of the pair";
  }
}

TEST(LiftedRuns, ArgumentsOfInputsAndTimeMoveAsThese) {
  Source source = sweep("sin(time)*x", 0.3);
  expect_same_run(source, {0.5, 2.0});
  source = sweep("exp(u*x)", 0.3);
  source.inputs = {{.name = "u", .form = SineSource{.amplitude = 0.5, .frequency = 0.3, .phase = 0.4}}};
  expect_same_run(source, {0.5, 2.0});
  source.inputs = {{.name = "u", .form = TableSource{.time = {0.0, 1.0, 2.0}, .value = {0.0, 1.0, -1.0}}}};
  expect_same_run(source, {0.5, 1.5, 3.0});
}

// A relay switches, its states go on: sine, exponential and root of them do so too, and events are where they were.
TEST(LiftedRuns, GoOnThroughEvents) {
  Source source;
  source.states = {{.name = "x", .start = 0.2}, {.name = "w", .start = 1.0}};
  source.binaries = {{.name = "z", .start = 1.0}};
  source.equations = {"der(x) = (2*z - 1)*(1 + 0.5*sin(w)) - 0.1*x", "der(w) = exp(-x)*sqrt(1 + x^2)"};
  source.constraints = {"(x - 0.9)*z <= 0", "(0.1 - x)*(1 - z) <= 0"};
  expect_same_run(source, {0.3, 1.0, 2.0, 4.0});
  const Model model = build(source);
  const Trajectory expected = simulate(model, options_for({4.0})),
                   run = simulate(lifted(model), options_for({4.0}));
  ASSERT_GE(expected.events.size(), 4U);
  ASSERT_EQ(run.events.size(), expected.events.size());
  for (std::size_t i = 0; i < run.events.size(); ++i)
    EXPECT_NEAR(run.events[i].time, expected.events[i].time, 1e-8);
}

TEST(LiftedRuns, ConditionsWithContinuousValuesAreArguments) {
  Source source = sweep("sin(max(x, 0.5)) + exp(-abs(x - 0.6))", 0.3);
  expect_same_run(source, {0.5, 1.0, 2.0});
}

TEST(LiftedRuns, ASignalThatAnEquationGivesImplicitlyIsTied) {
  Source source = sweep("exp(-y2)", 0.3);
  source.algebraic.push_back({.name = "y2", .start = 0.3});
  source.equations.emplace_back("y2 + y2^3 = x");
  expect_same_run(source, {0.5, 1.0, 2.0});
}

TEST(LiftedRuns, EndWhereTheDomainEnds) {
  for (const char* text :
       {"log(0.5 - x)", "sqrt(0.5 - x)", "asin(x + 0.5)", "(0.5 - x)^0.3", "1/(0.5 - x)"}) {
    SCOPED_TRACE(text);
    const Model model = build(sweep(text, 0.3));
    const Trajectory run = simulate(lifted(model), options_for({3.0}));
    EXPECT_NE(run.outcome.kind, OutcomeKind::reached_stop);
    EXPECT_NEAR(run.outcome.end_time, 0.8, 1e-4);
  }
}

/// ẋ = −2 x^p reaches 0 at t = 1/(2(1 − p)): the run ends there, or rests. Through there −x^p solves a r' = p r a' as well,
/// and x would rise again.
TEST(LiftedRuns, APowerDoesNotTakeItsOtherSign) {
  for (const double p : {0.55, 0.7, 0.3}) {
    Source source;
    source.states = {{.name = "x", .start = 1.0}};
    source.equations = {"der(x) = -2*x^" + std::to_string(p)};
    source.experiment.stop = 3.0;
    const Model model = lifted(build(source));
    for (const double rtol : {1e-4, 1e-6, 1e-8}) {
      const Trajectory run = simulate(model, {.rtol = rtol});
      EXPECT_GT(run.outcome.end_time, 0.5 / (1.0 - p) - 1e-3) << p << " " << rtol;
      const std::size_t x = run.column("x");
      for (std::size_t row = 0; row < run.size(); ++row) {
        if (run.time(row) <= 0.5 / (1.0 - p)) continue;
        EXPECT_NEAR(run.value(row, x), 0.0, 10.0 * rtol) << p;
      }
    }
  }
}

TEST(LiftedRuns, InitialEquationsDetermineWhereAuxiliaryStatesBegin) {
  Source source;
  source.states = {{.name = "x", .start = 0.5, .fixed = false}};
  source.equations = {"der(x) = exp(-x) - 0.25"};
  source.initial = {"x^2 = 4"};
  const Model model = lifted(build(source));
  EXPECT_FALSE(model.solves_start());
  EXPECT_NEAR(model.x_start[0], 2.0, 1e-12);
  EXPECT_NEAR(model.x_start[1], std::exp(-2.0), 1e-12);
}

// y = φ(x) along x = x0 + t/4: everywhere within the tolerance, and of its size.
TEST(LiftedRuns, InterpolatedFunctionsStayWithinTheirTolerance) {
  struct Swept {
    const char* text;
    std::function<double(double)> value;
  };
  const std::vector<Swept> functions = {
      {"sin(4*x)", [](double x) { return std::sin(4.0 * x); }},
      {"exp(-x^2)", [](double x) { return std::exp(-x * x); }},
      {"sqrt(x + 1)", [](double x) { return std::sqrt(x + 1.0); }},
      {"(x + 1)^1.7", [](double x) { return std::pow(x + 1.0, 1.7); }},
  };
  for (const auto& [text, value] : functions)
    for (const double bound : {1e-2, 1e-4}) {
      SCOPED_TRACE(text);
      const InterpolatedModel made = interpolate_functions(
          build(sweep(text, -0.9)), {.tolerance = bound, .ranges = {{"x", {-0.9, 0.9}}}});
      EXPECT_TRUE(made.model.is_multilinear());
      ASSERT_EQ(made.functions.size(), 1U);
      EXPECT_EQ(made.model.signature.q(), made.functions[0].lines - 1) << "a binary for each inner point";
      EXPECT_LE(made.functions[0].error, bound);
      EXPECT_LE(made.model.columns(), made.columns_before);
      const Trajectory run = simulate(made.model, options_for({7.2}));
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      double largest = 0.0;
      for (std::size_t row = 0; row < run.size(); ++row)
        largest = std::max(
            largest, std::abs(run.value(row, run.column("y")) - value(run.value(row, run.column("x")))));
      EXPECT_LE(largest, bound * (1.0 + 1e-6));
    }
}

TEST(LiftedRuns, InterpolatedFunctionsOfOneArgumentShareTheirBinaries) {
  const InterpolatedModel made = interpolate_functions(build(sweep("sin(x)*cos(x)", 0.0)),
                                                       {.tolerance = 1e-3, .ranges = {{"x", {0.0, 3.0}}}});
  ASSERT_EQ(made.functions.size(), 2U);
  EXPECT_EQ(made.functions[0].lines, made.functions[1].lines);
  EXPECT_EQ(made.model.signature.q(), made.functions[0].lines - 1);
}

// Rows that vanish for all time on a side of a surface do so to the last digit, whatever the numbers in them.
TEST(LiftedRuns, ConstraintsBesideInterpolatedFunctionsStayAsTheyAre) {
  for (int percent = 1; percent <= 60; ++percent) {
    Source source = sweep("sin(x)", -1.0);
    const std::string limit = std::to_string(0.01 * percent);
    source.inputs = {{.name = "u", .form = SineSource{.amplitude = 1.0, .frequency = 0.3}}};
    source.algebraic.push_back({.name = "o"});
    source.equations.emplace_back("o = clamp(u, -" + limit + ", " + limit + ")");
    const Model model =
        interpolate_functions(build(source), {.tolerance = 0.1, .ranges = {{"x", {-1.0, 1.0}}}}).model;
    const Trajectory run = simulate(model, options_for({4.0}));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << limit << run.outcome.message;
    for (std::size_t row = 0; row < run.size(); ++row)
      EXPECT_NEAR(
          run.value(row, run.column("o")),
          std::clamp(std::sin(0.6 * std::numbers::pi * run.time(row)), -0.01 * percent, 0.01 * percent),
          1e-9);
  }
}

// The argument jumps: lines do not mind.
TEST(LiftedRuns, InterpolatedFunctionsFollowJumps) {
  Source source = sweep("sin(x + z)", 0.0);
  source.binaries = {{.name = "z"}};
  source.constraints = {"(x - 0.5)*(1 - z) <= 0", "(0.5 - x)*z <= 0"};
  const Model model =
      interpolate_functions(build(source), {.tolerance = 1e-4, .ranges = {{"x", {0.0, 1.0}}}}).model;
  const Trajectory run = simulate(model, options_for({1.0, 3.0}));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(value_at(run, 1.0, "y"), std::sin(0.25), 1e-4);
  EXPECT_NEAR(value_at(run, 3.0, "y"), std::sin(1.75), 1e-4);
}

TEST(LiftedRuns, InterpolationNeedsTheRangeOfEveryArgument) {
  const Model model = build(sweep("sin(x*w)", 0.0));
  try {
    static_cast<void>(interpolate_functions(model, {.ranges = {{"x", {0.0, 1.0}}}}));
    FAIL() << "not refused";
  } catch (const InvalidOption& refused) {
    EXPECT_EQ(refused.faults().front().id, "no-range");
    EXPECT_NE(refused.faults().front().message.find("sin(x*w)"), std::string::npos);
  }
  EXPECT_THROW(static_cast<void>(interpolate_functions(model, {.ranges = {{"X", {0.0, 1.0}}}})),
               InvalidOption);
  EXPECT_THROW(static_cast<void>(interpolate_functions(model, {.ranges = {{"x", {1.0, 0.0}}}})),
               InvalidOption);
  EXPECT_THROW(static_cast<void>(interpolate_functions(model, {.tolerance = 0.0})), InvalidOption);
}

// x jumps by a law: the sine of it cannot be an integral.
TEST(LiftedRuns, StatesThatLawsSetAreRefused) {
  Source source;
  source.states = {{.name = "h", .start = 1.0}, {.name = "v"}, {.name = "w"}};
  source.equations = {"der(h) = v", "der(v) = -9.81", "der(w) = sin(v)"};
  source.constraints = {{"floor", "h >= 0"}};
  source.transitions = {{.when = "reach(floor)", .equations = {"v = -0.5*pre(v)"}}};
  try {
    static_cast<void>(lifted(build(source)));
    FAIL() << "not refused";
  } catch (const InvalidModel& refused) {
    EXPECT_EQ(refused.faults().front().id, "argument-may-jump");
    EXPECT_EQ(refused.faults().front().message,
              "fn.sin1.definition: the argument of sin(v) may jump, since a transition law sets v");
  }
  source.equations.back() = "der(w) = sin(h)";
  EXPECT_TRUE(lifted(build(source)).is_multilinear());
}

/// What stands without events in smooth() is a condition afterwards; its kink is at t = 1.2.
TEST(LiftedRuns, FollowKinks) {
  for (const char* function : {"smooth(0, abs(x))", "smooth(0, max(x, 0.1))", "sin(smooth(0, abs(x)))"})
    expect_same_run(sweep(function, -0.3), {0.5, 1.0, 1.5, 2.5});
}

/// Where tanh and erf are next to ±1 for long, at the tolerances that runs have by default.
TEST(LiftedRuns, ComeBackFromSaturation) {
  for (const char* function : {"tanh(80*x)", "erf(28*x)"}) {
    Source source = sweep(function, -0.25);
    source.experiment = {.stop = 2.0};
    const Trajectory run = simulate(lifted(build(source)), {});
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    const std::size_t end = run.size() - 1;
    EXPECT_NEAR(run.value(end, run.column("y")), 1.0, 1e-5) << function;
    EXPECT_NEAR(run.value(end, run.column("w")), 0.0, 1e-5) << function;  // odd about t = 1
  }
}

/// What is not asked for where the run begins has begun all the same: sin(x + 1) at x = 0.5.
TEST(LiftedRuns, BranchesThatAreNotTakenAtTheStartBeginWhereTheyBelong) {
  for (const char* function : {"sin(x + 1)", "exp(2*x)", "log(x + 1)", "(x + 1)^1.7", "1/(x + 1)",
                               "sqrt(exp(x) + 1)", "tanh(x - 2)", "atan(x*x)"}) {
    SCOPED_TRACE(function);
    Source source;
    source.states = {{.name = "x", .start = 0.5}, {.name = "y"}};
    source.equations = {"der(x) = 1", std::string("der(y) = if time > 1 then ") + function + " else 0"};
    expect_same_run(source, {0.5, 1.5, 2.0});
  }
}

}  // namespace lifted_runs_test
}  // namespace mti
