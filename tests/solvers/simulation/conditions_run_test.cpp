// Conditions against the same models with binaries written by hand: the same events, the same motion, at every
// tolerance; and against closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "mti/build/build.hpp"
#include "mti/components/flatten.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti {
namespace conditions_run_test {

struct Pair {
  const char* name;
  Source condition, by_hand;
};

Source oscillation() {
  Source source;
  source.states = {{"x", 1.5}, {"v", 0.0}, {"w", 0.0}};
  source.algebraic = {{"y"}};
  source.equations = {"der(x) = v", "der(v) = -x - 0.1*v", "der(w) = y"};
  source.experiment.stop = 12.0;
  return source;
}

Source with(Source source, const char* equation, std::vector<BinarySource> binaries,
            std::vector<RelationSource> constraints) {
  source.equations.emplace_back(equation);
  source.binaries = std::move(binaries);
  source.constraints = std::move(constraints);
  return source;
}

std::vector<Pair> pairs() {
  const Source base = oscillation();
  return {
      {"abs", with(base, "y = abs(x)", {}, {}),
       with(base, "y = z*x - (1 - z)*x", {{"z", 1.0}}, {"x*(1 - z) <= 0", "-x*z <= 0"})},
      {"max", with(base, "y = max(x, v)", {}, {}),
       with(base, "y = z*x + (1 - z)*v", {{"z", 1.0}}, {"(x - v)*(1 - z) <= 0", "(v - x)*z <= 0"})},
      {"clamp", with(base, "y = clamp(x, -0.5, 0.25)", {}, {}),
       with(base, "y = a*(-0.5) + b*0.25 + (1 - a - b)*x", {{"a", 0.0}, {"b", 1.0}},
            {"(-0.5 - x)*(1 - a) <= 0", "(x + 0.5)*a <= 0", "(x - 0.25)*(1 - b) <= 0", "(0.25 - x)*b <= 0"})},
      {"if", with(base, "y = if x > 0.2 and v < 0 then 3 else x", {}, {}),
       with(base, "y = a*b*3 + (1 - a*b)*x", {{"a", 1.0}, {"b", 0.0}},
            {"(x - 0.2)*(1 - a) <= 0", "(0.2 - x)*a <= 0", "-v*(1 - b) <= 0", "v*b <= 0"})},
      {"hysteresis", with(base, "y = hysteresis(x, -0.4, 0.6)", {}, {}),
       with(base, "y = z", {{"z", 1.0}}, {"(x - 0.6)*(1 - z) <= 0", "(-0.4 - x)*z <= 0"})},
      {"table", with(base, "y = table(x, [-1, 0, 0.5, 2], [2, 0, 1, 1])", {}, {}),
       with(base, "y = -2*x + a*4*x - b*2*(x - 0.5)", {{"a", 1.0}, {"b", 1.0}},
            {"x*(1 - a) <= 0", "-x*a <= 0", "(x - 0.5)*(1 - b) <= 0", "(0.5 - x)*b <= 0"})}};
}

std::vector<double> switch_times(const Trajectory& run) {
  std::vector<double> times;
  for (const Event& event : run.events)
    if (event.kind == EventKind::switch_mode) times.push_back(event.time);
  return times;
}

TEST(ConditionsRun, AreTheHandWrittenBinariesAtEveryTolerance) {
  for (const auto& [name, condition, by_hand] : pairs())
    for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
      SCOPED_TRACE(std::string(name) + ", rtol " + std::to_string(rtol));
      SimulationOptions options;
      options.rtol = rtol;
      options.atol = rtol;
      const Trajectory one = simulate(build(condition), options), other = simulate(build(by_hand), options);
      ASSERT_EQ(one.outcome.kind, OutcomeKind::reached_stop) << one.outcome.message;
      ASSERT_EQ(other.outcome.kind, OutcomeKind::reached_stop) << other.outcome.message;
      const std::vector<double> times = switch_times(one), expected = switch_times(other);
      ASSERT_GE(times.size(), 3U);
      // One condition may need two binaries that change at two instants, as one or as two events.
      ASSERT_EQ(times.size(), expected.size());
      for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], expected[i], 100.0 * rtol);
      const std::size_t last = one.size() - 1, last_of_other = other.size() - 1;
      for (const char* signal : {"x", "v", "w", "y"})
        EXPECT_NEAR(one.value(last, one.column(signal)), other.value(last_of_other, other.column(signal)),
                    100.0 * rtol)
            << signal;
    }
}

/// Both sides press: x rests on the boundary of its condition, as it does with a binary written by hand.
TEST(ConditionsRun, SlideWhereBothSidesPress) {
  for (const char* text : {"der(x) = if x > 0 then -1 else 2", "der(x) = 0.5 - 1.5*sign(x)",
                           "der(x) = 2 - 3*(x >= 0)", "der(x) = 2 - 3*step(x)"}) {
    SCOPED_TRACE(text);
    Source source;
    source.states = {{"x", 1.0}};
    source.equations = {text};
    source.experiment.stop = 2.0;
    const Trajectory run = simulate(build(source));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_NEAR(run.value(run.size() - 1, run.column("x")), 0.0, 1e-6);
    ASSERT_FALSE(run.events.empty());
    EXPECT_EQ(run.events.back().kind, EventKind::slide_begin);
    EXPECT_NEAR(run.events.back().time, 1.0, 1e-6);
  }
}

/// Two rooms with a thermostat each: a period of τ ln((T∞ − 19)/(T∞ − 21)) + τ ln((21 − 10)/(19 − 10)).
TEST(ConditionsRun, StandInComponents) {
  Composition room;
  room.own.parameters = {{"tau", 10.0}, {"low", 19.0}, {"high", 21.0}};
  room.own.states = {{"T", 20.0}};
  room.own.algebraic = {{"heat"}};
  room.own.equations = {"der(T) = -(T - 10)/tau + 2.5*heat",
                        "heat = 1 - hysteresis(T, low, high, initial 0)"};
  Composition house;
  house.components = {{"a", std::make_shared<const Composition>(room)},
                      {"b", std::make_shared<const Composition>(room), {{"tau", 20.0}}}};
  house.own.experiment.stop = 20.0;
  const Model model = build(house);
  EXPECT_EQ(model.signature.binaries()[0].name, "a.heat.on");
  EXPECT_EQ(model.signature.binaries()[0].generated, "hysteresis(a.T, a.low, a.high, initial 0)");
  SimulationOptions options;
  options.rtol = 1e-10;
  options.atol = 1e-12;
  const Trajectory run = simulate(model, options);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  double first = 10.0 * std::log(15.0 / 14.0);
  const double up = 10.0 * std::log(16.0 / 14.0), down = 10.0 * std::log(11.0 / 9.0);
  std::vector<double> times;
  for (const Event& event : run.events)
    for (const Change& change : event.changed)
      if (event.kind == EventKind::switch_mode && change.row == model.signature.binary_row(0))
        times.push_back(event.time);
  ASSERT_GE(times.size(), 4U);
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_NEAR(times[i], first, 1e-8);
    first += i % 2 == 0 ? down : up;
  }
}

/// Danger: the binary of |x| has its boundary where the divisor is 0: no mode goes on, and the divisor is why.
TEST(ConditionsRun, EndWhereADivisorEndsAtTheirBoundary) {
  Source source;
  source.states = {{"x", 1.0}};
  source.algebraic = {{"y"}};
  source.equations = {"der(x) = -1", "y = x/abs(x)"};
  source.experiment.stop = 2.0;
  const Trajectory run = simulate(build(source));
  EXPECT_EQ(run.outcome.kind, OutcomeKind::left_domain) << run.outcome.message;
  EXPECT_NEAR(run.outcome.end_time, 1.0, 1e-5);
  EXPECT_NE(run.outcome.message.find("the divisor abs(x)"), std::string::npos) << run.outcome.message;
}

/// Where an input jumps over the end of a domain, or a guess stands beyond it, the binary of the argument is what may change.
TEST(ConditionsRun, ChangeWhereAFunctionHasNoValueOtherwise) {
  for (const std::string function : {"sqrt(abs(u))", "abs(u)^0.5", "1 + 0.5*log(abs(u))"}) {
    Source source;
    source.states = {{"q", 0.0}};
    source.inputs = {{"u", TableSource{.time = {0.0, 1.0, 1.0, 2.0}, .value = {-1.0, -1.0, 1.0, 1.0}}}};
    source.algebraic = {{"r"}};
    source.equations = {"der(q) = r", RelationSource("r = " + function)};
    source.experiment.stop = 2.0;
    const Trajectory run = simulate(build(source));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << function << ": " << run.outcome.message;
    EXPECT_NEAR(run.value(run.size() - 1, run.column("q")), 2.0, 1e-6) << function;
  }
  Source source;
  source.states = {{"p", 1.0}};
  source.algebraic = {{"x"}, {"r"}};
  source.equations = {"der(p) = 0.1", "x = p", "r = sqrt(abs(x))"};
  source.experiment.stop = 1.0;
  const Trajectory run = simulate(build(source));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(run.value(run.size() - 1, run.column("r")), std::sqrt(1.1), 1e-6);
}

}  // namespace conditions_run_test
}  // namespace mti
