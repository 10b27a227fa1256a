#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace mti::netcdf {

/// A file of NetCDF-4 that is written, the handle of the C library. While it is, nobody else can read it: the library changes
/// what is there in its place. One that was not closed is of no use. Errors of all members: UnusableFile, id `file-unwritable`,
/// with what the library says.
class File {
 public:
  /// In the place of what is there. Messages name `shown`.
  explicit File(std::filesystem::path path, std::filesystem::path shown = {});
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File();

  /// Of unlimited size.
  [[nodiscard]] int add_dimension(const std::string& name);
  /// Of numbers along the dimension, packed by deflate.
  [[nodiscard]] int add_doubles(const std::string& name, int dimension, std::size_t chunk);
  [[nodiscard]] int add_integers(const std::string& name, int dimension, std::size_t chunk);
  [[nodiscard]] int add_bytes(const std::string& name, int dimension, std::size_t chunk);
  /// To a variable, or to the file.
  void describe(int variable, const std::string& name, std::string_view text);
  void describe(int variable, const std::string& name, std::span<const signed char> numbers);
  void describe(const std::string& name, std::string_view text);
  void end_definitions();

  void write(int variable, std::size_t from, std::span<const double> values);
  void write(int variable, std::size_t from, std::span<const int> values);
  void write(int variable, std::size_t from, std::span<const signed char> values);
  /// The file can be read as it stands here, or be copied.
  void synchronize();
  void close();

 private:
  [[nodiscard]] int add(const std::string& name, int type, int dimension, std::size_t chunk);
  void check(int status) const;

  std::filesystem::path path_, shown_;
  int handle_ = -1;
};

/// Whether the library holds what it could not write, and would crash where the process ends by itself.
[[nodiscard]] bool has_unfinished_files() noexcept;

}  // namespace mti::netcdf
