#pragma once

#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/places.hpp"

namespace mti::test {

/// The table of broken model files: tests/io/broken/expected.txt.
struct BrokenModel {
  std::vector<std::pair<std::string, std::string>> faults;  ///< id, pointer; in the order of the report
  std::string schema;                                       ///< invalid, valid or syntax
};

inline std::filesystem::path broken_directory() { return test::source_dir() / "tests/io/broken"; }

inline std::map<std::string, BrokenModel> broken_models() {
  std::map<std::string, BrokenModel> models;
  std::ifstream table(broken_directory() / "expected.txt");
  for (std::string line; std::getline(table, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::string file, id, pointer, schema;
    words >> file >> id >> std::quoted(pointer) >> schema;
    models[file].faults.emplace_back(id, pointer);
    models[file].schema = schema;
  }
  return models;
}

}  // namespace mti::test
