// Every model of tests/cases and tests/cases/second comes to the same end at rtol = 1e-4 … 1e-12, with work
// that grows smoothly with the digits.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/places.hpp"
#include "tests/program/simulation_run.hpp"

namespace mti::test {
namespace tolerance_sweep_test {

std::vector<std::string> names_of_models() {
  std::vector<std::string> names;
  for (const char* folder : {"tests/cases", "tests/cases/second"})
    for (const auto& entry : std::filesystem::directory_iterator(source_dir() / folder)) {
      const std::string file = entry.path().filename().string();
      if (file.ends_with(".json") && !file.ends_with(".expect.json"))
        names.push_back((std::filesystem::path(folder) / file).generic_string());
    }
  std::sort(names.begin(), names.end());
  return names;
}

/// Options that the expectation beside a model, if there is one, asks for, tolerances apart.
std::vector<std::string> options_of(const std::filesystem::path& model) {
  std::filesystem::path expectation = model;
  expectation.replace_extension(".expect.json");
  if (!std::filesystem::exists(expectation)) return {};
  return {"--stop", read_json(expectation).at("run").at("stop").dump()};
}

class ToleranceSweep : public testing::TestWithParam<std::string> {};

// With a method of order p the number of steps grows by 100^(1/(p + 1)) for two digits: at most tenfold for
// p ≥ 1, beside what events, restarts and the first steps cost at any tolerance. A thousand evaluations are little at
// any: a series that has needed fifty of them at 1e-10 may need more where rounding comes in.
TEST_P(ToleranceSweep, EndsAlikeAtAllOfThem) {
  const std::filesystem::path model = source_dir() / GetParam();
  const std::vector<std::string> options = options_of(model);
  std::string outcome;
  double work = 0.0;
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    SCOPED_TRACE("rtol = " + std::to_string(rtol * 1e12) + "e-12");
    const SimulationRun run = simulate(model, rtol, 0.01 * rtol, options);
    const nlohmann::json& statistics = run.summary.at("statistics");
    const double steps = statistics.at("residual_evaluations"), events = statistics.at("events");
    if (outcome.empty()) outcome = run.summary.at("outcome");
    EXPECT_EQ(run.summary.at("outcome"), outcome) << run.summary.value("message", run.errors);
    const auto allowed = [&](double before) {
      return std::max(10.0 * before + 100.0 * (1.0 + events), 1000.0);
    };
    // Where exact flows end by rounding IDA has the mode: then its work before counts.
    if (work > 0.0 && steps > allowed(work)) {
      std::vector<std::string> with_ida = options;
      with_ida.insert(with_ida.end(), {"--integrator", "ida"});
      const SimulationRun before = simulate(model, 100.0 * rtol, rtol, with_ida);
      work = std::max(work, before.summary.at("statistics").at("residual_evaluations").get<double>());
    }
    if (work > 0.0) {
      EXPECT_LE(steps, allowed(work));
    }
    work = std::max(work, steps);
  }
}

// Power series and IDA share the equations alone. Local errors of rtol are magnified a thousand times at most on the way
// to the end, in what the least damped of the models passes on.
TEST_P(ToleranceSweep, EndsAlikeWithBothIntegrators) {
  const std::filesystem::path model = source_dir() / GetParam();
  const double rtol = 1e-8;
  std::vector<std::string> options = options_of(model);
  const SimulationRun automatic = simulate(model, rtol, rtol, options);
  options.insert(options.end(), {"--integrator", "ida"});
  const SimulationRun ida = simulate(model, rtol, rtol, options);
  ASSERT_EQ(automatic.summary.at("outcome"), ida.summary.at("outcome"));
  EXPECT_EQ(ida.summary.at("statistics").at("series_steps"), 0);
  EXPECT_EQ(ida.summary.at("statistics").at("flow_steps"), 0);
  ASSERT_EQ(automatic.names, ida.names);
  if (automatic.rows.empty()) return;
  for (const std::string& name : ida.names) {
    const double expected = ida.value(ida.rows.back(), name);
    EXPECT_NEAR(automatic.value(automatic.rows.back(), name), expected,
                1e3 * rtol * (1.0 + std::abs(expected)))
        << name;
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& instance) {
  std::string name = std::filesystem::path(instance.param).stem().string();
  if (instance.param.find("second") != std::string::npos) name += "_second";
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, ToleranceSweep, testing::ValuesIn(names_of_models()), test_name);

}  // namespace tolerance_sweep_test
}  // namespace mti::test
