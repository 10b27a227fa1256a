// mti check, analyze, linearize, convert.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/places.hpp"
#include "tests/program/program_run.hpp"

namespace mti::test {
namespace other_commands_test {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

struct Commands : ::testing::Test {
  TemporaryDirectory directory;
  std::filesystem::path model = directory.write("model.json", three_tank());

  ProgramResult run(const Words& arguments, const std::string& input = {}) {
    return run_program(arguments, directory.path(), input);
  }
  Json json(const Words& arguments) {
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    return Json::parse(result.out);
  }
};

TEST_F(Commands, CheckSaysThatAModelIsValid) {
  const ProgramResult result = run({"check", "model.json"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "three_tank: valid, 4 equations, 6 constraints, 6 binaries\n");
  EXPECT_EQ(result.err, "");
}

// The paper, chapter 4: one sub-set of seven sub-problems, 12 instead of 64 combinations.
TEST_F(Commands, AnalyzeFindsTheStructureOfTheThreeTanks) {
  const Json analysis = json({"analyze", "model.json", "--json"});
  EXPECT_EQ(analysis.at("combinations"), Json::parse(R"({"all": "64", "reduced": 12})"));
  ASSERT_EQ(analysis.at("sub_sets").size(), 1U);
  const Json& problems = analysis.at("sub_sets")[0].at("sub_problems");
  EXPECT_EQ(problems.size(), 7U);
  long combinations = 0;
  for (const Json& problem : problems) {
    const long k = problem.at("combinations");
    if (k > 1) combinations += k;
  }
  EXPECT_EQ(combinations, 12);
  const Json& sizes = analysis.at("sizes");
  EXPECT_EQ(sizes.at("n"), 3);
  EXPECT_EQ(sizes.at("m"), 8);
  EXPECT_EQ(sizes.at("p"), 1);
  EXPECT_EQ(sizes.at("q"), 6);
  EXPECT_EQ(sizes.at("equations"), 4);
  EXPECT_EQ(sizes.at("constraints"), 6);
}

TEST_F(Commands, AnalyzePrintsThePattern) {
  const std::string text = run({"analyze", "model.json"}).out;
  EXPECT_NE(text.find("combinations of binaries: 12 instead of 64"), std::string::npos) << text;
  EXPECT_NE(text.find("open_valves"), std::string::npos) << "a row of the picture";
}

TEST_F(Commands, AnalyzeOneMode) {
  const Json mode = json({"analyze", "model.json", "--mode", "z1=1, z5=1", "--json"});
  EXPECT_EQ(mode.at("mode"), Json::parse(R"({"z1": 1, "z2": 0, "z3": 0, "z4": 0, "z5": 1, "z6": 0})"));
  EXPECT_EQ(mode.at("regular"), true);
  EXPECT_EQ(mode.at("index"), 0);
  EXPECT_EQ(mode.at("degrees_of_freedom"), 3);
  EXPECT_EQ(mode.at("blocks").size(), 4U);
  EXPECT_EQ(mode.at("offsets").at("signals").at("x1"), 1);
  EXPECT_EQ(mode.at("offsets").at("signals").at("y1"), 0);
}

// A switch that is closed makes y undetermined and one equation too many for x.
TEST_F(Commands, AnalyzeASingularModeNamesItsParts) {
  directory.write("singular.json", R"({
    "format": "mti-model", "version": 1,
    "states": [{"name": "x"}], "algebraic": [{"name": "y"}], "binaries": [{"name": "z"}],
    "equations": [{"name": "motion", "text": "der(x) = 1 - x"},
                  {"name": "law", "text": "(1 - z)*(y - x) + z*(der(x) - 2) = 0"}],
    "invariants": ["not z"]})");
  const Json open = json({"analyze", "singular.json", "--mode", "z=0", "--json"});
  EXPECT_EQ(open.at("regular"), true);
  EXPECT_EQ(open.at("excluded_by"), Json::array());
  const Json closed = json({"analyze", "singular.json", "--mode", "z=1", "--json"});
  EXPECT_EQ(closed.at("regular"), false);
  EXPECT_EQ(closed.at("excluded_by"), Json::array({"not z"}));
  EXPECT_TRUE(closed.at("index").is_null());
  EXPECT_TRUE(closed.at("system_jacobian").is_null());
  EXPECT_EQ(closed.at("underdetermined").at("signals"), Json::array({"y"}));
  EXPECT_EQ(closed.at("overdetermined").at("signals"), Json::array({"x"}));
  EXPECT_EQ(closed.at("overdetermined").at("equations").size(), 2U);
  const std::string text = run({"analyze", "singular.json", "--mode", "z=1"}).out;
  EXPECT_NE(text.find("structurally singular"), std::string::npos) << text;
}

// A mass on an inclined line (z = 0), held at a point by a second line as well (z = 1): then the two
// reactions, which act alike, are not determined one by one.
TEST_F(Commands, AnalyzeShowsLatentEquationsAndTheRank) {
  directory.write("rope.json", R"({
    "format": "mti-model", "version": 1,
    "states": [{"name": "x", "start": 0.6}, {"name": "y", "start": 0.8}, {"name": "v"}, {"name": "w"}],
    "algebraic": [{"name": "F"}, {"name": "G"}], "binaries": [{"name": "z"}],
    "equations": [{"name": "move_x", "text": "der(x) = v"}, {"name": "move_y", "text": "der(y) = w"},
                  {"name": "force_x", "text": "der(v) = -(F + G)*x"},
                  {"name": "force_y", "text": "der(w) = -(F + G)*y - 10"},
                  {"name": "across", "text": "z*(0.8*x - 0.6*y) + (1 - z)*(F - G) = 0"},
                  {"name": "rope", "text": "3*x + 4*y = 5"}]})");
  const Json regular = json({"analyze", "rope.json", "--mode", "z=0", "--json"});
  EXPECT_EQ(regular.at("index"), 2);
  EXPECT_EQ(regular.at("system_jacobian"),
            Json::parse(R"({"size": 6, "rank": 6, "point": "motion", "equations": [], "signals": []})"));
  const std::string text = run({"analyze", "rope.json", "--mode", "z=0"}).out;
  EXPECT_NE(text.find("  rope is differentiated 2 times:\n"
                      "    3*der(x) + 4*der(y) = 0\n"
                      "    3*der(x, 2) + 4*der(y, 2) = 0\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("system Jacobian where the motion begins: rank 6 of 6\n"), std::string::npos) << text;

  const Json singular = json({"analyze", "rope.json", "--mode", "z=1", "--json"});
  EXPECT_EQ(singular.at("regular"), true);
  const Json& jacobian = singular.at("system_jacobian");
  EXPECT_EQ(jacobian.at("size"), 6);
  EXPECT_EQ(jacobian.at("rank"), 5);
  EXPECT_EQ(jacobian.at("point"), "start");
  const std::string at_start = run({"analyze", "rope.json", "--mode", "z=1"}).out;
  EXPECT_NE(at_start.find("system Jacobian at the start values: rank 5 of 6; a combination of "),
            std::string::npos)
      << at_start;
  EXPECT_NE(at_start.find(" leaves F, G undetermined\n"), std::string::npos) << at_start;
}

TEST_F(Commands, NumbersOfCombinationsAreExact) {
  Json many = {{"format", "mti-model"}, {"version", 1}, {"equations", Json::array({"1 = y"})}};
  many["algebraic"] = Json::array({{{"name", "y"}}});
  std::string sum = "0";
  for (int i = 0; i < 100; ++i) {
    many["binaries"].push_back({{"name", "z" + std::to_string(i)}});
    sum += " + z" + std::to_string(i);
  }
  many["constraints"] = Json::array({sum + " <= 50"});
  directory.write("many.json", many.dump());
  const std::string text = run({"analyze", "many.json", "--json"}).out;
  EXPECT_EQ(Json::parse(text).at("combinations").at("all"), "1267650600228229401496703205376") << "2^100";
  EXPECT_NE(text.find("\"combinations\": 1267650600228229401496703205376"), std::string::npos) << text;
}

Eigen::MatrixXd dense(const Json& matrix) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(matrix.at("rows"), matrix.at("cols"));
  for (std::size_t j = 0; j < matrix.at("v").size(); ++j)
    result(matrix.at("i")[j].get<int>(), matrix.at("k")[j].get<int>()) = matrix.at("v")[j];
  return result;
}

// With all valves closed (y1 = 1) the tanks obey c m x' = -g x + a1 (sum of the others) + a2 u1: eigenvalues
// -(g + a1)/(c m), twice, and -(g - 2 a1)/(c m), with c m = 21000, g = 375, a1 = 125.
TEST_F(Commands, LinearizeTheThreeTanks) {
  const Json result = json({"linearize", "model.json", "--json"});
  EXPECT_EQ(result.at("time"), 0.0);
  EXPECT_EQ(result.at("unknowns"), Json::parse(R"(["x1", "x2", "x3", "y1"])"));
  const Eigen::MatrixXd E = dense(result.at("E")), A = dense(result.at("A")), B = dense(result.at("B"));
  EXPECT_EQ(E(0, 0), 21000.0);
  EXPECT_EQ(A(0, 0), -375.0);
  EXPECT_EQ(A(0, 1), 125.0);
  EXPECT_EQ(B(0, 0), 125.0);
  EXPECT_EQ(dense(result.at("C")), (Eigen::MatrixXd(1, 4) << 0, 0, 0, 1).finished());
  EXPECT_EQ(dense(result.at("D")), Eigen::MatrixXd::Zero(1, 8));
  const Json& eigenvalues = result.at("eigenvalues");
  ASSERT_EQ(eigenvalues.size(), 3U);
  // The double eigenvalue is semisimple (A symmetric): errors of some hundred eps.
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(eigenvalues[i][0].get<double>(), i < 2 ? -500.0 / 21000 : -125.0 / 21000, 1e-14);
    EXPECT_NEAR(eigenvalues[i][1].get<double>(), 0.0, 1e-14);
  }
}

TEST_F(Commands, LinearizeAtATimeAndWithSettings) {
  const Json later = json({"linearize", "model.json", "--at", "100", "--json"});
  EXPECT_EQ(later.at("time"), 100.0);
  const double c_m = 2 * 4200 * 5;  // y1·c·m with y1 = 2 open valves
  EXPECT_EQ(later.at("point").at("y1"), 2.0);
  EXPECT_NEAR(dense(later.at("E"))(0, 0), c_m, 1e-9 * c_m);
  EXPECT_EQ(dense(json({"linearize", "model.json", "--set", "m=10", "--json"}).at("E"))(0, 0), 42000.0);
  const std::string text = run({"linearize", "model.json"}).out;
  EXPECT_NE(text.find("finite eigenvalues:"), std::string::npos);
}

TEST_F(Commands, LinearizeBeyondTheEndOfARunIsStatusThree) {
  directory.write("short.json", R"({
    "format": "mti-model", "version": 1, "states": [{"name": "x"}], "equations": ["der(x) = 1"],
    "constraints": ["x <= 2"], "experiment": {"stop": 10}})");
  const ProgramResult result = run({"linearize", "short.json", "--at", "5"});
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.err.find("not-reached"), std::string::npos) << result.err;
  EXPECT_EQ(run({"linearize", "short.json", "--at", "1"}).status, 0);
}

TEST_F(Commands, AnalyzeWritesAReportOfAllModes) {
  const ProgramResult printed = run({"analyze", "model.json", "--all-modes"});
  const ProgramResult result = run({"analyze", "model.json", "--all-modes", "--out", "structure"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, printed.out);
  const std::string report = read_text(directory.path() / "structure/report.html");
  EXPECT_NE(report.find(R"("all_modes":{"binaries":[)"), std::string::npos);
  EXPECT_EQ(report.find(R"("outcome":)"), std::string::npos) << "no run";
  EXPECT_EQ(run({"analyze", "model.json", "--out", "other"}).status, 1);
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "other"));
}

// There and back: the matrices form and the equations form of one model have the same run.
TEST_F(Commands, ConvertKeepsTheModel) {
  ASSERT_EQ(run({"convert", "model.json", "matrices.json"}).status, 0);
  ASSERT_EQ(run({"convert", "matrices.json", "equations.json"}).status, 0);
  const Json matrices = Json::parse(read_text(directory.path() / "matrices.json"));
  EXPECT_TRUE(matrices.contains("matrices"));
  EXPECT_FALSE(matrices.contains("equations"));
  const Json equations = Json::parse(read_text(directory.path() / "equations.json"));
  EXPECT_EQ(equations.at("equations").size(), 4U);
  std::vector<std::vector<double>> times;
  for (const char* file : {"model.json", "matrices.json", "equations.json"}) {
    ASSERT_EQ(run({"simulate", file, "--no-report", "--quiet", "--stop", "200"}).status, 0) << file;
    times.emplace_back();
    for (const Json& event : Json::parse(read_text(directory.path() / "out/events.json")))
      times.back().push_back(event.at("time"));
  }
  ASSERT_GE(times[0].size(), 5U);
  for (const auto& other : {times[1], times[2]}) {
    ASSERT_EQ(other.size(), times[0].size());
    // Sums in another order change the run by rounding only, which the steps may carry to the tolerance 1e-8.
    for (std::size_t i = 0; i < other.size(); ++i) EXPECT_NEAR(other[i], times[0][i], 1e-5);
  }
}

TEST_F(Commands, ConvertBetweenStandardInputAndOutput) {
  const ProgramResult matrices = run({"convert", "-", "-", "--to", "matrices"}, three_tank());
  ASSERT_EQ(matrices.status, 0) << matrices.err;
  const ProgramResult again = run({"convert", "-", "-", "--to", "matrices"}, matrices.out);
  EXPECT_EQ(again.out, matrices.out) << "writing matrices again changes nothing";
}

TEST_F(Commands, ConvertKeepsScenariosAndNumbersForParameters) {
  directory.write("s.json", R"({
    "format": "mti-model", "version": 1, "parameters": {"a": 0.1},
    "states": [{"name": "x", "start": "3*a"}], "equations": ["der(x) = -a*x"],
    "scenarios": [{"name": "rest", "modes": "true", "equations": ["der(x) = 0", "x^2 = 2*a"]}]})");
  ASSERT_EQ(run({"convert", "s.json", "t.json", "--to", "equations"}).status, 0);
  const Json converted = Json::parse(read_text(directory.path() / "t.json"));
  EXPECT_EQ(converted.at("scenarios")[0].at("name"), "rest");
  EXPECT_EQ(converted.at("scenarios")[0].at("modes"), "true");
  EXPECT_EQ(converted.at("scenarios")[0].at("equations")[1], "x*x - 0.2 = 0");
  ASSERT_EQ(run({"convert", "t.json", "u.json", "--to", "matrices"}).status, 0);
  const Json matrices = Json::parse(read_text(directory.path() / "u.json"));
  EXPECT_EQ(matrices.at("scenarios"), converted.at("scenarios"));
  EXPECT_EQ(run({"check", "u.json"}).status, 0);
  EXPECT_EQ(converted.at("states")[0].at("start"), 3 * 0.1);
  EXPECT_FALSE(converted.contains("parameters"));
}

// Every complete model in docs/model-format.md is valid, and the first one runs.
TEST_F(Commands, TheExamplesOfTheFormatDocumentAreModels) {
  // The files that the example with components names.
  std::filesystem::create_directory(directory.path() / "parts");
  directory.write("parts/pump.json", R"json({"format": "mti-model", "version": 1, "parameters": {"power": 1},
      "algebraic": [{"name": "p"}, {"name": "flow"}], "equations": ["p = power - flow"]})json");
  directory.write("tank.json", R"json({"format": "mti-model", "version": 1, "parameters": {"low": 0},
      "states": [{"name": "T"}], "inputs": [{"name": "ambient", "value": 0}, {"name": "before", "value": 0}],
      "algebraic": [{"name": "p"}, {"name": "flow"}],
      "equations": ["der(T) = ambient + before - 2*T + flow*(low - T)", "flow = p"]})json");
  std::string block;
  bool inside = false;
  int models = 0;
  for (const std::string& line : lines_of(read_text(source_dir() / "docs/model-format.md"))) {
    if (line == "```json") {
      inside = true;
      block.clear();
    } else if (line == "```" && inside) {
      inside = false;
      if (block.find("\"mti-model\"") != std::string::npos) {
        directory.write("document.json", block);
      } else {  // a member alone: put into a model that has what it names
        directory.write("document.json", R"({"format": "mti-model", "version": 1, )" +
                                             std::string(block.find("matrices") != std::string::npos
                                                             ? R"("states": [{"name": "x"}], )"
                                                             : R"("parameters": {"eps": 0.5},
            "states": [{"name": "v1"}, {"name": "v2"}, {"name": "d"}],
            "algebraic": [{"name": "F1"}, {"name": "F2"}],
            "equations": ["der(v1) = F1", "der(v2) = F2", "der(d) = v1 - v2",
                          {"name": "free1", "text": "F1 = 0"}, {"name": "free2", "text": "F2 = 0"}],
            "constraints": [{"name": "gap", "text": "d <= 0"}], )") +
                                             block + "}");
      }
      const ProgramResult result = run({"check", "document.json"});
      EXPECT_EQ(result.status, 0) << result.err << block;
      if (models++ == 0) {
        const ProgramResult simulation = run({"simulate", "document.json", "--no-report"});
        EXPECT_EQ(simulation.status, 0) << simulation.err;
      }
    } else if (inside) {
      block += line + "\n";
    }
  }
  EXPECT_EQ(models, 6);
}

/// What is left of it would be no model: nothing is written then.
TEST_F(Commands, ConvertWritesNothingThatCannotBeRead) {
  directory.write("gone.json", R"json({"format": "mti-model", "version": 1, "algebraic": [{"name": "y"}],
    "equations": ["2*y = 1"]})json");
  directory.write("never.json", R"json({"format": "mti-model", "version": 1, "algebraic": [{"name": "y"}],
    "equations": ["y = 1", "y = 2"]})json");
  for (const char* file : {"gone.json", "never.json"}) {
    const ProgramResult result = run({"convert", file, "out.json", "--reduce"});
    EXPECT_EQ(result.status, 2) << file << ": " << result.err;
    EXPECT_NE(result.err.find("after --reduce"), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(directory.path() / "out.json"));
  }
}

/// 0.974 a - 4.094 b = 0.966 leaves both open, whichever of them keeps its value.
TEST_F(Commands, SimulateListsAllSignalsThatAreOpen) {
  for (const char* names : {R"([{"name": "a"}, {"name": "b"}])", R"([{"name": "b"}, {"name": "a"}])"}) {
    directory.write(
        "open.json",
        std::string(
            R"json({"format": "mti-model", "version": 1, "states": [{"name": "x"}], "algebraic": )json") +
            names + R"json(, "equations": ["der(x) = 1", "0.974*a - 4.094*b = 0.966"]})json");
    ASSERT_EQ(run({"simulate", "open.json"}).status, 0);
    Json open = Json::parse(read_text(directory.path() / "out/summary.json")).at("undetermined");
    std::sort(open.begin(), open.end());
    EXPECT_EQ(open, Json::parse(R"(["a", "b"])"));
  }
}

}  // namespace other_commands_test
}  // namespace mti::test
