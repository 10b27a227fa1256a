// Every model of tests/cases and of the examples through an FMU, against simulate() of the same model.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "io/model/read_model.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/fmi/instance3.hpp"
#include "tests/fmi/unpacked_fmu.hpp"

namespace mti::test {
namespace cases_test {

constexpr int communication_points = 40;

/// Points of the experiment, none of them at an input's breakpoint but by chance.
std::vector<double> points_of(const Model& model) {
  const double start = model.experiment.start, stop = model.experiment.stop;
  std::vector<double> points;
  for (int k = 0; k <= communication_points; ++k)
    points.push_back(k == communication_points ? stop : start + (stop - start) * k / communication_points);
  return points;
}

/// The largest value of each column: what counts as large in it.
std::vector<double> scales_of(const Trajectory& run, const Model& model) {
  std::vector<double> scales(run.columns());
  for (std::size_t k = 0; k < run.columns(); ++k) {
    const int row = run.rows_of_S()[k] - model.signature.state_row(0);
    if (row >= 0 && row < model.signature.n()) scales[k] = model.signature.states()[at(row)].nominal;
    for (std::size_t i = 0; i < run.size(); ++i)
      if (std::isfinite(run.value(i, k))) scales[k] = std::max(scales[k], std::abs(run.value(i, k)));
  }
  return scales;
}

/// A time that an event of the run moves by: signals jump there.
bool is_at_event(const Trajectory& run, double time, double resolution) {
  return std::ranges::any_of(run.events,
                             [&](const Event& event) { return std::abs(event.time - time) <= resolution; });
}

class Cases : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Cases, AreTheRunsOfSimulate) {
  const Model model = read_model(GetParam());
  const UnpackedFmu fmu(GetParam());
  const double start = model.experiment.start, stop = model.experiment.stop;
  const std::vector<double> points = points_of(model);
  for (const double rtol : {1e-5, 1e-7, 1e-9}) {
    SCOPED_TRACE("rtol " + std::to_string(std::log10(rtol)));
    SimulationOptions options{.rtol = rtol};
    if (!model.is_discrete()) options.output_times = points;
    const Trajectory run = simulate(model, options);
    const std::vector<double> scales = scales_of(run, model);
    std::vector<std::size_t> columns;
    std::vector<unsigned> references;
    for (std::size_t k = 0; k < run.columns(); ++k)
      if (const auto found = fmu.variables().find(run.names()[k]);
          found != fmu.variables().end() && !found->second.is_boolean) {
        columns.push_back(k);
        references.push_back(found->second.reference);
      }
    Instance3 instance(fmu);
    const fmi3Status started = instance.start(start, stop, rtol);
    if (run.outcome.kind == OutcomeKind::no_consistent_start) {
      EXPECT_EQ(started, fmi3Error);
      continue;
    }
    ASSERT_EQ(started, fmi3OK) << instance.log().back();
    std::size_t row = 0;
    double reached = start;
    for (const double point : points) {
      if (point > start) {
        const Instance3::Step step = instance.step(reached, point - reached);
        reached = step.time;
        if (point > run.outcome.end_time * (1.0 - 1e-6) && run.outcome.kind != OutcomeKind::reached_stop) {
          EXPECT_NE(step.status, fmi3OK);
          EXPECT_TRUE(step.terminate);
          EXPECT_NEAR(step.time, run.outcome.end_time, 10.0 * std::sqrt(rtol) * (stop - start));
          EXPECT_NE(instance.log().back().find(to_string(run.outcome.kind)), std::string::npos)
              << instance.log().back();
          break;
        }
        ASSERT_EQ(step.status, fmi3OK) << instance.log().back();
        ASSERT_EQ(step.time, point);
      }
      while (row + 1 < run.size() && run.time(row + 1) <= point) ++row;
      if (is_at_event(run, point, 1e3 * rtol * (stop - start))) continue;
      const std::vector<double> values = instance.reals(references);
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const double expected = run.value(row, columns[k]);
        EXPECT_NEAR(values[k], expected, 10.0 * rtol * scales[columns[k]])
            << run.names()[columns[k]] << " at " << point;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Cases, testing::ValuesIn(all_models()), [](const auto& instance) {
  const std::filesystem::path& path = instance.param;
  return path.stem() == "model" ? "example_" + path.parent_path().filename().string() : path.stem().string();
});

}  // namespace cases_test
}  // namespace mti::test
