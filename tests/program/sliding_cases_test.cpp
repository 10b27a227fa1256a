// Published models that slide, through the program, against closed forms and published results.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/places.hpp"
#include "tests/program/published_case.hpp"

namespace mti::test {
namespace sliding_cases_test {

const std::filesystem::path cases = source_dir() / "tests/cases";

struct SlidingCase : Case {
  double gain;  ///< largest |∂ζ/∂x| of the equivalent value ζ of a binary
};

class SlidingCases : public testing::TestWithParam<SlidingCase> {};

// A switch that comes late by e/|ṡ| moves a state by (jump of ẋ)·e/|ṡ|, hardly more than e here: states have
// to be within their own error at all times.
TEST_P(SlidingCases, ApproachTheReferenceAsTheToleranceFalls) {
  const SlidingCase& a_case = GetParam();
  const std::filesystem::path file = cases / (a_case.name + ".json");
  nlohmann::json model = read_json(file);
  for (const nlohmann::json& binary : model.at("binaries"))
    model["algebraic"].push_back({{"name", binary.at("name")}, {"nominal", a_case.gain}});
  const nlohmann::json reference = read_json(cases / "reference" / (a_case.name + ".json"));
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    SCOPED_TRACE("log10 rtol = " + std::to_string(std::log10(rtol)));
    const SimulationRun run = simulate(file, rtol, rtol);
    ASSERT_EQ(run.status, 0) << run.errors;
    EXPECT_EQ(run.summary.at("outcome"), "reached_stop");
    EXPECT_EQ(run.summary.at("end_time"), model.at("experiment").at("stop"));
    expect_events(run, reference, a_case.time_error(rtol));
    expect_samples(run, model, reference, a_case.state_error(rtol));
  }
}

INSTANTIATE_TEST_SUITE_P(Published, SlidingCases,
                         testing::Values(SlidingCase{{"fesd_simplest_sliding", 2.0, 3.0, 3.0}, 1.0},
                                         SlidingCase{{"disode_ex0_dry_friction", 4.0, 0.2, 3.4}, 1.25},
                                         SlidingCase{{"om_chattering_events1", 3.0, 2.0, 2.0}, 1.0},
                                         SlidingCase{{"om_chattering_events2", 3.0, 2.6, 4.0}, 1.0}),
                         [](const auto& instance) { return instance.param.name; });

// A run that chatters about the surface instead of sliding must not pass: its binary is 0 or 1.
TEST(SlidingCasesControl, ABinaryThatChattersIsFarOutside) {
  const Case sliding{"fesd_simplest_sliding", 2.0, 3.0, 3.0};
  EXPECT_GT(std::min(0.75, 1.0 - 0.75), 1e3 * sliding.state_error(1e-6));
}

}  // namespace sliding_cases_test
}  // namespace mti::test
