// Files that are no SBML, or damaged, or made to take all memory: each ends with a fault.
#include <gtest/gtest.h>

#include "io/kinetics/read_sbml.hpp"
#include "mti/common/fault.hpp"
#include "tests/io/kinetics/sbml_model.hpp"

namespace mti {
namespace broken_files_test {

/// The id of the first fault, or nothing.
std::string fault_of(const std::string& text) {
  try {
    static_cast<void>(read_sbml_text(text));
  } catch (const FaultError& refused) {
    return refused.faults().front().id;
  }
  return {};
}

std::string decay() {
  test::SbmlModel model;
  model.compartment("C").species("S", "initialAmount='1'").reaction("R", "S", "", "S*C");
  return model.text();
}

TEST(SbmlFiles, OfOtherKinds) {
  for (const std::string text : {"", "   ", "{\"format\": \"mti-model\"}", "S1 -> S2; k*S1", "<html></html>",
                                 "<sbml/>", "\xFF\xFE<\0s\0", "<?xml version='1.0'?>", "<!-- nothing -->"})
    EXPECT_EQ(fault_of(text), "sbml-format") << text;
  EXPECT_EQ(fault_of(decay()), "");
  EXPECT_EQ(fault_of("\xEF\xBB\xBF" + decay()), "");
}

TEST(SbmlFiles, EntitiesAreNotExpanded) {
  std::string bomb = "<?xml version='1.0'?><!DOCTYPE sbml [<!ENTITY a0 'ha'>";
  for (int i = 1; i < 40; ++i)
    bomb += "<!ENTITY a" + std::to_string(i) + " '&a" + std::to_string(i - 1) + ";&a" +
            std::to_string(i - 1) + ";'>";
  EXPECT_EQ(fault_of(bomb + "]><sbml>&a39;</sbml>"), "sbml-doctype");
  EXPECT_EQ(fault_of("<!DOCTYPE sbml SYSTEM 'file:///etc/passwd'><sbml/>"), "sbml-doctype");
}

TEST(SbmlFiles, DepthIsLimited) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  EXPECT_EQ(fault_of(deep), "sbml-format");
  std::string formula = "time", model;
  for (int i = 0; i < 200; ++i) formula = "exp(" + formula + ")";
  test::SbmlModel nested;
  nested.parameter("x", "", false).assignment("x", formula);
  EXPECT_EQ(fault_of(nested.text()), "sbml-too-large");
}

TEST(SbmlFiles, FunctionsThatDoubleEachTime) {
  test::SbmlModel model;
  model.function("f0", {"a"}, "a + a");
  for (int i = 1; i < 60; ++i) {
    const std::string before = "f" + std::to_string(i - 1);
    model.function("f" + std::to_string(i), {"a"}, before + "(a) + " + before + "(a)");
  }
  model.parameter("x", "", false).assignment("x", "f59(time)");
  EXPECT_EQ(fault_of(model.text()), "sbml-too-large");
}

TEST(SbmlFiles, CutShortAnywhere) {
  const std::string text = decay();
  for (std::size_t length = 0; length + 10 < text.size(); length += 7)
    EXPECT_EQ(fault_of(text.substr(0, length)), "sbml-format") << length;
}

TEST(SbmlFiles, RulesOfSbmlAreLookedAt) {
  test::SbmlModel unknown;
  unknown.parameter("x", "", false).assignment("x", "nothing + 1");
  EXPECT_EQ(fault_of(unknown.text()), "sbml-format");
  test::SbmlModel circular;
  circular.parameter("x", "", false).assignment("x", "y").parameter("y", "", false).assignment("y", "x");
  EXPECT_EQ(fault_of(circular.text()), "sbml-format");
}

}  // namespace broken_files_test
}  // namespace mti
