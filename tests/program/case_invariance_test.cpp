// Every model file of the repository, written in other ways: scaled rows, other units of signals and time,
// another order, constraints that are never met. Runs must take the same modes in the same order at the same
// times. Files are found when the tests are listed: a new case is covered without a change here.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "io/model/read_model.hpp"
#include "mti/common/at.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/places.hpp"
#include "tests/program/model_documents.hpp"
#include "tests/program/model_transformations.hpp"
#include "tests/program/run_comparison.hpp"
#include "tests/program/simulation_run.hpp"

namespace mti::test {
namespace case_invariance_test {

namespace fs = std::filesystem;

constexpr double up = 1e6, down = 1e-6;
constexpr unsigned permutations = 3;
constexpr int passive_constraints = 100;
/// Models with more signals have them scaled all at once only.
constexpr int most_scaled_one_by_one = 16;

/// Impacts that accumulate become noise before they end, and how many there are is part of it.
const std::set<std::string> decided_by_noise = {"bouncing_ball_contact", "example_bouncing_ball"};

bool is_said_to_accumulate(fs::path model) {
  const fs::path expectation = model.replace_extension(".expect.json");
  return fs::exists(expectation) && read_json(expectation).contains("zeno");
}

std::vector<double> alternating(int count, double first, double second) {
  std::vector<double> values(at(count), first);
  for (std::size_t i = 1; i < values.size(); i += 2) values[i] = second;
  return values;
}

class CaseInvariance : public testing::TestWithParam<fs::path> {
 protected:
  void SetUp() override {
    if (decided_by_noise.contains(test_name(GetParam())) || is_said_to_accumulate(GetParam()))
      GTEST_SKIP() << "what accumulates becomes noise";
    model = read_model(GetParam());
    if (!model.is_multilinear() || !model.divisors.empty())
      GTEST_SKIP() << "scaling and permuting S and Phi alone would change functions of signals";
    trajectory = run(model);
    reference = course_of(trajectory, model);
    const Course finer = course_of(run(model, 100.0), model);
    spread = spread_between(reference, finer, model.experiment.rtol, model.experiment.start);
    ASSERT_EQ(difference(reference, finer, spread).text, "") << "the run itself is not accurate enough";
    // What is allowed must not be so much that everything passes.
    const double duration = model.experiment.stop - model.experiment.start;
    ASSERT_LT(spread.of_time(model.experiment.stop), 1e-3 * duration);
  }

  void expect_same(const Model& other, const std::string& what, double time_unit = 1.0,
                   bool order_may_decide = false) {
    const Course course = course_of(run(other), other, time_unit);
    const Difference found = difference(reference, course, spread, order_may_decide);
    EXPECT_EQ(found.text, "") << what;
    if (found.compared < reference.steps.size() && found.text.empty())
      RecordProperty("ends_at_a_tie_" + what, static_cast<int>(found.compared));
  }

  /// 1000 times what states and inputs reach at output times: a transient between them may be larger.
  [[nodiscard]] std::vector<double> generous_bounds() const {
    constexpr double margin = 1e3;
    const Signature& signature = model.signature;
    std::vector<double> bounds(at(signature.size()), 0.0);
    const auto reach = [&](int row, double value) {
      double& bound = bounds[at(row)];
      bound = std::max(bound, margin * std::abs(value));
    };
    for (int i = 0; i < signature.n(); ++i) reach(signature.state_row(i), signature.states()[at(i)].nominal);
    for (int i = 0; i < signature.m(); ++i) reach(signature.input_row(i), signature.inputs()[at(i)].nominal);
    for (std::size_t k = 0; k < trajectory.size(); ++k) {
      for (std::size_t column = 0; column < trajectory.columns(); ++column)
        reach(trajectory.rows_of_S()[column], trajectory.value(k, column));
      for (int i = 0; i < signature.m(); ++i) {
        const double t = trajectory.time(k);
        reach(signature.input_row(i), model.inputs[at(i)].piece(t).value(t));
      }
    }
    return bounds;
  }

  Model model;
  Trajectory trajectory;
  Course reference;
  Spread spread;
};

TEST_P(CaseInvariance, ScaleOfConstraints) {
  const std::vector<double> equations(at(model.equations()), 1.0);
  for (const auto& [first, second] : {std::pair{up, up}, {down, down}, {up, down}, {down, up}})
    expect_same(with_scaled_rows(model, equations, alternating(model.constraints(), first, second)),
                "constraints by " + std::to_string(first) + " and " + std::to_string(second));
}

TEST_P(CaseInvariance, ScaleOfEquations) {
  const std::vector<double> constraints(at(model.constraints()), 1.0);
  for (const auto& [first, second] : {std::pair{up, up}, {down, down}, {up, down}})
    expect_same(with_scaled_rows(model, alternating(model.equations(), first, second), constraints),
                "equations by " + std::to_string(first) + " and " + std::to_string(second));
}

TEST_P(CaseInvariance, UnitOfEverySignal) {
  const auto with_unit = [&](std::vector<double> SignalScales::*group, std::size_t i, double unit) {
    SignalScales scales = no_scales(model);
    (scales.*group)[i] = unit;
    return with_scaled_signals(model, scales);
  };
  const Signature& signature = model.signature;
  const int signals = signature.n() + signature.m() + signature.p();
  for (const double unit : {up, down}) {
    if (signals <= most_scaled_one_by_one)
      for (const auto& [group, list] : {std::pair{&SignalScales::states, &signature.states()},
                                        {&SignalScales::inputs, &signature.inputs()},
                                        {&SignalScales::algebraic, &signature.algebraic()}})
        for (std::size_t i = 0; i < list->size(); ++i)
          expect_same(with_unit(group, i, unit), (*list)[i].name + " by " + std::to_string(unit));
    const double other = 1.0 / unit;
    expect_same(with_scaled_signals(
                    model, {alternating(signature.n(), unit, other), alternating(signature.m(), other, unit),
                            alternating(signature.p(), unit, other)}),
                "all signals, alternating");
    expect_same(with_scaled_signals(
                    model, {alternating(signature.n(), unit, unit), alternating(signature.m(), unit, unit),
                            alternating(signature.p(), unit, unit)}),
                "all signals by " + std::to_string(unit));
  }
}

TEST_P(CaseInvariance, UnitOfTime) {
  for (const double unit : {up, down})
    expect_same(with_scaled_time(model, unit), "time by " + std::to_string(unit), unit);
}

// Where several modes are admissible at the same distance, the one whose binary is declared first is taken:
// there, and only there, the order may lead elsewhere.
TEST_P(CaseInvariance, OrderOfSignalsAndRows) {
  for (unsigned seed = 1; seed <= permutations; ++seed)
    expect_same(permuted(model, seed), "permutation " + std::to_string(seed), 1.0, true);
}

TEST_P(CaseInvariance, PassiveConstraints) {
  expect_same(with_passive_constraints(model, passive_constraints, generous_bounds(), 1),
              "passive constraints");
}

INSTANTIATE_TEST_SUITE_P(Files, CaseInvariance,
                         testing::ValuesIn(model_documents({"tests/cases", "tests/models", "examples"})),
                         [](const auto& instance) { return test_name(instance.param); });

}  // namespace case_invariance_test
}  // namespace mti::test
