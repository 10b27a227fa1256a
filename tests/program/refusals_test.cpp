// Models that must be refused, each beside a repaired twin that runs: never a wrong answer, and a message
// that says what is wrong in the model's own names.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "tests/program/refusal_models.hpp"
#include "tests/program/simulation_run.hpp"

namespace mti::test {
namespace refusals_test {

constexpr double rtol = 1e-8;

bool names(const std::string& message, const std::string& name) {
  return std::regex_search(message, std::regex("(^|[^A-Za-z0-9_.])" + name + "($|[^A-Za-z0-9_])"));
}

const std::vector<RefusedModel>& models() {
  static const std::vector<RefusedModel> all = all_refused_models();
  return all;
}

std::vector<std::string> names_of_models() {
  std::vector<std::string> all;
  for (const RefusedModel& refused : models()) all.push_back(refused.name);
  return all;
}

class Refusals : public testing::TestWithParam<std::string> {
 protected:
  const RefusedModel& refused = *std::ranges::find(models(), GetParam(), &RefusedModel::name);
};

TEST_P(Refusals, EndWithTheReasonAndKeepResults) {
  const SimulationRun run = simulate(refused.model, rtol, rtol);
  EXPECT_EQ(run.status, 3) << run.errors;
  ASSERT_TRUE(run.summary.is_object()) << run.errors;
  const std::string outcome = run.summary.at("outcome"), message = run.summary.at("message");
  EXPECT_TRUE(refused.outcomes.contains(outcome)) << outcome << ": " << message;
  for (const std::string& name : refused.named)
    EXPECT_TRUE(names(message, name)) << name << " is not named: " << message;
  const double end = run.summary.at("end_time");
  EXPECT_NEAR(end, refused.time, 1e-6) << message;
  if (refused.time == 0.0) return;
  // Output times every 0.1 up to there, and nothing beyond.
  ASSERT_FALSE(run.rows.empty());
  EXPECT_LE(run.rows.back().time, end);
  EXPECT_GE(run.rows.back().time, end - 0.1);
  EXPECT_GE(static_cast<double>(run.rows.size()), std::floor(10.0 * refused.time));
  for (const SimulationRun::Row& row : run.rows)
    for (const double value : row.values) EXPECT_TRUE(std::isfinite(value));
}

TEST_P(Refusals, RunOnceRepaired) {
  const SimulationRun run = simulate(refused.repaired, rtol, rtol);
  ASSERT_TRUE(run.summary.is_object()) << run.errors;
  EXPECT_EQ(run.status, 0) << run.summary.at("outcome") << ": " << run.summary.at("message");
  EXPECT_EQ(run.summary.at("outcome"), "reached_stop");
  EXPECT_EQ(run.summary.at("end_time"), 2.0);
}

INSTANTIATE_TEST_SUITE_P(All, Refusals, testing::ValuesIn(names_of_models()),
                         [](const auto& instance) { return instance.param; });

TEST(RefusedModels, AreAtLeastThreeOfEachKind) {
  std::map<std::string, int> count;
  for (const RefusedModel& refused : models()) ++count[refused.kind];
  EXPECT_EQ(count.size(), 6U);
  for (const auto& [kind, models] : count) EXPECT_GE(models, 3) << kind;
}

}  // namespace refusals_test
}  // namespace mti::test
