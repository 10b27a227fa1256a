// mti simulate --scenario, and what the program says of initial equations.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "tests/places.hpp"
#include "tests/program/program_run.hpp"

namespace mti::test {
namespace scenario_command_test {

using Json = nlohmann::json;

const std::string clutch = R"json({"format": "mti-model", "version": 1,
  "states": [{"name": "w1", "start": 7}, {"name": "w2", "start": 7}],
  "inputs": [{"name": "g", "value": 0, "binary": true}],
  "algebraic": [{"name": "t1"}, {"name": "t2"}],
  "equations": ["der(w1) = -0.5*w1 + t1", "der(w2) = -w2 + 3 + t2", "t1 + t2 = 0", "g*(w1 - w2) + (1 - g)*t1 = 0"],
  "scenarios": [{"name": "at rest", "modes": "not g", "equations": ["der(w2) = 0", "w1 = 1"]},
                {"name": "half", "equations": ["w1 = 1"]}]})json";

struct ScenarioCommand : ::testing::Test {
  TemporaryDirectory directory;
  std::filesystem::path model = directory.write("model.json", clutch);

  ProgramResult run(const std::vector<std::string>& arguments) {
    return run_program(arguments, directory.path());
  }
  /// "time,side,w1,w2,…" and the first row of it.
  std::vector<std::string> rows() { return lines_of(read_text(directory.path() / "out/trajectory.csv")); }
};

TEST_F(ScenarioCommand, BeginsAsTheScenarioSays) {
  const ProgramResult result =
      run({"simulate", "model.json", "--scenario", "at rest", "--no-report", "--quiet"});
  ASSERT_EQ(result.status, 0) << result.err;
  const std::string first = rows().at(1);
  EXPECT_EQ(first.substr(0, 8), "0,0,1,3,") << first;
}

TEST_F(ScenarioCommand, WithoutItStartValuesCount) {
  ASSERT_EQ(run({"simulate", "model.json", "--no-report", "--quiet"}).status, 0);
  EXPECT_EQ(rows().at(1).substr(0, 8), "0,0,7,7,");
}

TEST_F(ScenarioCommand, OneThatLeavesAStateOpenEndsTheRun) {
  const ProgramResult result =
      run({"simulate", "model.json", "--scenario", "half", "--no-report", "--quiet"});
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.err.find("no_consistent_start"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("the start of w2 is left open"), std::string::npos) << result.err;
}

TEST_F(ScenarioCommand, AnalysisTellsWhereInitialEquationsDetermineAStart) {
  Json with = Json::parse(clutch);
  with["states"][0]["fixed"] = false;
  with["initial"] = {"der(w1) = 0"};
  directory.write("initial.json", with.dump());
  const ProgramResult result = run({"analyze", "initial.json", "--all-modes", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json scenarios = Json::parse(result.out).at("scenarios");
  ASSERT_EQ(scenarios.size(), 3U);
  EXPECT_EQ(scenarios[2].at("name"), "initial");
  EXPECT_EQ(scenarios[2].at("determined_where"),
            "not g");  // engaged, w1 = w2 = 7 leaves nothing for it to fix
  EXPECT_EQ(scenarios[2].at("overdetermined_where"), "g");
}

}  // namespace scenario_command_test
}  // namespace mti::test
