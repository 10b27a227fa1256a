#include "tests/program/written_models.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "tests/places.hpp"

namespace mti::test {

namespace fs = std::filesystem;

std::vector<fs::path> written_models() {
  std::vector<fs::path> files;
  for (const char* folder : {"tests/cases", "tests/cases/second", "docs/idioms"})
    for (const auto& entry : fs::directory_iterator(source_dir() / folder))
      if (entry.path().extension() == ".json" && !entry.path().string().ends_with(".expect.json"))
        files.push_back(entry.path());
  for (const auto& entry : fs::directory_iterator(source_dir() / "examples"))
    if (fs::exists(entry.path() / "model.json")) files.push_back(entry.path() / "model.json");
  std::ranges::sort(files);
  return files;
}

std::string written_name(const fs::path& path) {
  return path.filename() == "model.json" ? "example_" + path.parent_path().filename().string()
                                         : path.stem().string();
}

std::string name_of_instance(const testing::TestParamInfo<fs::path>& instance) {
  std::string name = instance.param.parent_path().filename().string() + "_" + written_name(instance.param);
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

double size_of_column(const Trajectory& run, std::size_t column) {
  double largest = 1e-9;
  for (std::size_t row = 0; row < run.size(); ++row)
    largest = std::max(largest, std::abs(run.value(row, column)));
  return largest;
}

}  // namespace mti::test
