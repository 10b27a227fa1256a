#pragma once

#include <filesystem>
#include <string>

namespace mti::test {

/// A page of the documentation whose examples are compared with what the program prints.
///
/// Quoted text stands between the lines `<!-- begin: MARKER -->` and `<!-- end: MARKER -->`; the lines of a
/// code fence (```) around it do not count.
class Document {
 public:
  /// `path` relative to the root of the repository.
  explicit Document(std::filesystem::path path);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  /// The quoted text; throws std::runtime_error if the page has no such block.
  [[nodiscard]] std::string block(const std::string& marker) const;
  /// Fails where the block is not `actual`. With MTI_REWRITE_DOCS=1 in the environment the page is given
  /// the actual text instead: how the blocks are made anew.
  void expect_block(const std::string& marker, const std::string& actual);
  /// The block is a transcript: each line `$ COMMAND` is run, and what it prints must follow it. Commands
  /// run in `directory` with `mti` as the program under test; wall times are not compared.
  void expect_transcript(const std::string& marker, const std::filesystem::path& directory);

 private:
  void rewrite(const std::string& marker, const std::string& actual);

  std::filesystem::path path_;
  std::string text_;
};

/// What a shell command prints; throws std::runtime_error if its exit status is not 0.
[[nodiscard]] std::string output_of(const std::string& command);

/// A new directory with the repository's examples in it as `examples`; goes with its owner.
class Playground {
 public:
  Playground();
  ~Playground();
  Playground(const Playground&) = delete;
  Playground& operator=(const Playground&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace mti::test
