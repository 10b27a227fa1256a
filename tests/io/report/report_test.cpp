// The report as text: what it embeds is the run, exactly, and it asks no other place for anything.

#include "io/report/report.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <regex>

#include "io/report/report_data.hpp"
#include "io/report/report_files.hpp"
#include "io/report/report_rows.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/io/report/report_browser.hpp"
#include "tests/io/report/report_fixture.hpp"

namespace mti::test {
namespace report_test {

using nlohmann::json;

json data_of(const Model& model, const Trajectory& trajectory) {
  return json::parse(report_data(model, trajectory, analyze_structure(model), {}));
}

/// The values of a column at all rows, from the rows where they change.
json values_of(const json& held, std::size_t rows) {
  if (held.is_array()) return held;
  json values = json::array();
  for (std::size_t row = 0, next = 0; row < rows; ++row) {
    if (next < held["rows"].size() && held["rows"][next] == row) ++next;
    values.push_back(held["values"][next - 1]);
  }
  return values;
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
  std::vector<json> values;
  for (const auto& held : data["values"]) values.push_back(values_of(held, run.size()));
  for (std::size_t row = 0; row < run.size(); ++row) {
    EXPECT_EQ(data["time"][row].get<double>(), run.time(row));
    EXPECT_EQ(data["side"][row].get<int>(), run.side(row));
    for (std::size_t column = 0; column < run.columns(); ++column) {
      const json& value = values[column][row];
      if (std::isfinite(run.value(row, column))) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(value.get<double>()),
                  std::bit_cast<std::uint64_t>(run.value(row, column)));
      } else {
        EXPECT_TRUE(value.is_null());
      }
    }
  }
}

/// y_k = u(t_k), though 3·0.7 is less than 2.1.
TEST(Report, ShowsInputsThatSamplesTook) {
  Source source;
  source.sample_time = 0.7;
  source.inputs = {{.name = "u", .form = TableSource{{0.0, 2.1}, {0.0, 1.0}, Interpolation::previous}}};
  source.algebraic = {{"y"}};
  source.equations = {"y = u"};
  source.experiment.stop = 4.2;
  const Model model = build(source);
  const json values = data_of(model, simulate(model))["values"];
  EXPECT_EQ(values[0], json({0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(values[1], values[0]);
  ASSERT_LT(3 * 0.7, 2.1);
}

TEST(Report, DataNameUnitsGroupsAndEvents) {
  const Model model = coupled_masses();
  const json data = data_of(model, made_up_run(model));
  EXPECT_EQ(data["columns"][1], (json{{"name", "v1"}, {"unit", "m/s"}, {"group", "state"}}));
  EXPECT_EQ(data["columns"][4], (json{{"name", "loss"}, {"unit", ""}, {"group", "algebraic"}}));
  EXPECT_EQ(data["columns"][6], (json{{"name", "slip"}, {"unit", ""}, {"group", "binary"}}));
  EXPECT_EQ(data["events"][0], json::parse(R"({"time": 1.000000001, "kind": "law", "constraints": ["near"],
      "changed": {"closed": [0, 1]}, "jumps": {"v1": [1, 0.5]}, "impulses": {"F": {"weight": -0.5, "order": 1}},
      "candidates_tried": 2, "ties": [{"slip": [0, 1]}]})"));
  EXPECT_EQ(data["events"][2]["steps"], json::parse(R"([{"slip": [0.75, 1]}, {"closed": [1, 0]}])"));
  EXPECT_EQ(data["summary"]["message"], "no mode continues </script><!-- the run");
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

/// 60 signals at 100,000 rows, far more than a page holds in full, and a binary.
TEST(Report, LargeResultsKeepEverySignal) {
  Source source;
  source.name = "many";
  source.binaries = {{.name = "z"}};
  std::vector<std::string> names;
  for (int i = 0; i < 60; ++i) {
    names.push_back("x" + std::to_string(i));
    source.states.push_back({.name = names.back()});
    source.equations.push_back(RelationSource("der(" + names.back() + ") = z"));
  }
  names.push_back("z");
  const Model model = build(source);
  std::vector<int> rows;
  for (const auto& name : names) rows.push_back(model.signature.find(name).value());
  Trajectory run(names, rows);
  std::vector<double> v(at(model.signature.size()));
  constexpr int count = 100'000;
  for (int k = 0; k < count; ++k) {
    v[at(rows[59])] = k == 77'777 ? 5.0 : k == 33'333 ? -4.0 : 0.001 * (k % 10);
    v[at(rows[60])] = k >= 50'000 ? 1.0 : 0.0;
    run.append(k, 0, v);
  }
  const json data = data_of(model, run);
  EXPECT_EQ(data["columns_left_out"], 0);
  EXPECT_EQ(data["columns_thinned"], 60);
  ASSERT_EQ(data["columns"].size(), 61U);
  // Row k stands at time k.
  const auto time_of = [&](const json& row) { return data["time"][row.get<std::size_t>()].get<int>(); };
  const json& last = data["values"][59];
  EXPECT_EQ(last["thinned"], true);
  EXPECT_LE(last["rows"].size(), 30'000U / 61 + 1);
  EXPECT_EQ(time_of(last["rows"].front()), 0);
  EXPECT_EQ(time_of(last["rows"].back()), count - 1);
  for (const auto& [row, value] : {std::pair(77'777, 5.0), std::pair(33'333, -4.0)}) {
    std::size_t place = 0;
    while (place < last["rows"].size() && time_of(last["rows"][place]) != row) ++place;
    ASSERT_LT(place, last["rows"].size()) << "the extreme value at row " << row;
    EXPECT_EQ(last["values"][place], value);
  }
  const json& lane = data["values"][60];
  EXPECT_FALSE(lane.contains("thinned")) << "a lane goes on until it changes";
  EXPECT_EQ(lane["values"], json::parse("[0, 1]"));
  EXPECT_EQ(time_of(lane["rows"][0]), 0);
  EXPECT_GE(time_of(lane["rows"][1]), 50'000);
  EXPECT_LE(time_of(lane["rows"][1]), 50'000 + 2 * count / 24) << "within a window or two";

  Trajectory busy(names, rows);
  for (int k = 0; k < count; ++k) {
    v[at(rows[60])] = k / 10 % 2;
    busy.append(k, 0, v);
  }
  EXPECT_EQ(data_of(model, busy)["columns_thinned"], 61) << "the page says that changes are left out";
}

/// 10⁴ events of which the page lists the first and the last, and numbers them as events.json does.
TEST(Report, OfManyEventsTheFirstAndTheLastAreListed) {
  const Model model = coupled_masses();
  Trajectory run = made_up_run(model);
  run.events.clear();
  constexpr std::size_t count = 10'000;
  for (std::size_t k = 0; k < count; ++k)
    run.events.push_back(
        {.time = 3e-4 * static_cast<double>(k), .changed = {{model.signature.binary_row(0), 0, 1}}});
  const json data = data_of(model, run);
  const std::size_t after = data["events_gap"]["after"], left_out = data["events_gap"]["count"];
  ASSERT_EQ(data["events"].size() + left_out, count);
  EXPECT_GT(after, 500U);
  EXPECT_GT(data["events"].size() - after, 500U);
  for (std::size_t i = 0; i < data["events"].size(); ++i) {
    const std::size_t k = i < after ? i : i + left_out;
    EXPECT_EQ(data["events"][i]["time"], run.events[k].time);
  }
}

/// u(t) = 3 + 2 sin(2π t/8), a table with a jump at 2, and a binary input; g holds all of them.
TEST(Report, DataHoldInputsAndConstraints) {
  Source source;
  source.states = {{.name = "x", .start = 1.0}};
  source.inputs = {{.name = "u", .form = SineSource{2.0, 0.125, 0.0, 3.0}, .unit = "V"},
                   {.name = "w", .form = TableSource{{0.0, 2.0, 2.0, 4.0}, {0.0, 1.0, 5.0, 5.0}, {}}},
                   {.name = "b", .form = TableSource{{0.0, 1.0}, {0.0, 1.0}, {}}, .binary = true}};
  source.binaries = {{.name = "z"}};
  source.equations = {"der(x) = u*b - x", "z = b"};
  source.constraints = {{"square", "x^2 - u*w + b <= 100"}, {"slope", "der(x) <= 50"}};
  const Model model = build(source);
  const double half = 3 + std::sqrt(2.0);  // u(1)
  const std::vector<double> u = {3, half, half, 5, 5}, w = {0, 0.5, 0.5, 1, 5}, b = {0, 0, 1, 1, 1},
                            x = {1, 2, 2, 3, 3}, time = {0, 1, 1, 2, 2}, side = {0, -1, 1, -1, 1};
  std::vector<int> rows;
  for (const char* name : {"x", "z", "u", "w", "b"}) rows.push_back(model.signature.find(name).value());
  Trajectory run({"x", "z"}, {rows[0], rows[1]}, {rows[2], rows[3], rows[4]});
  std::vector<double> v(at(model.signature.size()));
  for (std::size_t row = 0; row < time.size(); ++row) {
    const std::vector<double> values = {x[row], b[row], u[row], w[row], b[row]};
    for (std::size_t i = 0; i < rows.size(); ++i) v[at(rows[i])] = values[i];
    run.append(time[row], static_cast<int>(side[row]), v);
  }
  const json data = data_of(model, run);
  ASSERT_EQ(data["columns"].size(), 5U);
  EXPECT_EQ(data["columns"][1], (json{{"name", "u"}, {"unit", "V"}, {"group", "input"}}));
  EXPECT_EQ(data["columns"][4], (json{{"name", "b"}, {"unit", ""}, {"group", "binary input"}}));
  const json& constraints = data["constraints"];
  ASSERT_EQ(constraints["names"], json::parse(R"(["square"])"));
  EXPECT_EQ(constraints["unknown"], json::parse(R"json([["slope", "der(x)"]])json"));
  for (std::size_t row = 0; row < run.size(); ++row) {
    EXPECT_NEAR(data["values"][1][row], u[row], 1e-14);
    EXPECT_NEAR(data["values"][2][row], w[row], 1e-14) << "at a jump the value of its side";
    EXPECT_EQ(values_of(data["values"][4], run.size())[row], b[row]);
    EXPECT_NEAR(constraints["values"][0][row], x[row] * x[row] - u[row] * w[row] + b[row] - 100, 1e-12);
  }
}

TEST(Report, DataSayWhereThePageComesFrom) {
  const Model model = coupled_masses();
  const json data = json::parse(report_data(model, made_up_run(model), analyze_structure(model), {},
                                            {.parameters = {{"m", "2"}, {"k<", "3*m"}}}));
  EXPECT_EQ(data["parameters"], json::parse(R"([["m", "2"], ["k<", "3*m"]])"));
  EXPECT_NE(data["equations"]["text"].get<std::string>().find("der(v1) + F = 0"), std::string::npos)
      << data["equations"]["text"];
  EXPECT_TRUE(std::regex_match(data["origin"]["date"].get<std::string>(),
                               std::regex(R"(20\d\d-[01]\d-[0-3]\d [0-2]\d:[0-5]\d UTC)")));
  EXPECT_TRUE(
      std::regex_match(data["origin"]["version"].get<std::string>(), std::regex(R"(\d+\.\d+\.\d+.*)")));
}

TEST(Report, UnknownFilesAreRefused) { EXPECT_THROW((void)report_file("no such file"), std::out_of_range); }

}  // namespace report_test
}  // namespace mti::test
