// mti simulate --checkpoint, mti resume: what goes on from a checkpoint is the run that wrote it, bit for bit.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "tests/places.hpp"
#include "tests/program/program_run.hpp"

namespace mti::test {
namespace resume_command_test {

struct Resume : ::testing::Test {
  TemporaryDirectory directory;
  std::filesystem::path model = directory.write("model.json", three_tank());

  ProgramResult run(const std::vector<std::string>& arguments) {
    return run_program(arguments, directory.path());
  }
  std::vector<std::string> rows(const std::string& folder) {
    return lines_of(read_text(directory.path() / folder / "trajectory.csv"));
  }
};

TEST_F(Resume, ACheckpointIsNoFileOfTheResults) {
  for (const char* name : {"trajectory.csv", "events.json", "report.html"}) {
    const ProgramResult refused =
        run({"simulate", "model.json", "--out", "r", "--checkpoint", std::string("r/../r/") + name});
    EXPECT_EQ(refused.status, 1) << name;
    EXPECT_NE(refused.err.find("is a file of the results"), std::string::npos) << refused.err;
    EXPECT_FALSE(std::filesystem::exists(directory.path() / "r" / name));
  }
}

TEST_F(Resume, GoesOnBitForBit) {
  const ProgramResult whole =
      run({"simulate", "model.json", "--out", "whole", "--checkpoint", "here", "--every", "0.0001"});
  ASSERT_EQ(whole.status, 0) << whole.err;
  const ProgramResult resumed = run({"resume", "here"});
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  const std::vector<std::string> all = rows("whole"), rest = rows("resumed");
  ASSERT_GT(rest.size(), 1U);
  ASSERT_LE(rest.size(), all.size());
  EXPECT_EQ(rest.front(), all.front());
  for (std::size_t k = 1; k < rest.size(); ++k)
    ASSERT_EQ(rest[rest.size() - k], all[all.size() - k]) << k << " rows before the last";
}

/// What is set and asked for goes with the checkpoint: the model file is not read again.
TEST_F(Resume, NeedsNoModelFile) {
  ASSERT_EQ(run({"simulate", "model.json", "--set", "m=3", "--stop", "400", "--rtol", "1e-8", "--out",
                 "whole", "--checkpoint", "here", "--every", "0.0001"})
                .status,
            0);
  std::filesystem::remove(model);
  const ProgramResult resumed = run({"resume", "here", "--out", "rest"});
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_EQ(rows("rest").back(), rows("whole").back());
  EXPECT_TRUE(rows("rest").back().starts_with("400,"));
}

/// A run that is killed has left its last checkpoint.
TEST_F(Resume, OutlivesAKill) {
  const std::string fast = R"json({"format": "mti-model", "version": 1, "states": [{"name": "x", "start": 1}],
    "binaries": [{"name": "on"}], "equations": ["der(x) = 1e5*(2*on - 1)"],
    "constraints": ["(x - 2)*on <= 0", "(1 - x)*(1 - on) <= 0"], "experiment": {"stop": 1e6}})json";
  static_cast<void>(directory.write("fast.json", fast));
  RunningProgram program({"simulate", "fast.json", "--max-events", "1000000000", "--output-interval", "1",
                          "--checkpoint", "here", "--every", "0.05"},
                         directory.path());
  for (int look = 0; look < 500 && !std::filesystem::exists(directory.path() / "here"); ++look)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  program.send(SIGKILL);
  EXPECT_EQ(program.wait().status, 128 + SIGKILL);
  const ProgramResult resumed = run({"resume", "here", "--max-seconds", "0.5", "--out", "rest"});
  EXPECT_EQ(resumed.status, 3) << resumed.err;
  EXPECT_NE(resumed.err.find("time_budget"), std::string::npos) << resumed.err;
}

TEST_F(Resume, RefusesWhatIsNoCheckpoint) {
  for (const char* file : {"model.json", "missing"}) {
    const ProgramResult result = run({"resume", file});
    EXPECT_EQ(result.status, 2);
    EXPECT_FALSE(std::filesystem::exists(directory.path() / "out"));
  }
  EXPECT_EQ(run({"simulate", "model.json", "--every", "1"}).status, 1) << "without --checkpoint";
  const ProgramResult nowhere = run({"simulate", "model.json", "--checkpoint", "/proc/none/here"});
  EXPECT_EQ(nowhere.status, 2);
}

/// A place that takes no checkpoint is found before the run, and nothing that is there is touched.
TEST_F(Resume, RefusesAPlaceThatTakesNoCheckpoint) {
  const std::filesystem::path here = directory.path();
  std::filesystem::create_directory(here / "folder");
  static_cast<void>(directory.write("file", "as it was"));
  const std::string long_name(300, 'n');
  for (const std::string place : {"folder", "folder/", "folder/.", "new/", "file/here", "/proc/here"}) {
    const ProgramResult refused = run({"simulate", "model.json", "--checkpoint", place});
    EXPECT_EQ(refused.status, 2) << place;
    EXPECT_TRUE(refused.err.starts_with("model.json:: file-unwritable: cannot write ")) << refused.err;
    EXPECT_FALSE(std::filesystem::exists(here / "out")) << place;
  }
  EXPECT_EQ(run({"simulate", "model.json", "--checkpoint", long_name}).status, 2);
  if (::geteuid() != 0) {  // who may do everything may write there, too
    std::filesystem::permissions(here / "folder",
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    EXPECT_EQ(run({"simulate", "model.json", "--checkpoint", "folder/here"}).status, 2);
    std::filesystem::permissions(here / "folder", std::filesystem::perms::owner_all);
  }
  EXPECT_TRUE(std::filesystem::is_empty(here / "folder"));
  EXPECT_EQ(read_text(here / "file"), "as it was");

  // A run that ends before one is due leaves an older checkpoint, and makes missing folders.
  for (const std::string place : {"file", "made/on/the/way/here"})
    EXPECT_EQ(run({"simulate", "model.json", "--no-report", "--checkpoint", place}).status, 0) << place;
  EXPECT_EQ(read_text(here / "file"), "as it was");
  EXPECT_TRUE(std::filesystem::is_empty(here / "made/on/the/way"));

  // So does one that is taken up again.
  ASSERT_EQ(
      run({"simulate", "model.json", "--no-report", "--checkpoint", "last", "--every", "0.0001"}).status, 0);
  const ProgramResult resumed = run({"resume", "last", "--out", "rest", "--checkpoint", "folder"});
  EXPECT_EQ(resumed.status, 2);
  EXPECT_EQ(resumed.err, "last:: file-unwritable: cannot write folder: Is a directory\n");
  EXPECT_FALSE(std::filesystem::exists(here / "rest"));
}

/// A run is worth more than its checkpoints: it is the one without them, and says once that there are none.
TEST_F(Resume, OutlivesACheckpointThatCannotBeWritten) {
  const ProgramResult without = run({"simulate", "model.json", "--out", "without"});
  ASSERT_EQ(without.status, 0) << without.err;
  const ProgramResult full =
      run({"simulate", "model.json", "--out", "full", "--checkpoint", "/dev/full", "--every", "0.0001"});
  EXPECT_EQ(full.status, 0) << full.err;
  const std::size_t told = full.err.find("no checkpoint is written");
  ASSERT_NE(told, std::string::npos) << full.err;
  EXPECT_EQ(full.err.find("no checkpoint is written", told + 1), std::string::npos) << full.err;
  EXPECT_EQ(rows("full").size(), rows("without").size());
  EXPECT_EQ(rows("full").back().substr(0, 5), rows("without").back().substr(0, 5)) << "the same time";
  EXPECT_NE(read_text(directory.path() / "full" / "summary.json").find("no checkpoint is written"),
            std::string::npos);
}

}  // namespace resume_command_test
}  // namespace mti::test
