#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "mti/common/fault.hpp"

namespace mti::test {

/// A plan whose model is ẋ = −a·x + u, x(0) = 1, from 0 to 2, with members of the plan as given.
[[nodiscard]] std::string decay_plan(const std::string& members);

/// What reading a plan reports: empty if it is sound.
[[nodiscard]] std::vector<Fault> faults_of_plan(const std::string& text,
                                                const std::filesystem::path& directory = {});

/// The table of a study by columns.
[[nodiscard]] std::map<std::string, std::vector<std::string>> study_table(
    const std::filesystem::path& directory);
/// One of its columns as numbers.
[[nodiscard]] std::vector<double> numbers_of(const std::vector<std::string>& cells);

/// Makes a study of a plan in a new folder and returns its table.
[[nodiscard]] std::map<std::string, std::vector<std::string>> table_of_plan(const std::string& text);

}  // namespace mti::test
