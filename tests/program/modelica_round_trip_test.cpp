// Every model of the cases, examples and idioms is written in Modelica and read back: the run is the same, or the writing is
// refused by name.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "io/model/read_model.hpp"
#include "io/modelica_writing/write_modelica.hpp"
#include "mti/common/at.hpp"
#include "tests/places.hpp"
#include "tests/program/run_comparison.hpp"
#include "tests/program/written_models.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace modelica_round_trip_test {

namespace fs = std::filesystem;

/// What has no form in Modelica, with a part of the message that says why.
const std::map<std::string, std::string>& refused() {
  static const std::map<std::string, std::string> table = {
      {"collision_chain", "no reset of a state"},
      {"two_bodies_restitution", "no reset of a state"},
      {"impacts_on_a_moving_floor", "no reset of a state"},
      {"impacts_on_a_moving_floor_with_a_lag", "no reset of a state"},
      {"sampled_pi_controller", "the function next"},
      {"two_clocks", "the function next"},
      {"tick_at_the_start_is_none", "the function next"},
      {"clock_from_a_start_that_is_no_short_decimal", "the function next"},
      {"sampled_start_of_a_component", "holds at the start already"},
      {"cup_and_ball_elastic", "leaves an impulse of lambda"},
      {"slider_crank", "leaves an impulse of rod"},
      {"discrete_one_tank", "discrete time"},
      {"discrete_three_tank", "discrete time"},
      {"cosine_again_and_again", "discrete time"},
      {"discrete_controller", "discrete time"},
      {"all_functions", "the function cbrt"},
      {"all_functions_by_ida", "the function cbrt"},
      {"condition_table2", "the function table2"},
      {"periodic_pwm", "the duty of the pulses"},
  };
  return table;
}
/// Models that come back with known functions of time in the place of conditions on time: their switches are corners of
/// inputs then, which are no events. What smooth(0, noEvent(…)) says comes back with its events.
bool has_other_events(const std::string& name) {
  return name == "clock_far_from_zero" || name == "smooth_kinks";
}

class ModelicaRoundTrip : public testing::TestWithParam<fs::path> {};

void expect_same_run(const Model& model, const Model& back, bool with_events) {
  const Trajectory one = run(model), other = run(back);
  const double rtol = model.experiment.rtol;
  EXPECT_EQ(one.outcome.kind, other.outcome.kind) << one.outcome.message << " / " << other.outcome.message;
  if (with_events) {
    ASSERT_EQ(one.events.size(), other.events.size());
    for (std::size_t i = 0; i < one.events.size(); ++i) {
      const double time = one.events[i].time;
      EXPECT_NEAR(other.events[i].time, time, 10.0 * rtol * std::max(1.0, std::abs(time)));
      EXPECT_EQ(other.events[i].kind, one.events[i].kind) << "at t = " << time;
    }
  }
  ASSERT_GT(one.size(), 0U);
  for (std::size_t column = 0; column < one.columns(); ++column) {
    const auto found = std::ranges::find(other.names(), one.names()[column]);
    if (found == other.names().end()) {  // what a condition was called, or an input now
      const std::string& name = one.names()[column];
      const bool generated = std::ranges::any_of(model.signature.binaries(), [&](const Signal& signal) {
        return signal.name == name && !signal.generated.empty();
      });
      EXPECT_TRUE(generated || !with_events) << name;
      continue;
    }
    EXPECT_NEAR(other.value(other.size() - 1, at(found - other.names().begin())),
                one.value(one.size() - 1, column), 10.0 * rtol * size_of_column(one, column))
        << one.names()[column];
  }
}

TEST_P(ModelicaRoundTrip, IsTheSameRunOrRefusedByName) {
  const std::string name = written_name(GetParam());
  const Source source = read_source_file(GetParam());
  const auto expected = refused().find(name);
  std::string text;
  try {
    text = to_modelica(source);
    EXPECT_EQ(expected, refused().end()) << "is written now";
  } catch (const InvalidModel& invalid) {
    EXPECT_EQ(invalid.faults().front().id, "modelica-unwritable");
    ASSERT_NE(expected, refused().end()) << invalid.what();
    EXPECT_NE(invalid.faults().front().message.find(expected->second), std::string::npos) << invalid.what();
    return;
  }
  const TemporaryDirectory directory;
  directory.write("model.mo", text);
  SCOPED_TRACE(text.substr(0, 4000));
  expect_same_run(read_model(GetParam()), read_model(directory.path() / "model.mo"), !has_other_events(name));
}

INSTANTIATE_TEST_SUITE_P(Files, ModelicaRoundTrip, testing::ValuesIn(written_models()), name_of_instance);

// (a + b)*a - b begins with a parenthesis and is a difference all the same: 11 at t = 0, 2 at t = 2, 13 below.
TEST(ModelicaRoundTripInputs, KeepTheirExpressionsTogether) {
  const TemporaryDirectory directory;
  const fs::path path = directory.write("model.json", R"json({"format": "mti-model", "version": 1,
      "parameters": {"a": 3, "b": 1}, "states": [{"name": "x"}], "inputs": [{"name": "u",
      "table": {"time": [0, 2], "value": ["(a + b)*a - b", "(a - b)"]}}],
      "equations": ["der(x) = u"], "experiment": {"stop": 2}})json");
  const std::string text = to_modelica(read_source_file(path));
  const Trajectory one = run(read_model(path)), other = run(read_model(directory.write("model.mo", text)));
  ASSERT_EQ(one.names().front(), "x");
  ASSERT_EQ(other.names().front(), "x");
  EXPECT_NEAR(one.value(one.size() - 1, 0), 13.0, 1e-5);
  EXPECT_NEAR(other.value(other.size() - 1, 0), 13.0, 1e-5) << text;
}

double at_end(const Trajectory& run, const std::string& name) {
  const auto found = std::ranges::find(run.names(), name);
  return found == run.names().end() ? std::nan("")
                                    : run.value(run.size() - 1, at(found - run.names().begin()));
}

struct ByHand {
  const char* what;
  const char* model;  ///< what follows the version
  const char* signal;
  double value;          ///< at the end
  double within = 1e-5;  ///< of it
};

// Numbers by hand for the model file, and for what is written of it.
TEST(ModelicaRoundTripNumbers, AreThoseByHand) {
  const std::vector<ByHand> cases = {
      {"an if-expression in front of a sum",
       R"json("states": [{"name": "x"}], "algebraic": [{"name": "y"}], "equations": ["der(x) = 1",
          "y = 2*((if x < 10 then 1 else 2) + 10) - 0.5*x"])json",
       "y", 21.5},
      {"and on the left",
       R"json("states": [{"name": "x"}], "algebraic": [{"name": "y"}], "equations": ["der(x) = 1",
          "(if x < 10 then 1 else 2) - 0.5*y = x"])json",
       "y", 0.0},
      // i = 0 until v = x passes u = 1 at t = 3, then v = -1.
      {"v + u beside -v + u >= 0",
       R"json("states": [{"name": "x", "start": -2}, {"name": "w"}], "algebraic": [{"name": "i"}, {"name": "v"}],
          "binaries": [{"name": "z"}], "inputs": [{"name": "u", "value": 1}], "equations": ["der(x) = 1", "v = x - i",
          "z*(v + u) + (1 - z)*i = 0", "der(w) = z"], "constraints": ["-v + u >= 0", "i >= 0"],
          "experiment": {"stop": 4})json",
       "w", 1.0},
      // x + z goes from 1.5 to 0.25 at t = 0.25 and through 0 at t = 0.5.
      {"a hysteresis of a binary",
       R"json("states": [{"name": "x", "start": 0.5}, {"name": "w"}], "algebraic": [{"name": "y"}],
          "binaries": [{"name": "z", "start": 1}], "equations": ["der(x) = -1", "0 = y - hysteresis(x + z, 0, 1)",
          "der(w) = y"], "constraints": ["(0.25 - x)*z <= 0", "(x - 0.5)*(1 - z) <= 0"],
          "experiment": {"stop": 2})json",
       "w", 0.5},
      // Two periods of 3 + 4 + 10, and 3 + 4 in the third.
      {"a table that begins behind its period", R"json("states": [{"name": "x"}], "inputs": [{"name": "u",
          "table": {"time": [1, 2], "value": [3, 5]}, "repeat": 4}], "equations": ["der(x) = u"],
          "experiment": {"stop": 10})json",
       "x", 41.0},
      {"a table that ends with its period", R"json("states": [{"name": "x"}], "inputs": [{"name": "u",
          "table": {"time": [0, 0.5, 1], "value": [0, 1, 0]}, "repeat": 1}], "equations": ["der(x) = u"],
          "experiment": {"stop": 3})json",
       "x", 1.5},
      {"pulses without a gap",
       R"json("states": [{"name": "x"}], "inputs": [{"name": "u", "pwm": {"period": 1, "duty": 1}}],
          "equations": ["der(x) = u"])json",
       "x", 1.0},
      {"a width of parameters",
       R"json("parameters": {"p": 2}, "states": [{"name": "x"}], "inputs": [{"name": "u",
          "pwm": {"period": 1, "duty": "0.25*p"}}], "equations": ["der(x) = u"])json",
       "x", 0.5},
      {"a side of parameters",
       R"json("parameters": {"h": 1}, "states": [{"name": "x"}], "inputs": [{"name": "u", "binary": true,
          "square": {"period": 2, "high": "h"}}], "equations": ["der(x) = u"], "experiment": {"stop": 3})json",
       "x", 2.0},
      {"times and values that choose",
       R"json("parameters": {"p": 2}, "states": [{"name": "x"}], "inputs": [{"name": "u",
          "table": {"time": [0, "(if p > 1 then 1 else 3)", 4], "value": [0, "(if p > 1 then 1 else 0)", 3]}},
          {"name": "b", "binary": true, "table": {"time": [0, 2], "value": ["(if p > 1 then 1 else 0)", 0]}}],
          "equations": ["der(x) = u*b"])json",
       "x", 0.5},
      {"a start that chooses",
       R"json("parameters": {"p": 2}, "states": [{"name": "x"}], "binaries": [{"name": "z",
          "start": "(if p > 1 then 1 else 0)"}], "equations": ["der(x) = 1"], "constraints":
          ["(x - 1)*(1 - z) <= 0", "(-1 - x)*z <= 0"], "experiment": {"stop": 0.5})json",
       "z", 1.0},
      {"a binary that is a condition",
       R"json("states": [{"name": "x"}, {"name": "w"}], "binaries": [{"name": "z"}], "equations": ["der(x) = 1",
          "z = (x > 0.5)", "der(w) = z"], "experiment": {"stop": 2})json",
       "w", 1.5},
      {"that is several",
       R"json("states": [{"name": "x"}, {"name": "w"}], "binaries": [{"name": "z"}, {"name": "b"}], "equations": ["der(x) = 1", "b = 1 - z",
          "(x > 0.5)*(1 - (x > 1.5)) = z", "der(w) = b"], "experiment": {"stop": 2})json",
       "w", 1.0},
      {"step(0)",
       R"json("states": [{"name": "x"}, {"name": "w"}], "equations": ["der(x) = 0", "der(w) = step(x)"])json",
       "w", 0.0},
      {"whole numbers of parameters",
       R"json("parameters": {"a": -7, "b": 2, "c": "floor(a/b)"}, "states": [{"name": "x"}],
          "equations": ["der(x) = 100*c + 10*mod(a, b + 1) + ceil(a/b)"])json",
       "x", -383.0},
      // -(ln 2 + 8 ln 10)
      {"asinh(-1e8)",
       R"json("states": [{"name": "x", "start": -1e8}], "algebraic": [{"name": "y"}], "equations":
          ["der(x) = 0", "y = asinh(x)"])json",
       "y", -19.113827924512312, 1e-12},
      // x = 1 + d, d = 4504·2^-52: sqrt(2 d)·(1 - d/12)
      {"acosh close to 1",
       R"json("states": [{"name": "x", "start": 1.000000000001}], "algebraic": [{"name": "y"}],
          "equations": ["der(x) = 0", "y = acosh(x)"])json",
       "y", 1.4142764231805424e-06, 1e-12}};
  for (const ByHand& one : cases) {
    SCOPED_TRACE(one.what);
    const TemporaryDirectory directory;
    const fs::path path = directory.write(
        "model.json", R"json({"format": "mti-model", "version": 1, )json" + std::string(one.model) + "}");
    const std::string text = to_modelica(read_source_file(path));
    EXPECT_NEAR(at_end(run(read_model(path)), one.signal), one.value, one.within);
    const fs::path written = directory.write("model.mo", text);
    EXPECT_NEAR(at_end(run(read_model(written)), one.signal), one.value, one.within) << text;
    const std::string again = to_modelica(read_source_file(written));
    EXPECT_NEAR(at_end(run(read_model(directory.write("again.mo", again))), one.signal), one.value,
                one.within)
        << again;
  }
}

std::string written(const std::string& model) {
  const TemporaryDirectory directory;
  return to_modelica(read_source_file(
      directory.write("model.json", R"json({"format": "mti-model", "version": 1, )json" + model + "}")));
}

// z·(u - v) + (1 - z)·i = 0: u - v >= 0 belongs to z = 0, written with whatever signs; u + v >= 0 belongs to nothing.
TEST(ModelicaRoundTripText, ConstraintsBelongToTheSameSideOfAnEquation) {
  const auto text_of = [](const std::string& side, const std::string& constraint) {
    return written(
        R"json("states": [{"name": "x"}], "algebraic": [{"name": "i"}, {"name": "v"}], "binaries": [{"name": "z"}], "inputs": [{"name": "u",
        "value": 1}], "equations": ["der(x) = 1", "v = x - i", "z*()json" +
        side + R"json() + (1 - z)*i = 0"], "constraints": [")json" + constraint + R"json(", "i >= 0"])json");
  };
  for (const char* side : {"u - v", "-v + u", "v - u", "-(v - u)"})
    for (const char* constraint : {"-v + u >= 0", "0 >= v - u", "0 <= u - v"})
      EXPECT_EQ(text_of(side, constraint).find("assert"), std::string::npos) << side << ", " << constraint;
  for (const char* constraint : {"-v - u <= 0", "0 <= u + v", "-(u - v) - 2*v <= 0"})
    EXPECT_NE(text_of("u - v", constraint).find("assert"), std::string::npos) << constraint;
}

// One equation for one Boolean variable.
TEST(ModelicaRoundTripText, HasOneEquationForABinaryThatAnEquationGives) {
  for (const char* equation : {"z = (x > 0.5)", "z + (x > 0.5) = 1", "2*z = 1 + sign(x - 0.5)"}) {
    const std::string text = written(
        R"json("states": [{"name": "x"}, {"name": "w"}], "binaries": [{"name": "z"}], "equations": ["der(x) = 1",
        ")json" +
        std::string(equation) + R"json(", "der(w) = z"])json");
    EXPECT_EQ(text.find("pre(z)"), std::string::npos) << text;
    EXPECT_EQ(text.find("Nothing decides"), std::string::npos) << text;
  }
}

// (1 - x)·z <= 0 fails at x = 0: z falls as the run begins, and its law holds, which no when-equation does.
TEST(ModelicaRoundTripText, RefusesALawThatHoldsAtTheStart) {
  const auto text_of = [](const char* start) {
    return written(
        R"json("states": [{"name": "x"}, {"name": "n"}], "binaries": [{"name": "z", "start": )json" +
        std::string(start) + R"json(}], "equations": ["der(x) = 1", "der(n) = 0"],
        "constraints": ["(x - 3)*(1 - z) <= 0", "(1 - x)*z <= 0"],
        "transitions": [{"when": "fall(z)", "equations": ["n = pre(n) + 1"]}])json");
  };
  EXPECT_NE(text_of("0").find("when not z then"), std::string::npos);
  try {
    static_cast<void>(text_of("1"));
    ADD_FAILURE() << "was written";
  } catch (const InvalidModel& invalid) {
    EXPECT_EQ(invalid.faults().front().id, "modelica-unwritable");
    EXPECT_EQ(invalid.faults().front().pointer, "/transitions/0");
    EXPECT_NE(invalid.faults().front().message.find("holds at the start already"), std::string::npos);
  }
}

// A law of a constraint that is beyond its limit at the start is done with there: the state begins behind it.
TEST(ModelicaRoundTripText, BeginsBehindLawsThatAreDueAtTheStart) {
  const std::string text = written(
      R"json("states": [{"name": "x", "start": 2}, {"name": "n"}],
      "equations": ["der(x) = 0.1", {"name": "rate", "text": "der(n) = 0"}],
      "constraints": [{"name": "c", "text": "x - n - 1.5 <= 0"}],
      "transitions": [{"when": "reach(c)", "replaces": ["rate"], "equations": ["n = pre(n) + 1"]}])json");
  EXPECT_NE(text.find("Real n(start = 1, fixed = true)"), std::string::npos) << text;
  EXPECT_NE(text.find("Real x(start = 2, fixed = true)"), std::string::npos) << text;
  EXPECT_NE(text.find("reinit(n, pre(n) + 1)"), std::string::npos) << text;
}

// Two laws for one fall that say the same: one reinit.
TEST(ModelicaRoundTripText, SaysOnceWhatTwoLawsSay) {
  const std::string text =
      written(R"json("states": [{"name": "x"}, {"name": "n"}], "binaries": [{"name": "z"}],
      "equations": ["der(x) = 1", "der(n) = 0"], "constraints": ["(x - 1)*(1 - z) <= 0", "(0.5 - x)*z <= 0"],
      "transitions": [{"when": "fall(z)", "equations": ["n = 2*pre(n)"]}, {"when": "fall(z)", "equations":
      ["n = 2*pre(n)", "x = pre(x) - 1"]}])json");
  const std::size_t first = text.find("reinit(n");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("reinit(n", first + 1), std::string::npos) << text;
  EXPECT_NE(text.find("reinit(x"), std::string::npos) << text;
}

TEST(ModelicaRoundTripText, KeepsTheNameOfAModel) {
  const std::string text =
      written(R"json("name": "Bob's \\ x", "states": [{"name": "x"}], "equations": ["der(x) = 1"])json");
  EXPECT_TRUE(text.starts_with("model 'Bob\\'s \\\\ x'\n")) << text;
  const TemporaryDirectory directory;
  EXPECT_EQ(read_source_file(directory.write("model.mo", text)).name, "Bob's \\ x");
}

// The negative control: another run is seen.
TEST(ModelicaRoundTripControl, AnotherThresholdIsAnotherRun) {
  const fs::path path = source_dir() / "examples/thermostat/model.json";
  std::string text = to_modelica(read_source_file(path));
  const TemporaryDirectory directory;
  const std::size_t place = text.find("high = 21");
  ASSERT_NE(place, std::string::npos);
  directory.write("model.mo", text.replace(place, 9, "high = 20.99"));
  const Trajectory one = run(read_model(path)), other = run(read_model(directory.path() / "model.mo"));
  ASSERT_FALSE(one.events.empty());
  EXPECT_GT(std::abs(one.events.back().time - other.events.back().time), 1e-3);
}

}  // namespace modelica_round_trip_test
}  // namespace mti::test
