// Every model of the cases, examples and idioms is written in Modelica and read back: the run is the same, or the writing is
// refused by name.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "io/model/read_model.hpp"
#include "io/modelica_writing/write_modelica.hpp"
#include "mti/common/at.hpp"
#include "tests/places.hpp"
#include "tests/program/run_comparison.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace modelica_round_trip_test {

namespace fs = std::filesystem;

/// What has no form in Modelica, with a part of the message that says why.
const std::map<std::string, std::string>& refused() {
  static const std::map<std::string, std::string> table = {
      {"collision_chain", "no reset of a state"},
      {"two_bodies_restitution", "no reset of a state"},
      {"impacts_on_a_moving_floor", "no reset of a state"},
      {"impacts_on_a_moving_floor_with_a_lag", "no reset of a state"},
      {"sampled_pi_controller", "the function next"},
      {"two_clocks", "the function next"},
      {"cup_and_ball_elastic", "leaves an impulse of lambda"},
      {"slider_crank", "leaves an impulse of rod"},
      {"discrete_one_tank", "discrete time"},
      {"discrete_three_tank", "discrete time"},
      {"cosine_again_and_again", "discrete time"},
      {"discrete_controller", "discrete time"},
      {"all_functions", "the function cbrt"},
      {"all_functions_by_ida", "the function cbrt"},
      {"condition_table2", "the function table2"},
      {"periodic_pwm", "the duty of the pulses"},
  };
  return table;
}
/// Models that come back with known functions of time in the place of conditions on time: their switches are corners of
/// inputs then, which are no events.
bool becomes_inputs(const std::string& name) { return name == "clock_far_from_zero"; }

std::string name_of(const fs::path& path) {
  return path.filename() == "model.json" ? "example_" + path.parent_path().filename().string()
                                         : path.stem().string();
}

std::vector<fs::path> models() {
  std::vector<fs::path> files;
  for (const char* folder : {"tests/cases", "tests/cases/second", "docs/idioms"})
    for (const auto& entry : fs::directory_iterator(source_dir() / folder))
      if (entry.path().extension() == ".json" && !entry.path().string().ends_with(".expect.json"))
        files.push_back(entry.path());
  for (const auto& entry : fs::directory_iterator(source_dir() / "examples"))
    if (fs::exists(entry.path() / "model.json")) files.push_back(entry.path() / "model.json");
  std::ranges::sort(files);
  return files;
}

class ModelicaRoundTrip : public testing::TestWithParam<fs::path> {};

/// The largest value of a column, 1e-9 at least.
double size_of(const Trajectory& run, std::size_t column) {
  double largest = 1e-9;
  for (std::size_t row = 0; row < run.size(); ++row)
    largest = std::max(largest, std::abs(run.value(row, column)));
  return largest;
}

void expect_same_run(const Model& model, const Model& back, bool with_events) {
  const Trajectory one = run(model), other = run(back);
  const double rtol = model.experiment.rtol;
  EXPECT_EQ(one.outcome.kind, other.outcome.kind) << one.outcome.message << " / " << other.outcome.message;
  if (with_events) {
    ASSERT_EQ(one.events.size(), other.events.size());
    for (std::size_t i = 0; i < one.events.size(); ++i) {
      const double time = one.events[i].time;
      EXPECT_NEAR(other.events[i].time, time, 10.0 * rtol * std::max(1.0, std::abs(time)));
      EXPECT_EQ(other.events[i].kind, one.events[i].kind) << "at t = " << time;
    }
  }
  ASSERT_GT(one.size(), 0U);
  for (std::size_t column = 0; column < one.columns(); ++column) {
    const auto found = std::ranges::find(other.names(), one.names()[column]);
    if (found == other.names().end()) {  // what a condition was called, or an input now
      const std::string& name = one.names()[column];
      const bool generated = std::ranges::any_of(model.signature.binaries(), [&](const Signal& signal) {
        return signal.name == name && !signal.generated.empty();
      });
      EXPECT_TRUE(generated || !with_events) << name;
      continue;
    }
    EXPECT_NEAR(other.value(other.size() - 1, at(found - other.names().begin())),
                one.value(one.size() - 1, column), 10.0 * rtol * size_of(one, column))
        << one.names()[column];
  }
}

TEST_P(ModelicaRoundTrip, IsTheSameRunOrRefusedByName) {
  const std::string name = name_of(GetParam());
  const Source source = read_source_file(GetParam());
  const auto expected = refused().find(name);
  std::string text;
  try {
    text = to_modelica(source);
    EXPECT_EQ(expected, refused().end()) << "is written now";
  } catch (const InvalidModel& invalid) {
    EXPECT_EQ(invalid.faults().front().id, "modelica-unwritable");
    ASSERT_NE(expected, refused().end()) << invalid.what();
    EXPECT_NE(invalid.faults().front().message.find(expected->second), std::string::npos) << invalid.what();
    return;
  }
  const TemporaryDirectory directory;
  directory.write("model.mo", text);
  SCOPED_TRACE(text.substr(0, 4000));
  expect_same_run(read_model(GetParam()), read_model(directory.path() / "model.mo"), !becomes_inputs(name));
}

std::string own_name(const testing::TestParamInfo<fs::path>& instance) {
  std::string name = instance.param.parent_path().filename().string() + "_" + name_of(instance.param);
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Files, ModelicaRoundTrip, testing::ValuesIn(models()), own_name);

// (a + b)*a - b begins with a parenthesis and is a difference all the same: 11 at t = 0, 2 at t = 2, 13 below.
TEST(ModelicaRoundTripInputs, KeepTheirExpressionsTogether) {
  const TemporaryDirectory directory;
  const fs::path path = directory.write("model.json", R"json({"format": "mti-model", "version": 1,
      "parameters": {"a": 3, "b": 1}, "states": [{"name": "x"}], "inputs": [{"name": "u",
      "table": {"time": [0, 2], "value": ["(a + b)*a - b", "(a - b)"]}}],
      "equations": ["der(x) = u"], "experiment": {"stop": 2}})json");
  const std::string text = to_modelica(read_source_file(path));
  const Trajectory one = run(read_model(path)), other = run(read_model(directory.write("model.mo", text)));
  ASSERT_EQ(one.names().front(), "x");
  ASSERT_EQ(other.names().front(), "x");
  EXPECT_NEAR(one.value(one.size() - 1, 0), 13.0, 1e-5);
  EXPECT_NEAR(other.value(other.size() - 1, 0), 13.0, 1e-5) << text;
}

// The negative control: another run is seen.
TEST(ModelicaRoundTripControl, AnotherThresholdIsAnotherRun) {
  const fs::path path = source_dir() / "examples/thermostat/model.json";
  std::string text = to_modelica(read_source_file(path));
  const TemporaryDirectory directory;
  const std::size_t place = text.find("high = 21");
  ASSERT_NE(place, std::string::npos);
  directory.write("model.mo", text.replace(place, 9, "high = 20.99"));
  const Trajectory one = run(read_model(path)), other = run(read_model(directory.path() / "model.mo"));
  ASSERT_FALSE(one.events.empty());
  EXPECT_GT(std::abs(one.events.back().time - other.events.back().time), 1e-3);
}

}  // namespace modelica_round_trip_test
}  // namespace mti::test
