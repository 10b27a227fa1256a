#include "tests/places.hpp"

// The only file that is compiled with paths: every other object file is the same in every checkout.

namespace mti::test {

const std::filesystem::path& source_dir() {
  static const std::filesystem::path path = MTI_SOURCE_DIR;
  return path;
}

const std::filesystem::path& examples_dir() {
  static const std::filesystem::path path = MTI_EXAMPLES_DIR;
  return path;
}

const std::filesystem::path& program_file() {
  static const std::filesystem::path path = MTI_PROGRAM;
  return path;
}

const std::filesystem::path& fmu_library() {
  static const std::filesystem::path path = MTI_FMU_LIBRARY;
  return path;
}

const std::filesystem::path& shared_dir() {
  static const std::filesystem::path path = MTI_SHARED_DIR;
  return path;
}

}  // namespace mti::test
