// What the program writes is whole, of one run, and true; where it cannot write it says so.

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "io/files/files.hpp"
#include "io/files/temporary_name.hpp"
#include "tests/places.hpp"
#include "tests/program/program_run.hpp"

namespace mti::test {
namespace writing_test {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

const char* const relay = R"({
  "format": "mti-model", "version": 1, "name": "relay", "parameters": {"rate": "2/2"},
  "states": [{"name": "x", "start": 1}], "inputs": [{"name": "u", "value": 3}],
  "algebraic": [{"name": "y", "start": -7}], "binaries": [{"name": "z", "start": 1}],
  "equations": ["der(x) = rate*(1 - z) - z*u", "y = u - 3"],
  "constraints": ["z*(x - 0.5) <= 0", "(1 - z)*(x - 0.5) <= 0"],
  "experiment": {"stop": 0.1, "output_interval": 0.05}
})";

const char* const decay = R"({
  "format": "mti-model", "version": 1, "name": "decay",
  "states": [{"name": "x", "start": 1}], "equations": ["der(x) = -x"], "experiment": {"stop": 1}
})";

struct Writing : ::testing::Test {
  TemporaryDirectory directory;
  Writing() { fs::create_directory(directory.path() / "out"); }
  ProgramResult run(const Words& arguments) { return run_program(arguments, directory.path()); }
  std::set<std::string> files() const {
    std::set<std::string> result;
    for (const auto& entry : fs::directory_iterator(directory.path() / "out"))
      result.insert(entry.path().filename());
    return result;
  }
  /// Exit status with standard output to a full disk; standard error in `err`.
  int run_to_full_disk(const std::string& arguments) {
    const std::string command = "cd '" + directory.path().string() + "' && '" + program_file().string() +
                                "' " + arguments + " > /dev/full 2> err";
    const int status = std::system(command.c_str());  // NOLINT(cert-env33-c): of the test's own words
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

TEST_F(Writing, ToAFullDiskFailsWithAMessage) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  directory.write("model.json", decay);
  for (const char* arguments : {"print model.json", "analyze model.json", "analyze model.json --json",
                                "linearize model.json", "check model.json", "simulate model.json --no-report",
                                "convert model.json -", "--help", "simulate --help", "--version"}) {
    SCOPED_TRACE(arguments);
    EXPECT_EQ(run_to_full_disk(arguments), 2);
    EXPECT_NE(read_text(directory.path() / "err").find("cannot write standard output: "), std::string::npos)
        << read_text(directory.path() / "err");
  }
}

TEST_F(Writing, RemovesWhatIsOfAnEarlierRun) {
  directory.write("model.json", decay);
  ASSERT_EQ(run({"simulate", "model.json", "--quiet", "--mat"}).status, 0);
  ASSERT_TRUE(files().contains("report.html") && files().contains("results.mat"));
  fs::create_directory(directory.path() / "out/notes");
  directory.write("out/mine.csv", "1,2\n");
  ASSERT_EQ(run({"simulate", "model.json", "--quiet", "--no-report"}).status, 0);
  EXPECT_EQ(files(),
            (std::set<std::string>{"trajectory.csv", "events.json", "summary.json", "mine.csv", "notes"}));
}

TEST_F(Writing, AnAnalysisKeepsTheResultsOfARun) {
  directory.write("model.json", decay);
  ASSERT_EQ(run({"simulate", "model.json", "--quiet"}).status, 0);
  ASSERT_EQ(run({"analyze", "model.json", "--all-modes", "--out", "out"}).status, 0);
  EXPECT_EQ(files(), (std::set<std::string>{"report.html", "trajectory.csv", "events.json", "summary.json"}));
}

TEST_F(Writing, RemovesEarlierLinearisations) {
  directory.write("model.json", decay);
  const std::set<std::string> one = {"linearization.json", "E.mtx", "A.mtx", "B.mtx", "C.mtx", "D.mtx"};
  ASSERT_EQ(run({"linearize", "model.json", "--out", "out", "--state-space"}).status, 0);
  ASSERT_EQ(run({"linearize", "model.json", "--out", "out"}).status, 0);
  EXPECT_EQ(files(), one);
  ASSERT_EQ(
      run({"linearize", "model.json", "--out", "out", "--at", "0", "--at", "0.25", "--at", "0.5"}).status, 0);
  EXPECT_EQ(files(), (std::set<std::string>{"1", "2", "3"}));
  directory.write("out/2/mine.csv", "1,2\n");
  ASSERT_EQ(run({"linearize", "model.json", "--out", "out"}).status, 0);
  std::set<std::string> with_mine = one;
  with_mine.insert("2");
  EXPECT_EQ(files(), with_mine);
  EXPECT_FALSE(fs::exists(directory.path() / "out/2/A.mtx"));
}

/// A file of the same name that mti has not written is none of its own.
TEST_F(Writing, KeepsForeignFiles) {
  directory.write("model.json", decay);
  directory.write("out/report.html", "<p>mine</p>");
  directory.write("out/results.mat", "mine");
  ASSERT_EQ(run({"simulate", "model.json", "--quiet", "--no-report"}).status, 0);
  EXPECT_EQ(read_text(directory.path() / "out/report.html"), "<p>mine</p>");
  EXPECT_EQ(read_text(directory.path() / "out/results.mat"), "mine");
}

/// Danger: names of two writers in one folder were alike, and what one had begun the other went on with, or removed.
TEST_F(Writing, CleansUpAfterAKilledRun) {
  directory.write("model.json", decay);
  const fs::path out = directory.path() / "out";
  const std::vector<std::string> names = {"trajectory.csv", "events.json", "summary.json"};
  const pid_t killed = ::fork();
  if (killed == 0) {
    StagedFiles staged(out, names);
    for (const std::string& name : names) staged.append(name, "cut short");
    ::_exit(0);
  }
  ::waitpid(killed, nullptr, 0);
  EXPECT_EQ(files().size(), names.size());
  StagedFiles at_work(out, {});
  at_work.append("summary.json", "mine");
  const fs::path elsewhere = temporary_path(out, "events.json");
  const std::string number = std::to_string(::getpid()), gone = std::to_string(killed);
  std::string name = elsewhere.filename().string();
  // A process of that number that is no more here, but may be at work in another container.
  name.replace(name.find("." + number + "-") + 1, number.size() + 2, gone + "-0");
  directory.write("out/" + name, "at work");
  directory.write("out/.mine." + gone, "mine");
  ASSERT_EQ(run({"simulate", "model.json", "--quiet", "--no-report"}).status, 0);
  std::set<std::string> left = files();
  for (const std::string& written : names) EXPECT_EQ(left.erase(written), 1U) << written;
  EXPECT_EQ(left.erase(name), 1U);
  EXPECT_EQ(left.erase(".mine." + gone), 1U);
  ASSERT_EQ(left.size(), 1U);
  EXPECT_TRUE(left.begin()->starts_with(".summary.json." + number + "-")) << *left.begin();
}

/// Large files are stored while they grow; they are whole nevertheless, and the old one is there until then.
TEST_F(Writing, LargeFilesAreWhole) {
  const fs::path place = directory.path() / "out/trajectory.csv";
  directory.write("out/trajectory.csv", "old");
  StagedFiles staged(directory.path() / "out", {});
  const std::string head = "time,x\n";
  std::string piece;
  for (int row = 0; row < 1'000'000; ++row) piece += std::to_string(row) + ",1.2345678\n";
  staged.append("trajectory.csv", head);
  for (int i = 0; i < 4; ++i) staged.append("trajectory.csv", piece);
  EXPECT_EQ(read_text(place), "old");
  staged.publish();
  EXPECT_TRUE(read_text(place) == head + piece + piece + piece + piece);
}

/// The left row of `initial` has the start values of the model, and no zero has a sign.
TEST_F(Writing, TheLeftRowOfTheStartIsWhatTheModelGives) {
  directory.write("model.json", relay);
  static_cast<void>(run({"simulate", "model.json", "--quiet", "--no-report"}));
  const std::string text = read_text(directory.path() / "out/trajectory.csv");
  EXPECT_EQ(text.find("-0,"), std::string::npos);
  EXPECT_EQ(text.find("-0\n"), std::string::npos);
}

TEST_F(Writing, ConvertDoesNotDestroyItsInput) {
  directory.write("model.json", relay);
  const ProgramResult refused = run({"convert", "model.json", "./model.json"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.err.find("output-is-input"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("1 parameter would become a number"), std::string::npos) << refused.err;
  EXPECT_EQ(read_text(directory.path() / "model.json"), relay);
  EXPECT_EQ(run({"convert", "model.json", "model.json", "--force"}).status, 0);
  EXPECT_NE(read_text(directory.path() / "model.json").find("\"matrices\""), std::string::npos);
}

/// Whatever a command reads, by whichever of its options it would be written over: nothing is touched.
TEST_F(Writing, NoCommandWritesOverWhatItReads) {
  const std::string head = R"({"format": "mti-model", "version": 1, )";
  const auto driven = [&](const std::string& file, const std::string& column) {
    return head + R"("states": [{"name": "x", "start": 1}], "inputs": [{"name": "u", "csv": ")" + file +
           R"(", "column": ")" + column + R"("}], "equations": ["der(x) = u - x"]})";
  };
  const std::string table = "time,x\n0,1\n1,2\n";
  directory.write("plain.json", decay);
  for (const char* folder : {"r1", "r2"})
    ASSERT_EQ(run({"simulate", "plain.json", "--quiet", "--out", folder}).status, 0);
  for (const char* folder : {"in", "in/2", "parts", "study"}) fs::create_directory(directory.path() / folder);
  for (const char* name :
       {"trajectory.csv", "sensitivity.csv", "2/A.mtx", "results.mat", "runs.csv", "plain.csv"})
    directory.write(std::string("in/") + name, table);
  directory.write("rows.json", driven("in/trajectory.csv", "x"));
  directory.write("derivatives.json", driven("in/sensitivity.csv", "x"));
  directory.write("matrix.json", driven("in/2/A.mtx", "x"));
  directory.write("mat.json", driven("in/results.mat", "x"));
  directory.write("parts/part.json", driven("../in/plain.csv", "x"));
  directory.write("parts/report.html", decay);
  directory.write("whole.json", head + R"("components": [{"name": "a", "model": "parts/part.json"},
      {"name": "b", "model": "parts/report.html"}]})");
  directory.write("in/summary.json", decay);
  directory.write("study/study.json",
                  R"({"format": "mti-study", "version": 1, "model": "report.html", "design": "grid",
      "vary": {"u": {"csv": ["journal.csv"], "column": "x"}}, "keep": {"final": ["x"]}})");
  directory.write("study/report.html", driven("runs.csv", "x"));
  for (const char* name : {"study/journal.csv", "study/runs.csv"}) directory.write(name, table);
  directory.write("study/fit.json", R"j({"format": "mti-fit", "version": 1, "model": "report.html",
      "parameters": {"start(x)": {"start": 1}}, "experiments": [{"signals": {"x": {"time": [1], "value": [1]}}}]})j");
  fs::create_symlink("trajectory.csv", directory.path() / "in/link.csv");
  const auto contents = [&] {
    std::map<std::string, std::string> result;
    for (const auto& entry : fs::recursive_directory_iterator(directory.path()))
      result[entry.path()] = entry.is_regular_file() ? read_text(entry.path()) : "";
    return result;
  };
  const auto before = contents();
  for (const Words& arguments :
       {Words{"report", "r1", "r2", "--out", "r2/trajectory.csv"},
        Words{"report", "r1", "r2", "--out", "./r1/events.json"},
        Words{"study", "study/study.json", "--out", "study"},
        Words{"fit", "study/fit.json", "--out", "study"},
        Words{"study", "study/study.json", "--out", "study", "--resume"},
        Words{"study", "study/study.json", "--out", "study", "--merge", "r1"},
        Words{"simulate", "plain.json", "--checkpoint", "plain.json"},
        Words{"simulate", "rows.json", "--checkpoint", "in/trajectory.csv"},
        Words{"simulate", "rows.json", "--out", "in"},
        Words{"simulate", "derivatives.json", "--out", "in", "--sensitivity", "start(x)"},
        Words{"simulate", "mat.json", "--out", "in", "--mat", "--no-report"},
        Words{"simulate", "whole.json", "--out", "parts"},
        Words{"simulate", "in/summary.json", "--out", "in"},
        Words{"analyze", "whole.json", "--all-modes", "--out", "parts"},
        Words{"linearize", "matrix.json", "--out", "in", "--at", "0", "--at", "1"},
        Words{"convert", "whole.json", "parts/part.json"},
        Words{"convert", "whole.json", "in/plain.csv"},
        Words{"convert", "rows.json", "in/link.csv"},
        Words{"export", "whole.json", "in/plain.csv"},
        Words{"export", "plain.json", "plain.json"},
        Words{"identify", "in/plain.csv", "--states", "x", "--out", "in/plain.csv"}}) {
    std::string line;
    for (const std::string& word : arguments) line += word + " ";
    const ProgramResult refused = run(arguments);
    EXPECT_EQ(refused.status, 1) << line << refused.err;
    EXPECT_NE(refused.err.find(": output-is-input: "), std::string::npos) << line << refused.err;
    EXPECT_EQ(contents(), before) << line;
  }
  // By such an ending it would be read as what it is not.
  for (const char* other : {"out.xml", "out.csv", "out.FMU"}) {
    EXPECT_EQ(run({"convert", "plain.json", other}).status, 1) << other;
    EXPECT_FALSE(std::filesystem::exists(directory.path() / other)) << other;
  }
  // What is not read may be written over.
  EXPECT_EQ(run({"simulate", "plain.json", "--quiet", "--out", "in"}).status, 0);
  EXPECT_EQ(run({"report", "r1", "r2", "--out", "r2/report.html"}).status, 0);
  EXPECT_EQ(run({"convert", "whole.json", "parts/part.json", "--force"}).status, 0);
}

TEST_F(Writing, UnknownWordsGetASuggestion) {
  directory.write("model.json", decay);
  const auto said = [&](const Words& words) {
    const ProgramResult result = run(words);
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.out, "");
    return lines_of(result.err).at(0);
  };
  EXPECT_EQ(said({"simulte", "model.json"}), "there is no command simulte, did you mean simulate?");
  EXPECT_EQ(said({"simulate", "model.json", "--stp", "3"}),
            "simulate has no option --stp, did you mean --stop?");
  EXPECT_EQ(said({"convert", "model.json", "-", "--reduced=1"}),
            "convert has no option --reduced, did you mean --reduce?");
  EXPECT_EQ(said({"--versio"}), "mti has no option --versio, did you mean --version?");
  EXPECT_EQ(said({"fly", "model.json"}), "there is no command fly");
}

TEST_F(Writing, CountsAsOneSpeaks) {
  directory.write("model.json", decay);
  EXPECT_EQ(run({"check", "model.json"}).out.find("1 equations"), std::string::npos);
}

/// x' = x² from 1 leaves every bound at t = 1.
TEST_F(Writing, FailuresAreSaidInWords) {
  directory.write("model.json", R"({
    "format": "mti-model", "version": 1, "states": [{"name": "x", "start": 1}], "equations": ["der(x) = x^2"],
    "experiment": {"stop": 2}
  })");
  const ProgramResult result = run({"simulate", "model.json", "--quiet", "--no-report"});
  EXPECT_EQ(result.status, 3);
  for (const char* code : {"IDA", "()", "Sun", "FAIL"})
    EXPECT_EQ(result.err.find(code), std::string::npos) << result.err;
}

}  // namespace writing_test
}  // namespace mti::test
