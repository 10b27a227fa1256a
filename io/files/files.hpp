#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mti {

/// A whole file, or standard input where `path` is "-".
/// Errors: UnusableFile, id `file-unreadable`, with the system's reason.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

struct NamedText {
  std::string name;
  std::string_view text;
};

/// Files of a directory that are written piece by piece and appear together: each grows under a temporary name
/// beside its place, and all are renamed at the end. What was not published is removed with this.
/// Errors of all members: as for write_files.
class StagedFiles {
 public:
  /// Makes the directory if it is missing and removes temporary files of `names` that were left there.
  StagedFiles(const std::filesystem::path& directory, std::span<const std::string> names);
  StagedFiles(const StagedFiles&) = delete;
  StagedFiles& operator=(const StagedFiles&) = delete;
  ~StagedFiles();

  /// Where not all of `text` fits, the file ends with the last line that does.
  void append(const std::string& name, std::string_view text);
  /// Writes bytes over those from `place` on of a file that has been appended to, and is not published yet.
  void overwrite(const std::string& name, std::size_t place, std::string_view bytes);
  /// Where a library may write a file by itself, which is published with the others.
  [[nodiscard]] std::filesystem::path begin(const std::string& name);
  /// Puts a copy of a file, as it stands now, in its place, and leaves the file as it is. False, with nothing changed, where
  /// there is no room for one. `superseded`: as in publish().
  bool show(const std::string& name, std::span<const std::string> superseded);
  /// Removes a file that is not published yet, if there is one.
  void drop(const std::string& name);
  /// Puts the files in their places; more may be appended and published after that. `superseded`: files that do not go with
  /// them and are removed just before.
  void publish(std::span<const std::string> superseded = {});

 private:
  struct Files;
  std::unique_ptr<Files> files_;
};

/// Writes files into a directory, which is made if it is missing, so that a reader sees the old file or the
/// whole new one: each is written under a temporary name beside its place, and all are renamed at the end.
/// `superseded`: files that do not go with these and are removed just before.
///
/// A temporary file has a name of its own (io/files/temporary_name.hpp). One that a process left which was killed is removed by the next that
/// writes a file of that name there, or is told the name by `superseded`; no other hidden file is touched.
/// Errors: UnusableFile, id `file-unwritable`; nothing is left behind then.
void write_files(const std::filesystem::path& directory, const std::vector<NamedText>& files,
                 std::span<const std::string> superseded = {});

/// Makes a directory if it is missing and tries that files can be written there: to be done before work that
/// would be lost. Removes temporary files of `names` that were left. Errors: as for write_files.
void prepare_directory(const std::filesystem::path& directory, std::span<const std::string> names = {});

/// The same for one file that is to be written later, now and then perhaps: makes its directory if it is missing and tries that
/// a file can be written beside its place. What is there stays as it is; a directory is refused, a device or "-" is not tried.
/// Errors: as for write_files.
void prepare_file(const std::filesystem::path& path);

/// For libraries that write files themselves: `write` makes a file of the name it is given, which then takes
/// the place of `path`. Errors: as for write_files, and those of `write`.
void write_through(const std::filesystem::path& path,
                   const std::function<void(const std::filesystem::path& temporary)>& write);

/// The same as write_files for one file; "-" is standard output.
void write_file(const std::filesystem::path& path, std::string_view text);

/// To be called when all is printed: what standard output did not take (a full disk) is an error then.
/// A closed pipe is none: its reader has read enough. Errors: UnusableFile, id `file-unwritable`.
void finish_standard_output();

/// Whether the first 1,024 bytes of a file, if there is one, hold `mark`: what says that mti has written it.
[[nodiscard]] bool begins_with(const std::filesystem::path& path, std::string_view mark);

/// Whether two paths lead to one file, which exists.
[[nodiscard]] bool are_one_file(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace mti
