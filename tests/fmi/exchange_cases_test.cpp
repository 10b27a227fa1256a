// Every model of tests/cases and of the examples that allows Model Exchange, by an importer of our own, against simulate().

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "io/model/read_model.hpp"
#include "mti/common/fault.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/fmi/exchange_importer.hpp"
#include "tests/fmi/unpacked_fmu.hpp"

namespace mti::test {
namespace exchange_cases_test {

constexpr int communication_points = 20;

class ExchangeCases : public testing::TestWithParam<std::filesystem::path> {};

void compare(const Model& model, const UnpackedFmu& fmu, ResetPolicy policy, double rtol) {
  const double start = model.experiment.start, stop = model.experiment.stop;
  std::vector<double> points;
  for (int k = 1; k <= communication_points; ++k)
    points.push_back(k == communication_points ? stop : start + (stop - start) * k / communication_points);
  const Trajectory run = simulate(model, {.rtol = 1e-2 * rtol, .output_times = points});
  ExchangeImporter importer(fmu, policy, rtol);
  if (run.outcome.kind == OutcomeKind::no_consistent_start) {
    EXPECT_ANY_THROW(importer.start(start, stop));
    return;
  }
  ASSERT_NO_THROW(importer.start(start, stop));
  std::vector<std::size_t> columns;
  std::vector<unsigned> references;
  std::vector<double> scales;
  for (std::size_t k = 0; k < run.columns(); ++k) {
    const auto found = fmu.variables().find(run.names()[k]);
    const int state = run.rows_of_S()[k] - model.signature.state_row(0);
    if (found == fmu.variables().end() || state < 0 || state >= model.signature.n()) continue;
    columns.push_back(k);
    references.push_back(found->second.reference);
    double scale = model.signature.states()[at(state)].nominal;
    for (std::size_t i = 0; i < run.size(); ++i)
      if (std::isfinite(run.value(i, k))) scale = std::max(scale, std::abs(run.value(i, k)));
    scales.push_back(scale);
  }
  std::size_t row = 0;
  for (const double point : points) {
    const bool goes_on = importer.advance(point);
    if (run.outcome.kind != OutcomeKind::reached_stop && point >= run.outcome.end_time * (1.0 - 1e-4)) return;
    ASSERT_TRUE(goes_on) << "at " << importer.time() << " after " << importer.events()
                         << " events: " << (importer.log().empty() ? "" : importer.log().back());
    while (row + 1 < run.size() && run.time(row + 1) <= point) ++row;
    const double resolution = 1e3 * rtol * (stop - start);
    if (std::ranges::any_of(run.events,
                            [&](const Event& event) { return std::abs(event.time - point) <= resolution; }))
      continue;
    const std::vector<double> values = importer.reals(references);
    for (std::size_t k = 0; k < columns.size(); ++k)
      EXPECT_NEAR(values[k], run.value(row, columns[k]), 500.0 * rtol * scales[k])
          << run.names()[columns[k]] << " at " << point << " after " << importer.events() << " events";
  }
}

TEST_P(ExchangeCases, AreTheRunsOfSimulate) {
  const Model model = read_model(GetParam());
  std::unique_ptr<UnpackedFmu> fmu;
  try {
    fmu = std::make_unique<UnpackedFmu>(GetParam(), fmi::ExportOptions{.model_exchange = true});
  } catch (const InvalidOption& refused) {
    EXPECT_EQ(refused.faults().front().id, "no-model-exchange");
    GTEST_SKIP() << refused.what();
  }
  for (const double rtol : {1e-4, 1e-6, 1e-8})
    for (const ResetPolicy policy : {ResetPolicy::always, ResetPolicy::if_told}) {
      SCOPED_TRACE("rtol " + std::to_string(std::log10(rtol)) +
                   (policy == ResetPolicy::always ? ", always reset" : ", reset if told"));
      compare(model, *fmu, policy, rtol);
    }
}

INSTANTIATE_TEST_SUITE_P(All, ExchangeCases, testing::ValuesIn(all_models()), [](const auto& instance) {
  const std::filesystem::path& path = instance.param;
  return path.stem() == "model" ? "example_" + path.parent_path().filename().string() : path.stem().string();
});

}  // namespace exchange_cases_test
}  // namespace mti::test
