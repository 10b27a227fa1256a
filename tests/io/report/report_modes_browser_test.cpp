// All modes in a browser: with binaries chosen by their buttons the page shows what the modes left have.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/multimode/multimode_analysis.hpp"
#include "solvers/structure/mode_structure.hpp"
#include "tests/io/report/report_browser.hpp"
#include "tests/io/report/report_fixture.hpp"
#include "tests/io/report/report_modes_fixture.hpp"

namespace mti::test {
namespace report_modes_browser_test {

using nlohmann::json;

std::string structure_report_of(const Model& model, const ReportContext& modes) {
  std::ostringstream out;
  write_structure_report(out, model, analyze_structure(model), modes);
  return out.str();
}

/// For every choice of free, 0, 1 of each binary: [values, what the page shows after pressing the buttons].
json every_choice(const std::string& html, int binaries) {
  int count = 1;
  for (int k = 0; k < binaries; ++k) count *= 3;
  return after_steps(
      html,
      {"window.seen = []; for (let choice = 0; choice < " + std::to_string(count) +
       "; ++choice) { const values = []; for (let k = 0, rest = choice; k < " + std::to_string(binaries) +
       "; ++k, rest = Math.floor(rest / 3)) { values.push([null, 0, 1][rest % 3]);"
       "document.querySelectorAll(`#mode-toggles input[name=mode-${k}]`)[rest % 3].click(); }"
       "seen.push([values, modesGraph.readBack()]); }"},
      "seen.concat([pageErrors])");
}

/// The modes with their structure, each analysed on its own, and how often their blocks differentiate
/// signals.
struct ModesOneByOne {
  explicit ModesOneByOne(const Model& model, const ModeSpace& space)
      : signature(model.signature), names(model.equation_names) {
    for (const Mode& mode : every_mode(model)) {
      if (!is_considered(mode, space)) continue;
      modes.push_back({mode, analyze_mode(model, mode)});
      const ModeStructure& structure = modes.back().structure;
      for (const ModePart& block : structure.blocks)
        for (const int row : block.signals)
          orders[{block.equations, block.signals, row}].insert(order_of(structure, row));
    }
  }

  /// First two lines of the title of a block: leading derivatives, where they are the same in all modes with
  /// this block, and signals; equations.
  [[nodiscard]] std::string title_of(const ModePart& block) const {
    std::string signals, equations;
    for (const int row : block.signals) {
      const std::set<int>& found = orders.at({block.equations, block.signals, row});
      signals += (signals.empty() ? "" : ", ") +
                 derivative_name(signature, row, found.size() == 1 ? *found.begin() : 0);
    }
    for (const int i : block.equations) equations += (equations.empty() ? "" : ", ") + names[at(i)];
    return signals + "\nfrom " + equations;
  }

  static int order_of(const ModeStructure& structure, int row) {
    const auto place = std::ranges::find(structure.signals, row) - structure.signals.begin();
    return structure.d[at(place)];
  }

  struct One {
    Mode mode;
    ModeStructure structure;
  };
  const Signature& signature;
  const std::vector<std::string>& names;
  std::vector<One> modes;
  std::map<std::tuple<std::vector<int>, std::vector<int>, int>, std::set<int>> orders;
};

class ReportModesBrowser : public ::testing::TestWithParam<const char*> {};

TEST_P(ReportModesBrowser, ShowsTheBlocksOfTheModesLeft) {
  const Model model = case_model(GetParam());
  const MultimodeAnalysis analysis = analyze_all_modes(model);
  const ModeSpace& space = analysis.modes.space;
  const ModesOneByOne one_by_one(model, space);
  const json choices = every_choice(structure_report_of(model, {.analysis = &analysis}), space.variables());
  EXPECT_EQ(choices.back(), json::array()) << "errors of the page";
  for (std::size_t c = 0; c + 1 < choices.size(); ++c) {
    const json& chosen = choices[c][0];
    const json& page = choices[c][1];
    std::multiset<std::string> shown;
    std::set<std::string> expected, classes, shown_classes;
    int left = 0, regular = 0;
    std::set<std::pair<int, int>> edges;
    for (const auto& [mode, alone] : one_by_one.modes) {
      const std::vector<int> values = values_in(mode, space);
      bool agrees = true;
      for (std::size_t k = 0; k < values.size(); ++k)
        agrees = agrees && (chosen[k].is_null() || chosen[k] == values[k]);
      if (!agrees) continue;
      ++left;
      if (alone.singular) continue;
      ++regular;
      classes.insert(std::to_string(alone.index) + "/" + std::to_string(alone.degrees_of_freedom));
      for (const ModePart& block : alone.blocks) expected.insert(one_by_one.title_of(block));
      for (const ConditionalEdge& edge : analysis.modes.graph.edges)
        if (space.contains(edge.where, mode)) edges.emplace(edge.from, edge.block);
    }
    for (const std::string title : page["blocks"]) shown.insert(title.substr(0, title.find("\nwhere")));
    EXPECT_EQ(shown, std::multiset<std::string>(expected.begin(), expected.end())) << chosen;
    EXPECT_EQ(page["edges"], edges.size()) << chosen;
    for (const json& row : page["classes"]) {
      const std::string index = row[0];
      shown_classes.insert(index.substr(0, index.find(' ')) + "/" + row[1].get<std::string>());
    }
    EXPECT_EQ(shown_classes, classes) << chosen;
    EXPECT_EQ(page["failed"], left > 0 && regular == 0) << chosen;
    const std::string verdict = page["verdict"];
    EXPECT_EQ(verdict.find(left == 0 ? "No mode" : std::to_string(left) + " mode"), 0U) << verdict;
    EXPECT_TRUE(left != 1 || page["dashed"] == 0) << "one mode has no conditions: " << chosen;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, ReportModesBrowser,
                         ::testing::Values("water_tank", "rldc2", "siconos_diode_bridge", "switched"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST(ReportModesPage, ARunWithoutAnalysisHasNoSuchSection) {
  const Model model = masses_on_a_rod();
  const json page = after_steps(report_of(model, simulate(model)), {},
                                "[readBack().allModes, byId('all-modes'), readBack().errors, "
                                "document.querySelectorAll('nav a[href=\"#all-modes\"]').length]");
  EXPECT_EQ(page, json::parse("[null, null, [], 0]"));
}

TEST(ReportModesPage, ARunHasTheSectionBesideTheOthers) {
  const Model model = coupled_masses();
  const MultimodeAnalysis analysis = analyze_all_modes(model);
  std::ostringstream out;
  write_report(out, model, made_up_run(model), analyze_structure(model), {}, {.analysis = &analysis});
  EXPECT_EQ(external_references(out.str()), std::vector<std::string>{});
  const json page = read_back(out.str());
  EXPECT_EQ(page["errors"], json::array());
  EXPECT_EQ(page["panels"].size(), 4U);
  EXPECT_EQ(page["allModes"]["text"], "2 binaries, 4 modes, all structurally regular.");
  EXPECT_EQ(page["allModes"]["blocks"].size(), 6U);
}

TEST(ReportModesPage, AStructureReportHasNoSectionsOfARun) {
  const Model model = case_model("water_tank");
  const MultimodeAnalysis analysis = analyze_all_modes(model);
  const json page = after_steps(
      structure_report_of(model, {.analysis = &analysis}), {"byId('mode-hide').click()"},
      "[[...document.querySelectorAll('main > section')].map((section) => section.id), document.title, "
      "readBack().errors, readBack().incidence.blocks > 0]");
  EXPECT_EQ(
      page,
      json::parse(R"([["equations", "structure", "all-modes", "run"], "water_tank – structure", [], true])"));
}

TEST(ReportModesPage, SaysWhatIsLeftOut) {
  const Model model = coupled_masses();
  const json noted = read_back(structure_report_of(model, {.left_out = "diagrams <too> large"}));
  EXPECT_EQ(noted["errors"], json::array());
  EXPECT_EQ(noted["allModes"]["text"], "Left out: diagrams <too> large");

  const MultimodeAnalysis analysis = analyze_all_modes(model);
  const auto with = [](std::string html, const std::string& old_text, const std::string& new_text) {
    return html.replace(html.find(old_text), old_text.size(), new_text);
  };
  const std::string html = structure_report_of(model, {.analysis = &analysis});
  const json no_filter =
      read_back(with(html, "\"filter_left_out\":null", "\"filter_left_out\":\"too many\""));
  EXPECT_EQ(no_filter["errors"], json::array());
  EXPECT_EQ(no_filter["allModes"]["toggles"], json::array());

  const Model large = many_parts(301);
  const MultimodeAnalysis analysis_of_large = analyze_all_modes(large);
  const json no_graph = read_back(structure_report_of(large, {.analysis = &analysis_of_large}));
  EXPECT_EQ(no_graph["errors"], json::array());
  EXPECT_EQ(no_graph["allModes"]["blocks"], json::array());
  EXPECT_EQ(no_graph["allModes"]["graphText"],
            "The graph of the blocks is not drawn: 301 blocks and 0 edges; up to 300 and 1500 are drawn.");
  EXPECT_EQ(no_graph["allModes"]["toggles"].size(), 301U);
}

}  // namespace report_modes_browser_test
}  // namespace mti::test
