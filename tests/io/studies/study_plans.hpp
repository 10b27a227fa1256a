#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "io/studies/study.hpp"
#include "mti/common/fault.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {

/// A plan whose model is ẋ = −a·x + u, x(0) = 1, from 0 to 2, with members of the plan as given.
[[nodiscard]] std::string decay_plan(const std::string& members);

/// Switches, failures (the slope of some runs leads into the wall) and extremes: what could depend on an order.
[[nodiscard]] std::string mixed_plan();

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

/// All results in a folder.
[[nodiscard]] std::string study_results_in(const std::filesystem::path& directory);

/// The id of what is thrown; empty if nothing is.
[[nodiscard]] std::string refusal_of(const std::function<void()>& work);

/// Folders for studies of the mixed plan.
struct MixedStudy : ::testing::Test {
  TemporaryDirectory folder;
  StudyPlan plan = read_study_plan(mixed_plan());
  [[nodiscard]] std::filesystem::path place(const std::string& name) const { return folder.path() / name; }
  [[nodiscard]] std::string undisturbed() const;
};

}  // namespace mti::test
