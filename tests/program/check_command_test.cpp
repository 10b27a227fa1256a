// What `mti check` says of models that are well formed: errors where nothing can be run, warnings elsewhere.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/program/program_run.hpp"

namespace mti::test {
namespace check_command_test {

using Json = nlohmann::json;

struct Check : ::testing::Test {
  TemporaryDirectory directory;

  ProgramResult check(const std::string& members, const std::string& option = {}) {
    directory.write("model.json", R"({"format": "mti-model", "version": 1, )" + members + "}");
    std::vector<std::string> words = {"check", "model.json"};
    if (!option.empty()) words.push_back(option);
    return run_program(words, directory.path());
  }
};

// The case that crashed: the states a, b, c, d without an equation for c.
TEST_F(Check, CountsAndNamesWhatIsMissing) {
  const ProgramResult result = check(R"("name": "abcd",
    "states": [{"name": "a", "start": 1}, {"name": "b", "start": 1}, {"name": "c", "start": 1},
               {"name": "d", "start": 1}],
    "equations": ["der(a) = -a*c", "der(b) = a - b*c", "der(d) = a*c - d"])");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err, "model.json:: under-determined: 3 equations for 4 unknowns: nothing determines c\n");
  EXPECT_EQ(result.out, "abcd: not valid, 1 error, 3 equations, 0 constraints, 0 binaries\n");
}

TEST_F(Check, CountsAndNamesWhatIsTooMuch) {
  const ProgramResult result = check(R"("states": [{"name": "x"}], "algebraic": [{"name": "y"}],
    "equations": ["der(x) = y", {"name": "first", "text": "y = 1"}, {"name": "second", "text": "2*y = 3"}])");
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("over-determined: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("first and second are 2 equations for only 1 unknown, y"), std::string::npos)
      << result.err;
}

// Singular in one of two modes: a warning with its place, and status 0.
TEST_F(Check, WarnsOfModesThatCannotBeRun) {
  const ProgramResult result = check(R"("states": [{"name": "x"}], "algebraic": [{"name": "y"}],
    "binaries": [{"name": "z"}],
    "equations": [{"name": "motion", "text": "der(x) = 1 - y"}, {"name": "law", "text": "(1 - z)*(y - x) = 0"}],
    "constraints": ["x <= 2 + z"])");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(
      result.err,
      "model.json:: warning: under-determined: in 1 of 2 modes, where z: 1 equation for 2 unknowns: only "
      "motion is there to determine x and y\n");
  EXPECT_EQ(result.out, "model.json: valid, 1 warning, 2 equations, 1 constraint, 1 binary\n");
}

TEST_F(Check, SaysThatRulesLeaveNoMode) {
  const ProgramResult result = check(R"("states": [{"name": "x"}], "binaries": [{"name": "a"}, {"name": "b"}],
    "equations": ["der(x) = a", {"name": "opposite", "text": "a + b = 1"}], "invariants": ["a and b"])");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err,
            "model.json:: no-mode-left: no mode is left: \"a and b\" and opposite contradict each other\n");
}

TEST_F(Check, SaysThatNoModeHoldsTheStart) {
  const std::string members = R"("binaries": [{"name": "z"}], "equations": ["der(x) = z"],
    "constraints": [{"name": "ceiling", "text": "x <= 2"}], "states": [{"name": "x", "start": )";
  const ProgramResult outside = check(members + "3}]");
  EXPECT_EQ(outside.status, 2);
  EXPECT_EQ(outside.err.rfind("model.json:: no-consistent-start: ", 0), 0U) << outside.err;
  EXPECT_NE(outside.err.find("ceiling"), std::string::npos) << outside.err;
  EXPECT_EQ(check(members + "1}]").status, 0);
}

TEST_F(Check, WarnsOfWhatIsUsedNowhere) {
  const ProgramResult result = check(R"("states": [{"name": "x"}, {"name": "idle", "start": 3}],
    "inputs": [{"name": "u", "value": 1}, {"name": "w", "value": 1}], "binaries": [{"name": "z"}],
    "equations": ["der(x) = u - x"])");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err,
            "model.json:: warning: unused-signal: idle, w and z occur in no equation, constraint, invariant "
            "or law\n");
}

// heater is switched by x; fan acts on x, and no constraint asks for another value than it starts with.
TEST_F(Check, WarnsOfBinariesThatNothingDecides) {
  const auto said = [&](const std::string& rest) {
    return check(R"("states": [{"name": "x", "start": 1}, {"name": "w"}], "algebraic": [{"name": "y"}],
      "binaries": [{"name": "heater"}, {"name": "fan"}], )" +
                 rest)
        .err;
  };
  const std::string equations = R"("equations": ["der(x) = heater - x", "y = fan*w", "der(w) = 1 - y"])";
  const std::string constraints = R"("constraints": ["(x - 2)*heater <= 0", "(0.5 - x)*(1 - heater) <= 0")";
  const std::string warning =
      "model.json:: warning: undecided-binary: nothing decides fan: no constraint, invariant or equation of "
      "binaries depends on it: it keeps its start value\n";
  EXPECT_EQ(said(equations + ", " + constraints + "]"), warning);
  EXPECT_EQ(said(equations + ", " + constraints + R"(, "w <= 9"])"), "") << "w hangs on y, and y on fan";
  EXPECT_EQ(said(equations + ", " + constraints + R"(], "invariants": ["fan or heater or not fan"])"), "");
  EXPECT_EQ(
      said(R"("equations": ["der(x) = heater - x", "y = fan*w", "der(w) = 1 - y", "fan = 1 - heater"], )" +
           constraints + "]"),
      "");
  EXPECT_EQ(said(equations + ", " + constraints + R"json(],
      "transitions": [{"when": "rise(heater)", "equations": ["x = pre(x) + fan"]
}])json"),
            "")
      << "the law moves x";
  EXPECT_EQ(
      said(R"("equations": ["der(x) = -x", "y = fan*heater*w", "der(w) = 1 - y"])"),
      "model.json:: warning: undecided-binary: nothing decides heater and fan: no constraint, invariant or "
      "equation of binaries depends on them: they keep their start values\n");
}

TEST_F(Check, WarnsOfWhatIsAbsentAndOfWhatIsLeftOpen) {
  const ProgramResult result = check(R"("states": [{"name": "x"}],
    "algebraic": [{"name": "a"}, {"name": "b"}], "inputs": [{"name": "z", "value": 1, "binary": true}],
    "equations": ["z*(der(x) + x) = 0", "a + b = 1"])");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(
      result.err,
      "model.json:: warning: undetermined-signal: a and b are not determined in every mode: those that the "
      "equations leave open keep their values there\n"
      "model.json:: warning: absent-signal: x is in no equation in 1 of 2 modes, where not z: it keeps "
      "its value there\n");
}

// Structure is regular, the numbers are not: 1·a + 2·b and 2·a + 4·b at x = 4.
TEST_F(Check, WarnsOfAJacobianThatIsSingular) {
  const ProgramResult result = check(R"("states": [{"name": "x", "start": 4}],
    "algebraic": [{"name": "a"}, {"name": "b"}], "binaries": [{"name": "z"}],
    "equations": ["der(x) = a", {"name": "one", "text": "a + 2*b = x"},
                  {"name": "two", "text": "2*a + (3 + z*(x - 3))*b = 1"}])");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.err.find("warning: singular-jacobian: in 1 of 2 modes, where z: "), std::string::npos)
      << result.err;
}

// |a| + |b| as another quadrant writes it is 0 at such starts: no motion of that quadrant begins there.
TEST_F(Check, DoesNotWarnOfModesThatTheStartExcludes) {
  for (const char* start : {"-1, 0", "1, 0", "0, 1", "0, -1", "1, 1", "-1, 1", "-1, -1", "1, -1"}) {
    const std::string text = start;
    const std::string a = text.substr(0, text.find(',')), b = text.substr(text.find(' '));
    for (const char* arguments : {"atan2(b, a)", "atan2(y, x)"}) {
      const ProgramResult result =
          check(R"("states": [{"name": "a", "start": )" + a + R"(}, {"name": "b", "start": )" + b +
                R"(}], "algebraic": [{"name": "x"}, {"name": "y"}, {"name": "angle"}],
                "equations": ["der(a) = -b", "der(b) = a", "x = a", "y = b", "angle = )" +
                std::string(arguments) + R"("])");
      EXPECT_EQ(result.status, 0) << result.err;
      EXPECT_EQ(result.err, "") << start;
    }
  }
}

// What follows from others is left out: no mode is over-determined by it, and a run says the same.
TEST_F(Check, JudgesModesWithoutRedundantEquations) {
  const std::string members = R"("states": [{"name": "x", "start": 1}], "algebraic": [{"name": "y"}],
    "binaries": [{"name": "z"}], "constraints": ["(1 - 2*z)*(0.5 - x) <= 0"],
    "equations": ["der(x) = -x", {"name": "gain", "text": "y = 2*x"}, {"name": "again", "text": )";
  const ProgramResult everywhere = check(members + R"("2*y = 4*x"}])");
  EXPECT_EQ(everywhere.status, 0);
  EXPECT_EQ(everywhere.err,
            "model.json:: warning: redundant-equation: equation again follows from gain in every mode: left "
            "out\n");
  const ProgramResult run = run_program({"simulate", "model.json", "--no-report"}, directory.path());
  EXPECT_EQ(run.err, "model.json:: warning: equation again follows from gain in mode (z = 0): left out\n");

  const ProgramResult somewhere = check(members + R"("2*y = 4*x + z"}])");
  EXPECT_EQ(
      somewhere.err,
      "model.json:: warning: redundant-equation: equation again follows from gain in 1 of 2 modes, where "
      "not z: left out\n"
      "model.json:: warning: over-determined: in 1 of 2 modes, where z: 3 equations for 2 unknowns: eq1, "
      "gain and again are 3 equations for only 2 unknowns, x and y\n");
  const Json document = Json::parse(check(members + R"("2*y = 4*x"}])", "--json").out);
  EXPECT_EQ(document.at("modes"), Json::parse(R"({"all": "2", "considered": "2", "solvable": "2"})"));
  EXPECT_EQ(document.at("warnings"), Json::parse(R"json([{"id": "redundant-equation",
    "message": "equation again follows from gain in every mode: left out", "modes": "2", "where": "true",
    "equations": ["again"], "signals": [], "text": "equation again follows from gain in every mode: left out",
    "file": "model.json", "pointer": "/equations/2", "line": 3, "column": 71}])json"));
}

// The same whatever x is: with two − 2·one, which says 1 − 2·x = 0, a run finds x = 1/2, a = 0, b = 1/4.
TEST_F(Check, SaysHowARunRecombinesEquations) {
  const ProgramResult result = check(R"("states": [{"name": "x", "start": 0.5}],
    "algebraic": [{"name": "a"}, {"name": "b"}], "binaries": [{"name": "z", "start": 1}],
    "equations": ["der(x) = a", {"name": "one", "text": "a + 2*b = x"},
                  {"name": "two", "text": "2*a + (3 + z)*b = 1"}])");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.err.find("warning: recombined-equations: in 1 of 2 modes, where z: the numbers of one and "
                            "two cancel"),
            std::string::npos)
      << result.err;
  EXPECT_EQ(result.err.find("singular-jacobian"), std::string::npos) << result.err;
  const ProgramResult run =
      run_program({"simulate", "model.json", "--stop", "1", "--no-report", "--quiet"}, directory.path());
  EXPECT_EQ(run.status, 0) << run.err;
}

// a + b is 1 and 2 where z is: structure matches both rows, and a run finds no solution in that mode.
TEST_F(Check, SaysWhereNumbersContradictEachOther) {
  const std::string signals = R"("algebraic": [{"name": "a"}, {"name": "b"}], "binaries": [{"name": "z"}],
    "constraints": ["(x - 2)*(1 - 2*z) <= 0"], )";
  const std::string one = R"({"name": "one", "text": "a + b = 1"}, {"name": "two", "text": )";
  const std::string moving = R"("equations": ["der(x) = 1", )" + one;
  const std::string says =
      "in 1 of 2 modes, where z: one and two contradict each other whatever the signals are";
  const std::string start = R"("states": [{"name": "x", "start": 0}], )",
                    far = R"("states": [{"name": "x", "start": 3}], )";
  const std::string where_z = R"("a + b + (1 - z)*b = 2"}])";

  const ProgramResult result = check(start + signals + moving + where_z);
  EXPECT_EQ(result.status, 0) << "x = 0 begins in the other mode";
  EXPECT_EQ(result.err,
            "model.json:: warning: contradictory-equations: " + says + ": two is replaced by -one + two\n");
  const Json document = Json::parse(check(start + signals + moving + where_z, "--json").out);
  EXPECT_EQ(document.at("modes"), Json::parse(R"({"all": "2", "considered": "2", "solvable": "1"})"));

  const ProgramResult begun = check(far + signals + moving + where_z);
  EXPECT_EQ(begun.status, 2) << "it would begin in the mode itself";
  EXPECT_NE(begun.err.find("model.json:: no-consistent-start: "), std::string::npos) << begun.err;
  EXPECT_NE(begun.err.find("warning: contradictory-equations: " + says), std::string::npos) << begun.err;

  // Redundant where z is not, and off by 1 where it is.
  const ProgramResult redundant = check(start + signals + moving + R"("a + b = 1 + z"}])");
  EXPECT_EQ(redundant.status, 0);
  EXPECT_NE(redundant.err.find("warning: contradictory-equations: " + says), std::string::npos)
      << redundant.err;
  EXPECT_EQ(redundant.err.find("singular-jacobian"), std::string::npos) << redundant.err;

  // Off by 1 or 2: no mode is left.
  const ProgramResult never = check(start + signals + moving + R"("a + b = 2 + z"}])");
  EXPECT_EQ(never.status, 2);
  EXPECT_EQ(never.err.rfind("model.json:: contradictory-equations: ", 0), 0U) << never.err;

  // A mode that the rules exclude is none.
  const ProgramResult excluded = check(start + R"("invariants": ["not z"], )" + signals + moving + where_z);
  EXPECT_EQ(excluded.status, 0);
  EXPECT_EQ(excluded.err.find("contradictory-equations"), std::string::npos) << excluded.err;
}

TEST_F(Check, SaysNothingOfAGoodModel) {
  directory.write("model.json", three_tank());
  const ProgramResult result = run_program({"check", "model.json"}, directory.path());
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
}

TEST_F(Check, WritesJson) {
  const std::string members = R"("name": "open", "states": [{"name": "x"}], "algebraic": [{"name": "y"}],
    "inputs": [{"name": "u", "value": 1}], "binaries": [{"name": "z"}],
    "equations": [{"name": "motion", "text": "der(x) = 1 - y"}, {"name": "law", "text": "(1 - z)*(y - x) = 0"}],
    "constraints": ["x <= 2 + z"])";
  const ProgramResult result = check(members, "--json");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(Json::parse(result.out), Json::parse(R"json({
    "format": "mti-check", "version": 1, "valid": true, "model": "open",
    "sizes": {"states": 1, "inputs": 1, "algebraic": 1, "binaries": 1, "equations": 2, "constraints": 1},
    "modes": {"all": "2", "considered": "2", "solvable": "1"},
    "errors": [],
    "warnings": [
      {"id": "unused-signal", "message": "u occurs in no equation, constraint, invariant or law",
       "modes": null, "where": null, "equations": [], "signals": ["u"],
       "text": "u occurs in no equation, constraint, invariant or law",
       "file": "model.json", "pointer": "/inputs/0", "line": 2, "column": 16},
      {"id": "under-determined",
       "message": "in 1 of 2 modes, where z: 1 equation for 2 unknowns: only motion is there to determine x and y",
       "modes": "1", "where": "z", "equations": ["motion"], "signals": ["x", "y"],
       "text": "in 1 of 2 modes, where z: 1 equation for 2 unknowns: only motion is there to determine x and y",
       "file": "model.json", "pointer": "/equations/0", "line": 3, "column": 19}]})json"));
}

TEST_F(Check, WritesJsonOfAFileThatHoldsNoModel) {
  const ProgramResult result = check(R"("states": [{"name": "x"}], "equations": ["der(x) = k"])", "--json");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err, "");
  const Json document = Json::parse(result.out);
  EXPECT_EQ(document.at("valid"), false);
  ASSERT_EQ(document.at("errors").size(), 1U);
  EXPECT_EQ(document.at("errors")[0].at("id"), "unknown-name");
  EXPECT_EQ(document.at("errors")[0].at("pointer"), "/equations/0");
}

// 60 binaries with different weights in one equation: more partial sums than may arise.
TEST_F(Check, NamesTheBoundOfItsWork) {
  Json model = {{"states", {{{"name", "x"}}}}};
  std::string sum;
  for (int i = 0; i < 60; ++i) {
    model["binaries"].push_back({{"name", "z" + std::to_string(i)}});
    sum += (i % 2 == 0 ? " + " : " - ") + std::to_string(1 + 0.37 * i * i) + "*z" + std::to_string(i);
  }
  model["equations"] = {"der(x) = -x*(1" + sum + ")"};
  std::string text = model.dump();
  const ProgramResult result = check(text.substr(1, text.size() - 2));
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.err.find("warning: modes-not-examined: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("only the start was examined"), std::string::npos) << result.err;
}

// The numbers of a file's own experiment are the file's fault, those of an option are the option's.
TEST_F(Check, AnExperimentThatCannotBeRunMakesTheFileNotValid) {
  const std::string decay = R"("states": [{"name": "x", "start": 1}], "equations": ["der(x) = -x"])";
  for (const std::string experiment :
       {R"("stop": 1, "rtol": 1e-17)", R"("stop": 1e-300)", R"("stop": 1, "output_interval": 1e-12)"}) {
    const ProgramResult checked = check(decay + R"(, "experiment": {)" + experiment + "}"),
                        run = run_program({"simulate", "model.json"}, directory.path());
    EXPECT_EQ(checked.status, 2) << experiment;
    EXPECT_EQ(run.status, 2) << experiment;
    EXPECT_NE(run.err.find(": bad-experiment: expected "), std::string::npos) << run.err;
    EXPECT_EQ(run.err, checked.err);
    const ProgramResult other =
        run_program({"simulate", "model.json", "--rtol", "1e-6", "--stop", "1", "--output-interval", "0.1"},
                    directory.path());
    EXPECT_EQ(other.status, 0) << other.err;
  }
  check(decay);
  const ProgramResult option = run_program({"simulate", "model.json", "--rtol", "1e-17"}, directory.path());
  EXPECT_EQ(option.status, 1);
  EXPECT_NE(option.err.find("bad-option"), std::string::npos) << option.err;
  const ProgramResult nothing =
      run_program({"simulate", "model.json", "--sensitivity", ","}, directory.path());
  EXPECT_EQ(nothing.status, 1);
  EXPECT_NE(nothing.err.find("--sensitivity: bad-option"), std::string::npos) << nothing.err;
}

}  // namespace check_command_test
}  // namespace mti::test
