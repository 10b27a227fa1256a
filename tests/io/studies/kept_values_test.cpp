// What is kept of a run, against closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "io/studies/study.hpp"
#include "tests/io/studies/study_plans.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace kept_values_test {

constexpr double rtol = 1e-9;

std::string plan_of(const std::string& model, const std::string& members) {
  return R"({"format": "mti-study", "version": 1, "design": "list", "model": {"format": "mti-model", "version": 1, )" +
         model + "}, " + members + "}";
}

// A bounce that is over within its instant: at √(2/g)·(1 + 2e + …), 2 of them up to 1.2 s.
TEST(KeptValues, WhatIsEmitted) {
  const auto table = table_of_plan(plan_of(
      R"("parameters": {"e": 0.8}, "states": [{"name": "h", "start": 1}, {"name": "v"}],
         "equations": ["der(h) = v", "der(v) = -9.81"],
         "when": [{"condition": "h <= 0 and v < 0", "set": {"v": "-e*v"}, "emit": "bounce"}],
         "experiment": {"stop": 1.2, "rtol": 1e-9, "atol": 1e-9})",
      R"j("vary": {"e": {"values": [0.8, 0.7]}}, "keep": {"event_counts": ["emit(bounce)"], "event_times": {"emit(bounce)": 3}})j"));
  const double first = std::sqrt(2.0 / 9.81);
  for (std::size_t run = 0; run < 2; ++run) {
    const double e = run == 0 ? 0.8 : 0.7;
    EXPECT_EQ(table.at("count(emit(bounce))")[run], "2");
    EXPECT_NEAR(std::stod(table.at("time(emit(bounce)#1)")[run]), first, 1e-8);
    EXPECT_NEAR(std::stod(table.at("time(emit(bounce)#2)")[run]), first * (1.0 + 2.0 * e), 1e-8);
    EXPECT_EQ(table.at("time(emit(bounce)#3)")[run], "");
  }
}

// x = A cos t, v = −A sin t on [0, 10], A = 1, 2: extremes ±A between the rows, ∫ x = A sin 10, mean A sin(10)/10.
TEST(KeptValues, ExtremesAndIntegralsOfAnOscillation) {
  const auto table = table_of_plan(plan_of(
      R"("states": [{"name": "x", "start": 1}, {"name": "v", "start": 0}],
         "equations": ["der(x) = v", "der(v) = -x"],
         "experiment": {"stop": 10, "rtol": 1e-9, "atol": 1e-9, "output_interval": 0.7})",
      R"("vary": {"x": {"values": [1, 2]}}, "keep": {"minimum": ["x", "v"], "maximum": ["v"], "final": ["*"],
         "integral": ["x"], "average": ["x"], "at": {"times": [0, 1.25], "signals": ["x"]}})"));
  const double tolerance = 10 * rtol * 10;
  for (std::size_t run = 0; run < 2; ++run) {
    const double A = static_cast<double>(run) + 1.0;
    const auto number = [&](const std::string& column) { return std::stod(table.at(column)[run]); };
    EXPECT_NEAR(number("minimum(x)"), -A, tolerance * A);
    EXPECT_NEAR(number("minimum(v)"), -A, tolerance * A);
    EXPECT_NEAR(number("maximum(v)"), A, tolerance * A);
    EXPECT_NEAR(number("final(x)"), A * std::cos(10.0), tolerance * A);
    EXPECT_NEAR(number("integral(x)"), A * std::sin(10.0), tolerance * A);
    EXPECT_NEAR(number("average(x)"), A * std::sin(10.0) / 10, tolerance * A);
    EXPECT_NEAR(number("x(1.25)"), A * std::cos(1.25), tolerance * A);
    EXPECT_EQ(number("x(0)"), A);
  }
}

/// A relay between 1 and 2: x rises with slope s and falls with slope −1; on while x rises.
const std::string relay = R"j("parameters": {"s": 1}, "states": [{"name": "x", "start": 1.5}],
    "binaries": [{"name": "on", "start": 1}],
    "equations": ["der(x) = s*on - (1 - on)"],
    "constraints": [{"name": "top", "text": "(x - 2)*on <= 0"}, {"name": "bottom", "text": "(1 - x)*(1 - on) <= 0"}],
    "experiment": {"stop": 10, "rtol": 1e-9, "atol": 1e-9})j";

// From x = 1.5 the top is met at 1/(2s), then each period takes 1 + 1/s: falls at 1/(2s) + k (1 + 1/s), rises 1 later.
TEST(KeptValues, EventsOfARelay) {
  const auto table = table_of_plan(plan_of(relay, R"j("vary": {"s": {"values": [1, 2, 4]}}, "keep": {
      "event_counts": ["reach(top)", "fall(on)", "rise(on)"],
      "event_times": {"reach(top)": 3, "rise(on)": 1, "reach(bottom)": 9}})j"));
  for (std::size_t run = 0; run < 3; ++run) {
    const double s = std::stod(table.at("s")[run]), period = 1.0 + 1.0 / s, first = 0.5 / s;
    const auto cell = [&](const std::string& column) { return table.at(column)[run]; };
    const double falls = std::floor((10.0 - first) / period) + 1.0;
    const double rises = std::floor((10.0 - first - 1.0) / period) + 1.0;
    EXPECT_EQ(std::stod(cell("count(reach(top))")), falls);
    EXPECT_EQ(std::stod(cell("count(fall(on))")), falls);
    EXPECT_EQ(std::stod(cell("count(rise(on))")), rises);
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(std::stod(cell("time(reach(top)#" + std::to_string(k + 1) + ")")), first + k * period,
                  10 * rtol * 10);
    EXPECT_NEAR(std::stod(cell("time(rise(on)#1)")), first + 1.0, 10 * rtol * 10);
    EXPECT_EQ(cell("time(reach(bottom)#9)").empty(), rises < 9) << rises;
  }
}

// ẋ = 1 − 2z + u is held at 0 from t = 0.5 on; u = 3 in [2, 3] drives it out upwards with z = 1, and from 3 on it comes back, to be
// held from t = 5 on, and from 6 on u = −3 drives it out downwards. z rises where it is 1 after it was 0, at 2, and falls where
// it is 0 after it was 1, at 6: the laws count the same. Weights 1/2, and 3/4 from 5.5 on with u = 1/2, are neither.
TEST(KeptValues, WeightsOfWhatSlidesNeitherRiseNorFall) {
  const auto table = table_of_plan(plan_of(
      R"j("states": [{"name": "x", "start": -0.5}, {"name": "n"}, {"name": "m"}],
         "inputs": [{"name": "u", "table": {"time": [0, 2, 2, 3, 3, 5.5, 5.5, 6, 6, 8], "value": [0, 0, 3, 3, 0, 0, 0.5, 0.5, -3, -3]}}],
         "binaries": [{"name": "z"}],
         "equations": ["der(x) = 1 - 2*z + u", "der(n) = 0", "der(m) = 0"],
         "constraints": ["x*(1 - z) <= 0", "x*z >= 0"],
         "transitions": [{"when": "rise(z)", "equations": ["n = pre(n) + 1"]},
                         {"when": "fall(z)", "equations": ["m = pre(m) + 1"]}],
         "experiment": {"stop": 8, "rtol": 1e-9, "atol": 1e-9})j",
      R"j("vary": {"x": {"values": [-0.5]}}, "keep": {"event_counts": ["rise(z)", "fall(z)"], "final": ["n", "m"],
         "event_times": {"rise(z)": 1, "fall(z)": 1}, "at": {"times": [1, 5.75], "signals": ["z"]}})j"));
  EXPECT_NEAR(std::stod(table.at("z(1)")[0]), 0.5, 1e-6);
  EXPECT_NEAR(std::stod(table.at("z(5.75)")[0]), 0.75, 1e-6);
  EXPECT_EQ(table.at("count(rise(z))")[0], "1");
  EXPECT_EQ(table.at("count(fall(z))")[0], "1");
  EXPECT_EQ(table.at("final(n)")[0], "1");
  EXPECT_EQ(table.at("final(m)")[0], "1");
  EXPECT_NEAR(std::stod(table.at("time(rise(z)#1)")[0]), 2.0, 1e-8);
  EXPECT_NEAR(std::stod(table.at("time(fall(z)#1)")[0]), 6.0, 1e-8);
}

// Binaries and jumps: the share of time in which the relay is on is that of the closed form; extremes are the limits.
TEST(KeptValues, BinariesAndExtremesAtSwitches) {
  const auto table =
      table_of_plan(plan_of(relay, R"("vary": {"s": {"values": [1, 2]}}, "simulation": {"stop": 9.5},
      "keep": {"average": ["on"], "maximum": ["x"], "minimum": ["x"], "final": ["on"]})"));
  // s = 1: on in [0, 0.5], [1.5, 2.5], … [7.5, 8.5], off at the end, which is the instant of a switch: 9.5 = 0.5 + 9.
  EXPECT_NEAR(std::stod(table.at("average(on)")[0]), 4.5 / 9.5, 10 * rtol * 10);
  for (std::size_t run = 0; run < 2; ++run) {
    EXPECT_NEAR(std::stod(table.at("maximum(x)")[run]), 2.0, 10 * rtol * 10);
    EXPECT_NEAR(std::stod(table.at("minimum(x)")[run]), 1.0, 10 * rtol * 10);
  }
}

// A ball that loses half of its speed: the jump of v is seen from both sides.
TEST(KeptValues, BothSidesOfAJumpCount) {
  const auto table = table_of_plan(plan_of(
      R"j("states": [{"name": "h", "start": 1}, {"name": "v", "start": 0}], "algebraic": [{"name": "F"}],
         "binaries": [{"name": "contact"}],
         "equations": ["der(h) = v", "der(v) = F - 9.81", "contact*der(v) + (1 - contact)*F = 0"],
         "constraints": [{"name": "floor", "text": "h >= 0"}, {"name": "push", "text": "F >= 0"}],
         "transitions": [{"when": "reach(floor)", "equations": ["v = -0.5*pre(v)"]}],
         "experiment": {"stop": 0.6, "rtol": 1e-9, "atol": 1e-9})j",
      R"("vary": {"h": {"values": [1, 0.9]}}, "keep": {"minimum": ["v"], "maximum": ["v"]})"));
  for (std::size_t run = 0; run < 2; ++run) {
    const double speed = std::sqrt(2 * 9.81 * std::stod(table.at("h")[run]));
    EXPECT_NEAR(std::stod(table.at("minimum(v)")[run]), -speed, 1e-7);
    EXPECT_NEAR(std::stod(table.at("maximum(v)")[run]), speed / 2, 1e-7);
  }
}

// y = x − 0.6 u with x = t: u steps at 0.6, which is no event, between two output times; the limit from the left is the largest.
TEST(KeptValues, TheLeftLimitOfAnInputsJumpCounts) {
  const auto table = table_of_plan(plan_of(
      R"j("inputs": [{"name": "u", "table": {"time": [0, 0.6], "value": [0, 1]}, "interpolation": "previous"}],
         "states": [{"name": "x", "start": 0}], "algebraic": [{"name": "y"}],
         "equations": ["der(x) = 1", "y = x - 0.6*u"], "experiment": {"stop": 1, "output_interval": 0.5})j",
      R"("vary": {"x": {"values": [0, 0.125]}}, "keep": {"maximum": ["y"], "minimum": ["y"]})"));
  for (std::size_t run = 0; run < 2; ++run) {
    const double start = std::stod(table.at("x")[run]);
    EXPECT_NEAR(std::stod(table.at("maximum(y)")[run]), start + 0.6, 1e-12);
    EXPECT_NEAR(std::stod(table.at("minimum(y)")[run]), start, 1e-12);
  }
}

// A wall at x = 1 that nothing gets past: the run ends at t = 1 and is a row; what it came to before is kept.
TEST(KeptValues, ARunThatFailsIsARow) {
  const auto table = table_of_plan(plan_of(
      R"("parameters": {"speed": 1}, "states": [{"name": "x", "start": 0}], "equations": ["der(x) = speed"],
         "constraints": [{"name": "wall", "text": "x <= 1"}], "experiment": {"stop": 2})",
      R"("vary": {"speed": {"values": [0.25, 1]}}, "keep": {"final": ["x"], "maximum": ["x"],
         "at": {"times": [0.5, 1.5], "signals": ["x"]}})"));
  EXPECT_EQ(table.at("outcome"), (std::vector<std::string>{"reached_stop", "dead_end"}));
  EXPECT_NEAR(std::stod(table.at("end_time")[1]), 1.0, 1e-5);
  EXPECT_NEAR(std::stod(table.at("x(0.5)")[1]), 0.5, 1e-5);
  EXPECT_EQ(table.at("x(1.5)")[1], "");
  EXPECT_EQ(table.at("final(x)")[1], "");
  EXPECT_EQ(table.at("maximum(x)")[1], "");
  EXPECT_NE(table.at("message")[1].find("wall"), std::string::npos);
  EXPECT_NEAR(std::stod(table.at("x(1.5)")[0]), 0.375, 1e-5);
}

// A value that makes no valid model (a nominal of 0) is a row, too.
TEST(KeptValues, AModelThatIsNotValidIsARow) {
  const auto table = table_of_plan(plan_of(
      R"("parameters": {"n": 1}, "states": [{"name": "x", "start": 0, "nominal": "n"}], "equations": ["der(x) = 1"])",
      R"("vary": {"n": {"values": [1, 0]}}, "keep": {"final": ["x"]})"));
  EXPECT_EQ(table.at("outcome"), (std::vector<std::string>{"reached_stop", "invalid_model"}));
  EXPECT_NE(table.at("message")[1].find("bad-nominal"), std::string::npos);
  EXPECT_EQ(table.at("end_time")[1], "");
}

// next(x) = q x: x_k = q^k; the sum of the samples before the stop is (1 − q^4)/(1 − q).
TEST(KeptValues, SamplesOfDiscreteTime) {
  const auto table = table_of_plan(plan_of(
      R"("sample_time": 1, "parameters": {"q": 0.5}, "states": [{"name": "x", "start": 1}],
         "equations": ["next(x) = q*x"], "experiment": {"stop": 4})",
      R"("vary": {"q": {"values": [0.5, -0.5]}}, "keep": {"integral": ["x"], "minimum": ["x"], "final": ["x"],
         "at": {"times": [2.5], "signals": ["x"]}})"));
  for (std::size_t run = 0; run < 2; ++run) {
    const double q = std::stod(table.at("q")[run]);
    EXPECT_DOUBLE_EQ(std::stod(table.at("integral(x)")[run]), (1 - std::pow(q, 4)) / (1 - q));
    EXPECT_EQ(std::stod(table.at("final(x)")[run]), std::pow(q, 4));
    EXPECT_EQ(std::stod(table.at("minimum(x)")[run]), q > 0 ? std::pow(q, 4) : q);
    EXPECT_EQ(std::stod(table.at("x(2.5)")[run]), q * q);
  }
}

// Ticks at k/10 for k = 1, 2, …, of which k·0.1 is a rounding off: i_{k+1} = i_k + 0.3 (1 − x_{k+1}), and between them
// x_{k+1} = i_k + (x_k − i_k) e^{−0.1}. At the times of the list, which are roundings before or after the ticks, i is what
// the tick makes of it; with polynomials of all steps, too.
TEST(KeptValues, ATickARoundingLaterIsAtTheTime) {
  for (const char* more : {"", R"(, "average": ["x"])"}) {
    const auto table = table_of_plan(plan_of(
        R"j("parameters": {"r": 1}, "states": [{"name": "x"}, {"name": "i"}],
           "sample": {"name": "c", "period": 0.1},
           "equations": ["der(x) = -x + i", "next(i) = i + 0.3*(r - x)"],
           "experiment": {"stop": 1, "rtol": 1e-9, "atol": 1e-9})j",
        R"("vary": {"r": {"values": [1]}}, "keep": {"at": {"times": [0.1, 0.2, 0.3, 0.6, 0.7, 0.9],
           "signals": ["x", "i"]})" +
            std::string(more) + "}"));
    double x = 0.0, i = 0.0;
    for (int k = 1; k < 10; ++k) {
      x = i + (x - i) * std::exp(-0.1);
      i += 0.3 * (1.0 - x);
      if (k == 4 || k == 5 || k == 8) continue;
      const std::string time = "(0." + std::to_string(k) + ")";
      EXPECT_NEAR(std::stod(table.at("x" + time)[0]), x, 100 * rtol) << time << more;
      EXPECT_NEAR(std::stod(table.at("i" + time)[0]), i, 100 * rtol) << time << more;
    }
  }
}

// x rises to p = 0.5 with slope 1, falls to 0.2 with slope −2 at t = 0.65, and rises again.
TEST(KeptValues, AnEventARoundingLaterIsAtTheTime) {
  const auto table = table_of_plan(plan_of(
      R"("parameters": {"p": 0.5}, "states": [{"name": "x"}], "binaries": [{"name": "z"}],
         "equations": ["der(x) = 1 - 3*z"], "constraints": ["(x - p)*(1 - z) <= 0", "(0.2 - x)*z <= 0"],
         "experiment": {"stop": 1})",
      R"("vary": {"p": {"values": [0.5]}}, "keep": {"at": {"times": [0.15, 0.5, 0.65], "signals": ["x"]}})"));
  EXPECT_NEAR(std::stod(table.at("x(0.15)")[0]), 0.15, 1e-5);
  EXPECT_NEAR(std::stod(table.at("x(0.5)")[0]), 0.5, 1e-5);
  EXPECT_NEAR(std::stod(table.at("x(0.65)")[0]), 0.2, 1e-5);
}

// x_k = a^k at k/10; all samples are there, though the model has rows at every other one only.
TEST(KeptValues, ASampleARoundingLaterIsAtTheTime) {
  const auto table = table_of_plan(plan_of(
      R"("sample_time": 0.1, "parameters": {"a": 0.5}, "states": [{"name": "x", "start": 1}],
         "equations": ["next(x) = a*x"], "experiment": {"stop": 1, "output_interval": 0.2})",
      R"("vary": {"a": {"values": [0.5]}}, "keep": {"at": {"times": [0.3, 0.6, 0.7], "signals": ["x"]},
         "integral": ["x"]})"));
  EXPECT_EQ(std::stod(table.at("x(0.3)")[0]), 0.125);
  EXPECT_EQ(std::stod(table.at("x(0.6)")[0]), 0.015625);
  EXPECT_EQ(std::stod(table.at("x(0.7)")[0]), 0.0078125);
  EXPECT_NEAR(std::stod(table.at("integral(x)")[0]), 0.1 * (1 - std::pow(0.5, 10)) / 0.5, 1e-12);
}

// Integrals are as accurate as the run, whatever its output interval is:
//   τ ẋ = −x:  ∫ x = τ (1 − e^{−1/τ})
//   p = u²/R, u = A sin(2πft), and E with Ė = p: ∫ p = A² T/(2R) after whole periods
//   y = sin(kt) and q = (cos(kt))^6, functions of time alone: (1 − cos k)/k and, over whole periods, 5/16
TEST(KeptValues, IntegralsDoNotDependOnTheOutputInterval) {
  for (const char* interval : {"", R"(, "output_interval": 1)"}) {
    const auto table = table_of_plan(plan_of(
        R"j("parameters": {"tau": 0.001}, "states": [{"name": "x", "start": 1}, {"name": "E"}],
           "inputs": [{"name": "u", "sine": {"amplitude": 325, "frequency": 50}}],
           "algebraic": [{"name": "p"}, {"name": "y"}, {"name": "q"}],
           "equations": ["tau*der(x) = -x", "der(E) = p", "p = u*u/10", "y = sin(1000*time)",
                         "q = cos(6.283185307179586*40*time)^6"],
           "experiment": {"stop": 1, "rtol": 1e-7, "atol": 1e-7)j" +
            std::string(interval) + "}",
        R"("vary": {"tau": {"values": [0.001, 0.01]}}, "keep": {"integral": ["x", "p", "y", "q"]})"));
    for (std::size_t run = 0; run < 2; ++run) {
      const double tau = std::stod(table.at("tau")[run]);
      EXPECT_NEAR(std::stod(table.at("integral(x)")[run]), tau * (1 - std::exp(-1 / tau)), 1e-6 * tau);
      EXPECT_NEAR(std::stod(table.at("integral(p)")[run]), 325.0 * 325.0 / 20, 325.0 * 325.0 / 20 * 1e-6);
      EXPECT_NEAR(std::stod(table.at("integral(y)")[run]), (1 - std::cos(1000.0)) / 1000, 1e-6);
      EXPECT_NEAR(std::stod(table.at("integral(q)")[run]), 5.0 / 16, 1e-6);
    }
  }
}

// The tables of a factor are read as the model reads its own: held from point to point, and again in each second.
// ẋ = u: 1 in the first half of each second and 3 in the second, or 2 and 0, up to t = 2.5.
TEST(KeptValues, TablesOfAFactorAreReadAsThoseOfTheModel) {
  const TemporaryDirectory directory;
  directory.write("a.csv", "time,u\n0,1\n0.5,3\n");
  directory.write("b.csv", "time,u\n0,2\n0.5,0\n");
  const StudyPlan plan = read_study_plan(
      plan_of(
          R"("states": [{"name": "x"}], "inputs": [{"name": "u", "table": {"time": [0], "value": [7]},
                 "interpolation": "previous", "repeat": 1}], "equations": ["der(x) = u"], "experiment": {"stop": 2.5})",
          R"("vary": {"u": {"csv": ["a.csv", "b.csv", "a.csv"], "column": "u"}}, "keep": {"final": ["x"]})"),
      directory.path());
  run_study(plan, directory.path() / "out", {.jobs = 1});
  const auto table = study_table(directory.path() / "out");
  EXPECT_NEAR(std::stod(table.at("final(x)")[0]), 4.5, 1e-5);
  EXPECT_NEAR(std::stod(table.at("final(x)")[1]), 3.0, 1e-5);
  EXPECT_NEAR(std::stod(table.at("final(x)")[2]), 4.5, 1e-5);
}

// x = 1 − a t up to t = 3a: a run has no value at times behind its end.
TEST(KeptValues, TimesBehindTheEndOfARunHaveNoValue) {
  const auto table = table_of_plan(plan_of(
      R"("parameters": {"a": 1}, "states": [{"name": "x", "start": 1}], "equations": ["der(x) = -a"],
         "experiment": {"stop": "3*a"})",
      R"("vary": {"a": {"values": [0.2, 2]}}, "keep": {"final": ["x"], "at": {"times": [1, 4], "signals": ["x"]}})"));
  EXPECT_NEAR(std::stod(table.at("final(x)")[0]), 0.88, 1e-12);
  EXPECT_EQ(table.at("x(1)")[0], "");
  EXPECT_EQ(table.at("x(4)")[0], "");
  EXPECT_NEAR(std::stod(table.at("x(1)")[1]), -1.0, 1e-12);
  EXPECT_NEAR(std::stod(table.at("x(4)")[1]), -7.0, 1e-12);
}

}  // namespace kept_values_test
}  // namespace mti::test
