// mti study: exit statuses and what stays in the folder; killed at any time and resumed, the results are byte for byte
// those of a study that nobody disturbed.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <thread>

#include "tests/places.hpp"
#include "tests/program/program_run.hpp"

namespace mti::test {
namespace study_command_test {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

/// A plan of runs of the three tanks, some milliseconds each.
std::string tanks_plan(int runs) {
  return R"({"format": "mti-study", "version": 1, "name": "tanks", "model": ")" +
         (source_dir() / "examples/three_tank/model.json").string() + R"(", "design": "sobol", "runs": )" +
         std::to_string(runs) + R"j(, "seed": 4,
      "vary": {"m": {"uniform": [4, 6]}, "fv": {"normal": {"mean": 0.09, "deviation": 0.005}}},
      "simulation": {"rtol": 1e-6, "atol": 1e-6},
      "keep": {"final": ["x?"], "event_counts": ["rise(z1)"], "event_times": {"reach(tank1_high)": 2}}})j";
}

struct StudyCommand : ::testing::Test {
  TemporaryDirectory directory;
  fs::path place(const std::string& name) const { return directory.path() / name; }
  ProgramResult run(const Words& arguments) const { return run_program(arguments, directory.path()); }
  std::string results(const std::string& out) const {
    return read_text(place(out) / "runs.csv") + read_text(place(out) / "study.json") +
           read_text(place(out) / "report.html");
  }
  /// Rows of the journal; the last may be cut short.
  long rows(const std::string& out) const {
    if (!fs::exists(place(out) / "journal.csv")) return 0;
    const std::string text = read_text(place(out) / "journal.csv");
    return std::count(text.begin(), text.end(), '\n');
  }
};

TEST_F(StudyCommand, SaysHowRunsEnded) {
  directory.write("plan.json", R"({"format": "mti-study", "version": 1, "name": "wall",
      "model": {"format": "mti-model", "version": 1, "parameters": {"speed": 1}, "states": [{"name": "x", "start": 0}],
        "equations": ["der(x) = speed"], "constraints": [{"name": "wall", "text": "x <= 1"}], "experiment": {"stop": 2}},
      "design": "list", "vary": {"speed": {"values": [0.1, 1, 0.2]}}})");
  const ProgramResult result = run({"study", "plan.json", "--out", "s", "--jobs", "2"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(result.out.starts_with("wall: 3 of 3 runs: 2 reached_stop, 1 dead_end\n")) << result.out;
  EXPECT_TRUE(result.out.ends_with("results in s\n")) << result.out;
  std::set<std::string> files;
  for (const auto& entry : fs::directory_iterator(place("s"))) files.insert(entry.path().filename().string());
  EXPECT_EQ(files, (std::set<std::string>{"journal.csv", "report.html", "runs.csv", "study.json"}));
  EXPECT_EQ(run({"study", "plan.json", "--out", "s", "--quiet"}).out, "");
  EXPECT_EQ(run({"study", "plan.json", "--out", "n", "--no-report"}).status, 0);
  EXPECT_FALSE(fs::exists(place("n/report.html")));
  const ProgramResult piped =
      run_program({"study", "-", "--out", "p"}, directory.path(), read_text(place("plan.json")));
  EXPECT_EQ(piped.status, 0) << piped.err;
  EXPECT_EQ(results("p"), results("s"));
}

TEST_F(StudyCommand, RefusesWhatItCannotDo) {
  directory.write("plan.json", tanks_plan(4));
  EXPECT_EQ(run({"study", "none.json"}).status, 2);
  EXPECT_EQ(run({"study"}).status, 1);
  EXPECT_EQ(run({"study", "plan.json", "--job", "2"}).status, 1);
  for (const char* shard : {"0/2", "3/2", "1", "1/x", "1/2/3", "-1/2"})
    EXPECT_EQ(run({"study", "plan.json", "--shard", shard}).status, 1) << shard;
  EXPECT_EQ(run({"study", "plan.json", "--jobs", "0"}).status, 1);
  EXPECT_EQ(run({"study", "plan.json", "--merge", "a", "--resume"}).status, 1);
  EXPECT_EQ(run({"study", "plan.json", "--max-seconds", "-1"}).status, 1);
  EXPECT_FALSE(fs::exists(place("out")));
  EXPECT_EQ(run({"study", "plan.json", "--confine"}).status, 2) << "the model lies elsewhere";
  EXPECT_EQ(
      run({"study", "plan.json", "--merge", "nowhere", "--out", "m"}).err,
      "plan.json:: no-results: there is no journal.csv in nowhere: mti study PLAN --shard k/N --out nowhere "
      "writes it\n");
}

TEST_F(StudyCommand, PartsAreMerged) {
  directory.write("plan.json", tanks_plan(50));
  ASSERT_EQ(run({"study", "plan.json", "--out", "all", "--quiet"}).status, 0);
  for (const char* part : {"1/3", "2/3", "3/3"})
    ASSERT_EQ(
        run({"study", "plan.json", "--shard", part, "--out", std::string("p") + part[0], "--quiet"}).status,
        0);
  const ProgramResult missing = run({"study", "plan.json", "--merge", "p3", "p1", "--out", "two"});
  EXPECT_EQ(missing.status, 3);
  EXPECT_EQ(
      missing.err,
      "plan.json:: incomplete: 17 runs are missing; mti study plan.json --resume --out two makes them\n");
  EXPECT_EQ(run({"study", "plan.json", "--merge", "p3", "p1", "p2", "--out", "merged"}).status, 0);
  EXPECT_EQ(results("merged"), results("all"));
  EXPECT_EQ(run({"study", "plan.json", "--resume", "--out", "two"}).status, 0);
  EXPECT_EQ(results("two"), results("all"));
}

TEST_F(StudyCommand, EndsAtATimeAndAtASignalWithWhatIsDone) {
  directory.write("plan.json", tanks_plan(100'000));
  const ProgramResult timed = run({"study", "plan.json", "--out", "t", "--max-seconds", "0.3"});
  EXPECT_EQ(timed.status, 3);
  EXPECT_NE(timed.err.find("plan.json:: time_budget: "), std::string::npos) << timed.err;
  const long done = Json::parse(read_text(place("t/study.json"))).at("done");
  EXPECT_GT(done, 0);
  EXPECT_LT(done, 100'000);
  RunningProgram program({"study", "plan.json", "--resume", "--out", "t"}, directory.path());
  while (rows("t") < done + 20) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  program.send(SIGINT);
  const ProgramResult interrupted = program.wait();
  EXPECT_EQ(interrupted.status, 3);
  EXPECT_NE(interrupted.err.find(": interrupted: "), std::string::npos) << interrupted.err;
  const Json summary = Json::parse(read_text(place("t/study.json")));
  EXPECT_FALSE(summary.at("complete"));
  EXPECT_GT(summary.at("done"), done);
  EXPECT_EQ(run({"study", "plan.json", "--out", "t"}).status, 2)
      << "a study that is not complete is not thrown away";
}

// Twenty times at a random moment, by the signal that nothing can catch; the study goes on where it was.
TEST_F(StudyCommand, KilledAndResumedIsAsIfNothingHadBeen) {
  constexpr int runs = 1500, kills = 20;
  directory.write("plan.json", tanks_plan(runs));
  ASSERT_EQ(run({"study", "plan.json", "--out", "alone", "--jobs", "2", "--quiet"}).status, 0);
  std::mt19937 random(1);
  int killed = 0;
  for (; killed < kills; ++killed) {
    const long before = rows("k");
    RunningProgram program({"study", "plan.json", "--resume", "--out", "k", "--jobs", "2", "--quiet"},
                           directory.path());
    // Its first line, some runs further, and a moment that has nothing to do with where a run ends.
    const long further = std::uniform_int_distribution<long>(1, 2 * runs / kills / 2)(random);
    const std::chrono::microseconds moment(std::uniform_int_distribution<int>(0, 3000)(random));
    wait_until([&] { return rows("k") >= before + further; });
    std::this_thread::sleep_for(moment);
    program.send(SIGKILL);
    const ProgramResult ended = program.wait();
    if (ended.status == 0) break;  // it had just been completed
    EXPECT_EQ(ended.status, 128 + SIGKILL);
    EXPECT_GE(rows("k"), before + further) << "a row that stood in the journal is gone";
    EXPECT_FALSE(fs::exists(place("k/runs.csv"))) << "results of a study that was killed";
  }
  EXPECT_EQ(killed, kills);
  ASSERT_EQ(run({"study", "plan.json", "--resume", "--out", "k", "--jobs", "2", "--quiet"}).status, 0);
  EXPECT_EQ(results("k"), results("alone"));
}

}  // namespace study_command_test
}  // namespace mti::test
