// Two threads may run one model at a time, and ask for all its modes: what they find is what one thread finds.
// Under ThreadSanitizer (preset tsan) no data may be shared between them without order.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "io/model/read_model.hpp"
#include "solvers/multimode/multimode_analysis.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/places.hpp"

namespace mti::test {
namespace two_runs_test {

std::vector<std::filesystem::path> models() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() / "tests/cases"))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string name_of(const testing::TestParamInfo<std::filesystem::path>& instance) {
  return instance.param.stem().string();
}

class TwoRuns : public testing::TestWithParam<std::filesystem::path> {};

/// The start of a run is long enough for a few events, and short under a sanitiser.
Trajectory run(const Model& model) {
  return simulate(model,
                  {.output_interval = model.experiment.stop - model.experiment.start, .max_events = 20});
}

void expect_equal(const Trajectory& a, const Trajectory& b) {
  EXPECT_EQ(a.outcome.kind, b.outcome.kind);
  EXPECT_EQ(a.outcome.end_time, b.outcome.end_time);
  EXPECT_EQ(a.end_point, b.end_point);
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) EXPECT_EQ(a.events[i].time, b.events[i].time);
}

TEST_P(TwoRuns, AreEachThatOfOneThread) {
  const Model model = read_model(GetParam());
  const Trajectory alone = run(model);
  Trajectory first, second;
  std::thread one([&] { first = run(model); });
  std::thread other([&] { second = run(model); });
  one.join();
  other.join();
  expect_equal(first, alone);
  expect_equal(second, alone);
}

TEST_P(TwoRuns, AskForAllModesAsOneThreadDoes) {
  const Model model = read_model(GetParam());
  if (model.signature.q() == 0) GTEST_SKIP() << "one mode";
  const auto regular_modes = [&] { return analyze_all_modes(model).regular_modes; };
  const std::string alone = regular_modes();
  std::string first, second;
  std::thread one([&] { first = regular_modes(); });
  std::thread other([&] { second = regular_modes(); });
  one.join();
  other.join();
  EXPECT_EQ(first, alone);
  EXPECT_EQ(second, alone);
}

INSTANTIATE_TEST_SUITE_P(Cases, TwoRuns, testing::ValuesIn(models()), name_of);

}  // namespace two_runs_test
}  // namespace mti::test
