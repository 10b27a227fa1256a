// The analysis of all modes at once against that of single modes, on every model file there is; and what is
// written of it, read back and frozen in one mode, against what is written of that mode.

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "io/analysis/write_all_modes.hpp"
#include "io/analysis/write_analysis.hpp"
#include "io/model/read_model.hpp"
#include "mti/build/boolean_text.hpp"
#include "mti/common/at.hpp"
#include "mti/model/freeze.hpp"
#include "tests/places.hpp"
#include "tests/solvers/considered_modes.hpp"
#include "tests/solvers/structure/same_structure.hpp"

namespace mti::test {
namespace all_modes_files_test {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::vector<fs::path> model_files() {
  const fs::path root = source_dir();
  std::vector<fs::path> folders{root / "tests/cases"};
  for (const auto& example : fs::directory_iterator(root / "examples"))
    if (example.is_directory()) folders.push_back(example);
  if (!shared_dir().empty())
    for (const char* folder : {"models", "cases/examples"}) folders.emplace_back(shared_dir() / folder);
  std::vector<fs::path> files;
  for (const fs::path& folder : folders)
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".json" && !entry.path().stem().string().ends_with(".reference"))
        files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

int binaries_of(const Model& model) {
  return model.signature.q() +
         static_cast<int>(std::ranges::count(model.signature.inputs(), true, &Signal::binary));
}

/// All modes of a model, pre(z) = z.
std::vector<Mode> modes_of(const Model& model) {
  std::vector<Mode> modes;
  const int q = model.signature.q(), all = binaries_of(model);
  for (long bits = 0; bits < 1L << all; ++bits) {
    Mode& mode = modes.emplace_back();
    for (int i = 0; i < all; ++i)
      (i < q ? mode.z : mode.binary_inputs).push_back(static_cast<char>(bits >> i & 1));
    for (const int binary : model.signature.pre()) mode.pre.push_back(mode.z[at(binary)]);
  }
  return modes;
}

/// Whether a formula of the written analysis holds in a mode.
bool holds(const Model& model, const std::string& formula, const Mode& mode) {
  std::vector<double> v(at(model.signature.size()), 0.0);
  write_mode(model.signature, mode, v);
  return parse_formula(model, formula).evaluate([&](int row) { return v[at(row)] != 0.0; });
}

/// Names of equations and signals of a block.
using Block = std::pair<std::set<std::string>, std::set<std::string>>;
Block block_of(const Json& json) { return {json.at("equations"), json.at("signals")}; }

TEST(AllModesOfFiles, AreWhatSingleModesAre) {
  long files = 0, modes = 0, singular = 0, higher_index = 0;
  for (const fs::path& file : model_files()) {
    const Model model = read_model(file.string());
    if (binaries_of(model) > 12) continue;
    SCOPED_TRACE(file.filename());
    ++files;
    const AllModes all(model);
    for (const Mode& mode : modes_of(model)) {
      const bool considered = is_considered(model, mode);
      ASSERT_EQ(std::ranges::all_of(all.space.factors(),
                                    [&](const ModeSet& set) { return all.space.contains(set, mode); }),
                considered);
      if (!considered) continue;
      const ModeStructure expected = analyze_mode(model, mode);
      ASSERT_TRUE(same_structure(all.structure_of(model, mode), expected));
      ++modes;
      singular += expected.singular ? 1 : 0;
      higher_index += expected.index > 0 ? 1 : 0;
    }
  }
  EXPECT_GE(files, 45);
  EXPECT_GE(modes, 200);
  EXPECT_GE(singular, 1);
  EXPECT_GE(higher_index, 20);
}

// Danger: a formula that drops a condition. Read back from JSON, blocks, classes, offsets and parts of every
// mode are those that mode_json writes of it.
TEST(AllModesOfFiles, AreWrittenSoThatEveryModeCanBeReadBack) {
  long modes = 0;
  for (const fs::path& file : model_files()) {
    const Model model = read_model(file.string());
    if (binaries_of(model) > 4) continue;
    SCOPED_TRACE(file.filename());
    const Json all = Json::parse(all_modes_json(model, analyze_all_modes(model)));
    for (const Mode& mode : modes_of(model)) {
      if (!is_considered(model, mode)) continue;
      ++modes;
      const Json one = Json::parse(mode_json(model, mode, analyze_mode(model, mode), std::nullopt));
      const auto in_mode = [&](const Json& entry) { return holds(model, entry.at("where"), mode); };
      ASSERT_NE(holds(model, all.at("singular_where"), mode), one.at("regular").get<bool>());
      // Signals occur where the frozen f holds them.
      const CpMap frozen = freeze(model, mode).f;
      std::set<std::string> occurring, listed_signals;
      for (int k = 0; k < frozen.columns(); ++k)
        for (SparseColumns::InnerIterator factor(frozen.S(), k); factor; ++factor) {
          const int row = static_cast<int>(factor.row()), n = model.signature.n();
          if (row >= model.signature.input_row(0) && row < model.signature.algebraic_row(0)) continue;
          occurring.insert(model.signature.row_name(row < n ? row + n : row));
        }
      for (const Json& entry : all.at("signals"))
        if (in_mode(entry)) listed_signals.insert(entry.at("name"));
      ASSERT_EQ(listed_signals, occurring);
      const auto names = [&](const Json& part, const char* kind) {
        std::set<std::string> result;
        for (const Json& entry : part.at(kind))
          if (in_mode(entry)) result.insert(entry.at("name"));
        return result;
      };
      for (const char* part : {"overdetermined", "underdetermined"})
        for (const char* kind : {"equations", "signals"})
          ASSERT_EQ(names(all.at(part), kind), one.at(part).at(kind).get<std::set<std::string>>());
      if (!one.at("regular")) continue;

      std::set<Block> expected, listed;
      for (const Json& block : one.at("blocks")) expected.insert(block_of(block));
      for (const Json& block : all.at("blocks"))
        if (in_mode(block)) {
          ASSERT_TRUE(listed.insert(block_of(block)).second);
        }
      ASSERT_EQ(listed, expected);
      int classes = 0;
      for (const Json& one_class : all.at("classes")) {
        if (!in_mode(one_class)) continue;
        ++classes;
        for (const char* key : {"index", "differentiation_index", "degrees_of_freedom"})
          ASSERT_EQ(one_class.at(key), one.at(key)) << key;
      }
      ASSERT_EQ(classes, 1);
      int sum = all.at("degrees_of_freedom").at("constant");
      for (const Json& term : all.at("degrees_of_freedom").at("terms"))
        if (in_mode(term)) sum += term.at("weight").get<int>();
      ASSERT_EQ(sum, one.at("degrees_of_freedom").get<int>());
      for (const char* kind : {"equations", "signals"})
        for (const auto& [name, offset] : one.at("offsets").at(kind).items())
          for (const Json& value : all.at("offsets").at(kind).at(name))
            ASSERT_EQ(in_mode(value), value.at("value") == offset) << name;
    }
  }
  EXPECT_GE(modes, 120);
}

}  // namespace all_modes_files_test
}  // namespace mti::test
