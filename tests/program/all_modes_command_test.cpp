// mti analyze --all-modes on the published multi-mode systems: singular sets, index and degrees of freedom by
// formula (multi_mode.json), what changes of mode force, laws, scenarios, warnings before a run.

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "io/model/read_model.hpp"
#include "mti/build/boolean_text.hpp"
#include "mti/build/build.hpp"
#include "tests/places.hpp"
#include "tests/program/program_run.hpp"

namespace mti::test {
namespace all_modes_command_test {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

const std::filesystem::path cases = source_dir() / "tests/cases";

struct AllModesCommand : ::testing::Test {
  TemporaryDirectory directory;

  ProgramResult run(const Words& arguments) { return run_program(arguments, directory.path()); }
  Json analyze(const std::string& name, Words options = {}) {
    Words words{"analyze", (cases / (name + ".json")).string(), "--all-modes", "--json"};
    words.insert(words.end(), options.begin(), options.end());
    const ProgramResult result = run(words);
    EXPECT_EQ(result.status, 0) << result.err;
    return Json::parse(result.out);
  }
};

/// Values of a formula for all values of its names, as a text of 0 and 1: pre(z) is a name of its own.
std::string truth_table(std::string formula, const std::vector<std::string>& names) {
  Source source{.states = {{"x"}}, .equations = {"der(x) = 0"}};
  for (const std::string& name : names) {
    source.binaries.push_back({name});
    source.binaries.push_back({"before_" + name});
  }
  for (auto at = formula.find("pre("); at != std::string::npos; at = formula.find("pre(")) {
    formula.erase(formula.find(')', at), 1);
    formula.replace(at, 4, "before_");
  }
  const Model model = build(source);
  const BooleanFormula parsed = parse_formula(model, formula);
  std::string table;
  const int first = model.signature.binary_row(0);
  for (long bits = 0; bits < 1L << model.signature.q(); ++bits)
    table += parsed.evaluate([&](int row) { return (bits >> (row - first) & 1) != 0; }) ? '1' : '0';
  return table;
}

void expect_same(const std::string& actual, const std::string& expected,
                 const std::vector<std::string>& names) {
  EXPECT_EQ(truth_table(actual, names), truth_table(expected, names)) << actual << " and " << expected;
}

/// The entry of a list with this name.
std::string where_of(const Json& list, const std::string& name) {
  for (const Json& entry : list)
    if (entry.at("name") == name) return entry.at("where");
  return "false";
}

struct Expected {
  std::string where;
  int index, degrees_of_freedom;
};
void expect_classes(const Json& analysis, const std::vector<Expected>& expected,
                    const std::vector<std::string>& names) {
  ASSERT_EQ(analysis.at("classes").size(), expected.size()) << analysis.at("classes");
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Json& actual = analysis.at("classes")[i];
    expect_same(actual.at("where"), expected[i].where, names);
    EXPECT_EQ(actual.at("index"), expected[i].index);
    EXPECT_EQ(actual.at("degrees_of_freedom"), expected[i].degrees_of_freedom);
  }
}

// [E22] 2.2: singular iff bh and bl, which the invariant excludes; degrees of freedom 1 normal, 0 full or
// empty.
TEST_F(AllModesCommand, WaterTank) {
  const Json analysis = analyze("water_tank");
  const Json& modes = analysis.at("modes");
  EXPECT_EQ(modes.at("all"), "4");
  EXPECT_EQ(modes.at("considered"), "3");
  EXPECT_EQ(modes.at("singular"), "0");
  EXPECT_EQ(analysis.at("singular_where"), "false");
  EXPECT_EQ(modes.at("singular_without_rules").at("modes"), "1");
  expect_same(modes.at("singular_without_rules").at("where"), "bh and bl", {"bh", "bl"});
  // Formulas say nothing of the mode that is excluded.
  ASSERT_EQ(analysis.at("classes").size(), 2U);
  EXPECT_EQ(analysis.at("classes")[0].at("where"), "not (bh or bl)");
  EXPECT_EQ(analysis.at("classes")[0].at("degrees_of_freedom"), 1);
  EXPECT_EQ(analysis.at("classes")[1].at("degrees_of_freedom"), 0);
  EXPECT_EQ(analysis.at("classes")[1].at("modes"), "2");
}

// The same without its invariant, as a model that has the singular mode: the run is warned of, unless quiet.
TEST_F(AllModesCommand, ASingularModeIsToldBeforeTheRun) {
  Json model = Json::parse(std::ifstream(cases / "water_tank.json"));
  model.erase("invariants");
  model["experiment"]["stop"] = 0.01;
  directory.write("model.json", model.dump());
  const ProgramResult analysis = run({"analyze", "model.json", "--all-modes", "--json"});
  const Json json = Json::parse(analysis.out);
  EXPECT_EQ(json.at("modes").at("singular"), "1");
  expect_same(json.at("singular_where"), "bh and bl", {"bh", "bl"});
  expect_same(where_of(json.at("overdetermined").at("equations"), "full"), "bh and bl", {"bh", "bl"});
  expect_same(where_of(json.at("overdetermined").at("equations"), "empty"), "bh and bl", {"bh", "bl"});
  EXPECT_EQ(json.at("overdetermined").at("signals").size(), 1U);
  EXPECT_EQ(where_of(json.at("overdetermined").at("signals"), "yh"), "false");

  const ProgramResult told = run({"simulate", "model.json", "--out", "out"});
  EXPECT_EQ(told.status, 0);
  EXPECT_NE(told.err.find("warning: 1 of 4 modes"), std::string::npos) << told.err;
  EXPECT_NE(told.err.find("where bh and bl"), std::string::npos) << told.err;
  const Json summary = Json::parse(std::ifstream(directory.path() / "out/summary.json"));
  EXPECT_EQ(summary.at("warnings").size(), 1U);
  EXPECT_EQ(run({"simulate", "model.json", "--out", "out", "--quiet"}).err, "");
  EXPECT_EQ(run({"simulate", (cases / "water_tank.json").string(), "--stop", "0.01", "--out", "out"}).err,
            "");
}

// [E22] 2.3: engaged 1, released 0; degrees of freedom 1 and 2. Closing jumps, opening does not.
TEST_F(AllModesCommand, Clutch) {
  const Json analysis = analyze("clutch_basic");
  expect_classes(analysis, {{"not g", 0, 2}, {"g", 1, 1}}, {"g"});
  const Json& changes = analysis.at("changes");
  for (const char* name : {"w1", "w2"})
    expect_same(where_of(changes.at("jumps"), name), "g and not pre(g)", {"g"});
  for (const char* name : {"f1", "f2"})
    expect_same(where_of(changes.at("impulses"), name), "g and not pre(g)", {"g"});
  EXPECT_EQ(changes.at("jumps").size() + changes.at("impulses").size(), 4U);
  const Json opening = analyze("clutch_basic", {"--from", "g", "--to", "not g"}).at("changes");
  EXPECT_EQ(opening.at("jumps"), Json::array());
  EXPECT_EQ(opening.at("impulses"), Json::array());
  const Json closing = analyze("clutch_basic", {"--from", "not g", "--to", "g"}).at("changes");
  EXPECT_EQ(where_of(closing.at("jumps"), "w1"), "true");
}

// [B20]: taut offset 2, 2 degrees of freedom, free 4; velocities jump, positions do not.
TEST_F(AllModesCommand, CupAndBall) {
  const Json analysis = analyze("cup_and_ball");
  expect_classes(analysis, {{"not taut", 0, 4}, {"taut", 2, 2}}, {"taut"});
  const Json& changes = analysis.at("changes");
  for (const char* name : {"vx", "vy"})
    expect_same(where_of(changes.at("jumps"), name), "taut and not pre(taut)", {"taut"});
  EXPECT_EQ(where_of(changes.at("jumps"), "x"), "false");
  expect_same(where_of(changes.at("impulses"), "lambda"), "taut and not pre(taut)", {"taut"});
}

// [B20] (195): offset 1 and 3 degrees of freedom if both conduct or both block, else 0 and 4.
TEST_F(AllModesCommand, Rldc2) {
  expect_classes(analyze("rldc2"),
                 {{"g1 and not g2 or g2 and not g1", 0, 4}, {"g1 and g2 or not g1 and not g2", 1, 3}},
                 {"g1", "g2"});
}

// [B20] Fig. 8: latent when closed b − S(p_t − p_r) and b − K x, when open p_t = p_r too.
TEST_F(AllModesCommand, AirBrake) {
  const Json analysis = analyze("air_brake");
  ASSERT_EQ(analysis.at("modes").at("binaries").size(), 1U);
  const std::string open = analysis.at("modes").at("binaries")[0];
  ASSERT_EQ(analysis.at("classes").size(), 2U);
  std::map<int, int> latent;  // degrees of freedom and number of latent equations
  for (const Json& one : analysis.at("classes")) {
    int count = 0;
    for (const auto& [name, values] : analysis.at("offsets").at("equations").items())
      for (const Json& value : values)
        if (value.at("value") != 0 && (value.at("where") == "true" || value.at("where") == one.at("where")))
          ++count;
    latent[one.at("degrees_of_freedom")] = count;
  }
  EXPECT_EQ(latent, (std::map<int, int>{{1, 3}, {2, 2}}));
}

TEST_F(AllModesCommand, TwoInertiasHaveOneDegreeOfFreedom) {
  const Json analysis = analyze("two_inertias");
  EXPECT_EQ(analysis.at("modes").at("all"), "1");
  expect_classes(analysis, {{"true", 1, 1}}, {});
}

// [E22] 5.1: 2N − #open − #short degrees of freedom, no offset; opening empties i1, shorting u2.
TEST_F(AllModesCommand, FaultyCoaxial) {
  const Json analysis = analyze("faulty_coaxial_3");
  EXPECT_EQ(analysis.at("modes").at("considered"), "27");
  EXPECT_EQ(analysis.at("modes").at("regular"), "27");
  EXPECT_EQ(analysis.at("index").size(), 1U);
  const Json& sum = analysis.at("degrees_of_freedom");
  EXPECT_EQ(sum.at("constant"), 6);
  std::set<std::string> terms;
  for (const Json& term : sum.at("terms")) {
    EXPECT_EQ(term.at("weight"), -1);
    terms.insert(term.at("where"));
  }
  EXPECT_EQ(terms, (std::set<std::string>{"open_1", "open_2", "open_3", "short_1", "short_2", "short_3"}));
  EXPECT_EQ(analysis.at("changes").at("jumps").size(), 6U);
  EXPECT_EQ(analysis.at("changes").at("impulses").size(), 0U);
}

TEST_F(AllModesCommand, LawsAndScenarios) {
  const Json law = analyze("two_bodies_restitution").at("transitions");
  ASSERT_EQ(law.size(), 1U);
  EXPECT_EQ(law[0].at("when"), "reach(gap)");
  EXPECT_EQ(law[0].at("underdetermined_where"), "false");
  EXPECT_EQ(law[0].at("overdetermined_where"), "false");

  Json model = Json::parse(std::ifstream(cases / "clutch_basic.json"));
  model["scenarios"] = {
      {{"name", "one speed"}, {"equations", {"w1 = 1"}}},
      {{"name", "two speeds"}, {"equations", {"w1 = 1", "w2 = 2"}}},
      {{"name", "two when released"}, {"modes", "not g"}, {"equations", {"w1 = 1", "w2 = 2"}}}};
  directory.write("model.json", model.dump());
  const Json scenarios =
      Json::parse(run({"analyze", "model.json", "--all-modes", "--json"}).out).at("scenarios");
  ASSERT_EQ(scenarios.size(), 3U);
  EXPECT_EQ(scenarios[0].at("determined_where"), "g");
  EXPECT_EQ(scenarios[0].at("underdetermined_where"), "not g");
  EXPECT_EQ(scenarios[1].at("determined_where"), "not g");
  EXPECT_EQ(scenarios[1].at("overdetermined_where"), "g");
  EXPECT_EQ(scenarios[2].at("determined_where"), "not g");
  EXPECT_EQ(scenarios[2].at("overdetermined_where"), "false");
}

// A sum of many binaries does not cancel; more binaries than diagrams can be walked for are refused.
TEST_F(AllModesCommand, ManyBinaries) {
  const auto with = [&](int binaries) {
    Json model = {{"format", "mti-model"}, {"version", 1}, {"states", {{{"name", "x"}}}}};
    std::string sum;
    for (int k = 1; k <= binaries; ++k) {
      const std::string name = "z" + std::to_string(k);
      model["binaries"].push_back({{"name", name}});
      sum += (k == 1 ? "" : " + ") + name;
    }
    model["equations"] = {"der(x) = (" + sum + ")*x"};
    directory.write("model.json", model.dump());
    return run({"analyze", "model.json", "--all-modes", "--json"});
  };
  const ProgramResult many = with(3000);
  ASSERT_EQ(many.status, 0) << many.err;
  EXPECT_EQ(Json::parse(many.out).at("classes")[0].at("where"), "true");
  const ProgramResult too_many = with(20001);
  EXPECT_EQ(too_many.status, 3);
  EXPECT_NE(too_many.err.find("modes-too-large: there are 20001 binaries"), std::string::npos)
      << too_many.err;
}

TEST_F(AllModesCommand, ContradictoryRulesLeaveNoMode) {
  directory.write("model.json", R"({"format": "mti-model", "version": 1, "states": [{"name": "x"}],
    "binaries": [{"name": "a"}], "equations": ["der(x) = a"], "invariants": ["a and not a"]})");
  const ProgramResult result = run({"analyze", "model.json", "--all-modes"});
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.out.find("no mode is left"), std::string::npos) << result.out;
  EXPECT_EQ(
      Json::parse(run({"analyze", "model.json", "--all-modes", "--json"}).out).at("modes").at("considered"),
      "0");
}

TEST_F(AllModesCommand, TextSaysTheSameInShort) {
  const ProgramResult result =
      run({"analyze", (cases / "siconos_diode_bridge.json").string(), "--all-modes"});
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(
      result.out.find("structurally singular: 1 mode, where not (r1_blocks or f1_blocks or r2_blocks or "
                      "f2_blocks)\n"),
      std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("structurally regular: 15 modes\n"), std::string::npos);
}

}  // namespace all_modes_command_test
}  // namespace mti::test
