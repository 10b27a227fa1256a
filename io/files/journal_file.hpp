#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace mti {

/// A file to whose end lines are added while work goes on: each is handed to the system before append() returns, so
/// that a process that is killed leaves all of them, the last perhaps cut short. No other process that asks for the
/// same can write to it meanwhile.
/// Errors of all members: UnusableFile, id `file-unwritable`.
class JournalFile {
 public:
  /// Makes the file and its folder if they are missing; what is in it stays.
  explicit JournalFile(std::filesystem::path path);
  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;
  ~JournalFile();

  void append(std::string_view text);
  /// Keeps so many bytes from the beginning.
  void cut(std::int64_t size);

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

}  // namespace mti
