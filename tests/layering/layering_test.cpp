#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/layering/rules.hpp"
#include "tests/layering/source_tree.hpp"
#include "tests/places.hpp"

namespace mti {
namespace layering_test {

using layering::SourceTree;
using Lines = std::vector<std::string>;

TEST(Layering, HoldsInThisTree) {
  ASSERT_TRUE(std::filesystem::exists(test::source_dir() / "mti/model/model.hpp"));
  const Lines violations = layering_violations(test::source_dir());
  EXPECT_TRUE(violations.empty());
  for (const std::string& violation : violations) ADD_FAILURE() << violation;
}

// The tests below are the negative controls: each kind of violation is seen, and only that.

TEST(Layering, AllowsWhatIsAllowed) {
  const SourceTree tree;
  tree.write("mti/model/model.hpp", "#include <Eigen/SparseCore>\n#include <vector>\n");
  tree.write("mti/text/grammar_parts.hpp", "#include <tao/pegtl.hpp>\n#include \"mti/model/model.hpp\"\n");
  tree.write("solvers/integration/ida_run.cpp",
             "#include <ida/ida.h>\n#include <boost/graph/adjacency_list.hpp>\n");
  tree.write("solvers/search/linear_relaxation.cpp", "#include <coin/ClpSimplex.hpp>\n");
  tree.write("solvers/mode_sets/mode_set.cpp", "#include <bdd.h>\n");
  tree.write("solvers/mode_sets/mode_count.cpp", "#include <boost/multiprecision/cpp_int.hpp>\n");
  tree.write("io/model/read.cpp", "#include <nlohmann/json.hpp>\n#include \"mti/model/model.hpp\"\n");
  tree.write("program/arguments/a.cpp",
             "#include <CLI/CLI.hpp>\n#include \"mti/model/model.hpp\"  // the model\n");
  tree.write("tests/mti/model_test.cpp", "#include <nlohmann/json.hpp>\n");
  EXPECT_EQ(layering_violations(tree.root()), Lines{});
}

TEST(Layering, SeesAnIncludeOfALaterLayer) {
  const SourceTree tree;
  tree.write("mti/a.hpp", "#pragma once\n#include \"solvers/b.hpp\"\n");
  tree.write("solvers/b.hpp", "#include \"io/c.hpp\"\n");
  tree.write("io/c.hpp", "  #  include \"program/d.hpp\"\n");
  tree.write("program/d.hpp", "#include \"mti/a.hpp\"\n");
  EXPECT_EQ(layering_violations(tree.root()),
            (Lines{"io/c.hpp:1: #include of program/d.hpp goes against the direction of the layers",
                   "mti/a.hpp:2: #include of solvers/b.hpp goes against the direction of the layers",
                   "solvers/b.hpp:1: #include of io/c.hpp goes against the direction of the layers"}));
}

TEST(Layering, SeesAnIncludeOfTheLayerBeside) {
  const SourceTree tree;
  tree.write("program/a.hpp", "#include \"python/bindings/b.hpp\"\n");
  tree.write("python/bindings/b.hpp", "#include <pybind11/pybind11.h>\n#include \"io/c.hpp\"\n");
  tree.write("python/bindings/d.cpp", "#include \"program/a.hpp\"\n");
  tree.write("io/c.hpp", "#include \"python/bindings/b.hpp\"\n");
  EXPECT_EQ(
      layering_violations(tree.root()),
      (Lines{"io/c.hpp:1: #include of python/bindings/b.hpp goes against the direction of the layers",
             "program/a.hpp:1: #include of python/bindings/b.hpp goes against the direction of the layers",
             "python/bindings/d.cpp:1: #include of program/a.hpp leads to a layer beside this one"}));
}

TEST(Layering, SeesAnIncludeThatIsNotWrittenFromTheRoot) {
  const SourceTree tree;
  tree.write("mti/a.cpp",
             "#include \"a.hpp\"\n#include \"../solvers/b.hpp\"\n#include \"mti/missing.hpp\"\n");
  EXPECT_EQ(layering_violations(tree.root()),
            (Lines{"mti/a.cpp:1: #include of a.hpp is not written from the root of the layers",
                   "mti/a.cpp:2: #include of ../solvers/b.hpp is not written from the root of the layers",
                   "mti/a.cpp:3: #include of mti/missing.hpp names no file of this tree"}));
}

TEST(Layering, SeesALibraryOutsideItsPlace) {
  const std::vector<std::pair<std::string, std::string>> misplaced = {
      {"mti/a.cpp", "tao/pegtl.hpp"},
      {"mti/printing/print.hpp", "tao/pegtl.hpp"},
      {"mti/a.cpp", "boost/rational.hpp"},
      {"solvers/a.hpp", "boost/graph/graph_traits.hpp"},
      {"solvers/simulate.cpp", "ida/ida.h"},
      {"solvers/ida_run.hpp", "nvector/nvector_serial.h"},
      {"solvers/a.cpp", "coin/ClpSimplex.hpp"},
      {"solvers/modes/formula.cpp", "bdd.h"},
      {"solvers/mode_sets/mode_set.hpp", "bdd.h"},
      {"solvers/mode_sets/mode_count.hpp", "boost/multiprecision/cpp_int.hpp"},
      {"solvers/modes/a/b.cpp", "boost/multiprecision/cpp_int.hpp"},
      {"solvers/a.cpp", "nlohmann/json.hpp"},
      {"io/a.hpp", "nlohmann/json.hpp"},
      {"program/a.cpp", "nlohmann/json.hpp"},
      {"io/a.cpp", "CLI/CLI.hpp"},
      {"program/main.cpp", "CLI/CLI.hpp"},
      {"io/a.cpp", "pybind11/pybind11.h"},
      {"io/a.cpp", "sundials/sundials_math.h"},
      {"mti/a.cpp", "unistd.h"},
      {"mti/a.cpp", "fmt/format.h"},
      {"solvers/a.cpp", "solvers/simulation/simulate.hpp"},
  };
  for (const auto& [file, header] : misplaced) {
    const SourceTree tree;
    tree.write(file, "#include <" + header + ">\n");
    const Lines violations = layering_violations(tree.root());
    ASSERT_EQ(violations.size(), 1U) << file << " " << header;
    EXPECT_TRUE(violations[0].starts_with(file + ":1: #include of " + header)) << violations[0];
  }
}

TEST(Layering, SeesALongFile) {
  const SourceTree tree;
  std::string text;
  for (int line = 0; line < 400; ++line) text += "// a line\n";
  tree.write("tests/io/long_enough_test.cpp", text);
  EXPECT_EQ(layering_violations(tree.root()), Lines{});
  tree.write("tests/io/too_long_test.cpp", text + "// one more\n");
  EXPECT_EQ(layering_violations(tree.root()), (Lines{"tests/io/too_long_test.cpp:401: more than 400 lines"}));
}

}  // namespace layering_test
}  // namespace mti
