// mti study under an MPI launcher: the results are byte for byte those of one process, for any number of processes, also
// where some were killed at any time.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <thread>

#include "tests/places.hpp"
#include "tests/program/document.hpp"
#include "tests/program/program_run.hpp"

namespace mti::test {
namespace study_team_test {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

bool is_in_path(const std::string& program) {
  std::istringstream folders(std::getenv("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');)
    if (fs::exists(fs::path(folder) / program)) return true;
  return false;
}

/// Runs of the three tanks, some milliseconds each.
std::string tanks_plan(int runs) {
  return R"({"format": "mti-study", "version": 1, "name": "tanks", "model": ")" +
         (source_dir() / "examples/three_tank/model.json").string() +
         R"(", "design": "latin_hypercube", "runs": )" + std::to_string(runs) + R"j(, "seed": 4,
      "vary": {"m": {"uniform": [4, 6]}, "fv": {"normal": {"mean": 0.09, "deviation": 0.005}}},
      "simulation": {"rtol": 1e-6, "atol": 1e-6},
      "keep": {"final": ["x?"], "event_times": {"reach(tank1_high)": 2}}})j";
}

struct StudyTeam : ::testing::Test {
  TemporaryDirectory directory;

  void SetUp() override {
    if (!fs::exists(program_file().parent_path() / "mti-study-mpi") || !is_in_path("mpirun"))
      GTEST_SKIP() << "no MPI here";
    // A test may run as root, on fewer processors than it has processes, and without a network.
    for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"})
      ::setenv(name, "1", 1);
    ::setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
    ::setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 1);
    ::setenv("OMPI_MCA_plm", "isolated", 1);
    ::setenv("OMPI_MCA_btl", "self,vader", 1);
    ::setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 1);
    ::setenv("OMPI_MCA_odls_base_sigkill_timeout", "0", 1);  // where one fails the others are ended at once
    ::setenv("ASAN_OPTIONS", "detect_leaks=0", 1);           // Open MPI leaves some
  }
  fs::path place(const std::string& name) const { return directory.path() / name; }
  RunningProgram start(int ranks, const Words& arguments) const {
    return {arguments, directory.path(), "", {"mpirun", "-n", std::to_string(ranks)}};
  }
  ProgramResult run(int ranks, const Words& arguments) const { return start(ranks, arguments).wait(); }
  std::string results(const std::string& out) const {
    return read_text(place(out) / "runs.csv") + read_text(place(out) / "study.json") +
           read_text(place(out) / "report.html");
  }
  /// Runs of which a journal has the row; the last of each may be cut short.
  std::size_t rows(const std::string& out) const {
    std::set<std::string> runs;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(place(out), ignored)) {
      if (!entry.path().filename().string().starts_with("journal")) continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line) && !file.eof();) {
        const std::string row = line.substr(line.find(',') + 1);  // after the check sum
        if (!row.starts_with("mti ")) runs.insert(row.substr(0, row.find(',')));
      }
    }
    return runs.size();
  }
};

/// The processes that another has started.
std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> found;
  const std::string tasks = "/proc/" + std::to_string(parent) + "/task";
  std::error_code ignored;
  for (const auto& task : fs::directory_iterator(tasks, ignored)) {
    std::ifstream file(task.path() / "children");
    for (pid_t child = 0; file >> child;) found.push_back(child);
  }
  return found;
}

TEST_F(StudyTeam, ResultsAreTheSameForAnyNumberOfProcesses) {
  directory.write("plan.json", tanks_plan(200));
  ASSERT_EQ(run_program({"study", "plan.json", "--out", "alone", "--jobs", "2"}, directory.path()).status, 0);
  for (const int ranks : {1, 2, 4}) {
    const std::string out = "r" + std::to_string(ranks);
    const ProgramResult result = run(ranks, {"study", "plan.json", "--out", out});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(result.out.starts_with("tanks: 200 of 200 runs: 200 reached_stop\n")) << result.out;
    EXPECT_EQ(std::ranges::count(result.out, '\n'), 3) << "said by one process: " << result.out;
    EXPECT_EQ(results(out), results("alone")) << ranks;
    EXPECT_FALSE(fs::exists(place(out) / "journal-1.csv"));
  }
  EXPECT_EQ(run(3, {"study", "plan.json", "--out", "threads", "--jobs", "2", "--quiet"}).status, 0);
  EXPECT_EQ(results("threads"), results("alone"));
}

TEST_F(StudyTeam, FewerRunsThanProcesses) {
  directory.write("plan.json", tanks_plan(2));
  ASSERT_EQ(run_program({"study", "plan.json", "--out", "alone"}, directory.path()).status, 0);
  EXPECT_EQ(run(4, {"study", "plan.json", "--out", "four", "--jobs", "3"}).status, 0);
  EXPECT_EQ(results("four"), results("alone"));
  EXPECT_EQ(run(4, {"study", "plan.json", "--out", "four", "--resume"}).status, 0) << "nothing is missing";
  EXPECT_EQ(results("four"), results("alone"));
}

TEST_F(StudyTeam, TrajectoriesOfAllProcessesAreInOneFile) {
  std::string plan = tanks_plan(60);
  plan.insert(plan.find("\"final\""), R"("trajectories": ["x?", "z1"], )");
  directory.write("plan.json", plan);
  ASSERT_EQ(run_program({"study", "plan.json", "--out", "alone"}, directory.path()).status, 0);
  const std::string alone = read_text(place("alone/runs.nc"));
  EXPECT_GT(alone.size(), 100'000U);
  for (const char* again : {"--quiet", "--resume"}) {
    EXPECT_EQ(run(3, {"study", "plan.json", "--out", "team", again}).status, 0);
    EXPECT_EQ(results("team"), results("alone"));
    EXPECT_TRUE(read_text(place("team/runs.nc")) == alone) << again;
    for (const auto& entry : fs::directory_iterator(place("team")))
      EXPECT_NE(entry.path().extension(), ".bin") << again;
  }
}

TEST_F(StudyTeam, FaultsAreSaidOnceAndEndAllProcesses) {
  directory.write("plan.json", tanks_plan(50));
  const auto count = [](const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t place = text.find(part); place != std::string::npos; place = text.find(part, place + 1))
      ++found;
    return found;
  };
  const ProgramResult unread = run(3, {"study", "none.json"});
  EXPECT_EQ(unread.status, 2);
  EXPECT_EQ(count(unread.err, "none.json:: file-unreadable: "), 1) << unread.err;
  EXPECT_EQ(count(run(2, {"study", "-"}).err, "<stdin>:: bad-option: a launcher gives standard input"), 1);
  // A folder in the place of the journal of one process.
  fs::create_directories(place("w/journal.csv"));
  const ProgramResult unwritten = run(3, {"study", "plan.json", "--out", "w"});
  EXPECT_EQ(unwritten.status, 2);
  EXPECT_EQ(count(unwritten.err, ": file-unwritable: "), 1) << unwritten.err;
  EXPECT_FALSE(fs::exists(place("w/runs.csv")));
}

// What goes wrong after the processes have met may not leave the others waiting.
TEST_F(StudyTeam, AFileThatOneCannotWriteEndsAll) {
  std::string plan = tanks_plan(40);
  plan.insert(plan.find("\"final\""), R"("trajectories": ["x?"], )");
  directory.write("plan.json", plan);
  fs::create_directories(place("o/trajectories-1.bin"));
  const ProgramResult result = run(3, {"study", "plan.json", "--out", "o"});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find(": file-unwritable: "), std::string::npos) << result.err;
}

TEST_F(StudyTeam, PartsAreMadeEachByOneProcess) {
  directory.write("plan.json", tanks_plan(40));
  directory.write("part.sh",
                  "exec \"$@\" --shard $((OMPI_COMM_WORLD_RANK + 1))/2 --out p$OMPI_COMM_WORLD_RANK\n");
  ASSERT_EQ(run_program({"study", "plan.json", "--out", "alone"}, directory.path()).status, 0);
  RunningProgram parts({"study", "plan.json", "--quiet"}, directory.path(), "",
                       {"mpirun", "-n", "2", "sh", "part.sh"});
  const ProgramResult made = parts.wait();
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(run(2, {"study", "plan.json", "--merge", "p0", "p1", "--out", "all"}).status, 0);
  EXPECT_EQ(results("all"), results("alone"));
}

TEST_F(StudyTeam, EndsAtATimeAndAtASignalWithWhatIsDone) {
  directory.write("plan.json", tanks_plan(100'000));
  const ProgramResult timed = run(2, {"study", "plan.json", "--out", "t", "--max-seconds", "0.5"});
  EXPECT_EQ(timed.status, 3);
  EXPECT_NE(timed.err.find("plan.json:: time_budget: "), std::string::npos) << timed.err;
  const std::size_t done = rows("t");
  EXPECT_EQ(Json::parse(read_text(place("t/study.json"))).at("done"), done);
  EXPECT_GT(done, 0U);
  RunningProgram program = start(4, {"study", "plan.json", "--resume", "--out", "t"});
  while (rows("t") < done + 40) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  program.send(SIGINT);
  EXPECT_NE(program.wait().status, 0);
  // The launcher ends processes soon after it was asked to, whether or not the results are there by then.
  EXPECT_GE(rows("t"), done + 40);
}

// Twenty times at a random moment, a random one of four processes, by the signal that nothing can catch.
TEST_F(StudyTeam, KilledAndResumedIsAsIfNothingHadBeen) {
  constexpr int runs = 2000, kills = 20, ranks = 4;
  directory.write("plan.json", tanks_plan(runs));
  ASSERT_EQ(run_program({"study", "plan.json", "--out", "alone", "--quiet"}, directory.path()).status, 0);
  std::mt19937 random(1);
  int killed = 0;
  for (; killed < kills; ++killed) {
    const std::size_t before = rows("k");
    RunningProgram program = start(ranks, {"study", "plan.json", "--resume", "--out", "k", "--quiet"});
    // Some runs further, and a moment that has nothing to do with where a run ends.
    const auto further = std::uniform_int_distribution<std::size_t>(1, runs / kills / 8)(random);
    const std::chrono::microseconds moment(std::uniform_int_distribution<int>(0, 3000)(random));
    wait_until([&] { return rows("k") >= before + further; });
    std::this_thread::sleep_for(moment);
    const std::vector<pid_t> members = children_of(program.process());
    if (!members.empty())
      ::kill(members[std::uniform_int_distribution<std::size_t>(0, members.size() - 1)(random)], SIGKILL);
    const ProgramResult ended = program.wait();
    if (ended.status == 0) break;  // it had just been completed
    EXPECT_GE(rows("k"), before + further) << "a row that stood in a journal is gone";
  }
  EXPECT_EQ(killed, kills);
  const ProgramResult last = run(ranks, {"study", "plan.json", "--resume", "--out", "k", "--quiet"});
  ASSERT_EQ(last.status, 0) << last.err;
  EXPECT_EQ(results("k"), results("alone"));
}

TEST_F(StudyTeam, TheDocumentShowsWhatIsPrinted) {
  const Playground playground;
  ::setenv("PATH", (program_file().parent_path().string() + ":" + std::getenv("PATH")).c_str(), 1);
  std::ofstream(playground.path() / "rooms.json") << Document("docs/studies.md").block("plan");
  Document("docs/cluster.md").expect_transcript("cluster", playground.path());
}

TEST_F(StudyTeam, TheJobForSlurmGoesOnWhereItWas) {
  directory.write("plan.json", tanks_plan(30));
  // In the place of srun: its option is that of Slurm.
  fs::create_directory(place("bin"));
  directory.write("bin/srun", "#!/bin/sh\nshift\nexec mpirun -n 3 \"$@\"\n");
  fs::create_symlink(program_file(), place("bin/mti"));
  const std::string job =
      "cd " + directory.path().string() + " && chmod +x bin/srun && PATH=$PWD/bin:$PATH bash " +
      (source_dir() / "examples/cluster/study.slurm").string() + " plan.json out >> log 2>&1";
  EXPECT_EQ(std::system(job.c_str()), 0) << read_text(place("log"));
  const std::string first = results("out");
  fs::remove(place("out/runs.csv"));
  EXPECT_EQ(std::system(job.c_str()), 0) << read_text(place("log"));
  EXPECT_EQ(results("out"), first);
}

TEST_F(StudyTeam, AProgramWithoutMpiSaysSo) {
  directory.write("plan.json", tanks_plan(2));
  fs::copy_file(program_file(), place("mti"));
  const std::string command =
      "cd " + directory.path().string() +
      " && OMPI_COMM_WORLD_SIZE=2 ./mti study plan.json --out s > out 2> err; echo $? > status";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(read_text(place("status")), "2\n");
  EXPECT_TRUE(read_text(place("err")).starts_with("study:: no-mpi: this is one of 2 processes"))
      << read_text(place("err"));
  EXPECT_FALSE(fs::exists(place("s")));
}

}  // namespace study_team_test
}  // namespace mti::test
