// Manual pages: one for each command, with every option that its help names, and no fault that mandoc sees.
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>

#include "tests/program/document.hpp"
#include "tests/program/program_run.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace manual_test {

struct Manual : ::testing::Test {
  TemporaryDirectory directory;

  std::filesystem::path written(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"manual", "pages"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(run_program(words, directory.path()).status, 0);
    return directory.path() / "pages";
  }
  std::string help(const std::vector<std::string>& words) const {
    return run_program(words, directory.path()).out;
  }
};

std::set<std::string> long_options(const std::string& help) {
  static const std::regex option("(?:^|\n)  (?:-[a-z],)?(--[a-z-]+)");
  std::set<std::string> names;
  for (std::sregex_iterator i(help.begin(), help.end(), option), end; i != end; ++i) names.insert((*i)[1]);
  return names;
}

std::set<std::string> commands(const std::string& help) {
  static const std::regex command("\n  ([a-z]+) ");
  std::set<std::string> names;
  const std::string list = help.substr(help.find("Subcommands:"));
  for (std::sregex_iterator i(list.begin(), list.end(), command), end; i != end; ++i) names.insert((*i)[1]);
  return names;
}

TEST_F(Manual, HasAPageForEachCommandWithEachOption) {
  const auto folder = written();
  const std::set<std::string> all = commands(help({"--help"}));
  ASSERT_GE(all.size(), 9U);
  const std::string first = read_text(folder / "mti.1");
  for (const std::string& name : all) {
    EXPECT_NE(first.find("mti\\-" + name + " (1)"), std::string::npos) << name;
    const std::string page = read_text(folder / ("mti-" + name + ".1"));
    for (std::string option : long_options(help({name, "--help"}))) {
      option = std::regex_replace(option, std::regex("-"), "\\-");
      EXPECT_NE(page.find("\\fB" + option + "\\fR"), std::string::npos) << name << " " << option;
    }
  }
  const std::filesystem::directory_iterator pages(folder);
  EXPECT_EQ(static_cast<std::size_t>(std::distance(begin(pages), end(pages))), all.size() + 1);
}

TEST_F(Manual, IsFreeOfFaults) {
  const auto folder = written();
  if (std::system("command -v mandoc >/dev/null") != 0) GTEST_SKIP() << "no mandoc here";
  // The pages have no date: they are those of a version.
  const std::string found =
      output_of("mandoc -T lint -W style '" + folder.string() + "'/*.1 | grep -v 'missing date' || true");
  EXPECT_EQ(found, "");
  const std::string read =
      output_of("mandoc -T ascii '" + (folder / "mti-simulate.1").string() + "' | col -b");
  for (const char* part :
       {"NAME", "SYNOPSIS", "OPTIONS", "mti simulate MODEL [OPTION ...]", "--integrator NAME",
        "auto (default), series, flow or ida.", "Exit status: 0 done", "mti(1)"})
    EXPECT_NE(read.find(part), std::string::npos) << part << "\n" << read;
}

TEST_F(Manual, InMarkdownHasEachCommandWithEachOption) {
  const std::string page = read_text(written({"--markdown"}) / "mti.md");
  for (const std::string& name : commands(help({"--help"}))) {
    const std::size_t begin = page.find("\n## mti " + name + "\n");
    ASSERT_NE(begin, std::string::npos) << name;
    const std::string section = page.substr(begin, page.find("\n## ", begin + 1) - begin);
    for (const std::string& option : long_options(help({name, "--help"})))
      EXPECT_NE(section.find("`" + option + "`"), std::string::npos) << name << " " << option;
  }
}

TEST_F(Manual, ThatCannotBeWrittenSaysSo) {
  directory.write("pages", "a file, not a directory");
  const ProgramResult result = run_program({"manual", "pages"}, directory.path());
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("pages"), std::string::npos) << result.err;
}

}  // namespace manual_test
}  // namespace mti::test
