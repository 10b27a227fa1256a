// What the report draws and how it is told apart, read back from the page in a browser: inputs, constraints,
// long names, many signals, many events, keyboard and descriptions.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "mti/common/at.hpp"
#include "tests/io/report/report_browser.hpp"
#include "tests/io/report/report_fixture.hpp"

namespace mti::test {
namespace report_drawing_test {

using nlohmann::json;

/// x with der(x) = u, a binary input b and a binary z; x ≤ 5 and z against b.
Model driven() {
  Source source;
  source.name = "driven";
  source.states = {{.name = "x", .unit = "m"}};
  source.inputs = {{.name = "u", .form = SineSource{2.0, 0.25, 0.0, 1.0}, .unit = "m/s"},
                   {.name = "b", .form = TableSource{{0.0, 1.0, 3.0}, {0.0, 1.0, 0.0}, {}}, .binary = true}};
  source.binaries = {{.name = "z"}};
  source.equations = {"der(x) = u", "z = b"};
  source.constraints = {{"limit", "x <= 5"}, {"speed", "der(x) <= 9"}};
  return build(source);
}

/// A run of made-up rows over [0, 4] with `events` events, evenly spread.
Trajectory made_up(const Model& model, int events) {
  const int x = model.signature.find("x").value(), z = model.signature.find("z").value();
  std::vector<int> inputs;
  for (int i = 0; i < model.signature.m(); ++i) inputs.push_back(model.signature.input_row(i));
  Trajectory run({"x", "z"}, {x, z}, inputs);
  std::vector<double> v(at(model.signature.size()));
  for (int k = 0; k <= 40; ++k) {
    v[at(x)] = 0.25 * k;
    v[at(z)] = k >= 10 && k < 30 ? 1 : 0;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      v[at(inputs[i])] = model.inputs[i].piece(0.1 * k).value(0.1 * k);
    run.append(0.1 * k, 0, v);
  }
  for (int k = 0; k < events; ++k) run.events.push_back({.time = 4.0 * (k + 0.5) / events});
  run.statistics.events = events;
  return run;
}

std::vector<std::string> texts_of(const json& list, const char* member) {
  std::vector<std::string> texts;
  for (const auto& entry : list) texts.push_back(entry[member]);
  return texts;
}

using Texts = std::vector<std::string>;

TEST(ReportDrawing, InputsAreDrawnWithSignalsAndBinaryInputsInLanes) {
  const Model model = driven();
  const json page = read_back(report_of(model, made_up(model, 2)));
  EXPECT_EQ(page["errors"], json::array());
  ASSERT_EQ(page["panels"].size(), 2U);
  const json& u = page["panels"][1]["series"][0];
  EXPECT_EQ(u["label"], "u [m/s]");
  EXPECT_EQ(u["points"], 41);
  EXPECT_NEAR(u["max"].get<double>(), 3.0, 1e-12);   // 1 + 2 sin(π t/2) at t = 1
  EXPECT_NEAR(u["min"].get<double>(), -1.0, 1e-12);  // at t = 3
  ASSERT_EQ(page["lanes"].size(), 1U);
  EXPECT_EQ(texts_of(page["lanes"][0]["series"], "label"), (Texts{"z", "b"}));
  EXPECT_EQ(page["lanes"][0]["series"][1]["changes"], 2);
}

TEST(ReportDrawing, ConstraintsAreDrawnAsFarAsTheRunTellsThem) {
  const Model model = driven();
  const json page = after_steps(report_of(model, made_up(model, 2)), {},
                                "[readBack().constraints, byId('constraints-note').textContent]");
  ASSERT_EQ(page[0].size(), 1U);
  const json& limit = page[0][0]["series"];
  ASSERT_EQ(texts_of(limit, "label"), Texts{"limit"});
  EXPECT_EQ(limit[0]["points"], 41);
  EXPECT_NEAR(limit[0]["min"].get<double>(), -5.0, 1e-12);
  EXPECT_NEAR(limit[0]["max"].get<double>(), 5.0, 1e-12);
  EXPECT_NE(page[1].get<std::string>().find("speed (der(x))"), std::string::npos) << page[1];
}

TEST(ReportDrawing, EquationsVersionDateAndUnitOfTimeAreShown) {
  Source source;
  source.states = {{.name = "x"}};
  source.inputs = {{.name = "time", .unit = "h"}};
  source.equations = {{"slope", "der(x) = 2*time"}};
  const Model model = build(source);
  Trajectory run({"x"}, {model.signature.find("x").value()});
  const std::vector<double> v(at(model.signature.size()));
  run.append(0, 0, v);
  run.append(1, 0, v);
  const json page = after_steps(report_of(model, run), {},
                                "[byId('equations-text').textContent, byId('origin').textContent, "
                                "timePlots.plots[0].axes[0].label]");
  EXPECT_NE(page[0].get<std::string>().find("slope:"), std::string::npos) << page[0];
  EXPECT_NE(page[1].get<std::string>().find("mti "), std::string::npos) << page[1];
  EXPECT_NE(page[1].get<std::string>().find("UTC"), std::string::npos) << page[1];
  EXPECT_EQ(page[2], "time [h]");
}

TEST(ReportDrawing, ShortNamesAreDistinctWhereNamesAre) {
  const Model model = driven();
  // Names that differ at the end, in the middle, at the beginning, everywhere far inside, and by nothing but a
  // letter beyond any cut.
  const json lists = after_steps(report_of(model, made_up(model, 0)), {}, R"([
      ['first_house.kitchen.temperature', 'first_house.kitchen.pressure'],
      Array.from({length: 40}, (u, i) => `the_plant_section_number_${i}_of_the_heat_exchanger`),
      ['a_very_long_name_of_a_signal', 'b_very_long_name_of_a_signal', 'short'],
      ['x'.repeat(40) + 'a' + 'y'.repeat(40), 'x'.repeat(40) + 'b' + 'y'.repeat(40)],
      ['x'.repeat(30) + 'a' + 'y'.repeat(30) + 'c', 'x'.repeat(30) + 'b' + 'y'.repeat(30) + 'c',
       'x'.repeat(30) + 'a' + 'y'.repeat(30) + 'd'],
    ].flatMap((names) => [8, 12, 24].map((most) => [most, names, shortNames(names, most)])))");
  ASSERT_EQ(lists.size(), 15U);
  for (const json& list : lists) {
    const std::set<std::string> distinct(list[2].begin(), list[2].end());
    EXPECT_EQ(distinct.size(), list[1].size()) << list[2];
    for (std::size_t i = 0; i < list[1].size(); ++i) {
      const std::string name = list[1][i], text = list[2][i];
      // … is three bytes of one character.
      std::size_t length = 0;
      for (const char c : text) length += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
      EXPECT_LE(length, list[0].get<std::size_t>()) << text;
      if (name.size() <= list[0].get<std::size_t>()) {
        EXPECT_EQ(text, name);
      }
    }
  }
}

/// Signals with long names that differ in the middle.
Model many_signals(int count) {
  Source source;
  source.binaries = {{.name = "z"}};
  for (int i = 0; i < count; ++i) {
    const std::string name = "the_long_section_number_" + std::to_string(i) + "_of_the_heat_exchanger";
    source.states.push_back({.name = name, .unit = "K"});
    source.equations.push_back(RelationSource("der(" + name + ") = z"));
  }
  return build(source);
}

Trajectory run_of_many(const Model& model) {
  std::vector<std::string> names;
  std::vector<int> rows;
  for (int i = 0; i < model.signature.n(); ++i) {
    names.push_back(model.signature.states()[at(i)].name);
    rows.push_back(model.signature.state_row(i));
  }
  Trajectory run(names, rows);
  std::vector<double> v(at(model.signature.size()));
  for (int k = 0; k < 20; ++k) {
    for (std::size_t i = 0; i < rows.size(); ++i) v[at(rows[i])] = static_cast<double>(i) + 0.1 * k;
    run.append(k, 0, v);
  }
  return run;
}

TEST(ReportDrawing, CurvesOfAPanelDifferInColourAndDashAndHaveTheirNamesAtTheirEnds) {
  const Model model = many_signals(27);
  const json page = read_back(report_of(model, run_of_many(model)));
  EXPECT_EQ(page["errors"], json::array());
  ASSERT_EQ(page["panels"].size(), 1U);
  const json& series = page["panels"][0]["series"];
  ASSERT_EQ(series.size(), 27U);
  std::set<std::string> looks;
  for (std::size_t i = 0; i < series.size(); ++i) {
    looks.insert(series[i]["colour"].get<std::string>() + "/" + series[i]["dash"].get<std::string>());
    if (i == 0) continue;
    EXPECT_NE(series[i]["colour"], series[i - 1]["colour"]);
    EXPECT_NE(series[i]["dash"], series[i - 1]["dash"]);
  }
  EXPECT_EQ(looks.size(), series.size());
  // From top to bottom: the greatest value first.
  const json& labels = page["panels"][0]["labels"];
  ASSERT_EQ(labels.size(), 27U);
  EXPECT_EQ(labels[0], "the_long_section_number_26_of_the_heat_exchanger");
  EXPECT_EQ(labels[26], "the_long_section_number_0_of_the_heat_exchanger");
  const json& shown = page["panels"][0]["shownNames"];
  EXPECT_EQ(std::set<std::string>(shown.begin(), shown.end()).size(), 28U) << "with that of time";
}

TEST(ReportDrawing, OfManySignalsAnyIsFoundByItsName) {
  const Model model = many_signals(60);
  const std::string html = report_of(model, run_of_many(model));
  EXPECT_EQ(read_back(html)["panels"][0]["series"].size(), 12U);
  const json page = after_steps(
      html,
      {"window.search = document.querySelector('#signal-chooser input[type=search]'); search.value = "
       "'number_57_'; search.dispatchEvent(new Event('input'))",
       "document.querySelector('#signal-chooser .choices input').click()"},
      "[document.querySelector('#signal-chooser details').open, search.offsetHeight > 0, "
      "readBack().panels[0].series.map((series) => series.label)]");
  EXPECT_EQ(page[0], true);
  EXPECT_EQ(page[1], true) << "the search field is in view";
  ASSERT_EQ(page[2].size(), 13U);
  EXPECT_EQ(page[2][12], "the_long_section_number_57_of_the_heat_exchanger [K]");
}

TEST(ReportDrawing, ManyEventsBecomeAStripAndTheTextSaysSo) {
  const Model model = driven();
  const std::string marks =
      "[timePlots.plots[0].over.clientWidth, readBack().panels[0], "
      "document.querySelector('.marks-note').hidden, document.querySelector('.marks-note').textContent, "
      "readBack().phase]";
  const json few = after_steps(report_of(model, made_up(model, 50)), {}, marks);
  EXPECT_EQ(few[1]["lines"], 50);
  EXPECT_EQ(few[1]["inStrip"], 0);
  EXPECT_EQ(few[2], true);
  const std::string html = report_of(model, made_up(model, 3000));
  const json many = after_steps(html, {}, marks);
  EXPECT_EQ(many[1]["marks"], 3000);
  EXPECT_EQ(many[1]["inStrip"], 3000);
  EXPECT_LE(many[1]["lines"].get<double>(), many[0].get<double>() / 6);
  EXPECT_EQ(many[2], false);
  EXPECT_NE(many[3].get<std::string>().find("3000 of the 3000 events"), std::string::npos) << many[3];
  // 20 events in view of 1,000 pixels: lines again.
  const json zoomed = after_steps(html, {"timeWindow.show(1, 1 + 20 * 4 / 3000)"}, marks);
  EXPECT_EQ(zoomed[1]["lines"], zoomed[1]["marks"]);
  EXPECT_NEAR(zoomed[1]["marks"].get<double>(), 20, 1);
  EXPECT_EQ(zoomed[2], true);
}

std::string press(const std::string& where, const std::string& key, bool shift = false) {
  return where + ".dispatchEvent(new KeyboardEvent('keydown', {key: '" + key +
         "', bubbles: true, cancelable: true, shiftKey: " + (shift ? "true" : "false") + "}))";
}

TEST(ReportDrawing, PlotsLegendsAndTablesWorkByKeyboard) {
  const Model model = driven();
  const std::string html = report_of(model, made_up(model, 3));
  const std::string plot = "timePlots.plots[0].root";
  const std::string window = "[timeWindow.min, timeWindow.max, byId('readout').textContent]";
  const json zoomed = after_steps(html, {press(plot, "+")}, window);
  EXPECT_NEAR(zoomed[0].get<double>(), 1.0, 1e-9);
  EXPECT_NEAR(zoomed[1].get<double>(), 3.0, 1e-9);
  const json moved = after_steps(html, {press(plot, "+"), press(plot, "ArrowRight", true)}, window);
  EXPECT_NEAR(moved[0].get<double>(), 1.5, 1e-9);
  EXPECT_NEAR(moved[1].get<double>(), 3.5, 1e-9);
  const json back = after_steps(html, {press(plot, "+"), press(plot, "0")}, window);
  EXPECT_EQ(back[0], 0);
  EXPECT_EQ(back[1], 4);
  const json said = after_steps(html, {press(plot, "ArrowRight"), press(plot, "ArrowRight")}, window);
  EXPECT_EQ(said[2], "time 0.1: x [m] 0.25");
  const json hidden = after_steps(html, {press(plot + ".querySelector('th[role=button]')", "Enter")},
                                  "[readBack().panels[0].series[0].shown, "
                                  "timePlots.plots[0].root.querySelector('th[role=button]').ariaPressed]");
  EXPECT_EQ(hidden, json::parse(R"([false, "false"])"));
  const json chosen =
      after_steps(html, {press("document.querySelectorAll('#event-table tbody tr')[1]", " ")},
                  "[timeWindow.selected, document.querySelectorAll('[aria-current]').length]");
  EXPECT_EQ(chosen, json::parse("[1, 1]"));
}

TEST(ReportDrawing, WhatTakesTheFocusHasANameAndAllPlotsDo) {
  const Model model = coupled_masses();
  const json page = after_steps(report_of(model, made_up_run(model)), {}, R"([
      [...document.querySelectorAll('.uplot')].map((plot) => [plot.tabIndex, plot.role, plot.ariaLabel]),
      [...document.querySelectorAll('input, select, button, [tabindex="0"]')].filter((node) => !(node.ariaLabel ||
        node.getAttribute('aria-label') || node.labels?.length || node.textContent.trim())).map((node) => node.outerHTML),
      [...document.querySelectorAll('#event-table thead th')].every((cell) => cell.scope === 'col'),
      [...document.querySelectorAll('canvas, svg')].filter((node) => !node.closest('.uplot') && !node.getAttribute('aria-label')).length,
    ])");
  ASSERT_EQ(page[0].size(), 7U);  // four panels, lanes, constraints, phase plot
  for (const json& plot : page[0]) {
    EXPECT_TRUE(plot[1] == "group" ? plot[0] == 0 : plot[1] == "img") << plot;
    EXPECT_GT(plot[2].get<std::string>().size(), 10U);
  }
  EXPECT_EQ(page[1], json::array());
  EXPECT_EQ(page[2], true);
  EXPECT_EQ(page[3], 0);
}

}  // namespace report_drawing_test
}  // namespace mti::test
