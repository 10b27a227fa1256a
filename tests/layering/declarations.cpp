#include "tests/layering/declarations.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace {

namespace fs = std::filesystem;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Behind the comment, literal or preprocessor line that begins at `at`; `at` itself if none does.
std::size_t behind_what_is_left_out(std::string_view text, std::size_t at) {
  const auto behind = [&](const std::string& end) {
    const std::size_t found = text.find(end, at + 2);
    return found == std::string_view::npos ? text.size() : found + end.size();
  };
  if (text.substr(at, 2) == "//" || text[at] == '#') return std::min(text.size(), text.find('\n', at));
  if (text.substr(at, 2) == "/*") return behind("*/");
  if (text.substr(at, 2) == "R\"") {
    const std::size_t open = std::min(text.size(), text.find('(', at));
    return behind(")" + std::string(text.substr(at + 2, open - at - 2)) + "\"");
  }
  if (text[at] != '"' && text[at] != '\'') return at;
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != text[at]) end += text[end] == '\\' ? 2 : 1;
  return std::min(text.size(), end + 1);
}

bool begins_a_type(const std::string& word) {
  return word == "struct" || word == "class" || word == "enum" || word == "using";
}

/// A word behind which a name with a bracket is a call.
bool comes_before_a_call(const std::string& word) {
  constexpr std::array<std::string_view, 8> words = {"return", "else",   "throw",    "case",
                                                     "new",    "sizeof", "decltype", "noexcept"};
  return std::ranges::find(words, word) != words.end();
}

bool ends_a_type(const std::string& token) {
  return (is_word(token[0]) && !comes_before_a_call(token)) || token == ">" || token == "&" || token == "*";
}

using Tokens = std::vector<std::string>;

/// Behind the bracket that closes the one at `open`.
std::size_t behind_brackets(const Tokens& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i] == "{") ++depth;
    if (tokens[i] == "}" && --depth == 0) return i + 1;
  }
  return tokens.size();
}

/// Names before one of the marks of a declaration.
std::set<std::string> names_in_body(const Tokens& tokens, std::size_t begin, std::size_t end) {
  std::set<std::string> names;
  for (std::size_t i = begin; i + 1 < end; ++i)
    if (is_word(tokens[i][0]) && std::string_view("(;={,}[:").find(tokens[i + 1]) != std::string_view::npos)
      names.insert(tokens[i]);
  return names;
}

template <class Add>
void for_each_file(const fs::path& folder, std::string_view extension, Add add) {
  if (!fs::exists(folder)) return;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == extension) add(entry.path());
}

}  // namespace

std::vector<std::string> tokens_of(std::string_view text) {
  Tokens tokens;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t behind = behind_what_is_left_out(text, at); behind != at) {
      at = behind;
    } else if (is_word(text[at])) {
      std::size_t end = at;
      while (end < text.size() && (is_word(text[end]) || (text[end] == '\'' && is_word(text[end - 1]) &&
                                                          text[at] >= '0' && text[at] <= '9')))
        ++end;
      tokens.emplace_back(text.substr(at, end - at));
      at = end;
    } else {
      if (text[at] > ' ') tokens.emplace_back(text.substr(at, 1));
      ++at;
    }
  }
  return tokens;
}

void Declarations::add(std::string_view header) {
  const Tokens tokens = tokens_of(header);
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    const std::string& name = tokens[i];
    if (!is_word(name[0]) || begins_a_type(name)) continue;
    const bool is_type = begins_a_type(tokens[i - 1]);
    const std::string next = i + 1 < tokens.size() ? tokens[i + 1] : "";
    if (is_type || (next == "(" && ends_a_type(tokens[i - 1]))) names_.insert(name);
    if (!is_type) continue;
    std::size_t open = i + 1;
    while (open < tokens.size() && std::string_view("{;=(,>").find(tokens[open]) == std::string_view::npos)
      ++open;
    if (open < tokens.size() && tokens[open] == "{")
      members_[name].merge(names_in_body(tokens, open, behind_brackets(tokens, open)));
  }
}

bool Declarations::has(const std::string& name) const {
  const std::size_t colons = name.find("::");
  if (colons == std::string::npos) return names_.contains(name);
  const auto type = members_.find(name.substr(0, colons));
  return type != members_.end() && type->second.contains(name.substr(colons + 2));
}

Declarations declarations_below(const fs::path& root) {
  Declarations declarations;
  for (const char* folder : {"mti", "solvers", "io"})
    for_each_file(root / folder, ".hpp", [&](const fs::path& file) { declarations.add(read_text(file)); });
  return declarations;
}

std::set<std::string> tests_in(std::string_view source) {
  std::set<std::string> tests;
  const Tokens tokens = tokens_of(source);
  for (std::size_t i = 0; i + 5 < tokens.size(); ++i)
    if ((tokens[i] == "TEST" || tokens[i] == "TEST_F" || tokens[i] == "TEST_P") && tokens[i + 1] == "(" &&
        tokens[i + 3] == "," && tokens[i + 5] == ")")
      tests.insert(tokens[i + 2] + "." + tokens[i + 4]);
  return tests;
}

std::set<std::string> tests_below(const fs::path& folder) {
  std::set<std::string> tests;
  for_each_file(folder, ".cpp", [&](const fs::path& file) {
    const std::set<std::string> here = tests_in(read_text(file));
    if (here.empty()) return;
    tests.insert(here.begin(), here.end());
    tests.insert(file.stem().string());
  });
  return tests;
}

std::vector<PageTable> tables_of(const std::string& page) {
  std::vector<PageTable> tables;
  std::vector<std::string> headings;
  std::string section, line;
  std::istringstream lines(page);
  while (std::getline(lines, line)) {
    if (line.starts_with("## ")) section = line.substr(3);
    if (!line.starts_with("|")) {
      headings.clear();
      continue;
    }
    std::vector<std::string> cells;
    std::istringstream row(line.substr(1));
    for (std::string cell; std::getline(row, cell, '|');) {
      const std::size_t first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
      cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    }
    if (headings.empty()) {
      headings = cells;
      tables.push_back({section, {}});
    } else if (!cells.empty() && !cells[0].starts_with("---")) {
      auto& entry = tables.back().rows.emplace_back();
      for (std::size_t i = 0; i < std::min(cells.size(), headings.size()); ++i) entry[headings[i]] = cells[i];
    }
  }
  return tables;
}

std::vector<std::string> quoted_in(const std::string& cell) {
  std::vector<std::string> quoted;
  for (std::size_t open = cell.find('`'); open != std::string::npos;) {
    const std::size_t close = cell.find('`', open + 1);
    if (close == std::string::npos) break;
    quoted.push_back(cell.substr(open + 1, close - open - 1));
    open = cell.find('`', close + 1);
  }
  return quoted;
}

}  // namespace mti::test
