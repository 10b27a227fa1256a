#include "tests/program/document.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "tests/places.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace {

struct Position {
  std::size_t begin, end;
};

/// Where the content of a block stands in a page, without the lines of a fence.
Position find_block(const std::string& text, const std::string& marker) {
  const std::string first = "<!-- begin: " + marker + " -->\n", last = "<!-- end: " + marker + " -->";
  std::size_t begin = text.find(first), end = text.find(last);
  if (begin == std::string::npos || end == std::string::npos || end < begin)
    throw std::runtime_error("no block " + marker);
  begin += first.size();
  if (text.compare(begin, 3, "```") == 0) {
    begin = text.find('\n', begin) + 1;
    end = text.rfind("```", end);
  }
  return {begin, end};
}

std::string without_wall_times(const std::string& text) {
  static const std::regex wall_time("[0-9][0-9.e-]* s\n");
  return std::regex_replace(text, wall_time, "? s\n");
}

}  // namespace

std::string output_of(const std::string& command) {
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string output;
  std::array<char, 4096> buffer;
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), size);
  if (pclose(pipe) != 0) throw std::runtime_error("failed: " + command + "\n" + output);
  return output;
}

Document::Document(std::filesystem::path path) : path_(source_dir() / path), text_(read_text(path_)) {}

std::string Document::block(const std::string& marker) const {
  const auto [begin, end] = find_block(text_, marker);
  return text_.substr(begin, end - begin);
}

void Document::expect_block(const std::string& marker, const std::string& actual) {
  const std::string quoted = block(marker);
  if (std::getenv("MTI_REWRITE_DOCS") != nullptr)
    rewrite(marker, actual);
  else
    EXPECT_EQ(quoted, actual) << path_ << ", block " << marker << "; MTI_REWRITE_DOCS=1 writes it anew";
}

void Document::expect_transcript(const std::string& marker, const std::filesystem::path& directory) {
  const std::string quoted = block(marker);
  std::istringstream lines(quoted);
  std::string actual;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("$ "))
      actual += line + "\n" +
                output_of("mti() { '" + program_file().string() + "' \"$@\"; }; cd '" + directory.string() +
                          "' && " + line.substr(2) + " 2>&1");
  if (std::getenv("MTI_REWRITE_DOCS") != nullptr)
    rewrite(marker, actual);
  else
    EXPECT_EQ(without_wall_times(quoted), without_wall_times(actual))
        << path_ << ", block " << marker << "; MTI_REWRITE_DOCS=1 writes it anew";
}

void Document::rewrite(const std::string& marker, const std::string& actual) {
  const auto [begin, end] = find_block(text_, marker);
  text_.replace(begin, end - begin, actual);
  std::ofstream(path_, std::ios::binary) << text_;
}

Playground::Playground() {
  std::string pattern = std::filesystem::temp_directory_path() / "mti-docs-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no directory " + pattern);
  path_ = pattern;
  std::filesystem::create_directory_symlink(source_dir() / "examples", path_ / "examples");
}

Playground::~Playground() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace mti::test
