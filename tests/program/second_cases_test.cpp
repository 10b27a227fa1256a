// Each model of tests/cases/second meets the expectation that stands beside it,
// tests/cases/second/NAME.expect.json (tests/program/expected_run.hpp).

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/places.hpp"
#include "tests/program/expected_run.hpp"
#include "tests/program/simulation_run.hpp"

namespace mti::test {
namespace second_cases_test {

const std::filesystem::path folder = source_dir() / "tests/cases/second";
const std::string ending = ".expect.json";

std::vector<std::string> names_of_cases() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    if (file.ends_with(ending)) names.push_back(file.substr(0, file.size() - ending.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

class SecondCases : public testing::TestWithParam<std::string> {};

TEST_P(SecondCases, MeetTheirExpectation) {
  for (const std::string& difference :
       differences(folder / (GetParam() + ".json"), read_json(folder / (GetParam() + ending))))
    ADD_FAILURE() << difference;
}

std::string test_name(const testing::TestParamInfo<std::string>& instance) {
  std::string name = instance.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Files, SecondCases, testing::ValuesIn(names_of_cases()), test_name);

// The negative control: x' = -1 from 1, x = 0 at t = 1 and x' = 0 from there, told wrongly in each respect.
TEST(SecondCasesControl, EveryWrongExpectationIsSeen) {
  const nlohmann::json right = read_json(folder / "arrives_and_rests.expect.json");
  const auto count = [&](const char* change) {
    nlohmann::json expectation = right;
    expectation.merge_patch(nlohmann::json::parse(change));
    return differences(folder / "arrives_and_rests.json", expectation).size();
  };
  EXPECT_EQ(count("{}"), 0U);
  EXPECT_EQ(count(R"({"outcome": "dead_end"})"), 1U);
  EXPECT_EQ(count(R"({"outcome": "dead_end", "accept_outcomes": ["reached_stop"]})"), 0U);
  EXPECT_EQ(count(R"({"events": []})"), 1U);
  EXPECT_EQ(count(R"({"events": [], "events_complete": false})"), 0U);
  EXPECT_EQ(count(R"({"events": [{"time": 1.1}]})"), 1U);
  EXPECT_EQ(count(R"({"events": [{"time": 1, "kind": "law"}]})"), 1U);
  EXPECT_EQ(count(R"({"events": [{"time": 1, "changed": {"arrived": [1, 0]}}]})"), 1U);
  EXPECT_EQ(count(R"({"events": [{"time": 1}, {"time": 1}], "events_complete": false})"), 1U);
  EXPECT_EQ(count(R"({"samples": [{"time": 0.3, "values": {"x": 0.71}}]})"), 1U);
  EXPECT_EQ(count(R"({"samples": [{"time": 3, "values": {"x": 0}}]})"), 0U);
  EXPECT_EQ(count(R"({"zeno": {"time": 1, "tolerance": 1e-6}})"), 1U);
}

}  // namespace second_cases_test
}  // namespace mti::test
