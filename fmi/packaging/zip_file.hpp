#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace mti::fmi {

/// A zip archive that is written file by file. Times of files are all the same, so that equal contents are equal bytes.
/// Errors: UnusableFile, id `file-unwritable`.
class ZipFile {
 public:
  explicit ZipFile(const std::filesystem::path& path);
  ~ZipFile();
  ZipFile(const ZipFile&) = delete;
  ZipFile& operator=(const ZipFile&) = delete;

  /// `name` with / between folders.
  void add(const std::string& name, std::string_view content);
  /// The archive is whole.
  void finish();

 private:
  struct Handle;
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  std::unique_ptr<Handle> handle_;
};

}  // namespace mti::fmi
