#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/layering/room_rules.hpp"
#include "tests/layering/source_tree.hpp"
#include "tests/places.hpp"

namespace mti {
namespace room_rules_test {

using Lines = std::vector<std::string>;
using layering::SourceTree;

TEST(Rooms, HoldInThisTree) {
  ASSERT_TRUE(std::filesystem::exists(test::source_dir() / "mti/model/model.hpp"));
  for (const std::string& violation : room_violations(test::source_dir())) ADD_FAILURE() << violation;
}

// The tests below are the negative controls: each kind of violation is seen, and only that.

TEST(Rooms, MayUseLowerRooms) {
  const SourceTree tree;
  tree.write("solvers/structure/matching.hpp", "#pragma once\n");
  tree.write("solvers/switching/successor.hpp", "#include \"solvers/structure/matching.hpp\"\n");
  tree.write("solvers/switching/successor_search.cpp", "#include \"solvers/switching/successor.hpp\"\n");
  tree.write("io/json/value.hpp", "#include \"solvers/switching/successor.hpp\"\n");
  EXPECT_EQ(room_violations(tree.root()), Lines{});
}

TEST(Rooms, MayNotUseHigherRooms) {
  const SourceTree tree;
  tree.write("solvers/structure/matching.hpp", "#include \"solvers/switching/successor.hpp\"\n");
  tree.write("solvers/switching/successor.hpp", "#pragma once\n");
  EXPECT_EQ(
      room_violations(tree.root()),
      (Lines{"solvers/structure/matching.hpp: #include of solvers/switching/successor.hpp goes up, from "
             "solvers/structure to solvers/switching"}));
}

TEST(Rooms, SeeACircle) {
  const SourceTree tree;
  tree.write("mti/model/a.hpp", "#include \"mti/model/b.hpp\"\n");
  tree.write("mti/model/b.hpp", "#include \"mti/model/c.hpp\"\n");
  tree.write("mti/model/c.hpp", "#include \"mti/model/a.hpp\"\n");
  EXPECT_EQ(room_violations(tree.root()),
            (Lines{"mti/model/c.hpp: includes itself by way of mti/model/a.hpp"}));
}

TEST(Rooms, AreThoseOfTheTable) {
  const SourceTree tree;
  tree.write("mti/a.hpp", "");
  tree.write("solvers/cellar/b.hpp", "");
  EXPECT_EQ(room_violations(tree.root()), (Lines{"mti/a.hpp: stands in no room of the table",
                                                 "solvers/cellar/b.hpp: stands in no room of the table"}));
}

TEST(Rooms, HaveHeadersForTheirSources) {
  const SourceTree tree;
  tree.write("io/mat/value.hpp", "");
  tree.write("io/mat/value.cpp", "");
  tree.write("io/mat/value_parts.cpp", "");
  tree.write("io/mat/values.cpp", "");
  EXPECT_EQ(room_violations(tree.root()), (Lines{"io/mat/values.cpp: has no header of its name"}));
}

TEST(Rooms, HoldTheCommandsOfTheProgramUnderOneHeader) {
  const SourceTree tree;
  tree.write("program/main.cpp", "#include \"program/commands/commands.hpp\"\n");
  tree.write("program/commands/check_command.cpp", "");
  EXPECT_EQ(room_violations(tree.root()),
            (Lines{"program/commands/check_command.cpp: has no header of its name"}));
  tree.write("program/commands/commands.hpp", "");
  EXPECT_EQ(room_violations(tree.root()), Lines{});
  tree.write("program/commands/colour.cpp", "");
  tree.write("program/other.cpp", "");
  EXPECT_EQ(room_violations(tree.root()), (Lines{"program/commands/colour.cpp: has no header of its name",
                                                 "program/other.cpp: has no header of its name",
                                                 "program/other.cpp: stands in no room of the table"}));
}

TEST(Rooms, StaySmall) {
  const SourceTree tree;
  std::string text;
  for (int line = 0; line < 1250; ++line) text += "// a line\n";
  tree.write("solvers/mode/a.hpp", text);
  tree.write("solvers/mode/b.hpp", text);
  EXPECT_EQ(room_violations(tree.root()), Lines{});
  tree.write("solvers/mode/c.hpp", "// one more\n");
  EXPECT_EQ(room_violations(tree.root()), (Lines{"solvers/mode: 2501 lines, more than 2500"}));
}

// Danger: two types of one name in different sources corrupt the stack where nothing is inlined, without a word of compiler or linker.
TEST(Rooms, NameEachTypeOnce) {
  const SourceTree tree;
  const std::string opens = "namespace mti {\n", hidden = "namespace mti {\nnamespace {\n";
  tree.write("solvers/mode/a.hpp", opens + "struct Passage {\n};\nstruct Mode;\n}  // namespace mti\n");
  tree.write("solvers/mode/b.hpp", opens + "struct Mode {\n};\n}  // namespace mti\n");
  tree.write("solvers/mode/b.cpp", hidden + "struct Passage {\n};\n}  // namespace\n}  // namespace mti\n");
  tree.write("io/json/c.hpp", "namespace mti::json {\nclass Passage {\n};\n}  // namespace mti::json\n");
  EXPECT_EQ(room_violations(tree.root()), Lines{});
  tree.write("solvers/orbits/d.hpp", opens + "class Passage final : Base {\n};\n}  // namespace mti\n");
  EXPECT_EQ(room_violations(tree.root()),
            (Lines{"solvers/orbits/d.hpp: defines mti::Passage, as solvers/mode/a.hpp does"}));
}

}  // namespace room_rules_test
}  // namespace mti
