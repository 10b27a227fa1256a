// mti simulate: files, options, ways a run ends.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "tests/program/program_run.hpp"

namespace mti::test {
namespace simulate_command_test {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

struct Csv {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
  bool whole = true;  ///< every line has as many cells as the header, and the last one ends

  std::vector<double> column(const std::string& name) const {
    const auto at = std::find(names.begin(), names.end(), name) - names.begin();
    std::vector<double> values;
    for (const auto& row : rows) values.push_back(row.at(static_cast<std::size_t>(at)));
    return values;
  }
};

Csv read_csv(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  Csv csv;
  csv.whole = !text.empty() && text.back() == '\n';
  for (const std::string& line : lines_of(text)) {
    std::istringstream cells(line);
    std::vector<double> row;
    const bool header = csv.names.empty();
    for (std::string cell; std::getline(cells, cell, ',');) {
      if (header)
        csv.names.push_back(cell);
      else
        row.push_back(std::stod(cell));
    }
    if (header) continue;
    csv.whole = csv.whole && row.size() == csv.names.size();
    csv.rows.push_back(row);
  }
  return csv;
}

/// x' = a·x from x = 1; stop at 1. Exact: exp(a·t).
const char* const growth = R"({
  "format": "mti-model", "version": 1, "name": "growth",
  "parameters": {"a": -1},
  "states": [{"name": "x", "start": 1}],
  "inputs": [{"name": "u", "value": 0}],
  "equations": ["der(x) = a*x + u"],
  "experiment": {"stop": 1, "rtol": 1e-9, "atol": 1e-9, "output_interval": 0.25}
})";

/// An oscillation that never comes to an end by itself.
const char* const endless = R"({
  "format": "mti-model", "version": 1, "name": "endless",
  "states": [{"name": "x", "start": 1}, {"name": "v"}],
  "equations": ["der(x) = v", "der(v) = -x"],
  "experiment": {"stop": 1e9, "rtol": 1e-8, "atol": 1e-8, "output_interval": 1000}
})";

struct Simulate : ::testing::Test {
  TemporaryDirectory directory;
  ProgramResult run(const Words& arguments, const std::string& input = {}) {
    return run_program(arguments, directory.path(), input);
  }
  std::set<std::string> files(const std::string& name = "out") const {
    std::set<std::string> result;
    for (const auto& entry : std::filesystem::directory_iterator(directory.path() / name))
      result.insert(entry.path().filename());
    return result;
  }
  Json summary(const std::string& name = "out") const {
    return Json::parse(read_text(directory.path() / name / "summary.json"));
  }
  Csv trajectory(const std::string& name = "out") const {
    return read_csv(directory.path() / name / "trajectory.csv");
  }
};

TEST_F(Simulate, WritesItsFilesAndASummary) {
  directory.write("model.json", growth);
  const ProgramResult result = run({"simulate", "model.json"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find("growth: reached_stop at t = 1"), std::string::npos) << result.out;
  EXPECT_EQ(files(), (std::set<std::string>{"trajectory.csv", "events.json", "summary.json", "report.html"}));
  EXPECT_EQ(summary().at("outcome"), "reached_stop");
  EXPECT_EQ(summary().at("end_time"), 1.0);
  EXPECT_EQ(summary().at("model"), "growth");
  for (const char* key : {"steps", "residual_evaluations", "jacobian_evaluations", "events", "candidates"})
    EXPECT_TRUE(summary().at("statistics").at(key).is_number_integer()) << key;
  EXPECT_EQ(summary().at("options").at("output_interval"), 0.25);
}

TEST_F(Simulate, TrajectoryHasTheOutputTimesAndTheSolution) {
  directory.write("model.json", growth);
  ASSERT_EQ(run({"simulate", "model.json", "--no-report", "--quiet"}).status, 0);
  EXPECT_EQ(files(), (std::set<std::string>{"trajectory.csv", "events.json", "summary.json"}));
  const Csv csv = trajectory();
  EXPECT_TRUE(csv.whole);
  EXPECT_EQ(csv.names, (Words{"time", "side", "x", "u"}));
  EXPECT_EQ(csv.column("time"), (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(csv.column("side"), (std::vector<double>{0, 0, 0, 0, 0}));
  for (const auto& row : csv.rows)  // rtol 1e-9 for each of some dozens of steps
    EXPECT_NEAR(row[2], std::exp(-row[0]), 1e-7);
}

TEST_F(Simulate, TheReportHasAllModesWhereThereAreSeveral) {
  directory.write("model.json", growth);
  const char* const switched = R"({
    "format": "mti-model", "version": 1, "name": "switched",
    "states": [{"name": "x", "start": 1}], "binaries": [{"name": "low"}],
    "equations": ["der(x) = low - 1"], "constraints": ["(1 - 2*low)*(-x) <= 0"],
    "experiment": {"stop": 0.5}
  })";
  directory.write("switched.json", switched);
  ASSERT_EQ(run({"simulate", "model.json", "--quiet", "--out", "one"}).status, 0);
  ASSERT_EQ(run({"simulate", "switched.json", "--quiet", "--out", "two"}).status, 0);
  const std::string data = R"("all_modes":{"binaries":["low"])";
  EXPECT_EQ(read_text(directory.path() / "one/report.html").find(R"("all_modes":)"), std::string::npos);
  EXPECT_NE(read_text(directory.path() / "two/report.html").find(data), std::string::npos);
}

TEST_F(Simulate, QuietPrintsNothing) {
  directory.write("model.json", growth);
  const ProgramResult result = run({"simulate", "model.json", "--quiet", "--no-report"});
  EXPECT_EQ(result.out + result.err, "");
}

TEST_F(Simulate, OptionsReplaceTheExperiment) {
  directory.write("model.json", growth);
  ASSERT_EQ(run({"simulate", "model.json", "--no-report", "--out", "deep/er", "--start", "-1", "--stop", "1",
                 "--output-interval", "0.5", "--rtol", "1e-7", "--atol", "1e-10"})
                .status,
            0);
  EXPECT_EQ(trajectory("deep/er").column("time"), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
  const Json options = summary("deep/er").at("options");
  EXPECT_EQ(options.at("start"), -1.0);
  EXPECT_EQ(options.at("rtol"), 1e-7);
  EXPECT_EQ(options.at("atol"), 1e-10);
}

TEST_F(Simulate, SetReplacesParameterStartValueAndInput) {
  directory.write("model.json", growth);
  ASSERT_EQ(
      run({"simulate", "model.json", "--no-report", "--set", "a=0.5", "--set", "x=3", "--set", "u=-1.5"})
          .status,
      0);
  // 0 = 0.5·3 − 1.5: the start is the equilibrium, and it is exact in double precision.
  for (const auto& row : trajectory().rows) EXPECT_EQ(row[2], 3.0);
  ASSERT_EQ(run({"simulate", "model.json", "--no-report", "--set", "a=0.5"}).status, 0);
  EXPECT_NEAR(trajectory().column("x").back(), std::exp(0.5), 1e-7);
}

TEST_F(Simulate, ReadsStandardInput) {
  ASSERT_EQ(run({"simulate", "-", "--no-report"}, growth).status, 0);
  EXPECT_EQ(trajectory().rows.size(), 5U);
  const ProgramResult broken = run({"check", "-"}, "{");
  EXPECT_EQ(broken.status, 2);
  EXPECT_EQ(broken.err.rfind("<stdin>:", 0), 0U) << broken.err;
}

TEST_F(Simulate, EventsHaveTwoRowsAndAnEntry) {
  directory.write("model.json", three_tank());
  ASSERT_EQ(run({"simulate", "model.json", "--no-report"}).status, 0);
  const Json events = Json::parse(read_text(directory.path() / "out/events.json"));
  const Csv csv = trajectory();
  ASSERT_GT(events.size(), 10U);
  EXPECT_EQ(summary().at("statistics").at("events"), events.size());
  const std::vector<double> time = csv.column("time"), side = csv.column("side");
  for (const Json& event : events) {
    const double t = event.at("time");
    const auto first = std::find(time.begin(), time.end(), t) - time.begin();
    ASSERT_EQ(std::count(time.begin(), time.end(), t), 2) << t;
    EXPECT_EQ(side[static_cast<std::size_t>(first)], -1);
    EXPECT_EQ(side[static_cast<std::size_t>(first) + 1], 1);
    for (const auto& [name, change] : event.at("changed").items()) {
      EXPECT_EQ(csv.column(name)[static_cast<std::size_t>(first)], change.at(0)) << name << " at " << t;
      EXPECT_EQ(csv.column(name)[static_cast<std::size_t>(first) + 1], change.at(1)) << name << " at " << t;
    }
  }
  EXPECT_EQ(std::count(side.begin(), side.end(), -1), static_cast<long>(events.size()));
}

TEST_F(Simulate, TimeBudgetEndsARunWithItsResults) {
  directory.write("model.json", endless);
  const auto begin = std::chrono::steady_clock::now();
  const ProgramResult result = run({"simulate", "model.json", "--no-report", "--max-seconds", "0.3"});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.err.rfind("model.json:: time_budget: ", 0), 0U) << result.err;
  EXPECT_EQ(summary().at("outcome"), "time_budget");
  EXPECT_GT(summary().at("end_time"), 0.0);
  EXPECT_TRUE(trajectory().whole);
}

// Where a session ends, SIGTERM and SIGHUP come together: that is one request.
TEST_F(Simulate, SignalsAtOnceAreOneInterrupt) {
  directory.write("model.json", endless);
  RunningProgram program({"simulate", "model.json", "--no-report"}, directory.path());
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  for (const int signal : {SIGTERM, SIGHUP, SIGTERM}) program.send(signal);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.status, 3) << result.err;
  EXPECT_EQ(summary().at("outcome"), "interrupted");
  EXPECT_TRUE(trajectory().whole);
}

// All of these signals end a run; the results up to there are whole.
TEST_F(Simulate, InterruptEndsARunWithItsResults) {
  directory.write("model.json", endless);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const std::string out = "out" + std::to_string(signal);
    RunningProgram program({"simulate", "model.json", "--no-report", "--out", out}, directory.path());
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    program.send(signal);
    const ProgramResult result = program.wait();
    EXPECT_EQ(result.status, 3) << result.err;
    EXPECT_EQ(summary(out).at("outcome"), "interrupted");
    const Csv csv = trajectory(out);
    EXPECT_TRUE(csv.whole);
    EXPECT_GE(csv.rows.size(), 1U);
    EXPECT_LE(csv.column("time").back(), summary(out).at("end_time").get<double>());
  }
}

// A MAT file holds whole columns, but a run that writes one ends as soon as any other and has its rows: they go to the file of
// rows on the way. Its columns are those of the file.
TEST_F(Simulate, InterruptEndsARunWithMatColumnsWithItsResults) {
  directory.write("model.json", endless);
  RunningProgram program({"simulate", "model.json", "--no-report", "--mat"}, directory.path());
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  const auto told = std::chrono::steady_clock::now();
  program.send(SIGTERM);
  const ProgramResult result = program.wait();
  EXPECT_LT(std::chrono::steady_clock::now() - told, std::chrono::seconds(5));
  EXPECT_EQ(result.status, 3) << result.err;
  EXPECT_EQ(summary().at("outcome"), "interrupted");
  const Csv csv = trajectory();
  EXPECT_TRUE(csv.whole);
  EXPECT_GE(csv.rows.size(), 1U);
}

// A relay of 500 events a second, whose columns take longer than a run that has to end waits for them.
TEST_F(Simulate, AMatFileThatIsLeftOutLeavesNothingBehind) {
  directory.write("model.json", R"({
    "format": "mti-model", "version": 1, "states": [{"name": "x"}, {"name": "d"}], "binaries": [{"name": "z"}],
    "equations": ["der(x) = 1 - 2*z", "der(d) = z"],
    "constraints": ["(x - 0.001)*(1 - z) <= 0", "(-0.001 - x)*z <= 0"], "experiment": {"stop": 1e6}
  })");
  const ProgramResult result =
      run({"simulate", "model.json", "--no-report", "--quiet", "--mat", "--max-seconds", "2"});
  EXPECT_EQ(result.status, 3) << result.err;
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory.path() / "out"))
    files.insert(entry.path().filename().string());
  const bool is_left_out = result.err.find("results.mat is left out") != std::string::npos;
  EXPECT_EQ(files.erase("results.mat"), is_left_out ? 0U : 1U);
  EXPECT_EQ(files, (std::set<std::string>{"events.json", "summary.json", "trajectory.csv"}));
}

// A start without any admissible motion: x' = 0·y + 1 with y undetermined but constrained from both sides.
TEST_F(Simulate, AStartThatCannotBeIsAnOutcomeWithFiles) {
  directory.write("model.json", R"({
    "format": "mti-model", "version": 1, "name": "impossible",
    "states": [{"name": "x", "start": 5}],
    "equations": ["der(x) = 1"],
    "constraints": [{"name": "ceiling", "text": "x - 1 <= 0"}],
    "experiment": {"stop": 1}
  })");
  const ProgramResult result = run({"simulate", "model.json", "--no-report"});
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(summary().at("outcome"), "reached_stop");
  EXPECT_NE(result.err.find("ceiling"), std::string::npos) << "names the constraint: " << result.err;
  EXPECT_EQ(lines_of(result.err).size(), 1U);
}

TEST_F(Simulate, ResultsThatCannotBeWrittenAreAnError) {
  directory.write("model.json", growth);
  directory.write("out", "a file where a directory should be");
  const ProgramResult result = run({"simulate", "model.json", "--no-report"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err.rfind("model.json:: file-unwritable: cannot write out: ", 0), 0U) << result.err;
  EXPECT_EQ(read_text(directory.path() / "out"), "a file where a directory should be");
}

}  // namespace simulate_command_test
}  // namespace mti::test
