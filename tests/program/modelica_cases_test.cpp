// Flat Modelica models written from the language specification: each of tests/cases/modelica meets the expectation that
// stands beside it, NAME.expect.json (tests/program/expected_run.hpp), whose numbers are those of closed forms or another
// method ("reference").

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/places.hpp"
#include "tests/program/document.hpp"
#include "tests/program/expected_run.hpp"
#include "tests/program/program_run.hpp"
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
            "rising.mo:: modelica-assertion: at t = 1: too high\n"
            "rising.mo:: warning: modelica-assertion: at t = 0.5: rather high\n"
            "rising.mo:: modelica-assertion: at t = 1.5: x is beyond its max, 1.5\n");
}

TEST(ModelicaAssertions, WarningsAndWhatHoldsLeaveTheExitStatus) {
  EXPECT_EQ(run_rising("0.75").status, 0);
  EXPECT_EQ(run_rising("0.75").err, "rising.mo:: warning: modelica-assertion: at t = 0.5: rather high\n");
  EXPECT_EQ(run_rising("0.25").err, "");
}

}  // namespace modelica_cases_test
}  // namespace mti::test
