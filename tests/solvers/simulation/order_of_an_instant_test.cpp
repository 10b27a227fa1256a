// What follows what within one instant: laws that wait for each other, and conditions that only fall by motions which do not come.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "io/model/read_model.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti::order_of_an_instant_test {

Trajectory run_of(const std::string& text, IntegratorChoice integrator = IntegratorChoice::automatic) {
  return simulate(read_model_text(text), {.rtol = 1e-9, .atol = 1e-9, .integrator = integrator});
}
double at_end(const Trajectory& run, const std::string& signal) {
  return run.value(run.size() - 1, run.column(signal));
}

// x = t passes 1 once. What `full` sets makes x fall, until `answer`, at the same instant, ends that: x is never anything but 1.
TEST(OrderOfAnInstant, AConditionOnItsBoundaryBecomesTrueOnce) {
  const std::string model = R"json({"format": "mti-model", "version": 1, "experiment": {"stop": 3},
    "states": [{"name": "x"}, {"name": "n"}, {"name": "valve"}, {"name": "ack"}],
    "equations": ["der(x) = if valve > ack + 0.5 then -1 else 1", "der(n) = 0", "der(valve) = 0", "der(ack) = 0"],
    "when": [{"condition": "x > 1", "set": {"n": "n + 1", "valve": "1"}, "emit": "full"},
             {"condition": "valve > 0.5", "set": {"ack": "1"}, "emit": "answer"}]})json";
  for (const IntegratorChoice integrator : {IntegratorChoice::automatic, IntegratorChoice::ida}) {
    const Trajectory run = run_of(model, integrator);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_EQ(at_end(run, "n"), 1.0);
    EXPECT_NEAR(at_end(run, "x"), 3.0, 1e-7);
  }
}

// Phases: the second one lasts no time.
TEST(OrderOfAnInstant, PhasesThatLastNoTimeArePassed) {
  const Trajectory run = run_of(R"json({"format": "mti-model", "version": 1, "experiment": {"stop": 3},
    "states": [{"name": "x"}, {"name": "ph", "start": 1}],
    "equations": ["der(x) = if ph > 1.5 and ph < 2.5 then -1 else 1", "der(ph) = 0"],
    "when": [{"condition": "x > 1", "set": {"ph": "2"}}, {"condition": "ph > 1.5 and ph < 2.5", "set": {"ph": "3"}}]})json");
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_EQ(at_end(run, "ph"), 3.0);
  EXPECT_NEAR(at_end(run, "x"), 3.0, 1e-7);
}

// What is really false in between rises anew: n counts down in one instant, from 3 to 0, by turns of two conditions.
TEST(OrderOfAnInstant, AConditionThatHasBeenFalseIsDueAgain) {
  const Trajectory run = run_of(R"json({"format": "mti-model", "version": 1, "experiment": {"stop": 2},
    "states": [{"name": "x"}, {"name": "n", "start": 3}, {"name": "a"}, {"name": "k"}],
    "equations": ["der(x) = 1", "der(n) = 0", "der(a) = 0", "der(k) = 0"],
    "when": [{"condition": "x > 1", "set": {"a": "1"}},
             {"condition": "a > 0.5", "set": {"a": "0", "k": "k + 1"}},
             {"condition": "k > 0.5 and a < 0.5 and n > 0.5", "set": {"n": "n - 1", "a": "if n > 1.5 then 1 else 0"}}]})json");
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_EQ(at_end(run, "n"), 0.0);
  EXPECT_EQ(at_end(run, "k"), 3.0);
}

// s is x as it was before the tick, whatever a consequence of the tick makes of x, and whatever logic has to follow first.
TEST(OrderOfAnInstant, ATickIsBeforeWhatFollowsFromIt) {
  for (const char* const more : {"", ", \"r = y > q\"", ", \"r = y > q + 1\""}) {
    const std::string binaries = std::string(more).empty() ? "" : R"(, {"name": "r"})";
    const Trajectory run = run_of(
        R"json({"format": "mti-model", "version": 1, "sample": {"name": "k", "period": 1, "offset": 0.5},
      "states": [{"name": "x", "start": 1}, {"name": "s"}, {"name": "n"}, {"name": "y", "start": 0.2}],
      "binaries": [{"name": "q"})json" +
        binaries + R"json(], "equations": ["der(x) = 0", "next(s) = x", "next(n) = 1", "der(y) = 0",
      "q = n > 0.5 or pre(q)")json" +
        more +
        R"json(], "when": [{"condition": "n > 0.7", "set": {"x": "10"}}], "experiment": {"stop": 1}})json");
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_EQ(at_end(run, "s"), 1.0) << more;
    EXPECT_EQ(at_end(run, "x"), 10.0) << more;
  }
}

// Two that set one state to one value, whatever it is written as, are at one; two that do not are refused.
TEST(OrderOfAnInstant, WhatTwoSetAlikeIsSetOnce) {
  const auto run = [](const std::string& first, const std::string& second) {
    return run_of(R"json({"format": "mti-model", "version": 1, "experiment": {"stop": 1},
      "states": [{"name": "x", "start": 1}, {"name": "y", "start": 0.3}],
      "inputs": [{"name": "u", "table": {"time": [0, 0.5], "value": [0, 3]}, "interpolation": "previous"}],
      "equations": ["der(x) = -x", "der(y) = -y"],
      "when": [{"condition": "u > x", "set": {"x": ")json" +
                  first + R"json("}}, {"condition": "u > 2", "set": {"x": ")json" + second +
                  R"json("}}]})json");
  };
  const double half = std::exp(-0.5), y = 0.3 * half;
  const std::pair<const char*, double> alike[] = {
      {"1 + y", 1.0 + y}, {"tanh(y)", std::tanh(y)}, {"min(1, y)", y}, {"y^2", y * y}};
  for (const auto& [text, value] : alike) {
    const Trajectory same = run(text, std::string(text) == "1 + y" ? "y + 1" : text);
    ASSERT_EQ(same.outcome.kind, OutcomeKind::reached_stop) << text << same.outcome.message;
    EXPECT_NEAR(at_end(same, "x"), value * half, 1e-8) << text;
  }
  EXPECT_EQ(run("1 + y", "y + 1.000001").outcome.kind, OutcomeKind::refused_law);
}

// What is kept of the laws of a mode says nothing of one instant: the values that two `when` set agree where the first pulse
// comes, y = 1, and differ by 0.5 at the second.
TEST(OrderOfAnInstant, WhatAgreesOnceNeedNotAgreeAgain) {
  const Trajectory run = run_of(R"json({"format": "mti-model", "version": 1, "experiment": {"stop": 4},
    "states": [{"name": "x"}, {"name": "y"}],
    "inputs": [{"name": "u", "table": {"time": [0, 1, 1.2, 1.5], "value": [0, 3, 0, 3]}, "interpolation": "previous"}],
    "equations": ["der(x) = 0", "der(y) = 1"],
    "when": [{"condition": "u > 1", "set": {"x": "1 + y"}}, {"condition": "u > 2", "set": {"x": "2*y"}}]})json");
  EXPECT_EQ(run.outcome.kind, OutcomeKind::refused_law);
  EXPECT_NEAR(run.outcome.end_time, 1.5, 1e-12);
  EXPECT_NEAR(at_end(run, "x"), 2.0, 1e-9);
}

// A quotient that a tick brings in: its divisor has had no value before. x' = 1/(1 + u²) - x from the tick on.
TEST(OrderOfAnInstant, ATickBringsAQuotientIn) {
  const Trajectory run = run_of(R"json({"format": "mti-model", "version": 1, "experiment": {"stop": 1},
    "sample": {"name": "k", "period": 1, "offset": 0.5}, "states": [{"name": "x", "start": 1}, {"name": "n"}],
    "inputs": [{"name": "u", "value": 2}],
    "equations": ["der(x) = (if n > 0.5 then 1/(1 + u^2) else 0) - x", "next(n) = 1"]})json");
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  const double half = std::exp(-0.5);
  EXPECT_NEAR(at_end(run, "x"), 0.2 + (half - 0.2) * half, 1e-8);
}

}  // namespace mti::order_of_an_instant_test
