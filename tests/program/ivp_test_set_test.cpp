// The problems of the IVP test set (CWI, Bari) that need functions of signals end where published values of many digits say,
// within 10·(rtol·|s| + atol): bench/ivp/NAME.json, and what is expected of it in NAME.expect.json
// (tests/program/expected_run.hpp). Multipliers of the squeezer, which were published with six digits, are left out.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/places.hpp"
#include "tests/program/expected_run.hpp"
#include "tests/program/simulation_run.hpp"

namespace mti::test {
namespace ivp_test_set_test {

const std::filesystem::path folder = source_dir() / "bench/ivp";

std::vector<std::string> problems() {
  const std::string ending = ".expect.json";
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (const std::string file = entry.path().filename().string(); file.ends_with(ending))
      names.push_back(file.substr(0, file.size() - ending.size()));
  std::sort(names.begin(), names.end());
  return names;
}

class IvpTestSet : public testing::TestWithParam<std::string> {};

TEST_P(IvpTestSet, EndsAtThePublishedValues) {
  for (const std::string& difference :
       differences(folder / (GetParam() + ".json"), read_json(folder / (GetParam() + ".expect.json"))))
    ADD_FAILURE() << difference;
}

INSTANTIATE_TEST_SUITE_P(Files, IvpTestSet, testing::ValuesIn(problems()),
                         [](const auto& instance) { return instance.param; });

}  // namespace ivp_test_set_test
}  // namespace mti::test
