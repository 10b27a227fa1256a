// The report in a browser: what the page shows, read back from its plots, is what trajectory.csv and
// events.json say, and no script fails.

#include "tests/io/report/report_browser.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <sstream>

#include "io/results/write_results.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/io/report/report_fixture.hpp"

namespace mti::test {
namespace report_browser_test {

using nlohmann::json;

/// The columns of a trajectory.csv; an empty cell is a value that is not finite.
std::map<std::string, std::vector<std::optional<double>>> columns_of(const std::string& csv) {
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  const auto cells = [](const std::string& text) {
    std::vector<std::string> list;
    std::size_t begin = 0;
    for (auto end = text.find(','); end != std::string::npos; begin = end + 1, end = text.find(',', begin)) {
      list.push_back(text.substr(begin, end - begin));
    }
    list.push_back(text.substr(begin));
    return list;
  };
  const auto names = cells(line);
  std::map<std::string, std::vector<std::optional<double>>> columns;
  while (std::getline(lines, line)) {
    const auto values = cells(line);
    for (std::size_t i = 0; i < names.size(); ++i) {
      columns[names[i]].push_back(values[i].empty() ? std::optional<double>{}
                                                    : std::strtod(values[i].c_str(), nullptr));
    }
  }
  return columns;
}

std::string first_word(const std::string& label) { return label.substr(0, label.find(' ')); }

/// Where the page and the files differ, one line each.
std::vector<std::string> differences(const json& page, const std::string& csv, const json& events) {
  std::vector<std::string> list;
  const auto columns = columns_of(csv);
  std::size_t seen = 0;
  const auto compare = [&](const std::string& what, const json& shown, const json& expected) {
    if (shown != expected) list.push_back(what + ": page " + shown.dump() + ", files " + expected.dump());
  };
  const auto compare_plot = [&](const json& plot) {
    compare("marks", plot["marks"], events.size());
    compare("begin", plot["from"], columns.at("time").front().value());
    compare("end", plot["to"], columns.at("time").back().value());
    for (const auto& series : plot["series"]) {
      const std::string name = first_word(series["label"]);
      ++seen;
      const auto& values = columns.at(name);
      std::size_t changes = 0;
      for (std::size_t i = 1; i < values.size(); ++i) changes += values[i] != values[i - 1] ? 1 : 0;
      json least, greatest;
      for (const auto& value : values) {
        if (!value) continue;
        if (least.is_null() || *value < least.get<double>()) least = *value;
        if (greatest.is_null() || *value > greatest.get<double>()) greatest = *value;
      }
      compare(name + " points", series["points"], values.size());
      compare(name + " changes", series["changes"], changes);
      compare(name + " min", series["min"], least);
      compare(name + " max", series["max"], greatest);
      compare(name + " shown", series["shown"], true);
    }
  };
  for (const auto& panel : page["panels"]) compare_plot(panel);
  for (const auto& lanes : page["lanes"]) compare_plot(lanes);
  compare("plotted columns", seen, columns.size() - 2);  // all but time and side
  compare("listed events", page["events"]["listed"], events.size());
  compare("points of the phase plot", page["phase"]["points"], columns.at("time").size());
  compare("marks of the phase plot", page["phase"]["marks"], events.size());
  compare("errors", page["errors"], json::array());
  return list;
}

using Differences = std::vector<std::string>;

TEST(ReportBrowser, ShowsAMadeUpRunAsTheFilesSay) {
  const Model model = coupled_masses();
  const Trajectory run = made_up_run(model);
  const json page = read_back(report_of(model, run));
  EXPECT_EQ(differences(page, trajectory_csv(model, run), json::parse(events_json(model, run))),
            Differences{});
  ASSERT_EQ(page["panels"].size(), 4U);  // [m], [m/s], [N], and loss without a unit
  EXPECT_EQ(page["panels"][1]["panel"], "[m/s]");
  EXPECT_EQ(page["panels"][1]["series"].size(), 2U);
  ASSERT_EQ(page["lanes"].size(), 1U);
  EXPECT_EQ(page["lanes"][0]["series"][0]["changes"], 2);  // closed: 0 1 0
  EXPECT_EQ(page["lanes"][0]["series"][1]["changes"], 4);  // slip: 0 0.5 0.5(1+2eps) 0.75 1
  EXPECT_EQ(page["phase"]["x"], "p1");
  EXPECT_EQ(page["phase"]["y"], "v1");
}

TEST(ReportBrowser, ComparisonNoticesALostRowAndALostEvent) {
  const Model model = coupled_masses();
  const Trajectory run = made_up_run(model);
  const json page = read_back(report_of(model, run));
  std::string csv = trajectory_csv(model, run);
  csv.erase(csv.rfind('\n', csv.size() - 2) + 1);
  json events = json::parse(events_json(model, run));
  EXPECT_NE(differences(page, csv, events), Differences{});
  events.erase(1);
  EXPECT_NE(differences(page, trajectory_csv(model, run), events), Differences{});
}

TEST(ReportBrowser, ShowsASimulatedRunAsTheFilesSay) {
  Source source;
  source.name = "heater";
  source.states = {{.name = "T", .start = 18.0, .unit = "degC"},
                   {.name = "wall", .start = 15.0, .unit = "degC"}};
  source.inputs = {{.name = "outside", .form = SineSource{5.0, 0.05, 0.0, 5.0}, .unit = "degC"}};
  source.algebraic = {{.name = "power", .unit = "kW"}};
  source.binaries = {{.name = "on"}};
  source.equations = {"der(T) = 0.8*(wall - T) + power", "der(wall) = 0.2*(T - wall) + 0.1*(outside - wall)",
                      "power = 6*on"};
  source.constraints = {{"cold", "(19 - T)*(1 - on) <= 0"}, {"warm", "(T - 21)*on <= 0"}};
  source.experiment = {.stop = 40.0, .output_interval = 0.25};
  const Model model = build(source);
  const Trajectory run = simulate(model);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  ASSERT_GT(run.events.size(), 5U);
  const TemporaryDirectory directory;
  write_results(directory.path(), model, run, {}, WithReport::yes);
  const std::string html = read_text(directory.path() / "report.html");
  EXPECT_EQ(external_references(html), std::vector<std::string>{});
  const json page = read_back(html);
  EXPECT_EQ(differences(page, read_text(directory.path() / "trajectory.csv"),
                        json::parse(read_text(directory.path() / "events.json"))),
            Differences{});
  std::size_t changes = 0;
  for (const auto& event : run.events) changes += event.changed.size();
  EXPECT_EQ(page["lanes"][0]["series"][0]["changes"], changes)
      << "one binary: every change in events.json is in its lane";
}

TEST(ReportBrowser, ShowsTheIncidence) {
  const Model model = coupled_masses();
  const json page = read_back(report_of(model, made_up_run(model)));
  // der(p1); der(v1), F; der(v2), F; F, closed; loss (and v1's copy); copy; closed; slip
  const Structure structure = analyze_structure(model);
  std::size_t blocks = 0;
  for (const auto& set : structure.sub_sets) blocks += set.sub_problems.size();
  EXPECT_EQ(page["incidence"]["blocks"], blocks);
  EXPECT_EQ(page["incidence"]["cells"], 12);
}

TEST(ReportBrowser, DrawsTheMatrices) {
  const Model model = coupled_masses();
  const json page = read_back(report_of(model, made_up_run(model)));
  EXPECT_EQ(page["errors"], json::array());
  EXPECT_EQ(page["matrices"]["S"], model.S.nonZeros());
  EXPECT_EQ(page["matrices"]["Phi"], model.Phi_eq.nonZeros() + model.Phi_ineq.nonZeros());
}

TEST(ReportBrowser, ListsTheModesEntered) {
  const Model model = coupled_masses();
  const json page = read_back(report_of(model, made_up_run(model)));
  EXPECT_EQ(page["errors"], json::array());
  EXPECT_EQ(page["modes"], json::parse(R"json([
      ["First entered", "Mode", "Index", "Degrees of freedom", "Blocks", "Largest block", "Sliding"],
      ["0", "closed=0, slip=0", "0 (1)", "3", "6", "1", ""],
      ["1.000000001", "closed=1, slip=0", "0 (1)", "3", "6", "1", ""],
      ["2", "closed=1, slip=0", "", "", "", "", "on fast"]])json"));
}

TEST(ReportBrowser, ListsTheModeOfARunWithoutBinariesIfItIsOfHigherIndex) {
  const Model model = masses_on_a_rod();
  const json page = read_back(report_of(model, simulate(model)));
  EXPECT_EQ(page["errors"], json::array());
  EXPECT_EQ(page["modes"], json::parse(R"json([
      ["First entered", "Index", "Degrees of freedom", "Differentiated equations", "Blocks", "Largest block"],
      ["0", "2 (3)", "2", "move1, move2, rod (2×)", "1", "5"]])json"));
  Source plain;
  plain.states = {{.name = "x"}};
  plain.equations = {"der(x) = 1"};
  const Model without = build(plain);
  EXPECT_EQ(read_back(report_of(without, simulate(without)))["modes"], json::array());
}

TEST(ReportBrowser, ReportsErrorsOfThePage) {
  const Model model = coupled_masses();
  std::string html = report_of(model, made_up_run(model));
  html.insert(html.rfind("</body>"),
              "<script>console.error('said');</script><script>throw new Error('thrown');</script>"
              "<script>fetch('file:///nothing').catch(() => 0); scheduleReadback();</script>");
  const std::string errors = read_back(html)["errors"].dump();
  EXPECT_NE(errors.find("said"), std::string::npos) << errors;
  EXPECT_NE(errors.find("thrown"), std::string::npos) << errors;
  EXPECT_NE(errors.find("content security policy"), std::string::npos) << errors;
}

TEST(ReportBrowser, ShowsTextsAsText) {
  const Model model = coupled_masses();
  const json texts =
      after_steps(report_of(model, made_up_run(model)), {},
                  "[byId('description').textContent, byId('outcome').innerText, byId('outcome').className, "
                  "document.querySelectorAll('b').length]");
  EXPECT_EQ(texts[0], model.description);
  EXPECT_EQ(texts[1], "Ended early: dead end at t = 3\nno mode continues </script><!-- the run");
  EXPECT_EQ(texts[2], "failed");
  EXPECT_EQ(texts[3], 0);
}

TEST(ReportBrowser, AnEventRowZoomsAllTimePlotsAndADoubleClickResets) {
  const Model model = coupled_masses();
  const std::string html = report_of(model, made_up_run(model));
  const std::string click = "document.querySelectorAll('#event-table tbody tr')[1].click()";
  const json zoomed = after_steps(html, {click}, "readBack()");
  EXPECT_EQ(zoomed["errors"], json::array());
  // The neighbour of the event at 2 is 0.5 away; a tenth of the run, 0.3, is the most that is shown beside
  // it.
  for (const char* part : {"panels", "lanes"}) {
    ASSERT_FALSE(zoomed[part].empty());
    for (const auto& plot : zoomed[part]) {
      EXPECT_DOUBLE_EQ(plot["from"].get<double>(), 1.7);
      EXPECT_DOUBLE_EQ(plot["to"].get<double>(), 2.3);
      EXPECT_EQ(plot["marks"], 1);
    }
  }
  const json reset = after_steps(
      html, {click, "timePlots.plots[1].over.dispatchEvent(new MouseEvent('dblclick', {bubbles: true}))"},
      "readBack()");
  for (const char* part : {"panels", "lanes"}) {
    for (const auto& plot : reset[part]) {
      EXPECT_EQ(plot["from"], 0);
      EXPECT_EQ(plot["to"], 3);
      EXPECT_EQ(plot["marks"], 3);
    }
  }
}

TEST(ReportBrowser, DraggingZoomsTheLanesAndPanelsTogether) {
  const Model model = coupled_masses();
  const json page =
      after_steps(report_of(model, made_up_run(model)),
                  {"window.over = modeLanes.plots[0].over; window.box = over.getBoundingClientRect();"
                   "window.send = (type, share) => (type === 'mouseup' ? document : over).dispatchEvent(new "
                   "MouseEvent(type, {bubbles: true, "
                   "movementX: 9, clientX: box.left + share * box.width, clientY: box.top + 20}));"
                   "send('mousemove', 0.25); send('mousedown', 0.25)",
                   "send('mousemove', 0.4); send('mousemove', 0.5)", "send('mouseup', 0.5)"},
                  "readBack()");
  EXPECT_EQ(page["errors"], json::array());
  const double from = page["lanes"][0]["from"], to = page["lanes"][0]["to"];
  EXPECT_NEAR(from, 0.75, 0.01);  // a pixel is 3/1000 of the run
  EXPECT_NEAR(to, 1.5, 0.01);
  for (const auto& panel : page["panels"]) {
    EXPECT_EQ(panel["from"], from);
    EXPECT_EQ(panel["to"], to);
    EXPECT_EQ(panel["marks"], 1);
  }
}

TEST(ReportBrowser, LegendsChoosersAndSelectorsWork) {
  const Model model = coupled_masses();
  const std::string html = report_of(model, made_up_run(model));
  const json toggled = after_steps(
      html, {"timePlots.plots[1].root.querySelectorAll('.u-legend .u-series')[2].firstChild.click()"},
      "readBack()");
  EXPECT_EQ(toggled["panels"][1]["series"][0]["shown"], true);
  EXPECT_EQ(toggled["panels"][1]["series"][1]["shown"], false);

  const json separate = after_steps(html, {"byId('separate').click()"}, "readBack()");
  EXPECT_EQ(separate["panels"].size(), 5U);

  const std::string only_v =
      "const box = document.querySelector('#signal-chooser input[type=search]'); box.value = 'v';"
      "box.dispatchEvent(new Event('input')); document.querySelectorAll('#signal-chooser button')[1].click()";
  const json chosen = after_steps(html, {only_v}, "readBack()");
  ASSERT_EQ(chosen["panels"].size(), 1U);
  EXPECT_EQ(chosen["panels"][0]["series"].size(), 2U);

  const json phase = after_steps(
      html,
      {"byId('phase-y').value = '2'; byId('phase-y').dispatchEvent(new Event('change'))",
       "byId('phase-window').click()", "document.querySelectorAll('#event-table tbody tr')[1].click()"},
      "readBack()");
  EXPECT_EQ(phase["phase"]["y"], "v2");
  EXPECT_EQ(phase["phase"]["marks"], 1);
  EXPECT_EQ(phase["phase"]["points"], 6);  // 1.7, 1.8, 1.9, 2 left and right, 2.1
  EXPECT_EQ(phase["errors"], json::array());
}

TEST(ReportBrowser, ARunWithoutRowsOrWithOneRowHasAPage) {
  const Model model = coupled_masses();
  const Trajectory run = made_up_run(model);
  Trajectory none(run.names(), run.rows_of_S());
  none.outcome = {OutcomeKind::no_consistent_start, "no candidate", 0};
  const json empty = read_back(report_of(model, none));
  EXPECT_EQ(empty["errors"], json::array());
  EXPECT_EQ(empty["panels"], json::array());
  none.append(0, 0, std::vector<double>(at(model.signature.size())));
  const json one = read_back(report_of(model, none));
  EXPECT_EQ(one["errors"], json::array());
  EXPECT_EQ(one["panels"][0]["series"][0]["points"], 1);
}

}  // namespace report_browser_test
}  // namespace mti::test
