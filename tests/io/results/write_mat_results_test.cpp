#include "io/results/write_results.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "mti/build/build.hpp"
#include "tests/temporary_directory.hpp"

namespace mti {
namespace write_mat_results_test {

using Json = nlohmann::json;

/// Signals: states x1, x2, input b (binary), algebraic tau, binaries z1, z2.
Model small_model() {
  Source source;
  source.name = "small";
  source.states = {{.name = "x1"}, {.name = "x2"}};
  source.inputs = {{.name = "b", .form = Number(0.0), .binary = true}};
  source.algebraic = {{.name = "tau"}};
  source.binaries = {{.name = "z1"}, {.name = "z2"}};
  source.equations = {"der(x1) = tau", "der(x2) = b", "tau = z1 - z2*x1"};
  source.constraints = {{"low", "x1*(1 - z1) <= 0"}, {"high", "x2*(1 - z2) <= 0"}};
  source.experiment.stop = 8.0;
  return build(source);
}

/// At rest.
Model with_states(const std::vector<std::string>& names) {
  Source source;
  for (const std::string& name : names) {
    source.states.push_back({.name = name});
    source.equations.emplace_back("der(" + name + ") = 0");
  }
  return build(source);
}

TEST(TrajectoryCsv, HeaderAndRows) {
  Trajectory trajectory({"x1", "z1"}, {1, 3}, {2});
  trajectory.append(0.0, 0, std::vector<double>{0, 1.5, 0, 1});
  trajectory.append(0.25, -1, std::vector<double>{0, 1.5, 1, 1});
  trajectory.append(0.25, 1, std::vector<double>{0, 1.5, 3, 1});
  Source source;
  source.states = {{.name = "x1"}};
  source.inputs = {{.name = "u"}};
  source.binaries = {{.name = "z1"}};
  source.equations = {"der(x1) = u"};
  source.constraints = {"x1*(1 - z1) <= 0"};
  EXPECT_EQ(trajectory_csv(build(source), trajectory),
            "time,side,x1,u,z1\n0,0,1.5,0,1\n0.25,-1,1.5,1,1\n0.25,1,1.5,3,1\n");
}

/// -0 alone is written as 0.
TEST(TrajectoryCsv, NumbersReadBackAsTheSameDoubles) {
  std::mt19937_64 random(11);
  Trajectory trajectory({"x"}, {0});
  std::vector<double> written = {1e300, -5e-324, 0.1, 1.0 / 3, -0.0};
  while (written.size() < 1000) {
    const double value = std::bit_cast<double>(random());
    if (std::isfinite(value)) written.push_back(value);
  }
  for (const double value : written) trajectory.append(value, 0, std::vector<double>{value});
  std::istringstream lines(trajectory_csv(with_states({"x"}), trajectory));
  std::string line;
  std::getline(lines, line);
  for (const double value : written) {
    std::getline(lines, line);
    const double read = std::strtod(line.c_str() + line.rfind(',') + 1, nullptr);
    const double expected = value == 0.0 ? 0.0 : value;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(read), std::bit_cast<std::uint64_t>(expected)) << line;
    EXPECT_EQ(std::strtod(line.c_str(), nullptr), value);
  }
}

TEST(TrajectoryCsv, WhatIsNotFiniteIsAnEmptyCellAndCounted) {
  Trajectory trajectory({"a", "b", "c"}, {0, 1, 2});
  constexpr double infinity = std::numeric_limits<double>::infinity();
  trajectory.append(0.0, 0, std::vector<double>{std::nan(""), 1.0, -infinity});
  EXPECT_EQ(trajectory_csv(with_states({"a", "b", "c"}), trajectory), "time,side,a,b,c\n0,0,,1,\n");
  const Json summary = Json::parse(summary_json(small_model(), trajectory, {}));
  EXPECT_EQ(summary.at("statistics").at("non_finite_values"), 2);
}

// A million numbers well under a second, also on a busy machine and without optimisation.
TEST(TrajectoryCsv, AMillionNumbersAreQuick) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> distribution(-1.0, 1.0);
  std::vector<std::string> names;
  std::vector<int> rows;
  for (int i = 0; i < 100; ++i) {
    names.push_back("signal" + std::to_string(i));
    rows.push_back(i);
  }
  Trajectory trajectory(names, rows);
  std::vector<double> v(100);
  for (int i = 0; i < 10'000; ++i) {
    for (double& value : v) value = distribution(random);
    trajectory.append(i, 0, v);
  }
  const Model model = with_states(names);
  const auto begin = std::chrono::steady_clock::now();
  const std::string text = trajectory_csv(model, trajectory);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  RecordProperty("seconds", std::to_string(seconds));
  EXPECT_GT(text.size(), 1'000'000U);
  EXPECT_LT(seconds, 5.0);
}

TEST(EventsJson, NamesAndNumbers) {
  const Model model = small_model();
  Trajectory trajectory;
  trajectory.events.push_back({.time = 0.1,
                               .kind = EventKind::switch_mode,
                               .constraints = {0, 1},
                               .changed = {{6, 0.0, 1.0}, {4, 1.0, 0.0}},
                               .jumps = {{2, 1.5, -0.5}},
                               .impulses = {{.row = 5, .weight = -2.0, .order = 1.0}},
                               .candidates_tried = 3,
                               .ties = {{{7, 0.0, 1.0}}},
                               .steps = {{{6, 0.0, 1.0}}, {{4, 1.0, 0.0}}}});
  trajectory.events.push_back({.time = 0.2, .kind = EventKind::initial});
  const Json events = Json::parse(events_json(model, trajectory));
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0], Json::parse(R"({"time": 0.1, "kind": "switch", "constraints": ["low", "high"],
    "changed": {"z1": [0, 1], "b": [1, 0]}, "jumps": {"x1": [1.5, -0.5]},
    "impulses": {"tau": {"weight": -2, "order": 1}}, "candidates_tried": 3,
    "ties": [{"z2": [0, 1]}], "steps": [{"z1": [0, 1]}, {"b": [1, 0]}]})"));
  EXPECT_EQ(events[1].at("kind"), "initial");
  EXPECT_EQ(events[1].at("changed"), Json::object());
  EXPECT_FALSE(events[1].contains("steps"));
}

TEST(EventsJson, ZerosHaveNoSign) {
  Trajectory trajectory;
  trajectory.events.push_back({.time = -0.0,
                               .kind = EventKind::switch_mode,
                               .changed = {{6, -0.0, 1.0}},
                               .jumps = {{2, 1.5, -0.0}},
                               .impulses = {{.row = 5, .weight = -0.0, .order = 1.0}}});
  const std::string text = events_json(small_model(), trajectory);
  EXPECT_EQ(text.find("-0"), std::string::npos) << text;
  EXPECT_EQ(Json::parse(text)[0].at("jumps"), Json::parse(R"({"x1": [1.5, 0]})"));
}

TEST(EventsJson, NoEventsAreAnEmptyArray) { EXPECT_EQ(events_json(small_model(), Trajectory()), "[]\n"); }

TEST(SummaryJson, OutcomeStatisticsAndOptions) {
  Trajectory trajectory;
  trajectory.outcome = {OutcomeKind::dead_end, "no \"motion\"\nat x1", 0.75};
  trajectory.statistics.steps = 12;
  trajectory.statistics.candidates = 34;
  SimulationOptions options;
  options.rtol = 1e-4;
  options.max_seconds = 2.5;
  options.linear_solver = LinearSolver::klu;
  const Json summary = Json::parse(summary_json(small_model(), trajectory, options));
  EXPECT_EQ(summary.at("outcome"), "dead_end");
  EXPECT_EQ(summary.at("message"), "no \"motion\"\nat x1");
  EXPECT_EQ(summary.at("end_time"), 0.75);
  EXPECT_EQ(summary.at("model"), "small");
  EXPECT_EQ(summary.at("statistics").at("steps"), 12);
  EXPECT_EQ(summary.at("statistics").at("candidates"), 34);
  EXPECT_EQ(summary.at("options").at("rtol"), 1e-4);
  EXPECT_EQ(summary.at("options").at("atol"), 1e-8) << "from the experiment";
  EXPECT_EQ(summary.at("options").at("stop"), 8.0) << "from the experiment";
  EXPECT_EQ(summary.at("options").at("output_interval"), 8.0 / 500) << "the default";
  EXPECT_EQ(summary.at("options").at("max_seconds"), 2.5);
  EXPECT_EQ(summary.at("options").at("linear_solver"), "klu");
  EXPECT_TRUE(
      Json::parse(summary_json(small_model(), trajectory, {})).at("options").at("max_seconds").is_null())
      << "no limit";
}

TEST(WriteResults, NothingIsHalfWrittenAndNothingIsLeft) {
  const test::TemporaryDirectory directory;
  const Trajectory trajectory({"x1"}, {2});
  write_results(directory.path() / "a/b", small_model(), trajectory, {}, WithReport::no);
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory.path() / "a/b"))
    files.push_back(entry.path().filename());
  std::sort(files.begin(), files.end());
  EXPECT_EQ(files, (std::vector<std::string>{"events.json", "summary.json", "trajectory.csv"}));
}

// One of the files cannot take its place: the others keep their old content, and no temporary file stays.
TEST(WriteResults, AFailureLeavesNoTemporaryFiles) {
  const test::TemporaryDirectory directory;
  std::filesystem::create_directories(directory.path() / "trajectory.csv/occupied");
  EXPECT_THROW(write_results(directory.path(), small_model(), Trajectory({"x1"}, {2}), {}, WithReport::no),
               UnusableFile);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory.path()), {}), 1);
}

}  // namespace write_mat_results_test
}  // namespace mti
