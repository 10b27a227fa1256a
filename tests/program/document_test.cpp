// Every file that the documentation names exists, and so does every page that it links to.

#include "tests/program/document.hpp"
#include "tests/places.hpp"
#include "tests/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <vector>

namespace mti::test {
namespace document_test {

namespace fs = std::filesystem;

const fs::path root = source_dir();

/// "a/b.{hpp,cpp}" → "a/b.hpp", "a/b.cpp".
std::vector<std::string> expanded(const std::string& path) {
  static const std::regex braces(R"((.*)\{([^}]*)\}(.*))");
  std::smatch parts;
  if (!std::regex_match(path, parts, braces)) return {path};
  static const std::regex comma(",");
  const std::string choices = parts[2];
  std::vector<std::string> paths;
  for (std::sregex_token_iterator choice(choices.begin(), choices.end(), comma, -1), end; choice != end;
       ++choice)
    paths.push_back(parts[1].str() + choice->str() + parts[3].str());
  return paths;
}

/// Files and folders of the repository that a page names in backticks, and local targets of its links.
std::set<fs::path> named_files(const std::string& text, const fs::path& folder) {
  std::set<fs::path> files;
  static const std::regex in_backticks(
      R"(`((?:mti|solvers|io|fmi|program|python|tests|docs|examples|bench|cmake|scripts|third_party)/[\w./{},-]*)`)");
  for (std::sregex_iterator found(text.begin(), text.end(), in_backticks), end; found != end; ++found)
    for (const std::string& path : expanded((*found)[1])) files.insert(root / path);
  static const std::regex link(R"(\]\(([^)#\s]+)[^)]*\))");
  for (std::sregex_iterator found(text.begin(), text.end(), link), end; found != end; ++found)
    if (const std::string target = (*found)[1]; target.find("://") == std::string::npos)
      files.insert(folder / target);
  return files;
}

std::vector<fs::path> missing_files(const std::string& text, const fs::path& folder) {
  std::vector<fs::path> missing;
  for (const fs::path& file : named_files(text, folder))
    if (!fs::exists(file)) missing.push_back(file);
  return missing;
}

std::vector<fs::path> pages() {
  std::vector<fs::path> result{root / "README.md", root / "CHANGELOG.md"};
  for (const char* folder : {"docs", "examples"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.path().extension() == ".md") result.push_back(entry.path());
  return result;
}

TEST(Documentation, NamesOnlyFilesThatExist) {
  std::size_t named = 0;
  for (const fs::path& page : pages()) {
    const std::string text = read_text(page);
    named += named_files(text, page.parent_path()).size();
    for (const fs::path& file : missing_files(text, page.parent_path()))
      ADD_FAILURE() << page << " names " << file << ", which does not exist";
  }
  // The theory alone names more: the pages were found and read.
  EXPECT_GT(named, 40U);
}

// Negative control: the search finds what is missing, in every form it can be written in.
TEST(Documentation, MissingFilesAreFound) {
  const std::string text =
      "`mti/model/model.hpp`, `mti/model/model.{hpp,cxx}`, `solvers/no_such_file.cpp` and [a "
      "page](docs/no_such_page.md), "
      "[the web](https://example.org/x.md), [here](#section), `mti simulate MODEL`";
  EXPECT_EQ(missing_files(text, root),
            (std::vector<fs::path>{root / "docs/no_such_page.md", root / "mti/model/model.cxx",
                                   root / "solvers/no_such_file.cpp"}));
  EXPECT_EQ(named_files(text, root).size(), 4U);
}

TEST(Documentation, BlocksAreFoundByTheirMarkers) {
  const Document readme("README.md");
  EXPECT_THROW((void)readme.block("no such marker"), std::runtime_error);
  EXPECT_NE(readme.block("rectifier").find("int main()"), std::string::npos);
  EXPECT_EQ(readme.block("rectifier").find("```"), std::string::npos);
}

}  // namespace document_test
}  // namespace mti::test
