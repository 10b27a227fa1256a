#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace mti::test {

/// Identifiers and single punctuation marks of C++ text, without comments, literals and preprocessor lines.
[[nodiscard]] std::vector<std::string> tokens_of(std::string_view text);

/// What headers declare, as far as words and brackets tell.
class Declarations {
 public:
  /// Adds types, functions, and for each type the names that its body declares.
  void add(std::string_view header);
  /// `Name` is a type or a function; `Type::member` a name that the body of a type declares.
  [[nodiscard]] bool has(const std::string& name) const;
  [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }

 private:
  std::set<std::string> names_;
  std::map<std::string, std::set<std::string>> members_;
};

/// The declarations of all headers below the folders of the libraries.
[[nodiscard]] Declarations declarations_below(const std::filesystem::path& root);

/// "Suite.Name" of every test in the text of a source.
[[nodiscard]] std::set<std::string> tests_in(std::string_view source);

/// Tests of all sources below a folder, and the stems of these sources.
[[nodiscard]] std::set<std::string> tests_below(const std::filesystem::path& folder);

/// A table of a page: the title of its section, then rows of cells by the heading of their column.
struct PageTable {
  std::string section;
  std::vector<std::map<std::string, std::string>> rows;
};
[[nodiscard]] std::vector<PageTable> tables_of(const std::string& page);

/// What stands in backticks.
[[nodiscard]] std::vector<std::string> quoted_in(const std::string& cell);

}  // namespace mti::test
