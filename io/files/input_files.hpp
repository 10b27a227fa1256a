#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace mti {

/// Which files were read: readers note each they open, and what is going to write asks whether it would take the place
/// of one.
class InputFiles {
 public:
  void add(std::filesystem::path path);  ///< "-", standard input, is no file
  /// In the order in which they were read first.
  [[nodiscard]] const std::vector<std::filesystem::path>& paths() const noexcept { return paths_; }

  /// To be called before anything is computed or written. Links are followed; devices and pipes hold nothing that
  /// would be lost. Errors: InvalidOption, id `output-is-input`, with every path of `outputs` that is a file that was read.
  void keep_from(std::span<const std::filesystem::path> outputs) const;
  void keep_from(const std::filesystem::path& output) const { keep_from(std::span(&output, 1)); }
  /// The same for files of these names in a folder.
  void keep_from(const std::filesystem::path& directory, std::span<const std::string> names) const;

 private:
  std::vector<std::filesystem::path> paths_;
};

/// For readers, which may have no one to tell: `inputs` may be null.
inline void note(InputFiles* inputs, const std::filesystem::path& path) {
  if (inputs != nullptr) inputs->add(path);
}

}  // namespace mti
