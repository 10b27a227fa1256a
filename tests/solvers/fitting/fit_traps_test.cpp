// Data and plans that could be taken for others: times of many orders of magnitude, signals with a large offset, two
// parameters for one quantity, parameters held by a bound, events of the start. Against closed forms.

#include <gtest/gtest.h>

#include <cmath>

#include "mti/build/build.hpp"
#include "solvers/fitting/fit.hpp"

namespace mti {
namespace fit_traps_test {

Source decay() {
  Source source;
  source.parameters = {{"a", 1.0}};
  source.states = {{.name = "x", .start = 1.0}};
  source.equations = {"der(x) = -a*x"};
  return source;
}

FitExperiment experiment_of(Source source, MeasuredSignal data, std::string name = {}) {
  FitExperiment experiment{.name = std::move(name)};
  experiment.source = std::move(source);
  experiment.signals = {std::move(data)};
  return experiment;
}

MeasuredSignal decays_by(double a, std::vector<double> times, double deviation) {
  MeasuredSignal data{.signal = "x", .time = std::move(times), .deviation = deviation};
  for (const double t : data.time) data.value.push_back(std::exp(-a * t));
  return data;
}

std::string first_fault(const FitProblem& problem) {
  const std::vector<Fault> faults = problem.validate();
  return faults.empty() ? "" : faults.front().pointer + " " + faults.front().id;
}

// Times of a logarithmic scale: rows near the start are told apart however long the run is.
TEST(FitTraps, TimesOfManyOrdersOfMagnitudeAreNotOne) {
  const MeasuredSignal data = decays_by(100.0, {1e-3, 2e-3, 3e-3, 5e-3, 1e-2, 1e10}, 1e-3);
  const Fit found = fit({.parameters = {{.name = "a", .start = 50.0, .lower = 1.0}},
                         .experiments = {experiment_of(decay(), data)}});
  ASSERT_EQ(found.end, FitEnd::converged) << found.message;
  EXPECT_NEAR(found.estimates[0].value, 100.0, 1e-3);
  for (std::size_t k = 0; k + 1 < data.time.size(); ++k)
    EXPECT_NEAR(found.series[0].fitted[k], std::exp(-100.0 * data.time[k]), 1e-6) << k;
}

// What rounding and rtol leave open of 293 K is more than the data say of 1.2 K; the gradient says more.
TEST(FitTraps, ALargeOffsetDoesNotEndASearchAtItsStart) {
  Source source;
  source.parameters = {{"q", 1.0}};
  source.states = {{.name = "T", .start = 293.15}};
  source.equations = {"10*der(T) = 293.15 - T + q"};
  MeasuredSignal data{.signal = "T", .deviation = 0.01};
  for (int k = 1; k <= 10; ++k) {
    data.time.push_back(5.0 * k);
    data.value.push_back(293.15 + 1.2 * (1.0 - std::exp(-0.5 * k)));
  }
  for (const double rtol : {1e-3, 1e-5}) {
    const Fit found = fit({.parameters = {{.name = "q", .start = 1.0}},
                           .experiments = {experiment_of(source, data)},
                           .simulation = {.rtol = rtol}});
    EXPECT_NEAR(found.estimates[0].value, 1.2, 0.02) << rtol;
    EXPECT_GT(found.runs, 1) << rtol;
  }
}

TEST(FitTraps, TwoParametersForOneQuantityAreRefused) {
  const MeasuredSignal data = decays_by(0.7, {0.5, 1.0}, 0.1);
  FitProblem problem{.parameters = {{.name = "p", .start = 1.0, .quantity = "a"},
                                    {.name = "q", .start = 1.0, .quantity = "a"}},
                     .experiments = {experiment_of(decay(), data, "A"), experiment_of(decay(), data, "B")}};
  EXPECT_EQ(first_fault(problem), "/parameters/q bad-parameter");
  problem.parameters[1].experiments = {"B"};
  EXPECT_EQ(first_fault(problem), "/parameters/q bad-parameter");
  problem.parameters[0].experiments = {"A"};
  EXPECT_EQ(first_fault(problem), "");
  problem.experiments[1].name = "A";
  EXPECT_NE(first_fault(problem), "") << "experiments of one name";
}

TEST(FitTraps, AQuantityMayBeWrittenWithBlanks) {
  const Fit found = fit({.parameters = {{.name = "p", .start = 2.0, .quantity = "start( x )"}},
                         .experiments = {experiment_of(decay(), decays_by(1.0, {0.5, 1.0}, 0.1))}});
  EXPECT_NEAR(found.estimates[0].value, 1.0, 1e-6);
}

// x = a t passes h and 2a t − 4 passes 0 together, so that there is no derivative by h from t = 2 on. A bound holds h, and
// by a alone there is one: σ²/Σ t².
TEST(FitTraps, WhatABoundHoldsTakesNoDataAway) {
  Source source;
  source.parameters = {{"a", 1.0}, {"h", 2.0}};
  source.states = {{.name = "x"}};
  source.binaries = {{.name = "one"}, {.name = "two"}};
  source.equations = {"der(x) = a"};
  source.constraints = {"(x - h)*(1 - one) <= 0", "(h - x)*one <= 0", "(x - 2)*(1 - two) <= 0",
                        "(2 - x)*two <= 0"};
  MeasuredSignal data{.signal = "x", .time = {0.5, 1.0, 3.0, 4.0, 5.0, 6.0, 8.0}};
  const std::vector<double> errors = {0.02, -0.03, 0.04, -0.02, 0.01, -0.06, 0.05};
  double sum = 0.0, product = 0.0;
  for (std::size_t k = 0; k < data.time.size(); ++k) {
    data.value.push_back(data.time[k] + errors[k]);
    sum += data.time[k] * data.time[k];
    product += data.time[k] * data.value[k];
  }
  const Fit alone =
      fit({.parameters = {{.name = "a", .start = 1.0}}, .experiments = {experiment_of(source, data)}});
  const Fit found = fit(
      {.parameters = {{.name = "a", .start = 1.0}, {.name = "h", .start = 2.0, .lower = 0.0, .upper = 2.0}},
       .experiments = {experiment_of(source, data)}});
  double rest = 0.0;
  for (std::size_t k = 0; k < data.time.size(); ++k)
    rest += std::pow(data.value[k] - product / sum * data.time[k], 2);
  const double deviation = std::sqrt(rest / 6.0 / sum);
  EXPECT_NEAR(alone.estimates[0].deviation, deviation, 1e-5);
  EXPECT_NEAR(found.estimates[0].value, product / sum, 1e-5);
  ASSERT_TRUE(found.estimates[1].at_upper);
  EXPECT_NEAR(found.estimates[0].deviation, deviation, 1e-5);
}

// The binary is declared as it is not at the start, and flips there: what was measured is what came later.
TEST(FitTraps, WhatFollowsAtTheStartIsNoMeasuredEvent) {
  Source source;
  source.parameters = {{"a", 1.5}};
  source.states = {{.name = "x", .start = -1.0}};
  source.binaries = {{.name = "low"}};
  source.equations = {"der(x) = a*(2*low - 1)"};
  source.constraints = {"(-1 - x)*(1 - low) <= 0", "(x - 1)*low <= 0"};
  // From −1 to 1 and back at the slope a = 2: up at 2, 4, 6.
  FitExperiment experiment;
  experiment.source = source;
  experiment.events = {{.event = "rise(low)", .time = {2.0, 4.0, 6.0}, .deviation = 0.01}};
  for (const double start : {0.0, 1.0}) {
    experiment.source.binaries[0].start = start;
    const Fit found = fit({.parameters = {{.name = "a", .start = 1.5, .lower = 0.5, .upper = 4.0}},
                           .experiments = {experiment}});
    EXPECT_NEAR(found.estimates[0].value, 2.0, 1e-6) << start;
  }
}

TEST(FitTraps, StartsThatEndAtOneSumOfRoundingAreCounted) {
  FitProblem problem{.parameters = {{.name = "a", .start = 1.0, .lower = 0.1, .upper = 3.0}},
                     .experiments = {experiment_of(decay(), decays_by(0.7, {0.5, 1.0, 2.0}, 0.1))}};
  const Fit found = fit(problem, {.starts = 4});
  EXPECT_EQ(found.starts_at_best, 4);
}

/// y = a + 1e-6 b says of a and b together what it says, of neither anything.
TEST(FitTraps, ADirectionHoldsWhatIsScaledDown) {
  Source source;
  source.parameters = {{"a", 1.0}, {"b", 1.0}};
  source.states = {{.name = "x", .start = 1.0}};
  source.algebraic = {{.name = "y"}};
  source.equations = {"der(x) = -x", "y = a + 1e-6*b"};
  MeasuredSignal data{.signal = "y", .time = {0.1, 0.2, 0.3}, .value = {2.0, 2.1, 1.9}};
  const Fit found = fit({.parameters = {{.name = "a", .start = 1.0}, {.name = "b", .start = 1.0}},
                         .experiments = {experiment_of(source, data)}});
  ASSERT_EQ(found.undetermined.size(), 1U);
  EXPECT_EQ(found.undetermined[0].parameters.size(), 2U);
}

/// A half-wave rectifier with a load R, and beside it w = w0 e^{−t}, of which h knows nothing.
FitProblem rectified(bool with_bystander) {
  Source source;
  source.parameters = {{"R", 1.3}};
  source.states = {{.name = "h", .start = 1.0}, {.name = "w", .start = 0.3}};
  source.binaries = {{.name = "d", .start = 1.0}};
  source.algebraic = {{"i"}, {"v"}};
  source.inputs = {{.name = "s", .form = SineSource{.amplitude = 2.0, .frequency = 1.0}}};
  source.equations = {"der(h) = i - h/R", "i = (s + v - h)/0.3", "d*v + (1 - d)*i = 0", "der(w) = -w"};
  source.constraints = {"i >= 0", "v >= 0"};
  MeasuredSignal data{.signal = "h", .deviation = 0.01};
  const Trajectory run =
      simulate(build(source), {.stop = 2.0, .rtol = 1e-9, .atol = 1e-9, .output_interval = 0.15});
  for (std::size_t row = 1; row < run.size(); ++row) {
    if (run.side(row) != 0) continue;
    data.time.push_back(run.time(row));
    data.value.push_back(run.value(row, run.column("h")) + (row % 2 != 0 ? 0.01 : -0.01));
  }
  FitProblem problem{.parameters = {{.name = "R", .start = 1.0}},
                     .experiments = {experiment_of(source, data)}};
  if (with_bystander) problem.parameters.push_back({.name = "start(w)", .start = 0.3});
  return problem;
}

// Behind an event the derivative by what has nothing to do with the data is rounding of the restart, and no derivative.
TEST(FitTraps, AParameterThatTheDataDoNotKnowStaysWhereItIs) {
  const Fit alone = fit(rectified(false)), beside = fit(rectified(true));
  ASSERT_EQ(alone.end, FitEnd::converged) << alone.message;
  ASSERT_EQ(beside.end, FitEnd::converged) << beside.message;
  EXPECT_NEAR(alone.estimates[0].value, 1.3, 4.0 * alone.estimates[0].deviation);
  EXPECT_NEAR(beside.estimates[0].value, alone.estimates[0].value, 1e-6);
  EXPECT_NEAR(beside.estimates[0].deviation, alone.estimates[0].deviation,
              1e-5 * alone.estimates[0].deviation);
  EXPECT_EQ(beside.estimates[1].value, 0.3);
  EXPECT_TRUE(std::isnan(beside.estimates[1].deviation));
  ASSERT_EQ(beside.undetermined.size(), 1U);
  EXPECT_EQ(beside.undetermined[0].parameters, std::vector<std::string>{"start(w)"});
}

// What is small is the guess, and not what the data say of it.
TEST(FitTraps, AGuessCloseToZeroIsLeft) {
  const MeasuredSignal data = decays_by(0.7, {0.5, 1.0, 1.5, 2.0, 3.0}, 1e-3);
  for (const double guess : {0.0, 1e-30, 1e-14, -1e-14}) {
    const Fit found =
        fit({.parameters = {{.name = "a", .start = guess}}, .experiments = {experiment_of(decay(), data)}});
    ASSERT_EQ(found.end, FitEnd::converged) << found.message;
    EXPECT_NEAR(found.estimates[0].value, 0.7, 1e-6) << guess;
    EXPECT_TRUE(found.undetermined.empty()) << guess;
  }
}

// v' = 2 − mu: a body that starts at rest and slides on. At v = 0 the derivative by the start does not exist, and with it none behind; that by mu does.
TEST(FitTraps, AParameterWithoutDerivativesTakesThoseOfOthersFromNoDatum) {
  constexpr double mu = 0.5;
  Source source;
  source.parameters = {{"mu", mu}};
  source.states = {{.name = "v"}};
  source.inputs = {{.name = "s", .form = Number(2.0)}};
  source.equations = {"der(v) = s - mu*sign(v)"};
  MeasuredSignal data{.signal = "v", .deviation = 0.01};
  for (int k = 1; k <= 9; ++k) {
    data.time.push_back(0.2 * k);
    data.value.push_back((2.0 - mu) * 0.2 * k + (k % 2 != 0 ? 0.01 : -0.01));
  }
  const auto found = [&](bool with_start) {
    FitProblem problem{.parameters = {{.name = "mu", .start = 0.45}},
                       .experiments = {experiment_of(source, data)}};
    if (with_start) problem.parameters.push_back({.name = "start(v)", .start = 0.0});
    return fit(problem);
  };
  const Fit alone = found(false), beside = found(true);
  ASSERT_EQ(alone.end, FitEnd::converged) << alone.message;
  EXPECT_NEAR(beside.estimates[0].value, alone.estimates[0].value, 1e-7);
  EXPECT_NEAR(beside.estimates[0].deviation, alone.estimates[0].deviation,
              1e-5 * alone.estimates[0].deviation);
  EXPECT_TRUE(beside.undetermined.empty());
  EXPECT_TRUE(std::isnan(beside.estimates[1].deviation));
  EXPECT_FALSE(beside.undefined.empty());
  EXPECT_EQ(beside.observations, 9);
}

}  // namespace fit_traps_test
}  // namespace mti
