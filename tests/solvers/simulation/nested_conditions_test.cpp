// Conditions within conditions: each binary changes at its own limits only. Closed forms of x = t, q' = y.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "mti/build/build.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti {
namespace nested_conditions_test {

struct Nested {
  std::string text;                 ///< of y
  std::vector<double> times;        ///< of the switches
  std::function<double(double)> y;  ///< of t
  double q;                         ///< the integral of y from 0 to 9
};

std::vector<Nested> nested() {
  return {
      {"if x - hysteresis(x - 1, -5, 5) > 1 then 1 else 0",
       {1, 6},
       [](double t) { return t > 1 ? 1.0 : 0.0; },
       8},
      {"if x > 1 + hysteresis(x - 1, -5, 5) then 1 else 0",
       {1, 6},
       [](double t) { return t > 1 ? 1.0 : 0.0; },
       8},
      // x − 4h passes 1 at 1, falls to 2 where h becomes 1
      {"max(x - 4*hysteresis(x - 1, -5, 5), 1)",
       {1, 6},
       [](double t) { return t < 1   ? 1.0
                             : t < 6 ? t
                                     : t - 4; },
       1 + 17.5 + 10.5},
      {"min(1, x - 4*hysteresis(x - 1, -5, 5))", {1, 6}, [](double t) { return t < 1 ? t : 1.0; }, 8.5},
      {"pos(x - 1 - 3*hysteresis(x, -5, 5))",
       {1, 5},
       [](double t) { return t < 1   ? 0.0
                             : t < 5 ? t - 1
                                     : t - 4; },
       8 + 12},
      {"abs(x - 1 - 2*hysteresis(x, -5, 5))",
       {1, 5},
       [](double t) { return t < 1   ? 1 - t
                             : t < 5 ? t - 1
                                     : t - 3; },
       0.5 + 8 + 16},
      {"clamp(x - hysteresis(x, -5, 5), 1, 3)",
       {1, 3, 5},
       [](double t) { return t < 1   ? 1.0
                             : t < 3 ? t
                                     : 3.0; },
       1 + 4 + 18},
      {"table(x - hysteresis(x, -5, 5), [0, 1, 2], [0, 0, 1])",
       {1, 5},
       [](double t) { return t < 1   ? 0.0
                             : t < 5 ? t - 1
                                     : t - 2; },
       8 + 20},
      // the outer one rises at 2; at 4 its argument falls from 4 to 1, which is within its band
      {"hysteresis(x - 3*hysteresis(x, -2, 4), -1, 2)",
       {2, 4},
       [](double t) { return t > 2 ? 1.0 : 0.0; },
       7},
      // the jump of the argument at 4, from 4 to −2, is below the lower limit: both change in one event; the
      // outer one rises again where x − 6 = 2
      {"hysteresis(x - 6*hysteresis(x, -2, 4), -1, 2)",
       {2, 4, 8},
       [](double t) { return (t > 2 && t < 4) || t > 8 ? 1.0 : 0.0; },
       3},
      // the limits move: h far from them is not changed by the other
      {"hysteresis(x, -7, 2 + hysteresis(x - 1, -5, 5))",
       {2, 6},
       [](double t) { return t > 2 ? 1.0 : 0.0; },
       7},
      {"hysteresis(x, -7 - hysteresis(x - 1, -5, 5), 2 + hysteresis(x - 1, -5, 5))",
       {2, 6},
       [](double t) { return t > 2 ? 1.0 : 0.0; },
       7},
      {"if max(x, 3 - x) - 2.5 > 0 then 1 else 0",
       {0.5, 1.5, 2.5},
       [](double t) { return t < 0.5 || t > 2.5 ? 1.0 : 0.0; },
       0.5 + 6.5},
      {"if (if x > 3 then x - 2 else x) - 1.5 > 0 then 1 else 0",
       {1.5, 3, 3.5},
       [](double t) { return (t > 1.5 && t < 3) || t > 3.5 ? 1.0 : 0.0; },
       1.5 + 5.5},
  };
}

void expect_closed_form(const Model& model, const Nested& nested, double rtol) {
  SimulationOptions options;
  options.rtol = rtol;
  options.atol = rtol;
  options.output_times = {0.25, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 4.5, 5.5, 7, 8.5, 9};
  const Trajectory run = simulate(model, options);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  const double tolerance = 10.0 * rtol * 9.0;  // of the contract, 10·rtol·T
  std::vector<double> times;
  for (const Event& event : run.events)
    if (event.kind == EventKind::switch_mode) times.push_back(event.time);
  ASSERT_EQ(times.size(), nested.times.size());
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], nested.times[i], tolerance);
  for (std::size_t row = 0; row < run.size(); ++row) {
    const double t = run.time(row);
    bool is_apart = true;  // from the events, where y jumps
    for (const double time : nested.times) is_apart = is_apart && std::abs(t - time) > tolerance;
    if (!is_apart) continue;
    EXPECT_NEAR(run.value(row, run.column("y")), nested.y(t), tolerance) << t;
  }
  EXPECT_NEAR(run.value(run.size() - 1, run.column("q")), nested.q, tolerance);
}

Source source_of(std::vector<std::string> equations) {
  Source source;
  source.states = {{"x", 0.0}, {"q", 0.0}};
  source.algebraic = {{"y"}};
  source.equations = {"der(x) = 1", "der(q) = y"};
  source.equations.insert(source.equations.end(), equations.begin(), equations.end());
  source.experiment.stop = 9.0;
  return source;
}

TEST(NestedConditions, ChangeAtTheirOwnLimitsOnly) {
  for (const Nested& one : nested())
    for (const double rtol : {1e-4, 1e-7, 1e-10}) {
      SCOPED_TRACE(one.text + ", rtol " + std::to_string(-std::log10(rtol)));
      expect_closed_form(build(source_of({"y = " + one.text})), one, rtol);
    }
}

/// The same where the inner condition has a binary written by hand, declared before or made after the outer one, and
/// where it has a name.
TEST(NestedConditions, HaveNoOrder) {
  const Nested expected{"", {1, 6}, [](double t) { return t > 1 ? 1.0 : 0.0; }, 8};
  for (const double rtol : {1e-4, 1e-7, 1e-10}) {
    SCOPED_TRACE(-std::log10(rtol));
    Source by_hand = source_of({"y = if x - z > 1 then 1 else 0"});
    by_hand.binaries = {{"z", 0.0}};
    by_hand.constraints = {"(x - 6)*(1 - z) <= 0", "(-4 - x)*z <= 0"};
    expect_closed_form(build(by_hand), expected, rtol);
    Source named = source_of({"y = if x - h > 1 then 1 else 0", "h = hysteresis(x - 1, -5, 5)"});
    named.algebraic.push_back({"h"});
    expect_closed_form(build(named), expected, rtol);
    std::swap(named.equations[2], named.equations[3]);
    expect_closed_form(build(named), expected, rtol);
  }
}

/// x' = −1 − 2·sign(x − sign(x − 5)) falls at 3 to x = sign(x − 5) = −1, on which both sides press.
TEST(NestedConditions, SlideOnTheOuterOne) {
  for (const double rtol : {1e-4, 1e-7, 1e-10}) {
    SCOPED_TRACE(-std::log10(rtol));
    Source source;
    source.states = {{"x", 2.0}};
    source.equations = {"der(x) = -1 - 2*sign(x - sign(x - 5))"};
    source.experiment.stop = 3.0;
    SimulationOptions options;
    options.rtol = rtol;
    options.atol = rtol;
    const Trajectory run = simulate(build(source), options);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    ASSERT_EQ(run.events.size(), 1U);
    EXPECT_EQ(run.events[0].kind, EventKind::slide_begin);
    EXPECT_NEAR(run.events[0].time, 1.0, 30.0 * rtol);  // from 2 to −1 at −3
    EXPECT_NEAR(run.value(run.size() - 1, run.column("x")), -1.0, 30.0 * rtol);
  }
}

/// Both conditions are about x = 0, on which x' = 1 − 3θ = 0: the inner one is θ too, q' = 1/3.
TEST(NestedConditions, SlideAsOneOnOneSurface) {
  for (const char* text : {"table(x, [-1, 0, 2], [-1, 0, 1])", "max(x, 2*x)", "x + pos(x)", "2*x + abs(x)"})
    for (const double rtol : {1e-4, 1e-7, 1e-10}) {
      SCOPED_TRACE(std::string(text) + ", rtol " + std::to_string(-std::log10(rtol)));
      Source source;
      source.states = {{"x", -1.0}, {"q", 0.0}};
      source.equations = {"der(x) = 1 - 3*step(" + std::string(text) + ")", "der(q) = step(x)"};
      source.experiment.stop = 4.0;
      SimulationOptions options;
      options.rtol = rtol;
      options.atol = rtol;
      const Trajectory run = simulate(build(source), options);
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      EXPECT_NEAR(run.value(run.size() - 1, run.column("x")), 0.0, 40.0 * rtol);
      EXPECT_NEAR(run.value(run.size() - 1, run.column("q")), 1.0, 40.0 * rtol);
    }
}

}  // namespace nested_conditions_test
}  // namespace mti
