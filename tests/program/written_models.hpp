#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "solvers/trajectory/trajectory.hpp"

/// The models that are rewritten, one way or the other, and run as they were.
namespace mti::test {

/// Every model of the cases, examples and idioms.
[[nodiscard]] std::vector<std::filesystem::path> written_models();
/// The name of a model file, or example_ and the folder of a model.json.
[[nodiscard]] std::string written_name(const std::filesystem::path& path);
/// With the folder, of letters and digits.
[[nodiscard]] std::string name_of_instance(const testing::TestParamInfo<std::filesystem::path>& instance);

/// The largest value of a column, 1e-9 at least.
[[nodiscard]] double size_of_column(const Trajectory& run, std::size_t column);

}  // namespace mti::test
