// What `mti simulate --explain` tells of a decision, and runs that end before their stop time: outcome by
// name, exit status 3, results whole.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <stop_token>
#include <string_view>

#include "io/model/read_model.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/places.hpp"
#include "tests/program/program_run.hpp"

namespace mti::test {
namespace run_endings_test {

using Json = nlohmann::json;

struct RunEndings : ::testing::Test {
  TemporaryDirectory directory;

  ProgramResult run(std::vector<std::string> more) {
    more.insert(more.begin(), {"simulate", "model.json", "--quiet", "--no-report"});
    return run_program(more, directory.path());
  }
  [[nodiscard]] Json results(const std::string& file) const {
    return Json::parse(read_text(directory.path() / "out" / file));
  }
  [[nodiscard]] std::vector<std::string> rows() const {
    return lines_of(read_text(directory.path() / "out/trajectory.csv"));
  }
  /// The exit status of a run whose files may have so many blocks; standard error in `err`.
  [[nodiscard]] int run_where_files_end(const std::string& options, int blocks) const {
    const std::string command = "cd '" + directory.path().string() + "' && trap '' XFSZ && ulimit -f " +
                                std::to_string(blocks) + " && '" + program_file().string() +
                                "' simulate model.json --quiet " + options + " >printed 2>err";
    const int status = std::system(command.c_str());  // NOLINT(cert-env33-c): of the test's own words
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  /// Bytes of that many blocks as the shell counts them: 512 or 1,024.
  [[nodiscard]] std::uintmax_t largest_file(int blocks) const {
    const std::string command = "cd '" + directory.path().string() + "' && trap '' XFSZ && ulimit -f " +
                                std::to_string(blocks) + " && head -c 10000000 /dev/zero >size 2>/dev/null";
    static_cast<void>(std::system(command.c_str()));  // NOLINT(cert-env33-c): of the test's own words
    return std::filesystem::file_size(directory.path() / "size");
  }
};

constexpr double rtol = 1e-6;

/// x' = 3 − 5z: x falls from 1 with slope −2 and comes to 0 at t = 1/2, where z = 0 lets it rise with slope 3.
/// Both sides press on x = 0, in between z = 3/5.
constexpr const char* relay = R"({
  "format": "mti-model", "version": 1,
  "states": [{"name": "x", "start": 1}], "binaries": [{"name": "z", "start": 1}],
  "equations": ["der(x) = 3 - 5*z"],
  "constraints": [{"name": "side", "text": "x*(1 - 2*z) <= 0"}],
  "experiment": {"stop": 2, "output_interval": 0.5, "rtol": 1e-6, "atol": 1e-8}})";

/// g = x(1 − 2z) vanishes and has the derivative x'(1 − 2z) > 0, which turns the candidate down.
void expect_leaves(const Json& candidate, double slope) {
  EXPECT_EQ(candidate.at("accepted"), false);
  EXPECT_EQ(candidate.at("why"), "leaves through side");
  ASSERT_EQ(candidate.at("rows").size(), 1U);
  const Json& row = candidate.at("rows")[0];
  EXPECT_EQ(row.at("constraint"), "side");
  EXPECT_EQ(row.at("deciding"), 1);
  const Json& numbers = row.at("numbers");
  ASSERT_GE(numbers.size(), 2U);
  const double g = numbers[0][0], g_epsilon = numbers[0][1], Dg = numbers[1][0], Dg_epsilon = numbers[1][1];
  EXPECT_LE(std::abs(g), g_epsilon);
  // The event is located to rtol of the run's two seconds, in which x moves with a slope of 3 at most.
  EXPECT_LE(g_epsilon, 10.0 * 3.0 * 2.0 * rtol);
  EXPECT_LE(std::abs(Dg - slope), Dg_epsilon + rtol);
  EXPECT_LT(Dg_epsilon, rtol * slope);
}

TEST_F(RunEndings, ExplainTellsTheNumbersThatDecide) {
  directory.write("model.json", relay);
  const ProgramResult result = run({"--explain"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json events = results("events.json");
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].at("kind"), "slide_begin");
  EXPECT_NEAR(events[0].at("time").get<double>(), 0.5, 10.0 * rtol * 2.0);
  const Json& candidates = events[0].at("explanation");
  ASSERT_EQ(candidates.size(), 3U);
  EXPECT_EQ(candidates[0].at("changed"), Json::object());
  expect_leaves(candidates[0], 2.0);
  EXPECT_EQ(candidates[1].at("changed"), Json::parse(R"({"z": 0})"));
  expect_leaves(candidates[1], 3.0);
  EXPECT_NEAR(candidates[2].at("changed").at("z").get<double>(), 0.6, rtol);
  EXPECT_EQ(candidates[2].at("accepted"), true);
}

TEST_F(RunEndings, ExplainTellsWhyThereIsNoModeLeft) {
  directory.write("model.json", relay);
  const ProgramResult result = run({"--explain", "--no-sliding"});
  EXPECT_EQ(result.status, 3);
  const Json summary = results("summary.json");
  EXPECT_EQ(summary.at("outcome"), "dead_end");
  ASSERT_EQ(summary.at("explanation").size(), 2U);
  expect_leaves(summary.at("explanation")[0], 2.0);
  expect_leaves(summary.at("explanation")[1], 3.0);
}

TEST_F(RunEndings, NothingIsExplainedUnasked) {
  directory.write("model.json", relay);
  ASSERT_EQ(run({}).status, 0);
  EXPECT_FALSE(results("events.json")[0].contains("explanation"));
}

/// A triangle wave between 0 and 1 that turns at 1/2, 3/2, 5/2, …
TEST_F(RunEndings, MostEventsAreAnOutcomeWithResults) {
  directory.write("model.json", R"({
    "format": "mti-model", "version": 1,
    "states": [{"name": "x", "start": 0.5}], "binaries": [{"name": "up", "start": 1}],
    "equations": ["der(x) = 2*up - 1"],
    "constraints": [{"name": "low", "text": "-x*(1 - up) <= 0"}, {"name": "high", "text": "(x - 1)*up <= 0"}],
    "experiment": {"stop": 100, "output_interval": 0.25, "rtol": 1e-6}})");
  const ProgramResult result = run({"--max-events", "7"});
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.err.rfind("model.json:: event_limit: ", 0), 0U) << result.err;
  const Json summary = results("summary.json"), events = results("events.json");
  EXPECT_EQ(summary.at("outcome"), "event_limit");
  ASSERT_EQ(events.size(), 7U);
  for (std::size_t i = 0; i < events.size(); ++i)
    EXPECT_NEAR(events[i].at("time").get<double>(), 0.5 + static_cast<double>(i), 10.0 * rtol * 100.0);
  EXPECT_EQ(summary.at("end_time"), events.back().at("time"));
  EXPECT_EQ(std::strtod(rows().back().c_str(), nullptr), summary.at("end_time").get<double>());
}

// x = 9 + t and 1/(x − 10): steps towards the pole become so short that x no longer changes with them.
TEST_F(RunEndings, APoleFarFromZeroIsTheEndOfADomain) {
  directory.write("model.json", R"json({"format": "mti-model", "version": 1,
    "states": [{"name": "x", "start": 9}, {"name": "w"}],
    "equations": ["der(x) = 1", "der(w) = 1/(x - 10)"], "experiment": {"stop": 2}})json");
  for (const std::string tolerance : {"1e-4", "1e-6", "1e-8", "1e-10"}) {
    EXPECT_EQ(run({"--rtol", tolerance, "--atol", tolerance, "--max-seconds", "60"}).status, 3);
    EXPECT_EQ(results("summary.json").at("outcome"), "left_domain") << tolerance;
    EXPECT_NEAR(results("summary.json").at("end_time").get<double>(), 1.0, 10.0 * std::stod(tolerance) * 2.0);
  }
}

/// x' = −x at 2·10⁶ rows of thirty signals, 500 MB of doubles, which a MAT file would hold as whole columns: that file is left
/// out, and the run is what it is without it.
TEST_F(RunEndings, MemoryThatDoesNotHoldTheColumnsLeavesOutTheMatFile) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitiser needs all addresses";
#endif
  Json model = Json::parse(R"({"format": "mti-model", "version": 1, "states": [], "equations": [],
    "experiment": {"stop": 2, "output_interval": 1e-6}})");
  for (int i = 0; i < 30; ++i) {
    const std::string x = "x" + std::to_string(i);
    model["states"].push_back({{"name", x}, {"start", 1}});
    model["equations"].push_back("der(" + x + ") = -" + x);
  }
  directory.write("model.json", model.dump());
  const std::string folder = directory.path();
  const std::string command = "cd '" + folder + "' && ulimit -v 260000 && '" + program_file().string() +
                              "' simulate model.json --quiet --no-report --mat >printed 2>err";
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(read_text(directory.path() / "err"),
            "model.json:: warning: results.mat is left out: memory does not hold its columns\n");
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "out/results.mat"));
  const Json summary = results("summary.json");
  EXPECT_EQ(summary.at("outcome"), "reached_stop");
  EXPECT_EQ(summary.at("statistics").at("rows"), 2'000'001);
  std::ifstream file(directory.path() / "out/trajectory.csv");
  file.seekg(-900, std::ios::end);
  std::string line, last;
  while (std::getline(file, line)) last = line;
  EXPECT_EQ(last.rfind("2,0,", 0), 0U) << last;
  EXPECT_EQ(std::count(last.begin(), last.end(), ','), 31);
  EXPECT_NEAR(std::strtod(last.c_str() + 4, nullptr), std::exp(-2.0), 10.0 * rtol);
}

/// x' = −x at 2·10⁶ rows of ten signals, 160 MB of doubles, in an address space of which the program takes the most
/// part anyway; the last row is e^−2.
TEST_F(RunEndings, MemoryDoesNotGrowWithTheRows) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitiser needs all addresses";
#endif
  Json model = Json::parse(R"({"format": "mti-model", "version": 1, "states": [], "equations": [],
    "experiment": {"stop": 2, "output_interval": 1e-6}})");
  for (int i = 0; i < 10; ++i) {
    const std::string x = "x" + std::to_string(i);
    model["states"].push_back({{"name", x}, {"start", 1}});
    model["equations"].push_back("der(" + x + ") = -" + x);
  }
  directory.write("model.json", model.dump());
  const std::string command = "cd '" + directory.path().string() + "' && ulimit -v 260000 && '" +
                              program_file().string() + "' simulate model.json --quiet >printed 2>err";
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0) << read_text(directory.path() / "err");
  EXPECT_EQ(results("summary.json").at("statistics").at("rows"), 2'000'001);
  const std::filesystem::path out = directory.path() / "out";
  EXPECT_LT(std::filesystem::file_size(out / "report.html"), 2'000'000U);
  std::ifstream rows(out / "trajectory.csv");
  rows.seekg(-300, std::ios::end);
  std::string line, last;
  while (std::getline(rows, line)) last = line;
  EXPECT_EQ(last.rfind("2,0,", 0), 0U) << last;
  EXPECT_NEAR(std::strtod(last.c_str() + 4, nullptr), std::exp(-2.0), 10.0 * rtol);
}

/// A file that may not grow any more, as on a full disk, ends the run with a fault; whole rows stay, and nothing of an
/// earlier run that would not go with them.
TEST_F(RunEndings, AFullDiskWhileTheRunGoesOnIsAFault) {
  directory.write("model.json",
                  R"({"format": "mti-model", "version": 1, "states": [{"name": "x", "start": 1}],
    "equations": ["der(x) = -x"], "experiment": {"stop": 1e4, "output_interval": 1e-3}})");
  std::filesystem::create_directory(directory.path() / "out");
  directory.write("out/trajectory.csv", "of an earlier run");
  directory.write("out/summary.json", "of an earlier run");
  EXPECT_EQ(run_where_files_end("--no-report", 4000), 2);
  const std::string said = read_text(directory.path() / "err");
  EXPECT_NE(said.find("file-unwritable: cannot write out/trajectory.csv: "), std::string::npos) << said;
  EXPECT_NE(said.find("out/trajectory.csv holds the rows that were written before"), std::string::npos)
      << said;
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory.path() / "out"), {}), 1);
  const std::string text = read_text(directory.path() / "out/trajectory.csv");
  const std::uintmax_t longest_row = 60;
  EXPECT_GT(text.size() + longest_row, largest_file(4000));
  EXPECT_EQ(text.back(), '\n');
  const std::vector<std::string> lines = rows();
  EXPECT_EQ(lines.front(), "time,side,x");
  for (std::size_t i = 2; i < lines.size(); ++i) {
    char* end = nullptr;
    const double time = std::strtod(lines[i].c_str(), &end);
    ASSERT_NEAR(time, 1e-3 * static_cast<double>(i - 1), 1e-9) << lines[i];
    ASSERT_EQ(std::string_view(end).substr(0, 3), ",0,") << lines[i];
    ASSERT_NEAR(std::strtod(end + 3, &end), std::exp(-time), 10.0 * rtol) << lines[i];
    ASSERT_EQ(*end, '\0') << lines[i];
  }
}

/// The page is larger than all data together: where it does not fit, the data are there as without it.
TEST_F(RunEndings, AFullDiskForThePageKeepsTheData) {
  directory.write("model.json",
                  R"({"format": "mti-model", "version": 1, "states": [{"name": "x", "start": 1}],
    "equations": ["der(x) = -x"], "experiment": {"stop": 1}})");
  ASSERT_EQ(run_program({"simulate", "model.json", "--quiet"}, directory.path()).status, 0);
  const std::string trajectory = read_text(directory.path() / "out/trajectory.csv");
  const auto page = std::filesystem::file_size(directory.path() / "out/report.html");
  ASSERT_GT(page, largest_file(100));
  ASSERT_LT(trajectory.size(), largest_file(100));
  directory.write("out/trajectory.csv", "of an earlier run");
  EXPECT_EQ(run_where_files_end("", 100), 2);
  const std::string said = read_text(directory.path() / "err");
  EXPECT_NE(said.find("file-unwritable: cannot write out/report.html: "), std::string::npos) << said;
  EXPECT_EQ(read_text(directory.path() / "out/trajectory.csv"), trajectory);
  EXPECT_EQ(results("summary.json").at("outcome"), "reached_stop");
  EXPECT_TRUE(results("events.json").is_array());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory.path() / "out"), {}), 3);
}

/// One step of the series reaches t = 1; the run is stopped while its rows are written, 10⁻⁶ apart.
TEST_F(RunEndings, RowsThatAreLeftOutAreTold) {
  const Model model = read_model_text(R"({"format": "mti-model", "version": 1,
      "states": [{"name": "x", "start": 1}], "equations": ["der(x) = -x"],
      "experiment": {"stop": 1, "output_interval": 1e-6}})");
  std::stop_source stop;
  long seen = 0;
  SimulationOptions options;
  options.stop_token = stop.get_token();
  options.observe = [&](double, int, const Mode&, std::span<const double>) {
    if (++seen == 5000) stop.request_stop();
  };
  const Trajectory run = simulate(model, options);
  EXPECT_EQ(run.outcome.kind, OutcomeKind::interrupted);
  ASSERT_GT(run.size(), 5000U);
  double largest_gap = 0.0, gap_begins = 0.0;
  for (std::size_t i = 1; i < run.size(); ++i)
    if (const double gap = run.time(i) - run.time(i - 1); gap > largest_gap) {
      largest_gap = gap;
      gap_begins = run.time(i - 1);
    }
  ASSERT_GT(largest_gap, 0.5) << "the step was to be longer than the rows that were written of it";
  ASSERT_EQ(run.warnings.size(), 1U);
  const std::string& warning = run.warnings.front();
  const std::string begin = "rows from t = ";
  ASSERT_EQ(warning.rfind(begin, 0), 0U) << warning;
  EXPECT_NEAR(std::strtod(warning.c_str() + begin.size(), nullptr), gap_begins + 1e-6, 1e-8) << warning;
  EXPECT_NE(warning.find("t = 1, are left out"), std::string::npos) << warning;
  // A run that is stopped between rows has no gap, and none is told.
  options.stop_token = {};
  options.stop = 0.01;
  EXPECT_TRUE(simulate(model, options).warnings.empty());
}

}  // namespace run_endings_test
}  // namespace mti::test
