// What the program promises about its command line: help, version, exit status 1 for wrong usage.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/program/program_run.hpp"

namespace mti::test {
namespace usage_test {

using Words = std::vector<std::string>;

struct Usage : ::testing::Test {
  TemporaryDirectory directory;
  std::filesystem::path model = directory.write("model.json", three_tank());

  ProgramResult run(const Words& arguments) { return run_program(arguments, directory.path()); }
  /// Files in the directory beside the model.
  long files() const {
    const std::filesystem::directory_iterator entries(directory.path());
    return std::distance(begin(entries), end(entries)) - 1;
  }
};

TEST_F(Usage, EveryCommandHasHelp) {
  for (const Words& arguments :
       {Words{"--help"}, Words{"simulate", "--help"}, Words{"check", "--help"}, Words{"analyze", "--help"},
        Words{"linearize", "--help"}, Words{"convert", "--help"}, Words{"report", "--help"},
        Words{"completion", "--help"}, Words{"manual", "--help"}}) {
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.status, 0) << arguments.front();
    EXPECT_NE(result.out.find("Usage: mti"), std::string::npos) << arguments.front();
    EXPECT_EQ(result.err, "");
  }
}

TEST_F(Usage, HelpOfSimulateNamesEveryOption) {
  const std::string help = run({"simulate", "--help"}).out;
  for (const char* option :
       {"--start", "--stop", "--rtol", "--atol", "--output-interval", "--set", "--max-seconds", "--no-report",
        "--out", "--quiet", "--integrator", "--linear-solver"})
    EXPECT_NE(help.find(option), std::string::npos) << option;
}

// A pipe that nobody writes to is read for ever.
TEST_F(Usage, SecondsCountReadingAndSignalsEndIt) {
  const std::string pipe = (directory.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const Words commands[] = {{"simulate", pipe},    {"study", pipe},   {"orbit", pipe, "--period-guess", "1"},
                            {"equilibrium", pipe}, {"check", pipe},   {"identify", pipe, "--states", "x"},
                            {"linearize", pipe},   {"analyze", pipe}, {"fit", pipe}};
  for (Words command : commands) {
    command.insert(command.end(), {"--max-seconds", "0.1"});
    const ProgramResult late = run(command);
    EXPECT_EQ(late.status, 3) << command.front();
    EXPECT_EQ(late.err, pipe + ":: time_budget: the time budget was used up before the run began\n");
  }
  RunningProgram program({"equilibrium", pipe}, directory.path());
  EXPECT_TRUE(program.comes_to_catch(SIGINT));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  program.send(SIGINT);
  const ProgramResult stopped = program.wait();
  EXPECT_EQ(stopped.status, 3);
  EXPECT_EQ(stopped.err, pipe + ":: interrupted: stopped before the run began\n");
  for (const char* seconds : {"0", "-1", "nan"})
    EXPECT_EQ(run({"equilibrium", model, "--max-seconds", seconds}).status, 1) << seconds;
}

// Commands without a limit of time, and runs, answer a signal in the program's own way from the beginning on.
TEST_F(Usage, SignalsEndReading) {
  const std::string pipe = (directory.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string no_run = "before the run began", no_result = "before there was a result";
  const std::pair<Words, std::string> commands[] = {{{"simulate", pipe, "--out", "out"}, no_run},
                                                    {{"resume", pipe, "--out", "out"}, no_run},
                                                    {{"convert", pipe, "out.json"}, no_result},
                                                    {{"print", pipe}, no_result},
                                                    {{"print", pipe, "--modelica"}, no_result}};
  for (const auto& [command, where] : commands)
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      RunningProgram program(command, directory.path());
      EXPECT_TRUE(program.comes_to_catch(signal)) << command.front();
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      program.send(signal);
      const ProgramResult stopped = program.wait();
      EXPECT_EQ(stopped.status, 3) << command.front();
      EXPECT_EQ(stopped.err, pipe + ":: interrupted: stopped " + where + "\n");
      EXPECT_EQ(stopped.out, "");
    }
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "out"));
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "out.json"));
}

// Whatever a command is doing with a large model: reading JSON, building, writing text.
TEST_F(Usage, SignalsEndTheReadingOfALargeModel) {
  constexpr int equations = 300'000;
  std::string states, rows;
  for (int i = 0; i < equations; ++i) {
    const std::string k = std::to_string(i), next = std::to_string((i + 1) % equations);
    states += (i == 0 ? "" : ", ") + ("{\"name\": \"x" + k + "\"}");
    rows += (i == 0 ? "" : ", ") + ("\"der(x" + k + ") = x" + next + " - 2*x" + k + "\"");
  }
  directory.write("large.json", R"({"format": "mti-model", "version": 1, "states": [)" + states +
                                    R"(], "equations": [)" + rows + R"(], "experiment": {"stop": 1}})");
  const auto files = [&] {
    std::set<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(directory.path()))
      names.insert(file.path().filename());
    return names;
  };
  const std::set<std::string> before = files();
  const Words commands[] = {{"simulate", "large.json", "--out", "out"},
                            {"convert", "large.json", "out.json"},
                            {"print", "large.json"}};
  for (const Words& command : commands)
    for (const int milliseconds : {100, 600}) {
      RunningProgram program(command, directory.path());
      EXPECT_TRUE(program.comes_to_catch(SIGTERM)) << command.front();
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      const auto told = std::chrono::steady_clock::now();
      program.send(SIGTERM);
      const ProgramResult stopped = program.wait();
      EXPECT_LT(std::chrono::steady_clock::now() - told, std::chrono::seconds(2)) << command.front();
      EXPECT_EQ(stopped.status, 3) << command.front();
      EXPECT_EQ(stopped.err.rfind("large.json:: interrupted: stopped before ", 0), 0U) << stopped.err;
      EXPECT_EQ(stopped.out, "");
      EXPECT_EQ(files(), before) << command.front();
    }
  // While a MAT file grows
  RunningProgram program({"convert", "large.json", "out.mat"}, directory.path());
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (files() == before && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  program.send(SIGTERM);
  const ProgramResult stopped = program.wait();
  EXPECT_EQ(stopped.status, 3);
  EXPECT_EQ(stopped.err, "large.json:: interrupted: stopped before out.mat was written\n");
  EXPECT_EQ(files(), before);
}

// A pipe that nobody reads takes nothing for ever.
TEST_F(Usage, SignalsEndPrintingThatNobodyReads) {
  const std::string pipe = (directory.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  RunningProgram program({"convert", model, pipe}, directory.path());
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  program.send(SIGTERM);
  const ProgramResult stopped = program.wait();
  EXPECT_EQ(stopped.status, 3);
  EXPECT_EQ(stopped.err, model.string() + ":: interrupted: stopped before all of the result was printed\n");
}

TEST_F(Usage, VersionIsOneLine) {
  const ProgramResult result = run({"--version"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out.substr(0, 4), "mti ");
  EXPECT_EQ(lines_of(result.out).size(), 1U);
}

TEST_F(Usage, WrongUsageIsStatusOneAndWritesNothing) {
  const std::string file = model;
  for (const Words& arguments : {Words{},
                                 Words{"simulat", file},
                                 Words{"simulate"},
                                 Words{"simulate", file, "--outt", "x"},
                                 Words{"simulate", file, "--stop", "soon"},
                                 Words{"simulate", file, "--set", "fv"},
                                 Words{"simulate", file, "--set", "fv=much"},
                                 Words{"simulate", file, "--set", "fv=nan"},
                                 Words{"simulate", file, "--set", "=1"},
                                 Words{"simulate", file, "--set", "fvv=1"},
                                 Words{"simulate", file, "--linear-solver", "lu"},
                                 Words{"simulate", file, "--integrator", "euler"},
                                 Words{"simulate", file, "--rtol", "-1"},
                                 Words{"simulate", file, "--stop", "-1"},
                                 Words{"simulate", file, "--output-interval", "0"},
                                 Words{"simulate", file, "--max-seconds", "-1"},
                                 Words{"simulate", file, "--out", ""},
                                 Words{"simulate", file, "--out="},
                                 Words{"simulate", file, "--checkpoint", ""},
                                 Words{"simulate", file, "--stop", ""},
                                 Words{"simulate", file, "--rtol="},
                                 Words{"simulate", file, "--output-interval", ""},
                                 Words{"simulate", file, "--max-events", ""},
                                 Words{"simulate", file, "--integrator", ""},
                                 Words{"orbit", file, "--start", ""},
                                 Words{"simulate", ""},
                                 Words{"analyze", file, "--all-modes", "--out", ""},
                                 Words{"linearize", file, "--out", ""},
                                 Words{"report", "out", "out", "--out", ""},
                                 Words{"study", file, "--out", ""},
                                 Words{"fit", file, "--out", ""},
                                 Words{"identify", file, "--states", "x", "--out", ""},
                                 Words{"convert", file, ""},
                                 Words{"simulate", file, "--stop", "inf"},
                                 Words{"simulate", file, "--output-interval", "inf"},
                                 Words{"analyze", file, "--mode", "z1=2"},
                                 Words{"analyze", file, "--mode", "z9=1"},
                                 Words{"analyze", file, "--mode", "x1=1"},
                                 Words{"analyze", file, "--all-modes", "--from", "z9"},
                                 Words{"analyze", file, "--all-modes", "--to", "z1 and"},
                                 Words{"analyze", file, "--from", "z1"},
                                 Words{"analyze", file, "--all-modes", "--mode", "z1=1"},
                                 Words{"convert", file},
                                 Words{"convert", file, "out.json", "--to", "tensors"}}) {
    const ProgramResult result = run(arguments);
    std::string line;
    for (const std::string& word : arguments) line += word + " ";
    EXPECT_EQ(result.status, 1) << line;
    EXPECT_NE(result.err, "") << line;
    EXPECT_EQ(files(), 0) << line;
  }
}

TEST_F(Usage, SaysThatNumbersMustBeFinite) {
  for (const char* option : {"--stop", "--output-interval"})
    EXPECT_NE(run({"simulate", model, option, "inf"}).err.find("expected a finite "), std::string::npos)
        << option;
  EXPECT_NE(run({"simulate", model, "--out", ""}).err.find("--out: expected a DIR, found ''"),
            std::string::npos);
}

TEST_F(Usage, SuggestsNamesForSettings) {
  EXPECT_NE(run({"simulate", model, "--set", "fvv=1"}).err.find("did you mean fv?"), std::string::npos);
  EXPECT_NE(run({"analyze", model, "--mode", "z9=1"}).err.find("did you mean z1?"), std::string::npos);
}

}  // namespace usage_test
}  // namespace mti::test
