// Estimates of model parameters against closed forms: exponentials, linear least squares, switching times of a thermostat.

#include "solvers/fitting/fit.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <cmath>
#include <random>

#include "tests/solvers/dense_algebra.hpp"

namespace mti {
namespace fit_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::inverse;

Source decay() {
  Source source;
  source.parameters = {{"k", 0.3}};
  source.states = {{.name = "x", .start = 1.0}};
  source.equations = {"der(x) = -k*x"};
  return source;
}

std::vector<double> times(int count, double step) {
  std::vector<double> result;
  for (int i = 1; i <= count; ++i) result.push_back(step * i);
  return result;
}

FitProblem problem_of(Source source, std::vector<FitParameter> parameters, MeasuredSignal data) {
  FitExperiment experiment;
  experiment.source = std::move(source);
  experiment.signals = {std::move(data)};
  return {.parameters = std::move(parameters), .experiments = {std::move(experiment)}};
}

/// x = x0 e^{−kt} with noise: estimates are where J^T r = 0, and C = σ² (J^T J)⁻¹ with J = (e^{−kt}, −x0 t e^{−kt}).
TEST(Fit, OfADecayIsWhereTheNormalEquationsHold) {
  std::mt19937 random(3);
  std::normal_distribution<double> noise(0.0, 0.02);
  MeasuredSignal data{.signal = "x", .time = times(30, 0.2)};
  for (const double t : data.time) data.value.push_back(2.0 * std::exp(-0.7 * t) + noise(random));
  const Fit found =
      fit(problem_of(decay(), {{.name = "start(x)", .start = 1.0}, {.name = "k", .start = 0.3}}, data));
  ASSERT_EQ(found.end, FitEnd::converged);
  const double x0 = found.estimates[0].value, k = found.estimates[1].value;
  MatrixXd J(30, 2);
  VectorXd r(30);
  for (Index i = 0; i < 30; ++i) {
    const double t = data.time[static_cast<std::size_t>(i)], e = std::exp(-k * t);
    J.row(i) << e, -x0 * t * e;
    r(i) = x0 * e - data.value[static_cast<std::size_t>(i)];
  }
  const VectorXd step = inverse(J.transpose() * J) * (J.transpose() * r);
  const MatrixXd C = r.squaredNorm() / 28.0 * inverse(J.transpose() * J);
  for (Index j = 0; j < 2; ++j) {
    const Estimate& estimate = found.estimates[static_cast<std::size_t>(j)];
    EXPECT_LT(std::abs(step(j)), 1e-4 * std::sqrt(C(j, j)));
    EXPECT_NEAR(estimate.deviation, std::sqrt(C(j, j)), 1e-6 * estimate.deviation);
    constexpr double t_28 = 2.048407141795244;
    EXPECT_NEAR(estimate.high - estimate.value, t_28 * estimate.deviation, 1e-9);
  }
  EXPECT_NEAR(found.covariance(0, 1), C(0, 1), 1e-6 * std::abs(C(0, 1)));
  EXPECT_NEAR(k, 0.7, 4.0 * found.estimates[1].deviation);
  EXPECT_NEAR(found.noise, r.norm() / std::sqrt(28.0), 1e-6);
  ASSERT_EQ(found.series.size(), 1U);
  EXPECT_NEAR(found.series[0].fitted[7], x0 * std::exp(-k * data.time[7]), 1e-6);
}

/// x = x0 + a t + b t²/2 is linear in x0, a and b: the estimates are those of linear least squares. Deviations of two series weigh them.
TEST(Fit, OfALinearModelIsLinearLeastSquares) {
  std::mt19937 random(5);
  std::normal_distribution<double> noise(0.0, 0.1);
  Source source;
  source.parameters = {{"a", 0.0}, {"b", 0.0}};
  source.states = {{.name = "x"}};
  source.equations = {"der(x) = a + b*time"};
  const auto data = [&](const std::vector<double>& at, double deviation) {
    MeasuredSignal measured{.signal = "x", .time = at, .deviation = deviation};
    for (const double t : at) measured.value.push_back(1.0 - 0.5 * t + 0.3 * t * t + noise(random));
    return measured;
  };
  FitProblem problem =
      problem_of(source, {{.name = "start(x)"}, {.name = "a"}, {.name = "b"}}, data(times(10, 0.5), 0.1));
  problem.experiments[0].signals.push_back(data(times(5, 1.0), 0.4));
  const Fit found = fit(problem, {.noise_is_known = true});
  ASSERT_EQ(found.end, FitEnd::converged) << found.message;
  MatrixXd A(15, 3);
  VectorXd b(15);
  Index row = 0;
  for (const MeasuredSignal& measured : problem.experiments[0].signals)
    for (std::size_t i = 0; i < measured.time.size(); ++i, ++row) {
      const double t = measured.time[i];
      A.row(row) << 1.0, t, 0.5 * t * t;
      A.row(row) /= measured.deviation;
      b(row) = measured.value[i] / measured.deviation;
    }
  const VectorXd exact = A.colPivHouseholderQr().solve(b);
  const MatrixXd C = inverse(A.transpose() * A);
  for (Index j = 0; j < 3; ++j) {
    EXPECT_NEAR(found.estimates[static_cast<std::size_t>(j)].value, exact(j), 1e-5 * std::sqrt(C(j, j)));
    EXPECT_NEAR(found.estimates[static_cast<std::size_t>(j)].deviation, std::sqrt(C(j, j)), 1e-6);
  }
}

Source room(double tau, double warm) {
  Source source;
  source.parameters = {{"tau", tau}, {"low", 19.0}, {"high", 21.0}, {"cold", 5.0}, {"warm", warm}};
  source.states = {{.name = "T", .start = 18.0}};
  source.binaries = {{"on", 1.0}};
  source.equations = {"tau*der(T) = cold - T + (warm - cold)*on"};
  source.constraints = {"(low - T)*(1 - on) <= 0", "(T - high)*on <= 0"};
  return source;
}

/// Times at which it is switched off and on, from T to T' towards c in tau ln((c − T)/(c − T')), and nothing else.
FitExperiment switching_times(double tau, double warm) {
  const double heating = tau * std::log((warm - 19.0) / (warm - 21.0)),
               cooling = tau * std::log((21.0 - 5.0) / (19.0 - 5.0));
  double t = tau * std::log((warm - 18.0) / (warm - 21.0));
  FitExperiment experiment;
  experiment.events = {{.event = "fall(on)", .deviation = 0.01}, {.event = "rise(on)", .deviation = 0.01}};
  for (int k = 0; k < 3; ++k) {
    experiment.events[0].time.push_back(t);
    experiment.events[1].time.push_back(t += cooling);
    t += heating;
  }
  return experiment;
}

TEST(Fit, OfSwitchingTimesOfAThermostat) {
  FitExperiment experiment = switching_times(12.0, 31.0);
  experiment.source = room(10.0, 35.0);
  const FitProblem problem{.parameters = {{.name = "tau", .start = 10.0, .lower = 1.0},
                                          {.name = "warm", .start = 35.0, .lower = 22.0}},
                           .experiments = {experiment}};
  const Fit found = fit(problem);
  ASSERT_EQ(found.end, FitEnd::converged) << found.message;
  EXPECT_NEAR(found.estimates[0].value, 12.0, 1e-5);
  EXPECT_NEAR(found.estimates[1].value, 31.0, 1e-5);
  EXPECT_TRUE(found.undetermined.empty());
  ASSERT_EQ(found.series.size(), 2U);
  EXPECT_TRUE(found.series[0].is_event);
  // The times by themselves: ∂t/∂tau = t/tau, and so C of tau alone is σ²/Σ(t/tau)².
  FitProblem one = problem;
  one.experiments[0].source = room(10.0, 31.0);
  one.parameters.pop_back();
  const Fit alone = fit(one, {.noise_is_known = true});
  double sum = 0.0;
  for (const MeasuredEvents& events : experiment.events)
    for (const double t : events.time) sum += (t / 12.0 / 0.01) * (t / 12.0 / 0.01);
  EXPECT_NEAR(alone.estimates[0].deviation, 1.0 / std::sqrt(sum), 1e-6 / std::sqrt(sum));
}

// Negative control: where the number of switches is another one there are no residuals.
TEST(Fit, SaysThatTheRunHasFewerEventsThanWereMeasured) {
  FitExperiment experiment = switching_times(12.0, 31.0);
  experiment.name = "winter";
  experiment.source = room(10.0, 31.0);
  experiment.stop = 13.0;
  experiment.events.pop_back();
  experiment.events[0].time = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0};
  const Fit found = fit({.parameters = {{.name = "tau", .start = 40.0}}, .experiments = {experiment}});
  EXPECT_EQ(found.end, FitEnd::no_start);
  EXPECT_TRUE(found.estimates.empty());
  EXPECT_TRUE(found.message.starts_with("winter: the run up to t = 13 has ")) << found.message;
}

TEST(Fit, NamesTheProductThatAloneIsDetermined) {
  Source source = decay();
  source.parameters = {{"k1", 0.5}, {"k2", 1.0}, {"idle", 3.0}};
  source.equations = {"der(x) = -k1*k2*x"};
  MeasuredSignal data{.signal = "x", .time = times(10, 0.3)};
  for (const double t : data.time) data.value.push_back(std::exp(-0.8 * t));
  const Fit found = fit(problem_of(
      source, {{.name = "k1", .start = 0.5}, {.name = "k2", .start = 1.0}, {.name = "idle", .start = 3.0}},
      data));
  ASSERT_EQ(found.end, FitEnd::converged);
  EXPECT_NEAR(found.estimates[0].value * found.estimates[1].value, 0.8, 1e-6);
  EXPECT_TRUE(std::isnan(found.estimates[0].deviation));
  EXPECT_EQ(found.rank, 1);
  ASSERT_EQ(found.undetermined.size(), 2U);
  const std::size_t product = found.undetermined[0].parameters.size() == 2 ? 0 : 1;
  EXPECT_EQ(found.undetermined[product].parameters, (std::vector<std::string>{"k1", "k2"}));
  EXPECT_NEAR(found.undetermined[product].changes[0], 1.0, 1e-5);
  EXPECT_NEAR(found.undetermined[product].changes[1], -1.0, 1e-5);
  EXPECT_EQ(found.undetermined[1 - product].parameters, std::vector<std::string>{"idle"});
}

/// The rate is the same in both experiments, each has a start of its own.
TEST(Fit, OfSeveralExperimentsWithParametersOfTheirOwn) {
  FitProblem problem;
  problem.parameters = {{.name = "k", .start = 0.3},
                        {.name = "x1", .start = 1.0, .quantity = "start(x)", .experiments = {"one"}},
                        {.name = "x2", .start = 1.0, .quantity = "start(x)", .experiments = {"two"}}};
  for (const auto& [name, start] : {std::pair("one", 3.0), std::pair("two", 0.5)}) {
    FitExperiment& experiment = problem.experiments.emplace_back();
    experiment.name = name;
    experiment.source = decay();
    MeasuredSignal& data =
        experiment.signals.emplace_back(MeasuredSignal{.signal = "x", .time = times(8, 0.4)});
    for (const double t : data.time) data.value.push_back(start * std::exp(-1.1 * t));
  }
  const Fit found = fit(problem);
  ASSERT_EQ(found.end, FitEnd::converged);
  EXPECT_NEAR(found.estimates[0].value, 1.1, 1e-6);
  EXPECT_NEAR(found.estimates[1].value, 3.0, 1e-6);
  EXPECT_NEAR(found.estimates[2].value, 0.5, 1e-6);
  EXPECT_EQ(found.series[1].experiment, "two");
}

/// x' = −√k x with the data of k = 0.01: steps that lead to k < 0 are too long. With the bound at 0.04 it stays there.
TEST(Fit, ARunThatFailsIsAStepTooLong) {
  Source source = decay();
  source.equations = {"der(x) = -sqrt(k)*x"};
  MeasuredSignal data{.signal = "x", .time = times(10, 0.5)};
  for (const double t : data.time) data.value.push_back(std::exp(-0.1 * t));
  const Fit found = fit(problem_of(source, {{.name = "k", .start = 3.0}}, data));
  ASSERT_EQ(found.end, FitEnd::converged) << found.message;
  EXPECT_GT(found.refused, 0);
  EXPECT_NEAR(found.estimates[0].value, 0.01, 1e-7);
  const Fit bounded = fit(problem_of(source, {{.name = "k", .start = 3.0, .lower = 0.04}}, data));
  EXPECT_EQ(bounded.end, FitEnd::converged);
  EXPECT_EQ(bounded.estimates[0].value, 0.04);
  EXPECT_TRUE(bounded.estimates[0].at_lower);
}

/// x = sin(ωt): from ω = 5 a search ends in a minimum beside that at 2. Of several starts one finds it.
TEST(Fit, OfSeveralStartsTheBestIsTaken) {
  Source source;
  source.parameters = {{"w", 1.0}};
  source.states = {{.name = "x"}, {.name = "v", .start = "w"}};
  source.equations = {"der(x) = v", "der(v) = -w^2*x"};
  MeasuredSignal data{.signal = "x", .time = times(40, 0.25)};
  for (const double t : data.time) data.value.push_back(std::sin(2.0 * t));
  const FitProblem problem =
      problem_of(source, {{.name = "w", .start = 5.0, .lower = 0.5, .upper = 8.0}}, data);
  const Fit one = fit(problem);
  EXPECT_GT(one.cost, 1.0) << "the negative control";
  const Fit many = fit(problem, {.starts = 16, .seed = 1});
  ASSERT_EQ(many.end, FitEnd::converged);
  EXPECT_NEAR(many.estimates[0].value, 2.0, 1e-6);
  EXPECT_EQ(many.starts.size(), 16U);
  EXPECT_GE(many.starts_at_best, 1);
  EXPECT_EQ(fit(problem, {.starts = 16, .seed = 1}).estimates[0].value, many.estimates[0].value);
}

/// The guess v0 = 0 stands where |v| turns, and is as good as any other.
TEST(Fit, GoesOnFromAStartAtATurn) {
  Source source;
  source.parameters = {{"k", 0.4}};
  source.states = {{.name = "v"}};
  source.equations = {"der(v) = 1.3 - k*v*abs(v)"};
  // v0 = 0.6, k = 1/2: with a = sqrt(1.3/k), v = a·tanh(artanh(v0/a) + sqrt(1.3 k) t).
  const double a = std::sqrt(2.6);
  std::vector<double> time, value;
  for (int i = 1; i <= 10; ++i) {
    time.push_back(0.2 * i);
    value.push_back(a * std::tanh(std::atanh(0.6 / a) + std::sqrt(0.65) * 0.2 * i));
  }
  const Fit found = fit(problem_of(source, {{.name = "start(v)"}, {.name = "k"}},
                                   {.signal = "v", .time = time, .value = value}));
  EXPECT_EQ(found.end, FitEnd::converged);
  EXPECT_NEAR(found.estimates[0].value, 0.6, 1e-5);
  EXPECT_NEAR(found.estimates[1].value, 0.5, 1e-5);
}

/// A pulse that begins at p = 0 stands at the start: to one side of p the run has its jump, to the other it has not.
TEST(Fit, NamesDataWhoseDerivativesAreUndefined) {
  Source source;
  source.parameters = {{"p", 0.0}, {"a", 1.0}};
  source.states = {{.name = "x"}};
  source.inputs = {{.name = "u", .form = PulseSource{.period = 0.4, .start = "p"}}};
  source.equations = {"der(x) = a*u"};
  FitProblem problem =
      problem_of(source, {{.name = "p"}}, {.signal = "x", .time = {0.1, 0.15}, .value = {0.2, 0.3}});
  const Fit found = fit(problem);
  EXPECT_EQ(found.end, FitEnd::stalled);
  ASSERT_EQ(found.undefined.size(), 1U);
  EXPECT_EQ(found.undefined[0].parameters, std::vector<std::string>{"p"});
  EXPECT_EQ(found.undefined[0].count, 2);
  EXPECT_EQ(found.undefined[0].first, 0.1);
  // Negative control: p = 0.05 has derivatives.
  problem.parameters[0].start = 0.05;
  EXPECT_TRUE(fit(problem).undefined.empty());
}

TEST(Fit, EndsWithWhatItHas) {
  MeasuredSignal data{.signal = "x", .time = times(5, 0.5), .value = {0.9, 0.8, 0.7, 0.6, 0.5}};
  const FitProblem problem = problem_of(decay(), {{.name = "k", .start = 3.0}}, data);
  std::stop_source stop;
  stop.request_stop();
  const Fit stopped = fit(problem, {.stop_token = stop.get_token()});
  EXPECT_EQ(stopped.end, FitEnd::interrupted);
  EXPECT_TRUE(stopped.estimates.empty());
  EXPECT_EQ(fit(problem, {.max_seconds = 1e-9}).end, FitEnd::time_budget);
  // After the third run.
  FitProblem slow = problem;
  slow.parameters[0].start = 0.3;
  std::stop_source later;
  int runs = 0;
  slow.simulation.observe = [&](double time, int, const Mode&, std::span<const double>) {
    if (time == 0.0 && ++runs == 3) later.request_stop();
  };
  const Fit part = fit(slow, {.stop_token = later.get_token()});
  EXPECT_EQ(part.end, FitEnd::interrupted);
  ASSERT_EQ(part.estimates.size(), 1U);
  EXPECT_LT(part.estimates[0].value, 0.3);
  EXPECT_EQ(fit(problem, {.most_iterations = 1}).end, FitEnd::iteration_limit);
}

std::vector<std::string> refusals(const FitProblem& problem) {
  std::vector<std::string> result;
  for (const Fault& fault : problem.validate()) result.push_back(fault.pointer + " " + fault.id);
  return result;
}

TEST(Fit, RefusesWhatMakesNoSense) {
  using Refusals = std::vector<std::string>;
  const MeasuredSignal data{.signal = "x", .time = {1.0}, .value = {0.5}};
  const FitParameter k{.name = "k", .start = 1.0};
  EXPECT_EQ(refusals(problem_of(decay(), {k}, data)), Refusals());
  EXPECT_EQ(refusals({}), (Refusals{"/parameters bad-parameter", "/experiments bad-data"}));
  EXPECT_EQ(refusals(problem_of(decay(), {{.name = "q"}}, data)),
            Refusals{"/parameters/q unknown-derivative"});
  EXPECT_EQ(refusals(problem_of(decay(), {{.name = "k", .start = 1.0, .lower = 2.0}}, data)),
            Refusals{"/parameters/k/start bad-parameter"});
  EXPECT_EQ(refusals(problem_of(decay(), {{.name = "k", .lower = 2.0, .upper = 1.0}}, data)),
            Refusals{"/parameters/k bad-parameter"});
  EXPECT_EQ(refusals(problem_of(decay(), {k, k}, data)), Refusals{"/parameters/k bad-parameter"});
  const auto with = [&](auto change) {
    FitProblem problem = problem_of(decay(), {k}, data);
    change(problem.experiments[0]);
    return refusals(problem);
  };
  EXPECT_EQ(with([](FitExperiment& e) { e.signals[0].signal = "y"; }),
            Refusals{"/experiments/0/signals/y unknown-signal"});
  EXPECT_EQ(with([](FitExperiment& e) { e.signals[0].deviation = 0.0; }),
            Refusals{"/experiments/0/signals/x bad-data"});
  EXPECT_EQ(with([](FitExperiment& e) { e.signals[0].value = {}; }),
            Refusals{"/experiments/0/signals/x bad-data"});
  EXPECT_EQ(with([](FitExperiment& e) { e.stop = 0.5; }), Refusals{"/experiments/0/signals/x bad-data"});
  EXPECT_EQ(with([](FitExperiment& e) { e.signals.clear(); }), Refusals{"/experiments/0 bad-data"});
  EXPECT_EQ(with([](FitExperiment& e) { e.events = {{.event = "rise(z)", .time = {0.2}}}; }),
            Refusals{"/experiments/0/events/rise(z) unknown-event"});
  EXPECT_EQ(with([](FitExperiment& e) { e.source.equations = {"der(x) = y"}; }),
            Refusals{"/experiments/0/model/equations/0 unknown-name"});
  EXPECT_EQ(with([](FitExperiment& e) {
              e.source.equations = {"next(x) = -k*x"};
              e.source.sample_time = 1.0;
            }),
            Refusals{"/experiments/0/model bad-option"});
  EXPECT_THROW(static_cast<void>(fit({})), InvalidOption);
  EXPECT_THROW(static_cast<void>(fit(problem_of(decay(), {k}, data), {.starts = 2})), InvalidOption);
}

}  // namespace fit_test
}  // namespace mti
