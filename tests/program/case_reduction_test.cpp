// Every model file of tests/cases, reduced, scaled and permuted by the library: the same f and g at 1,000
// random points with eliminated signals recovered, and a run that takes the same modes at the same times.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <numeric>
#include <sstream>

#include "io/model/read_model.hpp"
#include "mti/common/at.hpp"
#include "mti/transform/permute.hpp"
#include "mti/transform/reduce.hpp"
#include "mti/transform/scale_signals.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/mti/transform/transform_checks.hpp"
#include "tests/places.hpp"
#include "tests/program/run_comparison.hpp"

namespace mti::test {
namespace case_reduction_test {

namespace fs = std::filesystem;

/// Some hundred roundings: rows of large models have that many terms.
constexpr double roundings = 1000.0 * std::numeric_limits<double>::epsilon();

/// Impacts that accumulate become noise before they end, and how many there are is part of it.
constexpr const char* decided_by_noise = "bouncing_ball_contact";

std::vector<fs::path> case_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(source_dir() / "tests/cases"))
    if (entry.path().extension() == ".json" && entry.path().stem() != decided_by_noise)
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<int> reversed(int size) {
  std::vector<int> order(at(size));
  std::iota(order.rbegin(), order.rend(), 0);
  return order;
}

/// All but the binaries: their order may decide.
Order reversed_order(const Model& model) {
  const Signature& signature = model.signature;
  return {.states = reversed(signature.n()),
          .inputs = reversed(signature.m()),
          .algebraic = reversed(signature.p()),
          .binaries = {},
          .equations = reversed(model.equations()),
          .constraints = reversed(model.constraints())};
}

class CaseReduction : public testing::TestWithParam<fs::path> {
 protected:
  void SetUp() override { model = read_model(GetParam()); }

  void expect_same_run(const Course& course, const std::string& what) {
    if (reference.outcome.empty()) {
      reference = course_of(run(model), model);
      spread = spread_between(reference, course_of(run(model, 100.0), model), model.experiment.rtol,
                              model.experiment.start);
    }
    EXPECT_EQ(difference(reference, course, spread).text, "") << what;
  }

  /// For the reader of --gtest_output=xml.
  void record(const std::string& what, double change) {
    std::ostringstream text;
    text << std::setprecision(2) << change;
    RecordProperty(what, text.str());
  }

  Model model;
  Course reference;
  Spread spread;
};

TEST_P(CaseReduction, KeepsTheModel) {
  for (const int growth : {0, 8}) {
    const EliminationOptions options{.most_new_columns = growth};
    const Transformed reduced = reduce(model, options);
    const double change = largest_change(model, reduced);
    EXPECT_LE(change, roundings);
    record("change_reduced_" + std::to_string(growth), change);
    const Transformed again = reduce(reduced.model, options);
    EXPECT_EQ(again.model.signature, reduced.model.signature);
    EXPECT_EQ(again.model.columns(), reduced.model.columns());
    RecordProperty("eliminated_" + std::to_string(growth), model.signature.p() - reduced.model.signature.p());
    if (reduced.model.signature.p() == model.signature.p() && reduced.model.columns() == model.columns() &&
        reduced.model.equations() == model.equations())
      continue;
    expect_same_run(course_of(run(reduced.model), reduced.model),
                    "reduced, growth " + std::to_string(growth));
  }
}

TEST_P(CaseReduction, ScaledByNominals) {
  Scaling scaling = nominal_scaling(model);
  scaling.time = 4.0;
  const Transformed scaled = scale_signals(model, scaling);
  const double change = largest_change(model, scaled);
  EXPECT_LE(change, roundings);
  record("change_scaled", change);
  expect_same_run(course_of(run(scaled.model), scaled.model, 0.25), "scaled");
}

TEST_P(CaseReduction, InReversedOrder) {
  const Transformed permuted = permute(model, reversed_order(model));
  const double change = largest_change(model, permuted);
  EXPECT_LE(change, roundings);
  record("change_permuted", change);
  expect_same_run(course_of(run(permuted.model), permuted.model), "permuted");
}

INSTANTIATE_TEST_SUITE_P(Files, CaseReduction, testing::ValuesIn(case_files()),
                         [](const auto& instance) { return test_name(instance.param); });

}  // namespace case_reduction_test
}  // namespace mti::test
