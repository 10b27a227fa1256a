// Shells complete what the program's help names: the scripts are run by the shells themselves.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <sstream>

#include "tests/places.hpp"
#include "tests/program/document.hpp"
#include "tests/program/program_run.hpp"

namespace mti::test {
namespace completion_test {

using Words = std::vector<std::string>;

bool is_there(const std::string& shell) {
  return std::system(("command -v " + shell + " >/dev/null").c_str()) == 0;
}

std::string quoted(const std::string& word) { return "'" + word + "'"; }

/// The commands, or the options, that a help page names: words at the beginning of its indented lines.
std::set<std::string> named_in_help(const std::string& help, bool options) {
  std::set<std::string> names;
  bool is_list = options;
  for (const std::string& line : lines_of(help)) {
    if (line.starts_with("Subcommands:")) is_list = true;
    if (!is_list || !line.starts_with("  ") || line[2] == ' ' || (line[2] == '-') != options) continue;
    std::istringstream words(line.substr(2, line.find(' ', 2) - 2));
    for (std::string name; std::getline(words, name, ',');) names.insert(name);
  }
  if (options) std::erase_if(names, [](const std::string& name) { return !name.starts_with('-'); });
  return names;
}

struct Completion : ::testing::Test {
  TemporaryDirectory directory;

  std::string script(const std::string& shell) const {
    const ProgramResult result = run_program({"completion", shell}, directory.path());
    EXPECT_EQ(result.status, 0) << result.err;
    return directory.write("completion." + shell, result.out);
  }
  /// What bash offers for the last of `words`.
  std::set<std::string> in_bash(const Words& words) const {
    std::string command = "cd " + quoted(directory.path()) + " && bash " +
                          quoted(source_dir() / "tests/program/shells/complete.bash") + " " +
                          quoted(script("bash")) + " mti";
    for (const std::string& word : words) command += " " + quoted(word);
    const Words lines = lines_of(output_of(command));
    return {lines.begin(), lines.end()};
  }
  std::set<std::string> in_fish(const std::string& line) const {
    const Words lines =
        lines_of(output_of("cd " + quoted(directory.path()) + " && HOME=. fish --no-config -c 'source " +
                           script("fish") + "; complete -C \"" + line + "\"'"));
    std::set<std::string> words;
    for (const std::string& one : lines) words.insert(one.substr(0, one.find('\t')));
    return words;
  }
  std::string in_zsh(const std::string& line) const {
    const Words lines = lines_of(output_of("cd " + quoted(directory.path()) + " && zsh -f " +
                                           quoted(source_dir() / "tests/program/shells/complete.zsh") + " " +
                                           quoted(script("zsh")) + " " + quoted(line)));
    return lines.empty() ? "" : lines.back();
  }
  std::set<std::string> commands() const {
    return named_in_help(run_program({"--help"}, directory.path()).out, false);
  }
};

TEST_F(Completion, OfBashNamesEveryCommandAndOption) {
  const std::set<std::string> all = commands();
  ASSERT_GE(all.size(), 9U);
  EXPECT_EQ(in_bash({""}), all);
  for (const std::string& command : all) {
    const std::set<std::string> options =
        named_in_help(run_program({command, "--help"}, directory.path()).out, true);
    EXPECT_GE(options.size(), 2U) << command;
    EXPECT_EQ(in_bash({command, "-"}), options) << command;
  }
}

TEST_F(Completion, OfBashKnowsWhatFollowsAnOption) {
  directory.write("a model.json", "");
  directory.write("b.json", "");
  std::filesystem::create_directory(directory.path() / "results");
  const std::set<std::string> integrators = {"auto", "flow", "ida", "series"};
  EXPECT_EQ(in_bash({"simulate", "--integrator", ""}), integrators);
  EXPECT_EQ(in_bash({"simulate", "--integrator", "=", ""}), integrators) << "bash splits at the sign";
  EXPECT_EQ(in_bash({"simulate", "--integrator", "="}), integrators);
  EXPECT_EQ(in_bash({"simulate", "--integrator", "s"}), std::set<std::string>{"series"});
  EXPECT_EQ(in_bash({"simulate", "--out", ""}), std::set<std::string>{"results"}) << "a directory";
  EXPECT_EQ(in_bash({"simulate", "--stop", ""}), std::set<std::string>{}) << "a number";
  EXPECT_EQ(in_bash({"completion", ""}), (std::set<std::string>{"bash", "fish", "zsh"}));
}

TEST_F(Completion, OfBashCountsPlaces) {
  directory.write("a model.json", "");
  std::filesystem::create_directory(directory.path() / "results");
  const auto offers_file = [this](const Words& words) { return in_bash(words).contains("a model.json"); };
  EXPECT_TRUE(offers_file({"simulate", "a"})) << "a name with a space stays whole";
  EXPECT_TRUE(offers_file({"simulate", "--stop", "5", "a"}));
  EXPECT_TRUE(offers_file({"simulate", "--stop", "=", "5", "a"}));
  EXPECT_TRUE(offers_file({"simulate", "--quiet", "a"}));
  EXPECT_FALSE(offers_file({"simulate", "a model.json", "a"})) << "there is no second place";
  EXPECT_TRUE(offers_file({"convert", "a model.json", "a"})) << "here there is";
  EXPECT_FALSE(offers_file({"convert", "-", "b.json", "a"}));
  EXPECT_FALSE(offers_file({"report", "a"})) << "directories";
  EXPECT_TRUE(in_bash({"report", "results", "r"}).contains("results"));
}

TEST_F(Completion, OfFishNamesCommandsOptionsAndWords) {
  if (!is_there("fish")) GTEST_SKIP() << "no fish here";
  directory.write("model.json", "");
  std::filesystem::create_directory(directory.path() / "results");
  EXPECT_EQ(in_fish("mti "), commands());
  for (const std::string command : {"simulate", "convert", "print"}) {
    std::set<std::string> options =
        named_in_help(run_program({command, "--help"}, directory.path()).out, true);
    std::erase_if(options, [](const std::string& name) { return !name.starts_with("--"); });
    EXPECT_EQ(in_fish("mti " + command + " --"), options) << command;
  }
  EXPECT_EQ(in_fish("mti simulate --integrator "), (std::set<std::string>{"auto", "flow", "ida", "series"}));
  EXPECT_EQ(in_fish("mti simulate --out "), std::set<std::string>{"results/"});
  EXPECT_EQ(in_fish("mti simulate --stop "), std::set<std::string>{});
  EXPECT_TRUE(in_fish("mti simulate m").contains("model.json"));
}

TEST_F(Completion, OfZshCompletesALine) {
  if (!is_there("zsh")) GTEST_SKIP() << "no zsh here";
  directory.write("model.json", "");
  std::filesystem::create_directory(directory.path() / "results");
  EXPECT_EQ(in_zsh("mti simu"), "mti simulate ");
  EXPECT_EQ(in_zsh("mti simulate --linear"), "mti simulate --linear-solver=");
  EXPECT_EQ(in_zsh("mti simulate --linear-solver=k"), "mti simulate --linear-solver=klu ");
  EXPECT_EQ(in_zsh("mti simulate --out r"), "mti simulate --out results/");
  EXPECT_EQ(in_zsh("mti print mo"), "mti print model.json ");
  EXPECT_EQ(in_zsh("mti analyze --mo"), "mti analyze --mode=");
  EXPECT_EQ(in_zsh("mti analyze --all-modes --mo"), "mti analyze --all-modes --mo")
      << "these two exclude each other";
  EXPECT_EQ(in_zsh("mti completion z"), "mti completion zsh ");
}

TEST_F(Completion, OfOtherShellsIsWrongUsage) {
  EXPECT_EQ(run_program({"completion", "ksh"}, directory.path()).status, 1);
  EXPECT_EQ(run_program({"completion"}, directory.path()).status, 1);
}

}  // namespace completion_test
}  // namespace mti::test
