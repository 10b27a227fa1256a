#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/source/overrides.hpp"
#include "mti/transform/scenario_start.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/solvers/sensitivities/differentiated_run.hpp"

/// Derivatives of runs whose start initial equations determine, against closed forms and differences of runs.
namespace solved_starts_test {
namespace {

using mti::Source;
using mti::test::derivative;
using mti::test::differentiated_run;
using mti::test::time_derivative;

constexpr double rtol = 1e-11;
mti::SimulationOptions accurate(double stop) {
  return {.stop = stop, .rtol = rtol, .atol = rtol, .output_interval = stop / 4.0};
}

/// x' = a·s − b·x and s = s0 + t from rest: x = a(s0 + t)/b − a/b² (1 − e^(−bt)).
TEST(SolvedStarts, AStartAtRest) {
  const double a = 3.0, b = 0.7, s0 = 2.0, stop = 4.0;
  Source source;
  source.parameters = {{"a", a}, {"b", b}, {"s0", s0}};
  source.states = {{.name = "x", .start = 1.0, .fixed = false}, {.name = "s", .start = "s0"}};
  source.equations = {"der(x) = a*s - b*x", "der(s) = 1"};
  source.initial = {"der(x) = 0"};
  const mti::Trajectory run =
      differentiated_run(source, {"a", "b", "s0", "start(s)", "start(x)"}, accurate(stop));
  for (std::size_t i = 0; i < run.size(); ++i) {
    const double t = run.time(i), decay = std::exp(-b * t);
    EXPECT_NEAR(derivative(run, i, "x", "a"), (s0 + t) / b - (1.0 - decay) / (b * b), 1e-9);
    EXPECT_NEAR(derivative(run, i, "x", "b"),
                -a * (s0 + t) / (b * b) + 2.0 * a * (1.0 - decay) / (b * b * b) - a * t * decay / (b * b),
                1e-9);
    EXPECT_NEAR(derivative(run, i, "x", "s0"), a / b, 1e-9);
    EXPECT_NEAR(derivative(run, i, "x", "start(s)"), a / b, 1e-9);
    EXPECT_EQ(derivative(run, i, "x", "start(x)"), 0.0);  // a guess
  }
}

/// x0² = c·p, x' = −x, y = k·x, and an event where y falls to 1: t = log(k sqrt(c p)).
TEST(SolvedStarts, ARootAndAnEventBehindIt) {
  const double c = 2.0, p = 4.5, k = 1.5;
  Source source;
  source.parameters = {{"c", c}, {"p", p}, {"k", k}};
  source.states = {{.name = "x", .start = 2.0, .fixed = false}};
  source.algebraic = {{"y"}};
  source.binaries = {{"low"}};
  source.equations = {"der(x) = -x", "y = k*x"};
  source.constraints = {"(1 - y)*(1 - low) <= 0", "(y - 1)*low <= 0"};
  source.initial = {"x^2 = c*p"};
  const mti::Trajectory run = differentiated_run(source, {"c", "p", "k"}, accurate(3.0));
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_NEAR(run.events[0].time, std::log(k * std::sqrt(c * p)), 1e-9);
  EXPECT_NEAR(time_derivative(run, 0, "c"), 0.5 / c, 1e-9);
  EXPECT_NEAR(time_derivative(run, 0, "p"), 0.5 / p, 1e-9);
  EXPECT_NEAR(time_derivative(run, 0, "k"), 1.0 / k, 1e-9);
}

std::vector<std::string> signals_of(const mti::Model& model) {
  std::vector<std::string> names;
  for (const auto* const list : {&model.signature.states(), &model.signature.algebraic()})
    for (const mti::Signal& signal : *list)
      if (!signal.auxiliary) names.push_back(signal.name);
  return names;
}

/// What `differentiated_run` says against central differences of runs, of all signals at all rows. Steps of 10⁻⁵ leave
/// 10⁻¹⁰ of the third derivative, and rtol/10⁻⁵ of the run.
void expect_differences(const Source& source, const std::vector<std::string>& names, double stop,
                        const std::string& scenario = {}) {
  mti::DifferentiatedModel differentiated = mti::build_with_derivatives(source, names);
  if (!scenario.empty()) differentiated = mti::with_scenario(std::move(differentiated), scenario);
  mti::SimulationOptions options = accurate(stop);
  options.sensitivities = differentiated.derivatives;
  const mti::Trajectory run = mti::simulate(differentiated.model, options);
  ASSERT_EQ(run.outcome.kind, mti::OutcomeKind::reached_stop) << run.outcome.message;
  for (std::size_t p = 0; p < names.size(); ++p) {
    const double value = differentiated.derivatives[p].value, step = 1e-5 * std::max(1.0, std::abs(value));
    const auto beside = [&](double by) {
      Source other = source;
      mti::override_values(other, {{mti::overridden_name(names[p]), value + by}});
      mti::Model model = mti::build(other);
      if (!scenario.empty()) model = mti::with_scenario(std::move(model), scenario);
      return mti::simulate(model, accurate(stop));
    };
    const mti::Trajectory ahead = beside(step), behind = beside(-step);
    ASSERT_EQ(ahead.size(), run.size());
    ASSERT_EQ(behind.size(), run.size());
    for (const std::string& signal : signals_of(differentiated.model)) {
      const std::size_t column = run.column(signal);
      for (std::size_t i = 0; i < run.size(); ++i) {
        const double difference = (ahead.value(i, column) - behind.value(i, column)) / (2.0 * step);
        EXPECT_NEAR(derivative(run, i, signal, names[p]), difference, 1e-5 * (1.0 + std::abs(difference)))
            << signal << " by " << names[p] << " at " << run.time(i);
      }
    }
  }
}

/// A pendulum of index 3 that starts from an angle: positions and velocities follow from two equations of the start.
Source pendulum() {
  Source source;
  source.parameters = {{"L", 1.2}, {"part", 0.6}, {"push", 0.3}, {"g", 9.81}};
  source.states = {{.name = "x", .start = 0.5, .fixed = false},
                   {.name = "y", .start = -1.0, .fixed = false},
                   {.name = "v", .fixed = false},
                   {.name = "w", .fixed = false}};
  source.algebraic = {{"F"}};
  source.equations = {"der(x) = v", "der(y) = w", "der(v) = -F*x", "der(w) = -F*y - g", "x^2 + y^2 = L^2"};
  source.initial = {"x = part*L", "der(x) = push"};
  return source;
}

TEST(SolvedStarts, APendulumOfIndex3) {
  const mti::Trajectory run = differentiated_run(pendulum(), {"L", "part", "push", "g"}, accurate(1.0));
  // At the start: x = part·L, y = −L sqrt(1 − part²), and x v + y w = 0.
  EXPECT_NEAR(derivative(run, 0, "x", "L"), 0.6, 1e-9);
  EXPECT_NEAR(derivative(run, 0, "y", "L"), -0.8, 1e-9);
  EXPECT_NEAR(derivative(run, 0, "y", "part"), 1.2 * 0.6 / 0.8, 1e-9);
  EXPECT_NEAR(derivative(run, 0, "v", "push"), 1.0, 1e-9);
  EXPECT_NEAR(derivative(run, 0, "w", "push"), 0.6 / 0.8, 1e-9);
  expect_differences(pendulum(), {"L", "part", "push", "g"}, 1.0);
}

/// Inputs at the start by their values; a sine in an equation that is differentiated.
TEST(SolvedStarts, InputsCount) {
  Source source;
  source.parameters = {{"a", 0.8}, {"amplitude", 0.5}};
  source.inputs = {
      {.name = "u", .form = mti::Number(0.7)},
      {.name = "s",
       .form = mti::SineSource{.amplitude = "amplitude", .frequency = 0.3, .phase = 0.4, .offset = 0.2}}};
  source.states = {{.name = "x", .fixed = false}, {.name = "z", .fixed = false}};
  source.algebraic = {{"F"}};
  source.equations = {"der(x) = u - a*x*x + F", "der(z) = x - z", "z = s"};
  expect_differences(source, {"a", "input(u)", "amplitude"}, 1.0);
}

/// Modes at the start are found, too, and rows that follow from others stay.
TEST(SolvedStarts, SuperfluousEquationsHaveToFollowAllTheSame) {
  Source source;
  source.parameters = {{"a", 2.0}, {"b", 2.0}};
  source.states = {{.name = "x", .start = 1.0, .fixed = false}};
  source.equations = {"der(x) = a - x"};
  source.initial = {"der(x) = 0", "x = b"};
  const mti::Trajectory run = differentiated_run(source, {"a", "b"}, accurate(1.0));
  ASSERT_EQ(run.outcome.kind, mti::OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_TRUE(std::isnan(derivative(run, 0, "x", "a")));
  EXPECT_TRUE(std::isnan(derivative(run, 0, "x", "b")));
  Source twice = source;
  twice.initial = {"der(x) = 0", "2*der(x) = 0"};
  const mti::Trajectory same = differentiated_run(twice, {"a"}, accurate(1.0));
  EXPECT_NEAR(derivative(same, 0, "x", "a"), 1.0, 1e-9);
}

/// k moves a block that slides alone; of what an impact beside it ties, its derivatives are rounding.
TEST(SolvedStarts, RoundingOfZeroIsAskedForNothing) {
  Source source;
  source.parameters = {{"g", 9.81}, {"k", 0.5}};
  source.states = {{.name = "h", .start = 1.0}, {.name = "v"}, {.name = "w", .start = 0.05}};
  source.algebraic = {{"N"}, {"gap"}};
  source.equations = {"der(h) = v", "der(v) = -g + N", "gap = h", "min(gap, N) = 0", "der(w) = k - sign(w)"};
  const mti::Trajectory run = differentiated_run(source, {"k"}, accurate(1.0));
  ASSERT_GE(run.events.size(), 2U);
  for (const char* const signal : {"h", "v", "w"})
    EXPECT_NEAR(derivative(run, signal, "k"), 0.0, 1e-12) << signal;
}

/// A scenario as the start.
TEST(SolvedStarts, ByAScenario) {
  Source source;
  source.parameters = {{"a", 2.0}, {"c", 1.5}};
  source.states = {{.name = "x", .start = 1.0}, {.name = "v", .start = 1.0}};
  source.equations = {"der(x) = v", "der(v) = -a*x - 0.3*v"};
  source.scenarios = {{"thrown", "", {"x = c", "v = 2*c"}}, {"still", "", {"v = 0", "x*a = c"}}};
  for (const char* const scenario : {"thrown", "still"})
    expect_differences(source, {"a", "c"}, 2.0, scenario);
}

/// Rooms with random couplings, nonlinear losses and products, of which some start at rest and some with given sums.
TEST(SolvedStarts, RandomModels) {
  std::mt19937_64 random(20261129);
  std::uniform_real_distribution<double> number(0.3, 1.7);
  const auto text = [&](double value) { return std::to_string(value); };
  for (int round = 0; round < 30; ++round) {
    const int n = 2 + round % 4;
    Source source;
    source.parameters = {{"p", number(random)}, {"q", number(random)}};
    source.algebraic = {{"y"}};
    std::string sum = "0.1*q";
    for (int i = 0; i < n; ++i) {
      const std::string x = "x" + std::to_string(i), next = "x" + std::to_string((i + 1) % n);
      source.states.push_back({.name = x, .start = number(random), .fixed = i % 3 == 2});
      source.equations.emplace_back("der(" + x + ") = p*" + text(number(random)) + " - " +
                                    text(number(random)) + "*" + x + " - q*" + x + "*" + x + " + " +
                                    text(0.2 * number(random)) + "*(" + next + " - " + x + ") + 0.1*y");
      sum += " + " + text(0.1 * number(random)) + "*" + x;
    }
    source.equations.emplace_back("y + 0.2*y*p = " + sum);
    for (int i = 0; i < n; ++i) {
      const std::string x = "x" + std::to_string(i);
      if (i % 3 == 0) source.initial.emplace_back("der(" + x + ") = 0");
      if (i % 3 == 1) source.initial.emplace_back(x + " + 0.3*y = q + 0.1*der(x0)");
    }
    expect_differences(source, {"p", "q"}, 2.0);
  }
}

}  // namespace
}  // namespace solved_starts_test
