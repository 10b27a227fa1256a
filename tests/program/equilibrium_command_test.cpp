// mti equilibrium: text, JSON, modes and status.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/program/program_run.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace equilibrium_command_test {

using Json = nlohmann::json;

constexpr const char* relay = R"({"format": "mti-model", "version": 1, "name": "relay",
  "parameters": {"level": 2},
  "states": [{"name": "x", "start": 0}],
  "binaries": [{"name": "z"}],
  "equations": ["der(x) = -x + level - 4*z"],
  "constraints": [{"name": "low", "text": "(x - 1)*(1 - z) <= 0"}, {"name": "high", "text": "(1 - x)*z <= 0"}]})";

// One statement of what is wrong at the start, which is no time that a run did not reach.
TEST(EquilibriumCommand, SaysOnceWhyThereIsNone) {
  const TemporaryDirectory directory;
  directory.write("model.json", R"({"format": "mti-model", "version": 1, "states": [{"name": "x"}],
    "equations": ["der(x) = 1"], "constraints": ["x + 1 <= 0"]})");
  const ProgramResult result = run_program({"equilibrium", "model.json"}, directory.path());
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.err.find("no consistent point"), std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("0.000000"), std::string::npos) << result.err;
}

// On the surface x = 1 with 0 = −1 + level − 4 z; below the threshold x = level.
TEST(EquilibriumCommand, GivesPointsWithWeightsAndModes) {
  const TemporaryDirectory directory;
  directory.write("model.json", relay);
  const ProgramResult slides = run_program({"equilibrium", "model.json", "--json"}, directory.path());
  ASSERT_EQ(slides.status, 0) << slides.err;
  const Json found = Json::parse(slides.out);
  EXPECT_EQ(found.at("outcome"), "found");
  ASSERT_EQ(found.at("equilibria").size(), 1U);
  EXPECT_NEAR(found["equilibria"][0]["slides"]["low"]["z"].get<double>(), 0.25, 1e-9);
  EXPECT_EQ(found["equilibria"][0]["rests"], true);
  const ProgramResult below =
      run_program({"equilibrium", "model.json", "--set", "level=0.5", "--json"}, directory.path());
  EXPECT_NEAR(Json::parse(below.out)["equilibria"][0]["values"]["x"].get<double>(), 0.5, 1e-12);
  const ProgramResult text =
      run_program({"equilibrium", "model.json", "--set", "level=0.5"}, directory.path());
  EXPECT_EQ(text.out.substr(0, text.out.find('\n')), "relay rests at t = 0, stable");
}

TEST(EquilibriumCommand, EndsEarlyWithoutOne) {
  const TemporaryDirectory directory;
  directory.write("model.json", relay);
  const ProgramResult none = run_program({"equilibrium", "model.json", "--mode", "z=1"}, directory.path());
  EXPECT_EQ(none.status, 3);
  EXPECT_NE(none.err.find("breaks high"), std::string::npos) << none.err;
  EXPECT_EQ(none.out, "");
  const ProgramResult json =
      run_program({"equilibrium", "model.json", "--mode", "z=1", "--json"}, directory.path());
  EXPECT_EQ(Json::parse(json.out).at("outcome"), "none");
}

}  // namespace equilibrium_command_test
}  // namespace mti::test
