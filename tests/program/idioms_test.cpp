// docs/idioms.md: every file of docs/idioms is shown with its relations and what a run of it prints, and one
// number of each run is compared with a closed form (idiom_numbers_test.cpp has these).

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <set>

#include "tests/places.hpp"
#include "tests/program/document.hpp"
#include "tests/program/program_run.hpp"
#include "tests/program/simulation_run.hpp"
#include "tests/temporary_directory.hpp"

namespace mti::test {
namespace idioms_test {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

const fs::path folder = source_dir() / "docs/idioms";

struct Idiom {
  std::string name;
  double shown_at;                 ///< a time with a row
  std::vector<std::string> shown;  ///< signals
};

const std::vector<Idiom>& idioms() {
  static const std::vector<Idiom> all = {{"diode", 0.02, {"charge"}},
                                         {"switch", 3.0, {"uC"}},
                                         {"relay", 4.8, {"level", "on"}},
                                         {"relay_without_hysteresis", 4.8, {"level", "on"}},
                                         {"latch", 4.0, {"charge", "i"}},
                                         {"saturation", 6.0, {"x", "y"}},
                                         {"limited_state", 0.75, {"x"}},
                                         {"dead_zone", 0.5, {"volume"}},
                                         {"absolute_value", 0.75, {"area", "y"}},
                                         {"min_max", 4.0, {"delivered", "bound"}},
                                         {"schedule", 8.0, {"T", "energy"}},
                                         {"sampled_controller", 2.2, {"x", "held"}},
                                         {"discrete_controller", 2.0, {"x", "u"}},
                                         {"impact", 2.0, {"h", "v", "N"}},
                                         {"dry_friction", 4.0, {"x", "v"}},
                                         {"clutch", 4.0, {"w1", "w2"}},
                                         {"slipping_clutch", 4.0, {"w1", "w2"}},
                                         {"check_valve", 4.0, {"h1", "back"}},
                                         {"leakage", 0.015, {"v1", "v2"}}};
  return all;
}

/// Those with a file in docs/idioms/otherwise that runs.
const std::vector<Idiom>& others() {
  static const std::vector<Idiom> all = {{"diode", 0.02, {"charge", "i", "v"}},
                                         {"switch", 3.0, {"i"}},
                                         {"limited_state", 0.75, {"x"}},
                                         {"absolute_value", 0.75, {"area", "y"}},
                                         {"impact", 1.35, {}},
                                         {"dry_friction", 4.0, {}},
                                         {"check_valve", 4.0, {"h1", "q"}},
                                         {"leakage", 0.015, {"v1", "v2"}}};
  return all;
}

/// As people write it: what is zero but for rounding is zero.
std::string number_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", std::abs(number) < 1e-8 ? 0.0 : number);
  return text;
}

std::string time_text(double time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6f", time);
  return text;
}

std::string relation_text(const json& relation) {
  if (relation.is_string()) return relation.get<std::string>() + "\n";
  return relation.at("name").get<std::string>() + ": " + relation.at("text").get<std::string>() + "\n";
}

/// `a, b, c` of what is not empty.
std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string line_of(const std::vector<std::string>& parts) {
  return parts.empty() ? "" : joined(parts) + "\n";
}

std::string value_text(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// What a model says but for its names: parameters, start values, inputs, relations and laws.
std::string relations(const json& model) {
  std::vector<std::string> parameters, starts;
  const json declared = model.value("parameters", json::object());
  for (const auto& [name, value] : declared.items()) parameters.push_back(name + " = " + value_text(value));
  for (const char* list : {"states", "binaries"})
    for (const json& signal : model.value(list, json::array()))
      if (signal.contains("start"))
        starts.push_back(signal.at("name").get<std::string>() + " = " + value_text(signal.at("start")));
  std::string text = line_of(parameters) + (starts.empty() ? "" : "start: ") + line_of(starts);
  for (const json& input : model.value("inputs", json::array()))
    for (const char* form : {"table", "sine"})
      if (input.contains(form)) {
        std::vector<std::string> parts;
        for (const auto& [name, value] : input.at(form).items()) parts.push_back(name + " " + value.dump());
        text += input.at("name").get<std::string>() + ": " + form + " of " + line_of(parts);
      }
  if (!text.empty()) text += "\n";
  for (const char* list : {"equations", "constraints"})
    for (const json& relation : model.value(list, json::array())) text += relation_text(relation);
  for (const json& invariant : model.value("invariants", json::array()))
    text += "invariant: " + invariant.get<std::string>() + "\n";
  for (const json& law : model.value("transitions", json::array())) {
    std::vector<std::string> equations = law.at("equations");
    text += law.at("when").get<std::string>() + ": " + line_of(equations);
  }
  return text;
}

std::string changes_text(const json& changes) {
  std::vector<std::string> parts;
  for (const auto& [name, values] : changes.items())
    parts.push_back(name + " " + number_text(values[0]) + " -> " + number_text(values[1]));
  return joined(parts);
}

std::string event_text(const json& event) {
  std::vector<std::string> parts;
  for (const char* list : {"changed", "jumps"})
    if (!event.at(list).empty()) parts.push_back(changes_text(event.at(list)));
  for (const auto& [name, impulse] : event.at("impulses").items())
    parts.push_back("impulse of " + name + " " + number_text(impulse.at("weight")));
  std::string text = "t = " + time_text(event.at("time")) + "  " + event.at("kind").get<std::string>() +
                     ": " + joined(parts) + "\n";
  if (event.contains("steps")) {
    std::string steps;
    for (const json& step : event["steps"]) steps += (steps.empty() ? "" : ", then ") + changes_text(step);
    text += "    in steps: " + steps + "\n";
  }
  for (const json& tie : event.at("ties")) text += "    tie with: " + changes_text(tie) + "\n";
  return text;
}

/// What a run left: its events, many of them shortened, and values of signals at a time.
std::string run_text(const SimulationRun& run, const Idiom& idiom) {
  std::string text;
  const bool all = run.events.size() <= 5;
  for (std::size_t k = 0; k < run.events.size(); ++k)
    if (all || k < 3 || run.events[k].at("kind") != run.events[0].at("kind"))
      text += event_text(run.events[k]);
    else if (k == 3)
      text += "...\n";
  if (run.events.empty()) text += "no events\n";
  if (run.summary.at("outcome") != "reached_stop")
    text += run.summary.at("outcome").get<std::string>() + ": " +
            run.summary.at("message").get<std::string>() + "\n";
  std::vector<std::string> values;
  for (const std::string& name : idiom.shown)
    values.push_back(name + " = " + number_text(run.value(run.at(idiom.shown_at), name)));
  return text + (values.empty() ? "" : "at t = " + number_text(idiom.shown_at) + ": ") + line_of(values);
}

/// The file at its own tolerances.
SimulationRun run_of(const fs::path& file) {
  const json experiment = json::parse(read_text(file)).at("experiment");
  return simulate(file, experiment.value("rtol", 1e-6), experiment.value("atol", 1e-8));
}

TEST(Idioms, EveryFileIsThere) {
  std::set<std::string> named, found, also_named, also_found;
  for (const Idiom& idiom : idioms()) named.insert(idiom.name + ".json");
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) found.insert(entry.path().filename());
  EXPECT_EQ(named, found);
  for (const Idiom& other : others()) also_named.insert(other.name + ".json");
  also_named.insert({"latch.json", "sampled_controller.json"});  // without a run of their own on the page
  for (const auto& entry : fs::directory_iterator(folder / "otherwise"))
    also_found.insert(entry.path().filename());
  EXPECT_EQ(also_named, also_found);
}

TEST(Idioms, EveryFileIsValidAndRunsToItsStop) {
  for (const Idiom& idiom : idioms()) {
    SCOPED_TRACE(idiom.name);
    const fs::path file = folder / (idiom.name + ".json");
    const ProgramResult check = run_program({"check", file.string()}, folder);
    EXPECT_EQ(check.status, 0);
    EXPECT_EQ(check.err, "");
    const SimulationRun run = run_of(file);
    EXPECT_EQ(run.status, 0) << run.errors;
    ASSERT_FALSE(run.rows.empty());
    EXPECT_EQ(run.rows.back().time, read_json(file).at("experiment").at("stop").get<double>());
  }
}

TEST(Idioms, PageShowsRelationsAndRuns) {
  Document page("docs/idioms.md");
  for (const Idiom& idiom : idioms()) {
    const fs::path file = folder / (idiom.name + ".json");
    page.expect_block(idiom.name + " relations", relations(json::parse(read_text(file))));
    page.expect_block(idiom.name + " run", run_text(run_of(file), idiom));
    EXPECT_NE(page.text().find("[`" + idiom.name + ".json`](idioms/" + idiom.name + ".json)"),
              std::string::npos)
        << idiom.name;
  }
}

TEST(Idioms, PageShowsWhatGoesWrong) {
  Document page("docs/idioms.md");
  for (const Idiom& other : others()) {
    const fs::path file = folder / "otherwise" / (other.name + ".json");
    std::string text = run_text(run_of(file), other);
    const std::string warnings = run_program({"check", other.name + ".json"}, folder / "otherwise").err;
    page.expect_block(other.name + " otherwise", warnings + text);
  }
  const ProgramResult refused = run_program({"check", "sampled_controller.json"}, folder / "otherwise");
  EXPECT_EQ(refused.status, 2);
  page.expect_block("sampled_controller otherwise", refused.err);
}

}  // namespace idioms_test
}  // namespace mti::test
