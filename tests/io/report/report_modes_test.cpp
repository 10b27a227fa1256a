// The data of all modes in the report: evaluated in every mode they say what the analysis of that mode alone
// says.

#include "io/report/report_modes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "io/report/report_data.hpp"
#include "mti/build/build.hpp"
#include "solvers/structure/mode_structure.hpp"
#include "tests/io/report/report_fixture.hpp"
#include "tests/io/report/report_modes_fixture.hpp"

namespace mti::test {
namespace report_modes_test {

using nlohmann::json;

/// Whether the mode with these values of the binaries is in a set, by walking its diagram.
bool is_in(const json& data, const json& set, const std::vector<int>& values) {
  std::size_t number = set.get<std::size_t>();
  while (number > 1) {
    const json& node = data["diagrams"].at(number - 2);
    number = node.at(values.at(node[0].get<std::size_t>()) == 1 ? 2 : 1).get<std::size_t>();
  }
  return number == 1;
}

using Part = std::pair<std::vector<int>, std::vector<int>>;  // equations, rows of S of the signals

/// Where the data differ from what each mode says on its own, one line each.
std::vector<std::string> differences(const Model& model, const AllModes& modes, const json& data) {
  std::vector<std::string> list;
  const ModeSpace& space = modes.space;
  const ConditionalGraph& graph = modes.graph;
  const Signature& signature = model.signature;
  const auto row_of = [&](int signal) {
    return signal < signature.n() ? signature.state_row(signal)
                                  : signature.algebraic_row(signal - signature.n());
  };
  int considered = 0, singular = 0;
  for (const Mode& mode : every_mode(model)) {
    const std::vector<int> values = values_in(mode, space);
    const auto in = [&](const json& set) { return is_in(data, set, values); };
    const auto compare = [&](const std::string& what, const auto& shown, const auto& expected) {
      if (shown != expected) list.push_back(what + " in mode " + json(values).dump());
    };
    compare("considered", std::ranges::all_of(data["factors"], in), is_considered(mode, space));
    if (!is_considered(mode, space)) continue;
    ++considered;
    const ModeStructure alone = analyze_mode(model, mode);
    singular += alone.singular ? 1 : 0;
    compare("singular", in(data["singular_set"]), alone.singular);
    compare("regular", in(data["regular_set"]), !alone.singular);
    int classes = 0;
    for (const json& one : data["classes"]) {
      if (!in(one["set"])) continue;
      ++classes;
      compare("index", one["index"], json(alone.index));
      compare("differentiation index", one["differentiation_index"],
              json(alone.index + (alone.differentiation_index_is_one_more ? 1 : 0)));
      compare("degrees of freedom", one["degrees_of_freedom"], json(alone.degrees_of_freedom));
    }
    compare("classes", classes, alone.singular ? 0 : 1);

    std::multiset<Part> shown, expected;
    for (const ModePart& block : alone.blocks) expected.emplace(block.equations, block.signals);
    for (std::size_t b = 0; b < graph.blocks.size(); ++b) {
      const bool there = in(data["blocks"][b]["set"]);
      compare("missing block", in(data["blocks"][b]["missing"]), !alone.singular && !there);
      if (!there) continue;
      Part part{graph.blocks[b].equations, {}};
      for (const int signal : graph.blocks[b].signals) part.second.push_back(row_of(signal));
      shown.insert(std::move(part));
    }
    compare("blocks", shown, expected);
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      const json& edge = data["edges"][e];
      const auto has = [&](const char* end) {
        return in(data["blocks"].at(edge[end].get<std::size_t>())["set"]);
      };
      const bool both = has("from") && has("to"), there = space.contains(graph.edges[e].where, mode);
      compare("edge", in(edge["set"]), both && there);
      compare("missing edge", in(edge["missing"]), both && !there);
    }
  }
  if (data["considered"] != std::to_string(considered)) list.emplace_back("number of modes considered");
  if (data["singular"] != std::to_string(singular)) list.emplace_back("number of singular modes");
  return list;
}

using Differences = std::vector<std::string>;

class ReportModesOf : public ::testing::TestWithParam<const char*> {};

TEST_P(ReportModesOf, AgreesWithEveryModeOnItsOwn) {
  const Model model = case_model(GetParam());
  const MultimodeAnalysis analysis = analyze_all_modes(model);
  const json data = json::parse(report_modes(model, analysis));
  EXPECT_EQ(differences(model, analysis.modes, data), Differences{});
  EXPECT_EQ(data["blocks"].size(), analysis.modes.graph.blocks.size());
  EXPECT_EQ(data["edges"].size(), analysis.modes.graph.edges.size());
  EXPECT_EQ(data["graph_left_out"], nullptr);
  EXPECT_EQ(data["filter_left_out"], nullptr);
}

TEST(ReportModes, ComparisonNoticesAWrongDiagramAndAWrongEdge) {
  const Model model = case_model("water_tank");
  const MultimodeAnalysis analysis = analyze_all_modes(model);
  const json data = json::parse(report_modes(model, analysis));
  json swapped = data;
  std::swap(swapped["diagrams"].back()[1], swapped["diagrams"].back()[2]);
  EXPECT_NE(differences(model, analysis.modes, swapped), Differences{});
  json lost = data;
  lost["edges"][0]["set"] = 0;
  EXPECT_NE(differences(model, analysis.modes, lost), Differences{});
}

INSTANTIATE_TEST_SUITE_P(Cases, ReportModesOf,
                         ::testing::Values("water_tank", "rldc2", "clutch_basic", "faulty_coaxial_3",
                                           "siconos_diode_bridge", "hydraulic_actuator", "switched"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST(ReportModes, ListWhatIsOverAndUnderDetermined) {
  const Model model = switched();
  const json data = json::parse(report_modes(model, analyze_all_modes(model)));
  EXPECT_EQ(data["all"], "4");
  EXPECT_EQ(data["considered"], "3");
  // Where only `open` holds, y occurs in no equation: it is absent, and the mode is regular without it.
  EXPECT_EQ(data["singular"], "1");
  EXPECT_EQ(data["singular_where"], "short");
  std::set<std::string> under;
  for (const json& list : data["lists"])
    if (list["title"] == "Under-determined in singular modes")
      for (const json& row : list["rows"]) {
        under.insert(row[0]);
        EXPECT_NE(row[2], 0);
      }
  EXPECT_EQ(under, std::set<std::string>{"signal y"});
}

TEST(ReportModes, NameBlocksAndEdgesOfTheTank) {
  const Model model = case_model("water_tank");
  const json data = json::parse(report_modes(model, analyze_all_modes(model)));
  const auto name = [](const json& block) {
    return block["signals"][0].get<std::string>() + " from " + block["equations"][0].get<std::string>();
  };
  std::set<std::pair<std::string, std::string>> full;  // bh = 1: taken, taken by
  std::vector<int> values(2);
  for (std::size_t k = 0; k < 2; ++k) values[k] = data["binaries"][k] == "bh" ? 1 : 0;
  for (const json& edge : data["edges"])
    if (is_in(data, edge["set"], values))
      full.emplace(name(data["blocks"][edge["from"].get<std::size_t>()]),
                   name(data["blocks"][edge["to"].get<std::size_t>()]));
  // By hand: x = 1 is differentiated to der(x) = 0, the balance gives yh, and the sensor follows it.
  EXPECT_EQ(full, (std::set<std::pair<std::string, std::string>>{{"der(x) from full", "yh from volume"},
                                                                 {"yl from empty", "yh from volume"},
                                                                 {"yh from volume", "sh from full_sensor"}}));
}

TEST(ReportModes, DrawUpTo300BlocksAndSaySoBeyond) {
  const Model most = many_parts(300), more = many_parts(301);
  const json drawn = json::parse(report_modes(most, analyze_all_modes(most)));
  EXPECT_EQ(drawn["graph_left_out"], nullptr);
  EXPECT_EQ(drawn["blocks"].size(), 300U);
  const json cut = json::parse(report_modes(more, analyze_all_modes(more)));
  EXPECT_EQ(cut["graph_left_out"], "301 blocks and 0 edges; up to 300 and 1500 are drawn.");
  EXPECT_EQ(cut["blocks"].size(), 0U);
  EXPECT_EQ(cut["lists"][0]["title"],
            "Mode changes, pre(z) being z before (unless the new constraints happen to hold)");
  EXPECT_EQ(cut["lists"][0]["rows"].size(), 200U);  // every state jumps where its z falls
  EXPECT_EQ(cut["lists"][0]["left_out"], 101);
  EXPECT_NE(cut["classes_left_out"], nullptr);  // 302 numbers of degrees of freedom
}

TEST(ReportModes, StandInTheReportOnlyIfGiven) {
  const Model model = coupled_masses();
  const Trajectory run = made_up_run(model);
  const Structure structure = analyze_structure(model);
  EXPECT_FALSE(json::parse(report_data(model, run, structure, {})).contains("all_modes"));
  const MultimodeAnalysis analysis = analyze_all_modes(model);
  const json with = json::parse(report_data(model, run, structure, {}, {.analysis = &analysis}));
  EXPECT_EQ(with["all_modes"], json::parse(report_modes(model, analysis)));
  EXPECT_EQ(with["time"].size(), run.size());
  const json without = json::parse(report_data(model, run, structure, {}, {.left_out = "a < b"}));
  EXPECT_EQ(without["all_modes"], (json{{"left_out", "a < b"}}));
  const json alone = json::parse(structure_report_data(model, structure, {.analysis = &analysis}));
  EXPECT_EQ(alone["all_modes"], with["all_modes"]);
  EXPECT_EQ(alone["structure"], with["structure"]);
  EXPECT_FALSE(alone.contains("summary"));
}

}  // namespace report_modes_test
}  // namespace mti::test
