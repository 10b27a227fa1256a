// The report as text: what it embeds is the run, exactly, and it asks no other place for anything.

#include "io/report/report.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "io/report/report_data.hpp"
#include "io/report/report_files.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/io/report/report_browser.hpp"
#include "tests/io/report/report_fixture.hpp"

namespace mti::test {
namespace report_test {

using nlohmann::json;

json data_of(const Model& model, const Trajectory& trajectory) {
  return json::parse(report_data(model, trajectory, analyze_structure(model), {}));
}

TEST(Report, RefersToNoOtherPlace) {
  const Model model = coupled_masses();
  EXPECT_EQ(external_references(report_of(model, made_up_run(model))), std::vector<std::string>{});
}

TEST(Report, SearchForReferencesFindsThem) {
  EXPECT_EQ(external_references("<script src=\"a.js\"></script>").size(), 1U);
  EXPECT_EQ(external_references("<a href=\"other.html\">").size(), 1U);
  EXPECT_EQ(external_references("<a href=\"#here\">").size(), 0U);
  EXPECT_EQ(external_references("/*! https://example.org */").size(), 0U);
  EXPECT_EQ(external_references("x = 'https://example.org'").size(), 1U);
  EXPECT_EQ(external_references("body { background: url(a.png) }").size(), 1U);
}

TEST(Report, HoldsTheLicenceOfThePlottingLibrary) {
  const Model model = coupled_masses();
  const std::string html = report_of(model, made_up_run(model));
  EXPECT_NE(html.find(report_file("LICENSE")), std::string::npos);
  EXPECT_NE(html.find(report_file("uPlot.iife.min.js")), std::string::npos);
}

TEST(Report, NoTextEndsTheScriptItStandsIn) {
  const Model model = coupled_masses();
  Model other = model;
  other.description = "harmless";
  const Trajectory run = made_up_run(model);
  Trajectory harmless = run;
  harmless.outcome.message = "harmless";
  const auto count = [](const std::string& text, std::string_view what) {
    int found = 0;
    for (auto place = text.find(what); place != std::string::npos; place = text.find(what, place + 1))
      ++found;
    return found;
  };
  for (const char* mark : {"<script", "</script", "<!--"}) {
    EXPECT_EQ(count(report_of(model, run), mark), count(report_of(other, harmless), mark)) << mark;
  }
}

TEST(Report, EscapesTheTitle) {
  Model model = coupled_masses();
  model.name = "a</title><script>&";
  EXPECT_NE(report_of(model, made_up_run(model)).find("<title>a&lt;/title&gt;&lt;script&gt;&amp;</title>"),
            std::string::npos);
}

TEST(Report, DataAreTheTrajectoryBitForBit) {
  const Model model = coupled_masses();
  const Trajectory run = made_up_run(model);
  const json data = data_of(model, run);
  ASSERT_EQ(data["columns"].size(), run.columns());
  ASSERT_EQ(data["time"].size(), run.size());
  for (std::size_t row = 0; row < run.size(); ++row) {
    EXPECT_EQ(data["time"][row].get<double>(), run.time(row));
    EXPECT_EQ(data["side"][row].get<int>(), run.side(row));
    for (std::size_t column = 0; column < run.columns(); ++column) {
      const json& value = data["values"][column][row];
      if (std::isfinite(run.value(row, column))) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(value.get<double>()),
                  std::bit_cast<std::uint64_t>(run.value(row, column)));
      } else {
        EXPECT_TRUE(value.is_null());
      }
    }
  }
}

TEST(Report, DataNameUnitsGroupsAndEvents) {
  const Model model = coupled_masses();
  const json data = data_of(model, made_up_run(model));
  EXPECT_EQ(data["columns"][1], (json{{"name", "v1"}, {"unit", "m/s"}, {"group", "state"}}));
  EXPECT_EQ(data["columns"][4], (json{{"name", "loss"}, {"unit", ""}, {"group", "algebraic"}}));
  EXPECT_EQ(data["columns"][6], (json{{"name", "slip"}, {"unit", ""}, {"group", "binary"}}));
  EXPECT_EQ(data["events"][0], json::parse(R"({"time": 1.000000001, "kind": "law", "constraints": ["near"],
      "changed": [["closed", 0, 1]], "jumps": [["v1", 1, 0.5]], "impulses": [["F", -0.5, 1]],
      "candidates_tried": 2, "ties": [[["slip", 0, 1]]], "steps": []})"));
  EXPECT_EQ(data["events"][2]["steps"], json::parse(R"([[["slip", 0.75, 1]], [["closed", 1, 0]]])"));
  EXPECT_EQ(data["outcome"]["message"], "no mode continues </script><!-- the run");
}

TEST(Report, DataHoldTheStructureOfEveryModeEntered) {
  const Model model = coupled_masses();
  const Trajectory run = made_up_run(model);
  const json modes = data_of(model, run)["modes"];
  EXPECT_EQ(modes["names"], json::parse(R"(["closed", "slip"])"));
  EXPECT_EQ(modes["left_out"], 1);
  ASSERT_EQ(modes["list"].size(), 3U);
  EXPECT_EQ(modes["list"][1]["time"].get<double>(), run.modes[1].time);
  EXPECT_EQ(modes["list"][1]["values"], json::parse("[1, 0]"));
  // p1, v1, v2 are free; F, loss and the copy of v1 follow: (der(p1)), (F), (der(v1)), (der(v2)), (copy),
  // (loss).
  EXPECT_EQ(
      modes["list"][0]["structure"],
      json::parse(R"({"singular": false, "index": 0, "differentiation_index": 1, "degrees_of_freedom": 3,
                            "differentiated": [], "blocks": 6, "largest_block": 1})"));
  EXPECT_EQ(modes["list"][2]["sliding"], json::parse(R"(["fast"])"));
  EXPECT_FALSE(modes["list"][2].contains("structure"));
}

/// One mode without binaries, of index 2: two masses on a rod, l = x1 − x2, which is differentiated twice.
TEST(Report, DataNameDifferentiatedEquations) {
  const Model model = masses_on_a_rod();
  const json modes = data_of(model, simulate(model))["modes"];
  ASSERT_EQ(modes["list"].size(), 1U);
  const json& structure = modes["list"][0]["structure"];
  EXPECT_EQ(structure["index"], 2);
  EXPECT_EQ(structure["differentiation_index"], 3);
  EXPECT_EQ(structure["degrees_of_freedom"], 2);
  EXPECT_EQ(structure["differentiated"], json::parse(R"([["move1", 1], ["move2", 1], ["rod", 2]])"));
  EXPECT_EQ(structure["blocks"], 1);
  EXPECT_EQ(structure["largest_block"], 5);
}

TEST(Report, AuxiliarySignalsAreLeftOut) {
  const Model model = coupled_masses();
  std::vector<std::string> names;
  std::vector<int> rows;
  for (int i = 0; i < model.signature.p(); ++i) {
    names.push_back(model.signature.algebraic()[at(i)].name);
    rows.push_back(model.signature.algebraic_row(i));
  }
  ASSERT_GT(names.size(), 2U) << "v1^2 has an auxiliary signal";
  EXPECT_EQ(data_of(model, Trajectory(names, rows))["columns"].size(), 2U);
}

TEST(Report, IncidenceHoldsEveryUnknownOfEveryRow) {
  const Model model = coupled_masses();
  const Structure structure = analyze_structure(model);
  const json data = json::parse(report_data(model, made_up_run(model), structure, {}))["structure"];
  EXPECT_EQ(data["combinations_all"], "4");
  std::size_t blocks = 0;
  for (const auto& set : structure.sub_sets) blocks += set.sub_problems.size();
  EXPECT_EQ(data["blocks"].size(), blocks);
  const auto unknowns_of = [&](const std::string& row_name) {
    std::vector<std::string> names;
    for (const auto& row : data["rows"]) {
      if (row["name"] != row_name) continue;
      for (const auto& unknown : row["unknowns"])
        names.push_back(data["unknowns"][unknown.get<std::size_t>()]["name"]);
    }
    std::sort(names.begin(), names.end());
    return names;
  };
  EXPECT_EQ(unknowns_of("eq1"), std::vector<std::string>{"der(p1)"});  // v1 is a state: known
  EXPECT_EQ(unknowns_of("eq2"), (std::vector<std::string>{"F", "der(v1)"}));
  EXPECT_EQ(unknowns_of("eq4"), (std::vector<std::string>{"F", "closed"}));
  EXPECT_EQ(unknowns_of("fast"), std::vector<std::string>{"slip"});
}

TEST(Report, LargeResultsKeepEveryRowOfTheFirstSignalsAndBinaries) {
  Source source;
  source.name = "many";
  for (int i = 0; i < 30; ++i) {
    const std::string number = std::to_string(i);
    source.states.push_back({.name = "x" + number});
    source.binaries.push_back({.name = "z" + number});
    source.equations.push_back(RelationSource("der(x" + number + ") = z" + number));
  }
  const Model model = build(source);
  std::vector<std::string> names;
  std::vector<int> rows;
  for (const char* letter : {"x", "z"}) {
    for (int i = 0; i < 30; ++i) names.push_back(letter + std::to_string(i));
  }
  for (const auto& name : names) rows.push_back(model.signature.find(name).value());
  Trajectory run(names, rows);
  const std::vector<double> v(at(model.signature.size()));
  constexpr int count = 100'000;  // 60 columns: twice what a page takes
  for (int k = 0; k < count; ++k) run.append(k, 0, v);
  const json data = data_of(model, run);
  EXPECT_EQ(data["columns_left_out"], 30);
  ASSERT_EQ(data["columns"].size(), 30U);
  EXPECT_EQ(data["columns"][14]["name"], "x14");
  EXPECT_EQ(data["columns"][15]["name"], "z0");
  for (const auto& column : data["values"]) EXPECT_EQ(column.size(), at(count));
}

TEST(Report, UnknownFilesAreRefused) { EXPECT_THROW((void)report_file("no such file"), std::out_of_range); }

}  // namespace report_test
}  // namespace mti::test
