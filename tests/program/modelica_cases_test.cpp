// Flat Modelica models written from the language specification: each of tests/cases/modelica meets the expectation that
// stands beside it, NAME.expect.json (tests/program/expected_run.hpp), whose numbers are those of closed forms or another
// method ("reference").

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "io/model/read_model.hpp"
#include "mti/common/at.hpp"
#include "tests/places.hpp"
#include "tests/program/document.hpp"
#include "tests/program/expected_run.hpp"
#include "tests/program/program_run.hpp"
#include "tests/program/run_comparison.hpp"
#include "tests/program/simulation_run.hpp"

namespace mti::test {
namespace modelica_cases_test {

const std::filesystem::path folder = source_dir() / "tests/cases/modelica";

std::vector<std::string> models() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() != ".json") names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

class ModelicaCases : public testing::TestWithParam<std::string> {};

TEST_P(ModelicaCases, MeetTheirExpectation) {
  const std::filesystem::path model = folder / GetParam();
  const std::string expectation = model.stem().string() + ".expect.json";
  for (const std::string& difference : differences(model, read_json(folder / expectation)))
    ADD_FAILURE() << difference;
}

std::string test_name(const testing::TestParamInfo<std::string>& instance) {
  return instance.param.substr(0, instance.param.find('.'));
}

INSTANTIATE_TEST_SUITE_P(Files, ModelicaCases, testing::ValuesIn(models()), test_name);

struct ByHand {
  const char* what;
  const char* body;
  const char* signal;
  double value;  ///< at the end
};

// Numbers by hand at the end of runs. A ball that falls from 1 with g = 10 and loses half of its speed meets the floor at
// sqrt(0.2) and twice that time, 0.89.
TEST(ModelicaWhens, AreNumbersByHand) {
  const std::string ball =
      "Real h(start = 1, fixed = true), v(start = 0, fixed = true); Integer n(start = 0, fixed = true);\n"
      "equation\n der(h) = v; der(v) = -10;\n";
  const std::vector<std::pair<std::string, ByHand>> cases = {
      {ball,
       {"two of an impact",
        "when h <= 0 then reinit(v, -0.5*pre(v)); end when; when h <= 0 then n = pre(n) + 1; end when;", "n",
        2.0}},
      {ball,
       {"the impact behind the other, and strict",
        "when h < 0 then n = pre(n) + 1; end when; when 0 >= h then reinit(v, -0.5*pre(v)); end when;", "n",
        2.0}},
      {ball,
       {"with two conditions each",
        "when v < 0 and h <= 0 then n = pre(n) + 1; end when;"
        "when h <= 0 and v < 0 then reinit(v, -0.5*pre(v)); end when;",
        "n", 2.0}},
      {"Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true);\nequation\n der(x) = 3.5;\n",
       {"a sawtooth and its count",
        "when x > 1 then reinit(x, 0); end when; when x > 1 then n = pre(n) + 1; end when;", "n", 3.0}},
      {"Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true);\nequation\n der(x) = 1 - "
       "0.3*n;\n",
       {"a counter that slows down what it counts", "when x > 0.5 then n = pre(n) + 1; end when;", "x",
        0.85}},
      {"Real x(start = 0, fixed = true), n(start = 0, fixed = true);\nequation\n"
       "der(x) = 1 - 0.3*n; der(n) = 0;\n",
       {"the same as a state", "when x > 0.5 then reinit(n, pre(n) + 1); end when;", "n", 1.0}},
      {"Real x(start = 0, fixed = true); discrete Real k(start = 1, fixed = true);\nequation\n der(x) = k;\n",
       {"a gain", "when x > 0.5 then k = 0.5*pre(k); end when;", "x", 0.75}},
      {"Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true); Boolean b = x > 0.5;\n"
       "equation\n der(x) = 1;\n",
       {"the edge of a comparison", "when edge(b) then n = pre(n) + 1; end when;", "n", 1.0}},
      {"Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true);\n"
       "Boolean b = x > 0.25 and x < 0.75;\nequation\n der(x) = 1;\n",
       {"both changes of a Boolean", "when change(b) then n = 10*pre(n) + 1; end when;", "n", 11.0}},
      {"Real x(start = 0, fixed = true); Real n(start = 0, fixed = true); Real y, r;\nequation\n"
       "der(x) = 1; der(n) = 0; r = if time < 0.4 then 0 else 10; y = x + r;\n",
       {"pre of an algebraic variable", "when x > 0.5 then reinit(n, pre(y) + y); end when;", "n", 21.0}},
      {"Real x(start = 0, fixed = true); Real n(start = 0, fixed = true); Real y;\nequation\n"
       "der(x) = 1; der(n) = 0; y = x + (if time < 0.5 then 0 else 10);\n",
       {"which is its left limit", "when sample(0.5, 1) then reinit(n, pre(y)); end when;", "n", 0.5}},
      {"Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true); Boolean b = x > 0.5;\n"
       "equation\n der(x) = 1;\n",
       {"one thing said twice",
        "when b then n = 2*pre(n) + 1; end when; when b then n = 2*pre(n) + 1; end when;", "n", 1.0}},
      {"Real x(start = 1, fixed = true), y(start = 0, fixed = true), u(start = 0, fixed = true);\n"
       "equation\n der(x) = u; der(y) = 0; der(u) = 0;\n",
       {"what the motion and samples of one clock give: -1 to 0.5, then -0.5",
        "when sample(0, 0.5) then reinit(y, x); end when; when sample(0, 0.5) then reinit(u, max(-1.5, -x)); "
        "end when;",
        "x", 0.25}},
      {"Real x(start = 1, fixed = true); discrete Real y(start = 0, fixed = true), u(start = 0, fixed = "
       "true);\n"
       "equation\n der(x) = u;\n",
       {"a sensor and a limited controller of one clock",
        "when sample(0, 0.5) then y = x; end when; when sample(0, 0.5) then u = max(-1.5, -y); end when;",
        "x", 0.25}},
      {"Real x(start = 0, fixed = true); discrete Real g(start = 1, fixed = true), h(start = 1, fixed = "
       "true);\n"
       "Real f = 2*g;\nequation\n der(x) = 1;\n",
       {"a function of what follows from another of the same condition",
        "when x > 0.5 then h = sqrt(f); end when; when x > 0.5 then g = 3; end when;", "h",
        2.449489742783178}},
      {"Real x(start = 0.1, fixed = true); discrete Real n(start = 0, fixed = true);\nequation\n der(x) = "
       "1;\n",
       {"functions in both branches",
        "when x > 0.3 then n = sqrt(x); elsewhen x > 0.6 then n = x^2; end when;", "n", 0.36}}};
  for (const auto& [begin, one] : cases) {
    SCOPED_TRACE(one.what);
    const TemporaryDirectory directory;
    const Trajectory trajectory = run(read_model(directory.write(
        "m.mo", "model m\n" + begin + one.body + "\nannotation(experiment(StopTime = 1));\nend m;\n")));
    const auto found = std::ranges::find(trajectory.names(), one.signal);
    ASSERT_NE(found, trajectory.names().end());
    EXPECT_NEAR(trajectory.value(trajectory.size() - 1, at(found - trajectory.names().begin())), one.value,
                1e-5);
  }
}

// Samples at whole times: of those before the run none is made up for. 6, 7 and 8 from 5.5 to 8.2; from 6 on the first is at
// the start.
TEST(ModelicaWhens, SamplesThatBeganBeforeTheRunGoOn) {
  const TemporaryDirectory directory;
  const auto count = [&](const std::string& sample, double start) {
    const Trajectory trajectory = run(read_model(
        directory.write("m.mo",
                        "model m\n  parameter Real t0 = -2;\n  Integer n(start = 0, fixed = true);\n"
                        "  Real x(start = 0, fixed = true);\nequation\n  der(x) = 1;\n  when " +
                            sample + " then n = pre(n) + 1; end when;\n  annotation(experiment(StartTime = " +
                            std::to_string(start) + ", StopTime = 8.2));\nend m;\n")));
    const auto found = std::ranges::find(trajectory.names(), "n");
    return trajectory.value(trajectory.size() - 1, at(found - trajectory.names().begin()));
  };
  EXPECT_NEAR(count("sample(0, 1)", 5.5), 3.0, 1e-9);
  EXPECT_NEAR(count("sample(0, 1)", 6.0), 3.0, 1e-9);
  EXPECT_NEAR(count("sample(t0, 0.5)", 6.25), 4.0, 1e-9);
  EXPECT_NEAR(count("sample(7, 1)", 5.5), 2.0, 1e-9);
  EXPECT_NEAR(count("sample(7, 1)", -3.0), 2.0, 1e-9);
}

// sample(0, 1) from 1.5 on is due at 2: a clock that counts from StartTime would tick at 1.5 and 2.5. The start is fixed, in every
// form that the model may be written in.
TEST(ModelicaWhens, SamplesBeginNoRunAtAnotherTime) {
  const TemporaryDirectory directory;
  directory.write(
      "m.mo",
      "model m\n  Integer n(start = 0, fixed = true);\n  Real x(start = 0, fixed = true);\nequation\n"
      "  der(x) = 1;\n  when sample(0, 1) then n = pre(n) + 1; end when;\n"
      "annotation(experiment(StopTime = 2.5));\nend m;\n");
  std::string file = "m.mo";
  for (const char* next : {"m.json", "m.mat", "again.mo", ""}) {
    const auto run = [&](const char* start) {
      return run_program({"simulate", file, "--start", start, "--out", "out", "--quiet", "--no-report"},
                         directory.path());
    };
    EXPECT_EQ(run("0").status, 0) << file;
    const ProgramResult moved = run("1.5");
    EXPECT_EQ(moved.status, 1) << file;
    EXPECT_NE(moved.err.find("/experiment/start: bad-option: expected the start 0, up to which start values "
                             "count time, found 1.5"),
              std::string::npos)
        << moved.err;
    if (*next == '\0') break;
    const ProgramResult written = run_program({"convert", file, next}, directory.path());
    ASSERT_EQ(written.status, 0) << written.err;
    file = next;
  }
}

// What is reset leaves the condition true at t2, and the reset is made once: h falls from 1 to 0.5 with v1² = g, is 1 again, and falls
// to 0.5 with v2² = 2g. There h is 1 + k = 1 + 0.5 v1, and stays below 0.5.
TEST(ModelicaWhens, ResetOnceWhereTheConditionStaysTrue) {
  const TemporaryDirectory directory;
  const Model model = read_model(directory.write(
      "m.mo",
      "model m\n  Real h(start = 1, fixed = true), v(start = 0, fixed = true), k(start = 0, fixed = true);\n"
      "equation\n  der(h) = v; der(v) = -9.81; der(k) = 0;\n"
      "  when h < 0.5 then reinit(h, 1 + pre(k)); reinit(k, 0.5*v); end when;\n"
      "annotation(experiment(StopTime = 1.5, Tolerance = 1e-9));\nend m;\n"));
  const Trajectory trajectory = run(model);
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  const double g = 9.81, v1 = -std::sqrt(g), v2 = -std::sqrt(2.0 * g), left = 1.5 + v2 / g;
  const auto last = [&](const char* name) {
    const auto found = std::ranges::find(trajectory.names(), name);
    return trajectory.value(trajectory.size() - 1, at(found - trajectory.names().begin()));
  };
  EXPECT_NEAR(last("k"), 0.5 * v2, 1e-6);
  EXPECT_NEAR(last("h"), 1.0 + 0.5 * v1 + v2 * left - 0.5 * g * left * left, 1e-6);
}

// h <= 0 is touched alone, and never becomes true for another condition.
TEST(ModelicaWhens, RefuseTheComparisonOfAnImpactInAnotherCondition) {
  const TemporaryDirectory directory;
  for (const char* condition : {"h < 0 or v > 100", "h > 0", "low", "not low and v > 0"}) {
    directory.write("m.mo",
                    "model m\n  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                    "  Integer n(start = 0, fixed = true);\n  Boolean low = h <= 0 or v > 50;\nequation\n"
                    "  der(h) = v; der(v) = -10;\n  when h <= 0 then reinit(v, -0.5*pre(v)); end when;\n"
                    "  when " +
                        std::string(condition) + " then n = pre(n) + 1; end when;\nend m;\n");
    const ProgramResult result = run_program({"check", "m.mo"}, directory.path());
    EXPECT_EQ(result.status, 2) << condition;
    EXPECT_NE(result.err.find("m.mo:8:8: modelica-unsupported: another when-equation resets"),
              std::string::npos)
        << result.err;
  }
}

// Left limits would be g = 1, y = 0, b = false: wrong values, where Modelica has the new ones.
TEST(ModelicaWhens, RefuseLeftLimitsOfWhatMayChangeThere) {
  const TemporaryDirectory directory;
  const auto fault_of = [&](const std::string& equations) {
    directory.write("m.mo",
                    "model m\n  Real x(start = 0, fixed = true); Boolean b = x > 0.5;\n  Real f, k;\n"
                    "  discrete Real g(start = 1, fixed = true), h(start = 1, fixed = true);\nequation\n"
                    "  der(x) = 1; f + f^3 = g; k = if b then 1 else 2;\n" +
                        equations + "\nend m;\n");
    return run_program({"check", "m.mo"}, directory.path()).err;
  };
  const auto expect = [&](const std::string& equations, const std::string& message) {
    EXPECT_NE(fault_of(equations).find(message), std::string::npos) << equations << fault_of(equations);
  };
  const std::string set =
      "g by conditions, functions or equations that are not explicit, and a when-equation "
      "may set g at the same instant";
  expect("when sample(0, 0.5) then g = x; end when; when sample(0, 0.25) then h = max(g, 0); end when;", set);
  expect("when x > 0.7 then g = 3; end when; when b and x > 0.7 then h = sqrt(g); end when;", set);
  expect("when x > 0.7 then g = 3; h = f; end when;", set);
  const std::string look = "modelica-unsupported: a condition in this value looks at x";
  expect("when b then h = if b then sqrt(x + 3) else 0; end when;", "m.mo:7:17: " + look);
  expect("when x > 0.7 then h = if x > 0.7 then 5 else 0; end when;", "m.mo:7:23: " + look);
  expect("when b then h = max(k, 0); end when;", "m.mo:7:17: " + look);
  expect("when b then h = pre(k); end when;",
         "m.mo:7:17: modelica-unsupported: pre(k) is the value before this instant, and a condition in the "
         "equations of k looks at");
  expect("when x > 0.7 then g = 3; end when; when b then g = 2; end when;",
         "m.mo:7:48: modelica-unsupported: g is set by another when-equation too");
  EXPECT_EQ(fault_of("when x > 0.7 then g = 3; end when; when sample(0, 0.25) then h = max(g, 0); end when;"),
            "");
  EXPECT_EQ(fault_of("when sample(0, 0.25) then g = x; end when; when g > 0.4 then h = g^2; end when;"), "");
}

// x = 5 up to t = 1.4, where its input steps; behind the step the law would have taken s for it.
TEST(ModelicaWhens, LeftLimitsOfWhatAnInputInStepsDecidesAreRefused) {
  const TemporaryDirectory directory;
  for (const char* x : {"if g then 5 else s", "(if g then 1 else 0)*5 + (if g then 0 else 1)*s"})
    for (const char* when : {"not g", "b"}) {
      directory.write("m.mo",
                      "model m\n  Real s(start = 1, fixed = true); Boolean g; Boolean b; Real x;\nequation\n"
                      "  g = if time < 0.7 then false elseif time < 1.4 then true else false;\n"
                      "  b = not g; der(s) = 0;\n  x = " +
                          std::string(x) + ";\n  when " + when +
                          " then reinit(s, pre(x)); end when;\nend m;\n");
      EXPECT_NE(run_program({"check", "m.mo"}, directory.path()).err.find("modelica-unsupported: pre(x)"),
                std::string::npos)
          << x << when;
    }
}

// der(x) = 1 or -1 by what is set, to time 1.
TEST(ModelicaInputs, ComparisonsFollowWhatIsSet) {
  const TemporaryDirectory directory;
  directory.write("m.mo",
                  "model m\n  input Real u(start = 3); Real x(start = 0, fixed = true);\nequation\n"
                  "  der(x) = if u > 2 then 1 else -1;\n  annotation(experiment(StopTime = 1));\nend m;\n");
  for (const auto& [value, expected] : {std::pair("u=3", 1.0), std::pair("u=1", -1.0)}) {
    const SimulationRun result = simulate(directory.path() / "m.mo", 1e-6, 1e-8, {"--set", value});
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_NEAR(result.value(result.rows.back(), "x"), expected, 1e-6);
  }
}

// Sets of equations have no order: x = 4 and y = 3 behind the switch.
TEST(ModelicaIfEquations, BranchesListTheirEquationsInAnyOrder) {
  const TemporaryDirectory directory;
  for (const char* branches :
       {"x = 1; 0 = y - 2; else 0 = y - 3; x = 4;", "0 = y - 2; x = 1; else x = 4; 0 = y - 3;",
        "x = 1; y = 2; else y = 3; x = 4;", "x = 1; 0 = y - 2; else x = 4; y = 3;"}) {
    directory.write("m.mo",
                    std::string("model m\n  Real x, y, z(start = 0, fixed = true);\nequation\n  der(z) = 1;\n"
                                "  if z < 0.5 then ") +
                        branches + " end if;\n  annotation(experiment(StopTime = 1));\nend m;\n");
    const SimulationRun result = simulate(directory.path() / "m.mo", 1e-6, 1e-8);
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_NEAR(result.value(result.rows.front(), "y"), 2.0, 1e-6) << branches;
    EXPECT_NEAR(result.value(result.rows.back(), "x"), 4.0, 1e-6) << branches;
    EXPECT_NEAR(result.value(result.rows.back(), "y"), 3.0, 1e-6) << branches;
  }
}

TEST(ModelicaDocument, ShowsWhatIsWritten) {
  Document page("docs/modelica.md");
  page.expect_block(
      "thermostat",
      run_program({"print", "--modelica", (source_dir() / "examples/thermostat/model.json").string()}, folder)
          .out);
}

TEST(ModelicaParameters, ThatDecideWhichEquationsThereAreAreNotSet) {
  const TemporaryDirectory directory;
  directory.write(
      "m.mo",
      "model m\n  parameter Real a(max = 3) = 1;\n  Real x(start = 1);\nequation\n  if a > 0 then\n"
      "    der(x) = -a*x;\n  else\n    der(x) = x;\n  end if;\nend m;\n");
  const auto run = [&](const char* value) {
    return run_program({"simulate", "m.mo", "--out", "out", "--quiet", "--no-report", "--set", value},
                       directory.path());
  };
  EXPECT_EQ(run("a=2").status, 0);
  EXPECT_EQ(run("a=-1").err,
            "m.mo:5:6: modelica-unsupported: this was read with the parameters of the file, which decide "
            "which equations there "
            "are: set them in the file\n");
  EXPECT_EQ(run("a=4").err, "m.mo:2:26: modelica-range: the parameter a lies beyond its max, 3\n");
}

constexpr const char* rising = R"(model rising
  Real x(start = 0, fixed = true, max = 1.5);
equation
  der(x) = 1;
  assert(x < 1, "too high");
  assert(x < 0.5, "rather high", AssertionLevel.warning);
  annotation(experiment(StopTime = STOP));
end rising;
)";

ProgramResult run_rising(const std::string& stop) {
  std::string text = rising;
  text.replace(text.find("STOP"), 4, stop);
  const TemporaryDirectory directory;
  directory.write("rising.mo", text);
  return run_program({"simulate", "rising.mo", "--out", "out", "--quiet", "--no-report"}, directory.path());
}

TEST(ModelicaAssertions, AreToldWithTheirTimesAndTheRunGoesOn) {
  const ProgramResult result = run_rising("2");
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.err,
            "rising.mo:: warning: modelica-assertion: at t = 0.5: rather high\n"
            "rising.mo:: modelica-assertion: at t = 1: too high\n"
            "rising.mo:: modelica-assertion: at t = 1.5: x is beyond its max, 1.5\n");
}

TEST(ModelicaAssertions, WarningsAndWhatHoldsLeaveTheExitStatus) {
  EXPECT_EQ(run_rising("0.75").status, 0);
  EXPECT_EQ(run_rising("0.75").err, "rising.mo:: warning: modelica-assertion: at t = 0.5: rather high\n");
  EXPECT_EQ(run_rising("0.25").err, "");
}

}  // namespace modelica_cases_test
}  // namespace mti::test
