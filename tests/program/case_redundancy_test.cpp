// Every model file of the repository with one more row that follows from its own: a multiple of one of them, or the sum of
// two. It says nothing new, so runs go the same way, wherever it stands.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>

#include "io/model/read_model.hpp"
#include "mti/common/at.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/places.hpp"
#include "tests/program/model_documents.hpp"
#include "tests/program/model_transformations.hpp"
#include "tests/program/run_comparison.hpp"

namespace mti::test {
namespace case_redundancy_test {

namespace fs = std::filesystem;

constexpr int multiples = 2, sums = 1;

/// Where modes have a row too many no short reason excludes them, and what is a search of parts is one of all assignments.
const std::set<std::string> take_seconds = {"coupled_relays_7"};

const std::vector<fs::path>& model_files() {
  static const std::vector<fs::path> files = [] {
    std::vector<fs::path> found = model_documents({"tests/cases"});
    std::erase_if(found, [](const fs::path& file) { return take_seconds.contains(test_name(file)); });
    return found;
  }();
  return files;
}

/// Rows of functions of signals are no sums of others that a run looks for, and no text says them, or quotients, twice.
std::vector<int> rows_without_functions(const Model& model) {
  std::vector<int> rows;
  for (int row = 0; row < model.equations(); ++row)
    if (!model.equation_names[at(row)].starts_with("fn.quotient") &&
        std::ranges::none_of(model.function_texts,
                             [&](const FunctionText& function) { return function.equation == row; }))
      rows.push_back(row);
  return rows;
}

class CaseRedundancy : public testing::TestWithParam<fs::path> {
 protected:
  void expect_same(const Model& other, const std::string& what) {
    const Course course = course_of(run(other), other);
    Difference found = difference(reference, course, {model.experiment.rtol, model.experiment.start});
    if (found.text.empty()) return;
    // How far apart runs may be shows in one at a finer tolerance, which is seldom needed.
    const Course finer = course_of(run(model, 100.0), model);
    ASSERT_EQ(finer.steps.size(), reference.steps.size()) << found.text;
    found = difference(reference, course,
                       spread_between(reference, finer, model.experiment.rtol, model.experiment.start));
    EXPECT_EQ(found.text, "") << what;
  }

  Model model;
  Course reference;
};

TEST_P(CaseRedundancy, RowsThatFollowFromOthers) {
  model = read_model(GetParam());
  const std::vector<int> rows = rows_without_functions(model);
  if (!model.transitions.empty())
    GTEST_SKIP() << "what a law replaces is out of force, and what follows from it is not: another model";
  reference = course_of(run(model), model);
  std::mt19937 random(static_cast<unsigned>(model.equations()));
  const auto pick = [&](int size) { return static_cast<int>(random() % static_cast<unsigned>(size)); };
  for (int i = 0; i < multiples + sums; ++i) {
    std::map<int, double> k{{rows[at(pick(static_cast<int>(rows.size())))], 3.0}};
    if (i >= multiples) k.try_emplace(rows[at(pick(static_cast<int>(rows.size())))], -2.0);
    const int place = pick(model.equations() + 1);
    std::string what = "at row " + std::to_string(place);
    for (const auto& [row, factor] : k)
      what += ", " + std::to_string(factor) + " of " + model.equation_names[at(row)];
    expect_same(with_row_sum(model, k, place), what);
  }
}

INSTANTIATE_TEST_SUITE_P(Files, CaseRedundancy, testing::ValuesIn(model_files()),
                         [](const auto& instance) { return test_name(instance.param); });

}  // namespace case_redundancy_test
}  // namespace mti::test
