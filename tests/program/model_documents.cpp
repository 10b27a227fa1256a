#include "tests/program/model_documents.hpp"

#include <algorithm>

#include "tests/places.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {

std::vector<std::filesystem::path> model_documents(const std::vector<std::string_view>& folders) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  for (const std::string_view folder : folders) {
    if (!fs::exists(source_dir() / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(source_dir() / folder)) {
      const std::string name = entry.path().filename().string();
      if (name.ends_with(".json") && !name.ends_with(".expect.json") &&
          read_text(entry.path()).find("\"mti-model\"") != std::string::npos)
        files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace mti::test
