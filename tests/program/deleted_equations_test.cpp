// Every equation of every model at hand is deleted, one at a time. What is left is often singular: it is
// refused, diagnosed, analysed or run to an outcome, and never ends in a crash or without end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>

#include "io/analysis/write_all_modes.hpp"
#include "io/analysis/write_analysis.hpp"
#include "io/analysis/write_diagnosis.hpp"
#include "io/model/read_model.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/diagnosis/diagnosis.hpp"
#include "solvers/motion/system_jacobian_rank.hpp"
#include "solvers/multimode/multimode_analysis.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/structure/sub_problems.hpp"
#include "tests/places.hpp"
#include "tests/program/model_documents.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace deleted_equations_test {

namespace fs = std::filesystem;

/// Model files below the folders of the repository that hold models.
const std::vector<std::string>& model_files() {
  static const std::vector<std::string> files = [] {
    std::vector<std::string> names;
    for (const fs::path& file : model_documents({"examples", "tests/cases", "bench/components"}))
      names.push_back(file.lexically_relative(source_dir()).generic_string());
    return names;
  }();
  return files;
}

int equations_of(const Source& source) {
  return source.matrices ? source.matrices->Phi_eq.rows : static_cast<int>(source.equations.size());
}

void remove_row(TripletSource& matrix, int row) {
  TripletSource rest{matrix.rows - 1, matrix.cols, {}, {}, {}};
  for (std::size_t e = 0; e < matrix.v.size(); ++e) {
    if (matrix.i[e] == row) continue;
    rest.i.push_back(matrix.i[e] - (matrix.i[e] > row ? 1 : 0));
    rest.k.push_back(matrix.k[e]);
    rest.v.push_back(matrix.v[e]);
  }
  matrix = std::move(rest);
}

Source without_equation(Source source, int row) {
  if (!source.matrices) {
    source.equations.erase(source.equations.begin() + row);
    return source;
  }
  remove_row(source.matrices->Phi_eq, row);
  auto& names = source.matrices->equation_names;
  if (row < static_cast<int>(names.size())) names.erase(names.begin() + row);
  return source;
}

Mode start_mode(const Model& model) {
  Mode mode{.z = model.z_start, .pre = {}, .binary_inputs = {}};
  for (const int binary : model.signature.pre()) mode.pre.push_back(mode.z[at(binary)]);
  for (const Signal& input : model.signature.inputs())
    if (input.binary) mode.binary_inputs.push_back(0);
  return mode;
}

void analyse(const Model& model) {
  EXPECT_FALSE(structure_text(model, analyze_structure(model)).empty());
  const Mode mode = start_mode(model);
  EXPECT_FALSE(mode_text(model, mode, analyze_mode(model, mode), examine_rank(model, mode)).empty());
  try {
    constexpr long long nodes = 20'000;
    EXPECT_FALSE(all_modes_text(model, analyze_all_modes(model, {}, {}, nodes)).empty());
  } catch (const ModeSetTooLarge&) {  // an answer as well
  }
}

/// A tenth of the experiment, with a budget. The trajectory must be in order.
OutcomeKind run(const Model& model) {
  SimulationOptions options;
  const double span = model.experiment.stop - model.experiment.start;
  options.stop = model.experiment.start + 0.1 * span;
  options.output_interval = model.is_discrete() ? model.sample_time : span / 20;
  options.max_seconds = 0.1;
  options.max_events = 2000;
  options.max_candidates = 2000;
  const Trajectory trajectory = simulate(model, options);
  for (std::size_t row = 1; row < trajectory.size(); ++row)
    EXPECT_GE(trajectory.time(row), trajectory.time(row - 1));
  EXPECT_EQ(trajectory.outcome.message.empty(), trajectory.outcome.kind == OutcomeKind::reached_stop);
  return trajectory.outcome.kind;
}

class DeletedEquation : public ::testing::TestWithParam<std::string> {};

TEST_P(DeletedEquation, LeavesAnOutcome) {
  const Source source = read_source_file(source_dir() / GetParam());
  // Of chains with hundreds of equal links every few.
  constexpr int most = 64;
  const int equations = equations_of(source), step = 1 + (equations - 1) / most;
  for (int row = 0; row < equations; row += step) {
    SCOPED_TRACE("without equation " + std::to_string(row));
    Model model;
    try {
      model = build(without_equation(source, row));
    } catch (const InvalidModel& invalid) {
      EXPECT_FALSE(invalid.faults().empty());
      continue;
    }
    const auto begin = std::chrono::steady_clock::now();
    const Diagnosis diagnosis = diagnose(model, {.nodes = 20'000, .max_seconds = 0.1});
    EXPECT_FALSE(diagnosis_json(model, diagnosis).empty());
    analyse(model);
    // Where no mode can be run, the search for a start goes through all of them.
    constexpr int most_binaries = 12;
    if (diagnosis.errors() > 0 && model.signature.q() > most_binaries) continue;
    const OutcomeKind outcome = run(model);
    // An error is said exactly where no run begins.
    if (diagnosis.errors() > 0) {
      EXPECT_NE(outcome, OutcomeKind::reached_stop) << diagnosis.remarks.front().message;
    } else {
      EXPECT_NE(outcome, OutcomeKind::no_consistent_start);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(took.count(), 20.0) << "budgets of 0.3 s each";
  }
}

INSTANTIATE_TEST_SUITE_P(Models, DeletedEquation, ::testing::ValuesIn(model_files()), [](const auto& one) {
  std::string name = one.param;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
});

}  // namespace deleted_equations_test
}  // namespace mti::test
