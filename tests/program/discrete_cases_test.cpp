// Models of discrete time with published matrices against independent recurrences, and conversions by the
// program.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/places.hpp"
#include "tests/program/program_run.hpp"
#include "tests/program/simulation_run.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace discrete_cases_test {

using nlohmann::json;

std::filesystem::path case_file(const std::string& name) { return source_dir() / "tests/cases" / name; }

/// Samples and switches of the run against the reference; rounding alone separates them: a few thousand
/// contracting steps of rounding 1e-16 each, on values below 100.
void expect_recurrence(const SimulationRun& run, const json& reference, const std::set<std::string>& valves) {
  ASSERT_EQ(run.status, 0) << run.errors;
  for (std::size_t i = 0; i < reference["t"].size(); ++i) {
    const SimulationRun::Row& row = run.at(reference["t"][i].get<double>());
    for (int j = 0; j < 3; ++j)
      EXPECT_NEAR(run.value(row, "x" + std::to_string(j + 1)), reference["x"][i][j].get<double>(), 1e-9)
          << "at " << row.time;
    const json expected = reference.contains("z") ? json::array({reference["z"][i]}) : reference["valves"][i];
    std::size_t next = 0;
    for (const std::string& valve : valves) EXPECT_EQ(run.value(row, valve), expected[next++].get<double>());
  }
  const std::vector<Switch> found = switches(run, valves);
  EXPECT_EQ(found.size(), reference["n_switches"].get<std::size_t>());
  const json& times = reference["first_switch_times"];
  ASSERT_GE(found.size(), times.size());
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(found[i].time, times[i].get<double>(), 1e-9);
  for (const SimulationRun::Row& row : run.rows) EXPECT_EQ(row.side, 0);
}

TEST(DiscreteCases, OneTankOfTheToolbox) {
  const SimulationRun run = simulate(case_file("discrete_one_tank.json"), 1e-6, 1e-8);
  expect_recurrence(run, read_json(case_file("reference/discrete_one_tank.json")), {"z1"});
  EXPECT_EQ(run.rows.size(), 3001U);
  EXPECT_EQ(run.summary["statistics"]["steps"], 3001);
}

TEST(DiscreteCases, ThreeTanksOfTheToolbox) {
  const SimulationRun run = simulate(case_file("discrete_three_tank.json"), 1e-6, 1e-8);
  expect_recurrence(run, read_json(case_file("reference/discrete_three_tank.json")), {"z1", "z3", "z5"});
  EXPECT_EQ(run.rows.size(), 10001U);
}

/// The tolerance is no part of what a sample does: a coarse one must not switch early.
TEST(DiscreteCases, DoNotDependOnTheTolerance) {
  const SimulationRun run = simulate(case_file("discrete_one_tank.json"), 1e-2, 1e-2);
  expect_recurrence(run, read_json(case_file("reference/discrete_one_tank.json")), {"z1"});
}

/// Negative control: another sample time in the file gives other times, so the comparison can fail.
TEST(DiscreteCases, AnotherLimitGivesAnotherRun) {
  json model = read_json(case_file("discrete_one_tank.json"));
  model["inputs"][2]["table"]["value"] = {30, 30, 36};
  const SimulationRun run = simulate(model, 1e-6, 1e-8);
  ASSERT_EQ(run.status, 0);
  EXPECT_GT(std::abs(run.value(run.at(200.0), "x1") - 35.80617521863333), 0.1);
}

TEST(DiscreteCases, BothWritingsAreOneModel) {
  const TemporaryDirectory directory;
  for (const char* name : {"discrete_one_tank", "discrete_three_tank"}) {
    const std::string file = case_file(std::string(name) + ".json").string();
    ASSERT_EQ(run_program({"convert", file, "other.json"}, directory.path()).status, 0);
    const json other = read_json(directory.path() / "other.json");
    EXPECT_EQ(other["sample_time"], 0.1);
    const SimulationRun run = simulate(other, 1e-6, 1e-8);
    const json reference = read_json(case_file(std::string("reference/") + name + ".json"));
    const std::set<std::string> valves =
        reference.contains("z") ? std::set<std::string>{"z1"} : std::set<std::string>{"z1", "z3", "z5"};
    expect_recurrence(run, reference, valves);
  }
  const ProgramResult text = run_program(
      {"convert", case_file("discrete_one_tank.json").string(), "-", "--to", "equations"}, directory.path());
  EXPECT_NE(text.out.find("next(x1)"), std::string::npos);
  EXPECT_EQ(text.out.find("der("), std::string::npos);
}

TEST(DiscreteCases, CommandsSpeakOfNext) {
  const TemporaryDirectory directory;
  const std::string file = case_file("discrete_three_tank.json").string();
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"check", file},
                                             {"analyze", file},
                                             {"analyze", file, "--json"},
                                             {"analyze", file, "--mode", "z1=1"},
                                             {"analyze", file, "--all-modes"},
                                             {"linearize", file},
                                             {"simulate", file, "--out", "results", "--stop", "20"}}) {
    const ProgramResult result = run_program(command, directory.path());
    EXPECT_EQ(result.status, 0) << command[0] << ": " << result.err;
    EXPECT_EQ(result.out.find("der("), std::string::npos) << result.out;
  }
  EXPECT_NE(run_program({"linearize", file}, directory.path()).out.find("z-plane"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(directory.path() / "results/report.html"));
  const ProgramResult odd =
      run_program({"simulate", file, "--output-interval", "0.25", "--out", "x"}, directory.path());
  EXPECT_EQ(odd.status, 1);
  EXPECT_NE(odd.err.find("bad-option: expected a whole number of sample times 0.1"), std::string::npos);
}

TEST(DiscreteCases, ShiftsThatASimulationDoesNotMakeAreNamed) {
  const TemporaryDirectory directory;
  directory.write("model.json", R"json({"format": "mti-model", "version": 1, "sample_time": 1,
    "states": [{"name": "x", "start": 1}, {"name": "w"}],
    "equations": ["next(w) = x + next(x)", {"name": "fixed", "text": "x = 1"}]})json");
  const ProgramResult analysis = run_program({"analyze", "model.json", "--mode", ""}, directory.path());
  EXPECT_EQ(analysis.status, 0) << analysis.err;
  EXPECT_NE(analysis.out.find("shift index 1"), std::string::npos) << analysis.out;
  EXPECT_NE(analysis.out.find("fixed is needed at later samples, shifted once"), std::string::npos);
  const ProgramResult run = run_program({"simulate", "model.json", "--out", "results"}, directory.path());
  EXPECT_EQ(run.status, 3);
  EXPECT_NE(run.err.find("no_consistent_start"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("fixed"), std::string::npos) << run.err;
}

/// x' = −x + u by the trapezoidal rule: x_{k+1} = ((1 − h/2) x_k + h/2 (u_k + u_{k+1}))/(1 + h/2).
TEST(DiscreteCases, ConvertsThereAndBack) {
  const TemporaryDirectory directory;
  directory.write("model.json", R"({"format": "mti-model", "version": 1,
    "states": [{"name": "x", "start": 2}], "inputs": [{"name": "u", "value": 1}],
    "equations": ["der(x) = -x + u"], "experiment": {"stop": 2}})");
  ASSERT_EQ(run_program(
                {"convert", "model.json", "discrete.json", "--sample-time", "0.1", "--method", "trapezoidal"},
                directory.path())
                .status,
            0);
  const SimulationRun run = simulate(directory.path() / "discrete.json", 1e-6, 1e-8);
  ASSERT_EQ(run.status, 0) << run.errors;
  double x = 2.0;
  for (const SimulationRun::Row& row : run.rows) {
    EXPECT_NEAR(run.value(row, "x"), x, 1e-13);
    x = (0.95 * x + 0.1) / 1.05;
  }
  ASSERT_EQ(run_program({"convert", "discrete.json", "back.json", "--continuous", "--method", "trapezoidal"},
                        directory.path())
                .status,
            0);
  const json back = read_json(directory.path() / "back.json");
  EXPECT_FALSE(back.contains("sample_time"));
  EXPECT_EQ(back["states"][0]["name"], "x");
  EXPECT_NEAR(back["states"][0]["start"].get<double>(), 2.0, 1e-14);
  const SimulationRun again = simulate(back, 1e-9, 1e-9);
  EXPECT_NEAR(again.value(again.at(2.0), "x"), 1.0 + std::exp(-2.0), 1e-6);
  EXPECT_EQ(
      run_program({"convert", "model.json", "x.json", "--method", "trapezoidal"}, directory.path()).status,
      1);
}

}  // namespace discrete_cases_test
}  // namespace mti::test
