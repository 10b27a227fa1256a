#include <gtest/gtest.h>

#include <cmath>

#include "tests/solvers/series/series_run.hpp"
#include "tests/solvers/sliding/sliding_queries.hpp"

/// Constraints of signals that other rows give, and of functions.
namespace mti {
namespace constrained_functions_test {

using test::series_run;

/// a + 2b = s = sin t holds the second derivative of s, and f = 3s its value: f varies although s comes after it.
/// With λ = −7/5 sin t: a = 7/5 sin t, b = −1/5 sin t.
TEST(ConstrainedFunctions, WhatLaterBlocksGiveVaries) {
  Source source;
  source.states = {{"a", 0.0}, {"b", 0.0}, {"va", 1.4}, {"vb", -0.2}};
  source.inputs = {{.name = "u", .form = SineSource{1.0, "1/(2*pi)"}}};
  source.algebraic = {{"lambda"}, {"s"}, {"f"}};
  source.equations = {"der(a) = va", "der(b) = vb", "der(va) = lambda", "der(vb) = 2*lambda + f",
                      "s = a + 2*b", "s = u",       "f = 3*s"};
  source.experiment = {.stop = 6.0, .output_interval = 0.25};
  const Trajectory trajectory = series_run(build(source), 1e-9);
  test::expect_course(
      trajectory, "a", [](double t) { return 1.4 * std::sin(t); }, 1e-7);
  test::expect_course(
      trajectory, "f", [](double t) { return 3.0 * std::sin(t); }, 1e-7);
}

/// sin a + sin b = 0 is b = −a: with −3 sin a on a, and masses 1 and 2, ä = −sin a, whose energy a'²/2 − cos a stays.
TEST(ConstrainedFunctions, FunctionsInConstraintsVaryElsewhere) {
  Source source;
  source.states = {{"a", 0.3}, {"b", -0.3}, {"va", 0.0}, {"vb", 0.0}};
  source.algebraic = {{"lambda"}, {"x"}, {"f"}};
  source.equations = {"der(a) = va",
                      "der(b) = vb",
                      "der(va) = -f + lambda*cos(a)",
                      "2*der(vb) = lambda*cos(b)",
                      "sin(a) + sin(b) = 0",
                      "x = sin(a)",
                      "f = 3*x"};
  source.experiment = {.stop = 10.0, .output_interval = 0.25};
  const Trajectory trajectory = series_run(build(source), 1e-9);
  const std::size_t a = trajectory.column("a"), va = trajectory.column("va"), x = trajectory.column("x");
  for (std::size_t row = 0; row < trajectory.size(); ++row) {
    const double angle = trajectory.value(row, a), rate = trajectory.value(row, va);
    EXPECT_NEAR(0.5 * rate * rate - std::cos(angle), -std::cos(0.3), 1e-8);
    EXPECT_NEAR(trajectory.value(row, x), std::sin(angle), 1e-8);
  }
  EXPECT_LT(trajectory.value(trajectory.size() - 1, a), 0.0);  // it has swung
}

/// Two loops share sin a − 2 sin b: functions give their results, and the loops are conditions. With equal masses in both loops c = d,
/// and two such runs from c = d and with c alone, which carries both masses, are one motion.
TEST(ConstrainedFunctions, LoopsShareASumOfFunctions) {
  Source source;
  source.parameters = {{"K", "sin(0.3) - 2*sin(0.2)"}};
  source.states = {{"a", 0.3},  {"b", 0.2},  {"c", 0.0},  {"d", 0.0},
                   {"va", 0.0}, {"vb", 0.0}, {"vc", 0.0}, {"vd", 0.0}};
  source.algebraic = {{"l1"}, {"l2"}};
  source.equations = {"der(a) = va",
                      "der(b) = vb",
                      "der(c) = vc",
                      "der(d) = vd",
                      "der(va) = -a + (l1 + l2)*cos(a)",
                      "der(vb) = -b - 2*(l1 + l2)*cos(b)",
                      "der(vc) = -c - l1*cos(c)",
                      "der(vd) = -d - l2*cos(d)",
                      "sin(a) - 2*sin(b) - sin(c) = K",
                      "sin(a) - 2*sin(b) - sin(d) = K"};
  source.experiment = {.stop = 2.0, .output_interval = 0.25};
  const Trajectory both = series_run(build(source), 1e-9);
  ASSERT_EQ(both.outcome.kind, OutcomeKind::reached_stop) << both.outcome.message;
  source.states = {{"a", 0.3}, {"b", 0.2}, {"c", 0.0}, {"va", 0.0}, {"vb", 0.0}, {"vc", 0.0}};
  source.algebraic = {{"l"}};
  source.equations = {"der(a) = va",
                      "der(b) = vb",
                      "der(c) = vc",
                      "der(va) = -a + l*cos(a)",
                      "der(vb) = -b - 2*l*cos(b)",
                      "2*der(vc) = -2*c - l*cos(c)",
                      "sin(a) - 2*sin(b) - sin(c) = K"};
  const Trajectory one = series_run(build(source), 1e-9);
  for (const double t : {0.5, 1.0, 1.5, 2.0})
    for (const char* signal : {"a", "b", "c"})
      EXPECT_NEAR(test::recorded(both, signal, t), test::recorded(one, signal, t), 1e-7) << signal << t;
}

}  // namespace constrained_functions_test
}  // namespace mti
