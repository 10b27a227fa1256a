// docs/errors.md: every id of the sources is in it and the other way round, and its examples say what the
// program says.
#include <gtest/gtest.h>

#include <iomanip>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "tests/places.hpp"
#include "tests/program/program_run.hpp"

namespace mti::test {
namespace errors_document_test {

namespace fs = std::filesystem;

/// A section "### `id`" with its fenced blocks by language.
using Blocks = std::map<std::string, std::string>;

std::map<std::string, Blocks> sections() {
  std::map<std::string, Blocks> result;
  std::string id, language;
  for (const std::string& line : lines_of(read_text(source_dir() / "docs/errors.md"))) {
    if (line.starts_with("### `") && line.find(' ', 4) == std::string::npos) {
      id = line.substr(5, line.rfind('`') - 5);
      EXPECT_FALSE(result.contains(id)) << id << " twice";
      result[id];
    } else if (line.starts_with("```")) {
      language = language.empty() ? line.substr(3) : "";
    } else if (!language.empty()) {
      result[id][language] += line + "\n";
    }
  }
  return result;
}

/// Text literals of the sources that have the form of an id.
std::set<std::string> ids_in_sources() {
  // Literals of that form that are something else.
  const std::set<std::string> others = {
      "mti-model",       "mti-results",    "mti-check",      "sub-problem",        "sub-problems",
      "forward-euler",   "backward-euler", "mti-study",      "mti-study-results",  "mti-run",
      "mti-checkpoint",  "mti-fmu-state",  "floating-point", "mti-identification", "mti-fit",
      "mti-fit-results", "mti-study-mpi"};
  const std::regex literal("\"([a-z]+(?:-[a-z]+)+)\"");
  std::set<std::string> ids;
  for (const char* layer : {"mti", "solvers", "io", "fmi", "program"})
    for (const auto& entry : fs::recursive_directory_iterator(source_dir() / layer)) {
      const fs::path extension = entry.path().extension();
      if (extension != ".cpp" && extension != ".hpp") continue;
      const std::string text = read_text(entry.path());
      for (std::sregex_iterator match(text.begin(), text.end(), literal), end; match != end; ++match)
        if (!others.contains((*match)[1])) ids.insert((*match)[1]);
    }
  return ids;
}

TEST(ErrorsDocument, HasTheIdsOfTheSources) {
  std::set<std::string> documented;
  for (const auto& [id, blocks] : sections()) documented.insert(id);
  EXPECT_EQ(documented, ids_in_sources());
}

TEST(ErrorsDocument, ExamplesSayWhatTheProgramSays) {
  // What no input can show.
  const std::set<std::string> without_example = {
      "modes-not-examined", "start-not-examined",  "json-encoding",    "modes-too-large",
      "too-dense",          "out-of-memory",       "mat-format",       "mat-content",
      "mat-variable",       "mat-too-large",       "bad-tolerance",    "bad-random-model",
      "internal-error",     "study-changed",       "unfinished-study", "sbml-circular",
      "sbml-too-large",     "fmu-library-missing", "no-mpi",           "not-smooth"};
  for (const auto& [id, blocks] : sections()) {
    SCOPED_TRACE(id);
    if (without_example.contains(id)) continue;
    ASSERT_TRUE(blocks.contains("text")) << "has no example";
    const TemporaryDirectory directory;
    if (blocks.contains("json")) directory.write("model.json", blocks.at("json"));
    if (blocks.contains("xml")) directory.write("model.xml", blocks.at("xml"));
    if (blocks.contains("csv")) directory.write("u.csv", blocks.at("csv"));
    if (blocks.contains("modelica")) directory.write("model.mo", blocks.at("modelica"));
    std::istringstream command(blocks.contains("sh") ? blocks.at("sh") : "mti check model.json");
    std::vector<std::string> words;
    for (std::string word; command >> std::quoted(word);) words.push_back(word);
    ASSERT_EQ(words.front(), "mti");
    words.erase(words.begin());
    const ProgramResult result = run_program(words, directory.path());
    const bool warning = blocks.at("text").find(": warning: ") != std::string::npos;
    EXPECT_EQ(result.status == 0, warning);
    EXPECT_EQ(result.err, blocks.at("text"));
    EXPECT_NE(result.err.find(": " + id + ": "), std::string::npos);
  }
}

}  // namespace errors_document_test
}  // namespace mti::test
