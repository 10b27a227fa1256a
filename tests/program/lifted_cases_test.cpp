// Cases with functions of signals meet their expectations after `mti convert --multilinear exact`, and after a MAT file has
// held them: their references know nothing of either.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "tests/places.hpp"
#include "tests/program/expected_run.hpp"
#include "tests/program/program_run.hpp"
#include "tests/program/simulation_run.hpp"

namespace mti::test {
namespace lifted_cases_test {

class LiftedCases : public testing::TestWithParam<std::string> {};

TEST_P(LiftedCases, MeetTheirExpectation) {
  const std::filesystem::path folder = source_dir() / "tests/cases/second";
  const TemporaryDirectory directory;
  const std::string file = (folder / (GetParam() + ".json")).string();
  const nlohmann::json expectation = read_json(folder / (GetParam() + ".expect.json"));
  for (const auto& [name, form] :
       {std::pair{"equations.json", "equations"}, std::pair{"matrices.json", "matrices"},
        std::pair{"model.mat", "matrices"}}) {
    SCOPED_TRACE(name);
    const ProgramResult converted =
        run_program({"convert", file, name, "--multilinear", "exact", "--to", form}, directory.path());
    ASSERT_EQ(converted.status, 0) << converted.err;
    const std::filesystem::path model = directory.path() / name;
    if (model.extension() == ".json") {
      EXPECT_EQ(read_text(model).find("\"functions\""), std::string::npos);
    }
    for (const std::string& difference : differences(model, expectation)) ADD_FAILURE() << difference;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, LiftedCases,
                         testing::Values("all_functions", "all_functions_by_ida",
                                         "angle_of_a_constrained_pendulum", "functions_in_modes",
                                         "inverse_of_a_constant_by_ida", "pendulum_of_sines",
                                         "power_and_quotient", "tank_through_a_hole"),
                         [](const auto& instance) { return instance.param; });

}  // namespace lifted_cases_test
}  // namespace mti::test
