// `mti analyze --mode` of the multi-mode cases: offsets, latent equations, degrees of freedom, singular
// parts.

#include <gtest/gtest.h>

#include <set>

#include "tests/places.hpp"
#include "tests/program/program_run.hpp"
#include "tests/program/restart.hpp"

namespace mti::test {
namespace multi_mode_structure_test {

struct ModeOfCase {
  std::string file, mode;
  int index, degrees_of_freedom;
  std::set<std::string> latent;  ///< equations of the model that are differentiated
};

void PrintTo(const ModeOfCase& a_case, std::ostream* stream) { *stream << a_case.file << " " << a_case.mode; }

nlohmann::json analysis(const std::string& file, const std::string& mode) {
  const std::string path = source_dir().string() + "/tests/cases/" + file + ".json";
  const ProgramResult result = run_program({"analyze", path, "--json", "--mode", mode}, testing::TempDir());
  EXPECT_EQ(result.status, 0) << result.err;
  return nlohmann::json::parse(result.out);
}

class ModesOfCases : public testing::TestWithParam<ModeOfCase> {};

TEST_P(ModesOfCases, HaveTheirOffsetsAndDegreesOfFreedom) {
  const ModeOfCase& expected = GetParam();
  const nlohmann::json found = analysis(expected.file, expected.mode);
  EXPECT_EQ(found.at("regular"), true);
  EXPECT_EQ(found.at("index"), expected.index);
  EXPECT_EQ(found.at("degrees_of_freedom"), expected.degrees_of_freedom);
  std::set<std::string> latent;
  int sum = 0;
  for (const auto& [name, c] : found.at("offsets").at("equations").items()) {
    if (c > 0) latent.insert(name);
    sum -= c.get<int>();
  }
  for (const auto& [name, d] : found.at("offsets").at("signals").items()) sum += d.get<int>();
  EXPECT_EQ(latent, expected.latent);
  EXPECT_EQ(sum, expected.degrees_of_freedom) << "the sum of d less the sum of c";
  EXPECT_TRUE(found.at("overdetermined").at("equations").empty());
}

INSTANTIATE_TEST_SUITE_P(
    Published, ModesOfCases,
    testing::Values(
        ModeOfCase{"clutch_basic", "g=0", 0, 2, {}}, ModeOfCase{"clutch_basic", "g=1", 1, 1, {"clutch"}},
        ModeOfCase{"two_inertias", "", 1, 1, {"shaft"}},
        ModeOfCase{"motor_and_load", "engaged=0", 1, 2, {"induction"}},
        ModeOfCase{"motor_and_load", "engaged=1", 1, 1, {"induction", "clutch"}},
        ModeOfCase{"two_bodies_inelastic", "together=0", 0, 4, {}},
        ModeOfCase{"two_bodies_inelastic", "together=1", 1, 3, {"bond"}},
        ModeOfCase{"hydraulic_actuator", "open=1,relief=1", 0, 2, {}},
        ModeOfCase{"hydraulic_actuator", "open=0,relief=1", 1, 1, {"volume", "input_valve"}},
        ModeOfCase{"hydraulic_actuator", "open=0,relief=0", 1, 0, {"volume", "input_valve", "relief_valve"}},
        ModeOfCase{"nonlinear_clutch", "engaged=1", 1, 1, {"clutch"}},
        ModeOfCase{"two_equations", "p=1", 0, 0, {}}, ModeOfCase{"two_equations", "p=0", 0, 1, {}},
        ModeOfCase{"water_tank", "bh=0,bl=0", 0, 1, {}},
        ModeOfCase{"water_tank", "bh=1,bl=0", 1, 0, {"full"}},
        ModeOfCase{"water_tank", "bh=0,bl=1", 1, 0, {"empty"}},
        ModeOfCase{"cup_and_ball", "taut=0", 0, 4, {}},
        ModeOfCase{"cup_and_ball",
                   "taut=1",
                   2,
                   2,
                   {"motion_x", "motion_y", "rope_law", "x.copy1.definition", "y.copy1.definition"}},
        ModeOfCase{"rldc2", "g1=1,g2=0", 0, 4, {}}, ModeOfCase{"rldc2", "g1=0,g2=1", 0, 4, {}},
        ModeOfCase{"rldc2", "g1=1,g2=1", 1, 3, {"mesh2", "diode1", "diode2"}},
        ModeOfCase{"rldc2", "g1=0,g2=0", 1, 3, {"node", "diode1", "diode2"}},
        ModeOfCase{"air_brake", "open=0", 1, 2, {"piston", "spring"}},
        ModeOfCase{"air_brake", "open=1", 1, 1, {"piston", "spring", "valve"}},
        ModeOfCase{"bouncing_ball_contact", "contact=1", 2, 0, {"motion", "support"}},
        ModeOfCase{"om13861_constraint_released", "released=0", 0, 1, {}},
        ModeOfCase{"om13861_constraint_released", "released=1", 0, 2, {}},
        ModeOfCase{"om10787_order_mixed_if", "running=1", 0, 1, {}},
        ModeOfCase{"om10787_order_mixed_if", "running=0", 0, 0, {}}),
    [](const auto& instance) { return instance.param.file + "_" + std::to_string(instance.index); });

TEST(ModesOfCases, WaterTankIsSingularOnlyWhenFullAndEmpty) {
  for (const char* bh : {"0", "1"})
    for (const char* bl : {"0", "1"}) {
      const nlohmann::json found = analysis("water_tank", std::string("bh=") + bh + ",bl=" + bl);
      const bool both = *bh == '1' && *bl == '1';
      EXPECT_EQ(found.at("regular"), !both);
      if (!both) continue;
      EXPECT_EQ(found.at("overdetermined").at("equations"), nlohmann::json({"full", "empty"}));
      EXPECT_EQ(found.at("overdetermined").at("signals"), nlohmann::json({"x"}));
      EXPECT_EQ(found.at("excluded_by"), nlohmann::json({"not (bh and bl)"}));
    }
}

// [E22] 6.3: each open or shorted element takes one degree of freedom, and nothing is differentiated.
TEST(ModesOfCases, EveryLegalModeOfTheCoaxialCableIsRegular) {
  int legal = 0;
  for (int mode = 0; mode < 64; ++mode) {
    std::string text;
    int faults = 0;
    bool excluded = false;
    for (int k = 1; k <= 3; ++k) {
      const int open = mode >> (2 * k - 2) & 1, shorted = mode >> (2 * k - 1) & 1;
      excluded = excluded || (open == 1 && shorted == 1);
      faults += open + shorted;
      text += (k > 1 ? ",open_" : "open_") + std::to_string(k) + "=" + std::to_string(open) + ",short_" +
              std::to_string(k) + "=" + std::to_string(shorted);
    }
    if (excluded) continue;
    ++legal;
    const nlohmann::json found = analysis("faulty_coaxial_3", text);
    EXPECT_EQ(found.at("regular"), true) << text;
    EXPECT_EQ(found.at("index"), 0) << text;
    EXPECT_EQ(found.at("degrees_of_freedom"), 6 - faults) << text;
    for (const nlohmann::json& block : found.at("blocks"))
      EXPECT_EQ(block.at("signals").size(), 1U) << text << ": " << block;
  }
  EXPECT_EQ(legal, 27);
}

// Excluded because the model says so, not for its structure.
TEST(ModesOfCases, AnOpenAndShortedElementIsExcluded) {
  const nlohmann::json found = analysis("faulty_coaxial_3", "open_2=1,short_2=1");
  EXPECT_EQ(found.at("excluded_by"), nlohmann::json({"not (open_2 and short_2)"}));
  EXPECT_EQ(found.at("regular"), true);
}

}  // namespace multi_mode_structure_test
}  // namespace mti::test
