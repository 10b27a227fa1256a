// Models made of components on the command line, and their runs beside those of models written flat.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "io/model/read_model.hpp"
#include "mti/build/build.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/places.hpp"
#include "tests/program/program_run.hpp"
#include "tests/program/run_comparison.hpp"

namespace mti::test {
namespace components_test {

namespace fs = std::filesystem;

const fs::path example = source_dir() / "examples/tank_ring";

/// The ring of examples/tank_ring as one would write it without components: no inputs between the tanks.
Source ring_by_hand(int tanks) {
  Source source;
  source.parameters = {{"n", static_cast<double>(tanks)}};
  source.inputs = {{.name = "ambient", .form = Number(0.0)}};
  const auto tank = [tanks](int i) { return "tank" + std::to_string((i + tanks - 1) % tanks + 1); };
  for (int i = 1; i <= tanks; ++i) {
    const std::string name = tank(i), T = name + ".T", open = name + ".open", shut = name + ".shut",
                      place = std::to_string(i) + "/n", middle = "(35 + 5*" + place + ")";
    source.states.push_back({T, "32 + 8*" + place, "degC", 40.0});
    source.binaries.push_back({open, 0.0});
    source.binaries.push_back({shut, 0.0});
    source.equations.emplace_back("21000*der(" + T + ") = 125*(" + tank(i - 1) + ".T + " + tank(i + 1) +
                                  ".T) + 125*ambient - 375*" + T + " + 378*(80 - " + T + ")*" + open);
    source.constraints.emplace_back(
        name + ".low", "(" + middle + " - 5 - " + T + ")*(1 - " + open + " + " + shut + ") <= 0");
    source.constraints.emplace_back(
        name + ".high", "(" + T + " - " + middle + " - 5)*(1 - " + shut + " + " + open + ") <= 0");
  }
  source.experiment = {.stop = 500.0, .rtol = 1e-8, .atol = 1e-8, .output_interval = Number(1.0)};
  return source;
}

std::string difference_of(const Model& model, const Model& by_hand) {
  const Course reference = course_of(run(by_hand), by_hand), finer = course_of(run(by_hand, 100.0), by_hand);
  EXPECT_GE(reference.steps.size(), 4U) << "valves open and close";
  const Spread spread = spread_between(reference, finer, by_hand.experiment.rtol, by_hand.experiment.start);
  return difference(reference, course_of(run(model), model), spread).text;
}

TEST(ComponentsExample, RunsAsTheModelWrittenByHand) {
  EXPECT_EQ(difference_of(read_model(example / "model.json"), build(ring_by_hand(3))), "");
  EXPECT_EQ(difference_of(read_model(example / "model.json", {{"n", 7.0}}), build(ring_by_hand(7))), "")
      << "another number of tanks";
}

// Negative control: one parameter of one tank is seen.
TEST(ComponentsExample, AnotherParameterIsAnotherRun) {
  EXPECT_NE(difference_of(read_model(example / "model.json", {{"tank2.fv", 0.0901}}), build(ring_by_hand(3))),
            "");
}

TEST(ComponentsOnTheCommandLine, CheckAnalyzeAndConvert) {
  const TemporaryDirectory directory;
  const std::string model = (example / "model.json").string();
  // 3 tanks: 1 equation and 3 driven inputs each.
  EXPECT_EQ(run_program({"check", model}, directory.path()).out,
            "tank_ring: valid, 12 equations, 6 constraints, 6 binaries\n");
  EXPECT_EQ(run_program({"analyze", model}, directory.path()).status, 0);
  const ProgramResult converted =
      run_program({"convert", model, "flat.json", "--to", "equations"}, directory.path());
  EXPECT_EQ(converted.status, 0) << converted.err;
  const Model flat = read_model(directory.path() / "flat.json"), composed = read_model(model);
  EXPECT_EQ(flat.equation_names, composed.equation_names);
  EXPECT_EQ(flat.signature.states()[1].name, "tank2.T");
  EXPECT_EQ(flat.x_start, composed.x_start);
  EXPECT_EQ(difference_of(flat, build(ring_by_hand(3))), "");
}

TEST(ComponentsOnTheCommandLine, SimulateWithSettingsOfComponents) {
  const TemporaryDirectory directory;
  const ProgramResult result =
      run_program({"simulate", (example / "model.json").string(), "--set", "n=2", "--set", "tank2.T=44",
                   "--set", "tank1.fv=0.1", "--stop", "1", "--no-report", "--quiet", "--out", "out"},
                  directory.path());
  EXPECT_EQ(result.status, 0) << result.err;
  const std::vector<std::string> lines = lines_of(read_text(directory.path() / "out/trajectory.csv"));
  EXPECT_EQ(lines[0].substr(0, 25), "time,side,tank1.T,tank2.T") << "names with dots";
  EXPECT_EQ(lines[1].substr(0, 9), "0,0,36,44");
  const ProgramResult unknown = run_program({"simulate", (example / "model.json").string(), "--set",
                                             "tank2.TT=1", "--no-report", "--quiet", "--out", "out"},
                                            directory.path());
  EXPECT_EQ(unknown.status, 1) << "wrong usage: the file is valid";
  EXPECT_NE(
      unknown.err.find("unknown-override: there is no parameter, input or start value tank2.TT, did you mean "
                       "tank2.T?"),
      std::string::npos)
      << unknown.err;
}

TEST(ComponentsOnTheCommandLine, StandardInputIsRelativeToTheWorkingDirectory) {
  const TemporaryDirectory directory;
  fs::copy_file(example / "tank.json", directory.path() / "tank.json");
  const std::string text = read_text(example / "model.json");
  const ProgramResult result = run_program({"check", "-"}, directory.path(), text);
  EXPECT_EQ(result.status, 0) << result.err;
  fs::remove(directory.path() / "tank.json");
  EXPECT_EQ(
      run_program({"check", "-"}, directory.path(), text).err,
      "<stdin>:/components/0/model: model-unreadable: cannot read tank.json: No such file or directory\n");
}

TEST(ComponentsOnTheCommandLine, FaultsNameTheFileTheyAreIn) {
  const TemporaryDirectory directory;
  directory.write("leaf.json", R"({"format": "mti-model", "version": 1, "states": [{"name": "x"}],
    "equations": ["der(x) = -k*x"]})");
  directory.write("m.json", R"({"format": "mti-model", "version": 1,
    "components": [{"name": "a", "model": "leaf.json"}, {"name": "b", "model": "leaf.json"}],
    "connections": [{"equal": ["a.x", "c.x"]}]})");
  const ProgramResult result = run_program({"check", "m.json"}, directory.path());
  EXPECT_EQ(result.status, 2);
  const std::vector<std::string> lines = lines_of(result.err);
  ASSERT_EQ(lines.size(), 2U) << result.err;
  EXPECT_EQ(lines[0].find("leaf.json:/equations/0: unknown-name: column 11: unknown name k"), 0U) << lines[0];
  EXPECT_EQ(lines[1].find("m.json:/connections/0: unknown-name: unknown name c.x, did you mean a.x?"), 0U)
      << lines[1];
}

}  // namespace components_test
}  // namespace mti::test
