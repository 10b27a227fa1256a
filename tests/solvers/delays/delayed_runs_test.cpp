// Runs of models with delayed signals against closed forms by the method of steps, and against Runge and Kutta's method on
// a grid that all delays are multiples of.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"
#include "mti/derivatives/parameter_derivative.hpp"
#include "mti/model/delays.hpp"
#include "mti/printing/print.hpp"
#include "mti/transform/discretise.hpp"
#include "solvers/equilibria/equilibrium.hpp"
#include "solvers/linearization/linearize.hpp"
#include "solvers/orbits/orbit.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/stepping/run.hpp"

namespace mti {
namespace delayed_runs_test {

Source source_of(std::vector<StateSource> states, std::vector<InputSource> inputs,
                 std::vector<RelationSource> equations, double stop) {
  Source source;
  source.states = std::move(states);
  source.inputs = std::move(inputs);
  source.equations = std::move(equations);
  source.experiment.stop = stop;
  return source;
}

InputSource delayed(const std::string& name, const std::string& of, double time) {
  return {.name = name, .form = DelaySource{.of = of, .time = time}};
}

double at_row(const Trajectory& run, std::size_t row, const std::string& name) {
  return run.value(row, run.column(name));
}
double at_end(const Trajectory& run, const std::string& name) { return at_row(run, run.size() - 1, name); }

/// x' = −x(t − 1), x = 1 up to t = 0:  x(t) = Σ_k (−1)^k (t − k + 1)^k / k!  over k from 0 to ⌊t⌋ + 1.
double pure_delay(double t) {
  double sum = 0.0, factorial = 1.0;
  for (int k = 0; k <= static_cast<int>(std::floor(t)) + 1; ++k) {
    if (k > 0) factorial *= k;
    sum += (k % 2 == 0 ? 1.0 : -1.0) * std::pow(t - k + 1.0, k) / factorial;
  }
  return sum;
}

/// A step at a multiple of the delay, which the chain of stops that a delay makes meets but for rounding.
TEST(DelayedRuns, AJumpComesOutOfTheDelayWhereverTheChainOfStopsMeetsIt) {
  const double T = 0.05, stop = 8.0;
  for (const double at : {3.0, 5.0, 5.05, 6.0, 6.4, 7.0, 7.35}) {
    Source source = source_of(
        {{.name = "x", .start = 1.0}},
        {{.name = "u",
          .form =
              TableSource{.time = {0.0, at}, .value = {0.0, 1.0}, .interpolation = Interpolation::previous}},
         {.name = "d", .form = DelaySource{.of = "u", .time = T, .before = 0.0}}},
        {"der(x) = d - x", "y = 2*d"}, stop);
    source.algebraic = {{"y"}};
    const Trajectory run = simulate(build(source), {.rtol = 1e-8, .atol = 1e-8});
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << at << ": " << run.outcome.message;
    EXPECT_NEAR(at_end(run, "x"), std::exp(-stop) + 1.0 - std::exp(at + T - stop), 1e-7) << at;
    EXPECT_EQ(at_end(run, "y"), 2.0) << at;
  }
}

TEST(DelayedRuns, ThePureDelayIsThatOfTheMethodOfSteps) {
  const Model model =
      build(source_of({{.name = "x", .start = 1.0}}, {delayed("past", "x", 1.0)}, {"der(x) = -past"}, 6.0));
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const Trajectory run = simulate(model, {.rtol = rtol, .atol = rtol});
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    double worst = 0.0;
    for (std::size_t row = 0; row < run.size(); ++row)
      worst = std::max(worst, std::abs(at_row(run, row, "x") - pure_delay(run.time(row))));
    EXPECT_LE(worst, 50.0 * rtol) << rtol;
    for (std::size_t row = 0; row < run.size(); ++row)
      EXPECT_NEAR(at_row(run, row, "past"), run.time(row) <= 1.0 ? 1.0 : pure_delay(run.time(row) - 1.0),
                  50.0 * rtol);
  }
}

// The past is another than the start: x' = x(t − 1) jumps in its slope at 1, and x'' at 2.
TEST(DelayedRuns, BeforeTheRunTheGivenValueHolds) {
  Source source = source_of({{.name = "x", .start = 2.0}}, {}, {"der(x) = past"}, 2.0);
  source.inputs = {{.name = "past", .form = DelaySource{.of = "x", .time = 1.0, .before = Number(-3.0)}}};
  const Trajectory run = simulate(build(source), {.rtol = 1e-9, .atol = 1e-9});
  // x = 2 − 3t up to 1, then x' = 2 − 3(t − 1): x(2) = −1 + 2 − 1.5.
  EXPECT_NEAR(at_end(run, "x"), -0.5, 1e-7);
}

// z follows the sign of x some time ago: x rises until T after it has passed 0, and falls until T after that. So it
// oscillates between −T and T in a period of 4T, from −T on.
TEST(DelayedRuns, ADelayedRelayOscillatesWithItsPeriod) {
  constexpr double T = 0.3;
  Source source = source_of({{.name = "x", .start = -T}}, {}, {"der(x) = 1 - 2*z"}, 19.0 * T);
  source.inputs = {{.name = "past", .form = DelaySource{.of = "x", .time = T}}};
  source.binaries = {{.name = "z"}};
  source.constraints = {"(1 - 2*z)*past <= 0"};
  const Trajectory run = simulate(build(source), {.rtol = 1e-9, .atol = 1e-9});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  std::vector<double> switches;
  for (const Event& event : run.events)
    if (event.kind == EventKind::switch_mode || event.kind == EventKind::input)
      switches.push_back(event.time);
  ASSERT_EQ(switches.size(), 9U);
  for (std::size_t k = 0; k < switches.size(); ++k)
    EXPECT_NEAR(switches[k], 2.0 * T * static_cast<double>(k + 1), 1e-7) << k;
}

// y(t) = y(t − 1)/2 + 1 from 0 jumps at each whole time, to 2 − 2^−k, however long ago the first jump was.
TEST(DelayedRuns, JumpsOfADifferenceEquationComeAgainForEver) {
  Source source = source_of({{.name = "x"}}, {}, {"y = 0.5*past + 1", "der(x) = y"}, 10.5);
  source.algebraic = {{.name = "y"}};
  source.inputs = {{.name = "past", .form = DelaySource{.of = "y", .time = 1.0, .before = Number(0.0)}}};
  const Trajectory run = simulate(build(source), {.rtol = 1e-8, .atol = 1e-8});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(at_end(run, "y"), 2.0 - std::pow(2.0, -10), 1e-12);
  double integral = 0.0;
  for (int k = 0; k < 10; ++k) integral += 2.0 - std::pow(2.0, -k);
  EXPECT_NEAR(at_end(run, "x"), integral + 0.5 * (2.0 - std::pow(2.0, -10)), 1e-7);
}

/// Runge and Kutta's method of order 4, with the past on a grid of half steps.
double by_steps(double stop, const std::function<double(double x, double x1, double x2)>& f, int of_1,
                int of_2, int per_unit) {
  const int steps = static_cast<int>(std::lround(stop * per_unit));
  const double h = 1.0 / per_unit;
  std::vector<double> x = {1.0}, slope;
  const auto past = [&](int back, int k, double part) {
    const int j = k - back;
    if (j < 0) return 1.0;
    if (part == 0.0) return x[static_cast<std::size_t>(j)];
    if (part == 1.0) return x[static_cast<std::size_t>(j) + 1];
    const double a = x[static_cast<std::size_t>(j)], b = x[static_cast<std::size_t>(j) + 1];
    return 0.5 * (a + b) +
           h / 8.0 * (slope[static_cast<std::size_t>(j)] - slope[static_cast<std::size_t>(j) + 1]);
  };
  for (int k = 0; k < steps; ++k) {
    const double now = x.back();
    const auto rate = [&](double at, double part) { return f(at, past(of_1, k, part), past(of_2, k, part)); };
    const double k1 = rate(now, 0.0);
    slope.push_back(k1);
    const double k2 = rate(now + 0.5 * h * k1, 0.5), k3 = rate(now + 0.5 * h * k2, 0.5),
                 k4 = rate(now + h * k3, 1.0);
    x.push_back(now + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4));
  }
  return x.back();
}

TEST(DelayedRuns, TwoDelaysOfAProductAreThoseOfAFineGrid) {
  const Model model =
      build(source_of({{.name = "x", .start = 1.0}}, {delayed("one", "x", 0.5), delayed("two", "x", 0.75)},
                      {"der(x) = x*(1 - one) - 0.3*two"}, 4.0));
  const double exact = by_steps(
      4.0, [](double x, double x1, double x2) { return x * (1.0 - x1) - 0.3 * x2; }, 2000, 3000, 4000);
  EXPECT_NEAR(at_end(simulate(model, {.rtol = 1e-9, .atol = 1e-9}), "x"), exact, 1e-7);
  EXPECT_NEAR(at_end(simulate(model, {.rtol = 1e-5, .atol = 1e-5}), "x"), exact, 1e-3);
}

// The past of an input is the input: no history is needed, and none is noted.
TEST(DelayedRuns, InputsAreMoved) {
  Source source = source_of({{.name = "x"}}, {}, {"der(x) = s + p + t"}, 3.0);
  source.inputs = {{.name = "sine", .form = SineSource{.amplitude = 1.0, .frequency = 0.5}},
                   {.name = "pulses", .form = PulseSource{.period = Number(1.0)}},
                   {.name = "table", .form = TableSource{.time = {0.0, 1.0}, .value = {0.0, 1.0}}},
                   delayed("s", "sine", 0.25),
                   delayed("p", "pulses", 0.2),
                   delayed("t", "table", 0.5)};
  const Model model = build(source);
  EXPECT_FALSE(has_delays(model));
  const double w = std::numbers::pi;
  const double of_sine = (std::cos(-0.25 * w) - std::cos(2.75 * w)) / w;
  // Pulses are high from k + 0.2 to k + 0.7; the table rises from 0.5 to 1.5.
  EXPECT_NEAR(at_end(simulate(model, {.rtol = 1e-10, .atol = 1e-10}), "x"), of_sine + 1.5 + 0.5 + 1.5, 1e-8);
}

/// What a build is refused for: "id pointer", or nothing.
template <class Build>
std::string refusal_of(const Build& what) {
  try {
    what();
  } catch (const FaultError& refused) {
    return refused.faults().front().id + " " + refused.faults().front().pointer;
  }
  return {};
}

// An input that is set anew, or follows a parameter, would leave its past behind without a word.
TEST(DelayedRuns, AMovedInputCannotBeLeftBehind) {
  Source source =
      source_of({{.name = "x"}}, {{.name = "u", .form = Number("p")}}, {"der(x) = delay(u, 0.25)"}, 3.0);
  source.parameters = {{"p", 2.0}};
  const Model model = build(source);
  mti::Run run(model);
  EXPECT_EQ(refusal_of([&] { run.set_input(0, 5.0); }), "bad-option set_input");
  EXPECT_EQ(refusal_of([&] { run.set_input(1, 5.0); }), "bad-option set_input");
  EXPECT_EQ(refusal_of([&] { static_cast<void>(build_with_derivatives(source, {"p"})); }),
            "delayed-signals ");
  EXPECT_EQ(
      refusal_of([&] { static_cast<void>(discretise(model, 0.1, DifferenceMethod::forward_euler, {})); }),
      "delayed-signals ");
  // What is written of the model builds again, and follows u.
  Source written = to_equations(model);
  ASSERT_TRUE(std::holds_alternative<DelaySource>(written.inputs[1].form));
  written.inputs[0].form = Number(3.0);
  EXPECT_NEAR(at_end(simulate(build(written)), "x"), 9.0, 1e-6);
}

// Texts that hold the word but no call of it, and calls that are none.
TEST(DelayedRuns, OtherNamesWithTheWordAreLeftAlone) {
  Source source = source_of({{.name = "delay", .start = 1.0}}, {}, {"der(delay) = -delay * (1)"}, 1.0);
  EXPECT_NEAR(at_end(simulate(build(source), {.rtol = 1e-9, .atol = 1e-9}), "delay"), std::exp(-1.0), 1e-7);
  source.equations = {"der(delay) = -delay(delay, 1"};
  EXPECT_EQ(refusal_of([&] { static_cast<void>(build(source)); }), "syntax-error /equations/0");
  source.equations = {"der(delay) = -mydelay(delay, 1)"};
  EXPECT_EQ(refusal_of([&] { static_cast<void>(build(source)); }), "unknown-function /equations/0");
}

// x slides on 0 with the weight 1/3 of z: y' = z(t − 1/2) from 0.15 on, x(0) = 0.3 being at 0 at that time.
TEST(DelayedRuns, ABinaryThatSlidesIsDelayedAsItsWeight) {
  Source source = source_of({{.name = "x", .start = 0.3}, {.name = "y"}}, {},
                            {"der(x) = 1 - 3*z", "der(y) = delay(z, 0.5)"}, 3.0);
  source.binaries = {{.name = "z", .start = Number(1.0)}};
  source.constraints = {"(1 - 2*z)*x <= 0"};
  const Trajectory run = simulate(build(source), {.rtol = 1e-9, .atol = 1e-9});
  EXPECT_NEAR(at_end(run, "y"), 0.65 + (3.0 - 0.65) / 3.0, 1e-7);
}

TEST(DelayedRuns, ACallIsTheInputThatItIsWrittenOutAs) {
  Source written =
      source_of({{.name = "x", .start = 1.0}}, {delayed("past", "x", 1.0)}, {"der(x) = -past"}, 4.0);
  Source called = source_of({{.name = "x", .start = 1.0}}, {}, {"der(x) = -delay(x, 1)"}, 4.0);
  const Trajectory one = simulate(build(written)), other = simulate(build(called));
  EXPECT_EQ(at_end(one, "x"), at_end(other, "x"));
  // Of an expression, whose value before the run is given.
  called.equations = {"der(x) = -delay(2*x + 1, 1, 3)/2 + 1/2"};
  EXPECT_NEAR(at_end(simulate(build(called), {.rtol = 1e-9, .atol = 1e-9}), "x"), pure_delay(4.0), 1e-7);
}

// x = t + 1/2, which was 1/2 before the run: its past in two parts of which a and b are those of one, t − a − b + 1/2, and that
// of time is known before the run, too.
TEST(DelayedRuns, PastsOfPastsAndOfTimeAreThoseOfAllTheirTime) {
  Source source =
      source_of({{.name = "x", .start = 0.5}}, {},
                {"der(x) = 1", "y = delay((delay(x, 1)), T)", "w = delay(delay(3*x, 0.5, 6), T, 5)",
                 "s = delay(time, T) + x - x", "r = delay(delay(time, T), 1)"},
                4.0);
  source.parameters = {{"T", 0.5}};
  source.algebraic = {{"y"}, {"w"}, {"s"}, {"r"}};
  source.experiment.output_interval = 0.125;
  constexpr double rtol = 1e-8;
  const Trajectory run = simulate(build(source), {.rtol = rtol, .atol = rtol});
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  for (std::size_t row = 0; row < run.size(); ++row) {
    const double t = run.time(row);
    EXPECT_NEAR(at_row(run, row, "y"), t <= 1.5 ? 0.5 : t - 1.0, 20.0 * rtol) << t;
    EXPECT_NEAR(at_row(run, row, "s"), t - 0.5, 20.0 * rtol) << t;
    EXPECT_NEAR(at_row(run, row, "r"), t - 1.5, 20.0 * rtol) << t;
    if (std::abs(t - 0.5) > 1e-9 && std::abs(t - 1.0) > 1e-9) {  // it jumps there
      EXPECT_NEAR(at_row(run, row, "w"), t < 0.5 ? 5.0 : t < 1.0 ? 6.0 : 3.0 * (t - 0.5), 60.0 * rtol) << t;
    }
  }
}

// A loop that an equation closes over a delay is no algebraic loop.
TEST(DelayedRuns, ADelayBreaksAnAlgebraicLoop) {
  Source source = source_of({}, {}, {"a = 2*b - 1", "b = delay(a, 0.5, 3)/4"}, 1.25);
  source.algebraic = {{.name = "a"}, {.name = "b"}};
  const Trajectory run = simulate(build(source));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  // a = 0.5 up to 0.5, −0.75 up to 1, −1.375 then.
  EXPECT_NEAR(at_end(run, "a"), -1.375, 1e-12);
}

TEST(DelayedRuns, ARunThatIsAdvancedInPartsIsTheSame) {
  const Model model =
      build(source_of({{.name = "x", .start = 1.0}}, {delayed("past", "x", 0.7)}, {"der(x) = -past"}, 5.0));
  const Trajectory whole = simulate(model);
  mti::Run run(model);
  for (const double t : {0.1, 0.9, 2.0, 3.3, 5.0})
    while (run.advance(t) == StepEnd::event) {
    }
  const Trajectory found = run.finish();
  ASSERT_EQ(found.size(), whole.size());
  for (std::size_t row = 0; row < whole.size(); ++row)
    EXPECT_EQ(at_row(found, row, "x"), at_row(whole, row, "x")) << row;
  // Two runs of one model have a past each.
  EXPECT_EQ(at_end(simulate(model), "x"), at_end(whole, "x"));
}

TEST(DelayedRuns, WhatKnowsNothingOfDelaysSaysSo) {
  const Model model =
      build(source_of({{.name = "x", .start = 1.0}}, {delayed("past", "x", 1.0)}, {"der(x) = -past"}, 4.0));
  EXPECT_THROW(static_cast<void>(find_equilibria(model)), InvalidOption);
  EXPECT_THROW(static_cast<void>(find_orbit(model, {.period_guess = 4.0})), InvalidOption);
  EXPECT_THROW(static_cast<void>(linearize(model, 0.0, {})), InvalidOption);
  EXPECT_THROW(static_cast<void>(simulate(model, {.integrator = IntegratorChoice::series})), InvalidOption);
  mti::Run run(model);
  run.advance(1.0);
  EXPECT_THROW(static_cast<void>(run.save()), InvalidOption);
}

TEST(DelayedRuns, FaultsStandWhereTheDelayIsWritten) {
  const auto fault_of = [](const Source& source) {
    try {
      static_cast<void>(build(source));
    } catch (const InvalidModel& refused) {
      return refused.faults().front().id + " " + refused.faults().front().pointer;
    }
    return std::string();
  };
  Source source = source_of({{.name = "x"}}, {delayed("past", "x", -1.0)}, {"der(x) = past"}, 1.0);
  EXPECT_EQ(fault_of(source), "bad-delay /inputs/0/delay/time");
  source.inputs = {delayed("past", "y", 1.0)};
  EXPECT_EQ(fault_of(source), "unknown-name /inputs/0/delay/of");
  source.inputs = {delayed("past", "time", 1.0)};
  EXPECT_EQ(fault_of(source), "not-a-signal /inputs/0/delay/of");
  source.inputs = {delayed("past", "a", 1.0)};
  source.algebraic = {{.name = "a"}};
  source.equations = {"der(x) = past", "a = x"};
  EXPECT_EQ(fault_of(source), "missing-key /inputs/0/delay");
  source.inputs = {delayed("one", "two", 1.0), delayed("two", "one", 1.0)};
  EXPECT_EQ(fault_of(source), "bad-delay /inputs/0/delay/of");
  source.inputs.clear();
  source.equations = {"der(x) = delay(a, 1)", "a = x"};
  EXPECT_EQ(fault_of(source), "missing-key /equations/0");
  source.equations = {"der(x) = delay(time, x)", "a = x"};
  EXPECT_EQ(fault_of(source), "signal-as-number /equations/0");
  source.equations = {"der(x) = (if delay(x, 1) then 1 else 0)", "a = x"};
  EXPECT_EQ(fault_of(source), "not-a-condition /equations/0");
  source.equations = {"der(x) = delay(x)", "a = x"};
  EXPECT_EQ(fault_of(source), "wrong-arguments /equations/0");
}

/// x follows r one second late: by sliding along x = r(t − 1), and by an equation of index 2. Both need the slope of the
/// delayed signal, which the integrator of r knows by its steps alone.
TEST(DelayedRuns, SlopesOfDelayedSignalsDoNotHoldARunUp) {
  // Both signals keep to rtol = atol in each step.
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    Source slides = source_of({{"r", 0.0}, {"x", 0.0}}, {delayed("late", "r", 1.0)},
                              {"der(r) = cos(time)", "der(x) = 2 - 4*z"}, 3.0);
    slides.binaries = {{"z"}};
    slides.constraints = {"(1 - 2*z)*(x - late) <= 0"};
    Source index_2 = source_of({{"x", 0.0}, {"w", 0.0}}, {delayed("late", "w", 1.0)},
                               {"x = late", "der(x) = y", "der(w) = cos(time)"}, 3.0);
    index_2.algebraic = {{"y"}};
    for (const Source* source : {&slides, &index_2}) {
      const Model model = build(*source);
      const Trajectory trajectory = simulate(model, {.rtol = rtol, .atol = rtol});
      ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << rtol << trajectory.outcome.message;
      EXPECT_LE(trajectory.statistics.steps, 20'000) << rtol;
      const auto x = static_cast<std::size_t>(*model.signature.find("x"));
      EXPECT_NEAR(trajectory.end_point.at(x), std::sin(2.0), 20.0 * rtol) << rtol;
    }
  }
}

/// Pulses as wide as an input was some time ago: ∫u = Σ_k P·d(kP − T). That of what is not known at all times is refused.
TEST(DelayedRuns, PulsesAsWideAsTheFormerValueOfAnInput) {
  constexpr double P = 0.3, T = 0.2, frequency = 0.3;
  const InputSource duty{
      .name = "d", .form = SineSource{.amplitude = 0.4, .frequency = frequency, .phase = 0.0, .offset = 0.5}};
  const InputSource pulses{.name = "u",
                           .form = PulseSource{.kind = PulseSource::Kind::pwm, .period = P, .duty = "past"}};
  const Source source =
      source_of({{.name = "x"}}, {duty, delayed("past", "d", T), pulses}, {"der(x) = u"}, 3.0);
  double expected = 0.0;
  for (int k = 0; k < 10; ++k)
    expected += P * (0.5 + 0.4 * std::sin(2.0 * std::numbers::pi * frequency * (P * k - T)));
  EXPECT_NEAR(at_end(simulate(build(source), {.rtol = 1e-9, .atol = 1e-9}), "x"), expected, 1e-7);
  Source of_state = source;
  of_state.inputs[1] = delayed("past", "x", T);
  EXPECT_THROW(static_cast<void>(build(of_state)), InvalidModel);
}

}  // namespace delayed_runs_test
}  // namespace mti
