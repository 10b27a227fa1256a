// What is kept of a run, against closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "tests/io/studies/study_plans.hpp"

namespace mti::test {
namespace kept_values_test {

constexpr double rtol = 1e-9;

std::string plan_of(const std::string& model, const std::string& members) {
  return R"({"format": "mti-study", "version": 1, "design": "list", "model": {"format": "mti-model", "version": 1, )" +
         model + "}, " + members + "}";
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

}  // namespace kept_values_test
}  // namespace mti::test
