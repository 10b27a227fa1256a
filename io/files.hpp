#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mti {

/// A whole file, or standard input where `path` is "-".
/// Errors: InvalidModel, id `file-unreadable`, with the system's reason.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

struct NamedText {
  std::string name;
  std::string_view text;
};

/// Writes files into a directory, which is made if it is missing, so that a reader sees the old file or the
/// whole new one: each is written under a temporary name beside its place, and all are renamed at the end.
/// Errors: InvalidModel, id `file-unwritable`; nothing is left behind then.
void write_files(const std::filesystem::path& directory, const std::vector<NamedText>& files);

/// Makes a directory if it is missing and tries that files can be written there: to be done before work that
/// would be lost. Errors: as for write_files.
void prepare_directory(const std::filesystem::path& directory);

/// For libraries that write files themselves: `write` makes a file of the name it is given, which then takes
/// the place of `path`. Errors: as for write_files, and those of `write`.
void write_through(const std::filesystem::path& path,
                   const std::function<void(const std::filesystem::path& temporary)>& write);

/// The same as write_files for one file; "-" is standard output.
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace mti
