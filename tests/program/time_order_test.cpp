// Time never decreases in any result of the models that belong to mti: rows, events, the end.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/model/read_model.hpp"
#include "tests/places.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace time_order_test {

TEST(TimeOrder, OfTheModelsOfTheRepository) {
  const std::filesystem::path root = test::source_dir();
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"examples", "tests/cases"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder))
      if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  int runs = 0;
  for (const std::filesystem::path& file : files) {
    std::optional<Model> model;
    try {
      model.emplace(read_model(file));
    } catch (const InvalidModel&) {  // expectations, references, parts of models
      continue;
    }
    SCOPED_TRACE(file.string());
    SimulationOptions options;
    options.max_seconds = 1.0;
    if (!options.validate(*model).empty()) continue;
    test::expect_ordered(simulate(*model, options));
    ++runs;
  }
  EXPECT_GT(runs, 40);
}

}  // namespace time_order_test
}  // namespace mti
