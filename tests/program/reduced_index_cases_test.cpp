// Every model of the cases, examples and idioms is rewritten with one structure of index 0 in all modes: that is what the
// analysis of all modes finds of it, and its run is the run of the model. Or it is refused by name.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>

#include "io/model/read_model.hpp"
#include "io/model/write_model.hpp"
#include "io/modelica_writing/write_modelica.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/multimode/all_modes.hpp"
#include "solvers/reduced_index/reduced_index.hpp"
#include "tests/places.hpp"
#include "tests/program/run_comparison.hpp"
#include "tests/program/written_models.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace reduced_index_cases_test {

namespace fs = std::filesystem;

/// What cannot be rewritten, with a part of the message that says why.
const std::map<std::string, std::string>& refused() {
  static const std::map<std::string, std::string> table = {
      {"charged_at_once", "the input e jumps"},
      {"nonlinear_clutch", "jumps with it"},
      {"function_of_an_impulse", "jumps with it"},
      {"slider_crank", "leaves an impulse of rod"},
      {"impacts_on_a_moving_floor", "no reset of a state"},
      {"impacts_on_a_moving_floor_with_a_lag", "no reset of a state"},
      {"sampled_pi_controller", "a model with clocks"},
      {"two_clocks", "a model with clocks"},
      {"clock_from_a_start_that_is_no_short_decimal", "a model with clocks"},
      {"tick_at_the_start_is_none", "a model with clocks"},
      {"discrete_one_tank", "discrete time"},
      {"discrete_three_tank", "discrete time"},
      {"cosine_again_and_again", "discrete time"},
      {"discrete_controller", "discrete time"},
  };
  return table;
}

/// c = 0 of every equation, the same d of every signal, and a signal for each equation, in all modes.
void expect_one_structure(const Model& model) {
  const AllModes all(model);
  EXPECT_TRUE(all.parts.singular.empty());
  const auto is_constant = [&](const ModeSet& set) {
    return all.space.considered(set).empty() || all.space.considered(!set).empty();
  };
  for (std::size_t i = 0; i < all.offsets.c.size(); ++i)
    for (const ModeSet& level : all.offsets.c[i].levels)
      EXPECT_TRUE(all.space.considered(level).empty()) << model.equation_names[i];
  for (std::size_t j = 0; j < all.offsets.d.size(); ++j) {
    for (const ModeSet& level : all.offsets.d[j].levels) EXPECT_TRUE(is_constant(level)) << "signal " << j;
    EXPECT_TRUE(all.space.considered(all.parts.absent[j]).empty()) << "signal " << j;
  }
}

/// Values where both runs have one row: at an event they have different numbers of steps.
void expect_same_values(const Trajectory& one, const Trajectory& other, const Experiment& experiment) {
  std::size_t compared = 0, next = 0;
  const auto is_alone = [](const Trajectory& run, std::size_t row) {
    return (row == 0 || run.time(row - 1) != run.time(row)) &&
           (row + 1 == run.size() || run.time(row + 1) != run.time(row));
  };
  for (std::size_t row = 0; row < one.size(); ++row) {
    while (next < other.size() && other.time(next) < one.time(row)) ++next;
    if (next == other.size() || other.time(next) != one.time(row)) continue;
    if (!is_alone(one, row) || !is_alone(other, next)) continue;
    ++compared;
    for (std::size_t column = 0; column < one.columns(); ++column) {
      const auto found = std::ranges::find(other.names(), one.names()[column]);
      if (found == other.names().end()) continue;
      const double value = one.value(row, column);
      const double back = other.value(next, at(found - other.names().begin()));
      if (std::isnan(value)) continue;  // absent in this mode
      EXPECT_NEAR(back, value, 10.0 * (experiment.rtol * size_of_column(one, column) + experiment.atol))
          << one.names()[column] << " at t = " << one.time(row);
    }
  }
  EXPECT_GT(compared, 0U);
}

class ReducedIndex : public testing::TestWithParam<fs::path> {};

TEST_P(ReducedIndex, IsOneStructureWithTheSameRunOrRefusedByName) {
  const std::string name = written_name(GetParam());
  const Source source = read_source_file(GetParam());
  const auto expected = refused().find(name);
  Source reduced;
  try {
    reduced = reduced_index(source);
    EXPECT_EQ(expected, refused().end()) << "is rewritten now";
  } catch (const InvalidModel& invalid) {
    ASSERT_NE(expected, refused().end()) << invalid.what();
    EXPECT_NE(invalid.faults().front().message.find(expected->second), std::string::npos) << invalid.what();
    return;
  }
  const TemporaryDirectory directory;
  directory.write("model.json", to_json(reduced));
  const Model model = read_model(GetParam()), back = read_model(directory.path() / "model.json");
  expect_one_structure(back);
  const Trajectory one = run(model), other = run(back);
  EXPECT_EQ(one.outcome.kind, other.outcome.kind) << one.outcome.message << " / " << other.outcome.message;
  expect_same_values(one, other, model.experiment);
}

INSTANTIATE_TEST_SUITE_P(Files, ReducedIndex, testing::ValuesIn(written_models()), name_of_instance);

/// As Modelica, read back: what decides the binaries is told by the equations as they were.
class ReducedIndexAsModelica : public testing::TestWithParam<const char*> {};

TEST_P(ReducedIndexAsModelica, IsTheSameRun) {
  const fs::path file = source_dir() / "tests/cases" / (std::string(GetParam()) + ".json");
  const Source source = read_source_file(file);
  const TemporaryDirectory directory;
  const std::string text = to_modelica(reduced_index(source), source);
  directory.write("model.mo", text);
  EXPECT_EQ(text.find("Nothing decides"), std::string::npos) << text;
  const Model model = read_model(file), back = read_model(directory.path() / "model.mo");
  const Trajectory one = run(model), other = run(back);
  EXPECT_EQ(one.outcome.kind, other.outcome.kind) << one.outcome.message << " / " << other.outcome.message;
  expect_same_values(one, other, model.experiment);
}

INSTANTIATE_TEST_SUITE_P(Cases, ReducedIndexAsModelica,
                         testing::Values("clutch_basic", "clutch_basic_by_time", "clutch_chain",
                                         "coupling_train", "water_tank", "cup_and_ball", "rldc2", "air_brake",
                                         "hydraulic_actuator", "two_link_pendulum", "peak_rectifier",
                                         "siconos_diode_bridge"));

}  // namespace reduced_index_cases_test
}  // namespace mti::test
