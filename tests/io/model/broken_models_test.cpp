// Every broken model of tests/io/broken gives exactly the faults of the table, each at its place.
#include "tests/io/model/broken_models.hpp"

#include <gtest/gtest.h>

#include <set>

#include "io/model/read_model.hpp"
#include "mti/common/fault.hpp"

namespace mti {
namespace broken_models_test {

using Faults = std::vector<std::pair<std::string, std::string>>;

std::vector<Fault> faults_of(const std::filesystem::path& file) {
  try {
    static_cast<void>(read_model(file));
  } catch (const InvalidModel& invalid) {
    return invalid.faults();
  }
  return {};
}

class BrokenModels : public ::testing::TestWithParam<std::pair<const std::string, test::BrokenModel>> {};

TEST_P(BrokenModels, GivesItsFaults) {
  const auto& [file, broken] = GetParam();
  Faults found;
  std::string messages;
  for (const Fault& fault : faults_of(test::broken_directory() / file)) {
    found.emplace_back(fault.id, fault.pointer);
    messages += fault.pointer + ": " + fault.id + ": " + fault.message + "\n";
    EXPECT_FALSE(fault.message.empty());
    EXPECT_LT(fault.message.size(), 2000U) << "a message for people";
  }
  EXPECT_EQ(found, broken.faults) << messages;
}

INSTANTIATE_TEST_SUITE_P(Table, BrokenModels, ::testing::ValuesIn(test::broken_models()),
                         [](const auto& parameter) {
                           return parameter.param.first.substr(0, parameter.param.first.find('.'));
                         });

TEST(BrokenModelsTable, HoldsEveryFileAndAtLeastSixty) {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(test::broken_directory()))
    if (entry.path().extension() == ".json") files.insert(entry.path().filename());
  std::set<std::string> listed;
  for (const auto& [file, broken] : test::broken_models()) listed.insert(file);
  EXPECT_EQ(files, listed);
  EXPECT_GE(files.size(), 60U);
}

// Negative control: what all these files are made from is a valid model.
TEST(BrokenModelsTable, TheModelBeforeItWasBrokenIsValid) {
  const Model model = read_model_text(R"({
    "format": "mti-model",
    "version": 1,
    "name": "broken",
    "states": [{"name": "x", "start": 1}],
    "equations": ["der(x) = -x"]
  })");
  EXPECT_EQ(model.equations(), 1);
  EXPECT_EQ(model.x_start, std::vector<double>{1.0});
}

}  // namespace broken_models_test
}  // namespace mti
