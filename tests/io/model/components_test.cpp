// Model files made of components: what they say when put together, compared with models written flat.
#include <gtest/gtest.h>

#include "io/model/read_model.hpp"
#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"
#include "mti/printing/print.hpp"
#include "tests/mti/model/model_texts.hpp"
#include "tests/temporary_directory.hpp"

namespace mti {
namespace components_test {

using test::constraint_of;
using test::equation_of;
using test::Monomials;

const std::string head = R"({"format": "mti-model", "version": 1, )";

const std::string tank = head + R"json(
  "parameters": {"a": 2, "low": 20, "high": "low + 5"},
  "states": [{"name": "T", "start": "low", "unit": "degC", "nominal": 40}],
  "inputs": [{"name": "before", "value": 30, "unit": "degC"}, {"name": "window", "binary": true, "value": 0}],
  "algebraic": [{"name": "q"}],
  "binaries": [{"name": "on"}],
  "equations": ["der(T) = q + a*(before - T)*(1 - window)", {"name": "heat", "text": "q = 3*on*T^2"}],
  "constraints": [{"name": "cold", "text": "(low - T)*(1 - on) <= 0"}],
  "invariants": ["not (on and window)"],
  "transitions": [{"when": "reach(cold)", "replaces": ["eq1"], "equations": ["T = pre(T) + 1"]}],
  "scenarios": [{"name": "rest", "modes": "on", "equations": ["der(T) = 0"]}]})json";

class Components : public ::testing::Test {
 protected:
  void SetUp() override { directory_.write("tank.json", tank); }

  [[nodiscard]] Model read(const std::string& members, const Overrides& overrides = {}) const {
    return read_model_text(head + members + "}", directory_.path(), overrides);
  }
  [[nodiscard]] std::vector<Fault> faults_of(const std::string& members) const {
    try {
      (void)read(members);
    } catch (const InvalidModel& invalid) {
      return invalid.faults();
    }
    return {};
  }
  void expect_fault(const std::string& members, const std::string& id, const std::string& pointer,
                    const std::string& part) const {
    const std::vector<Fault> faults = faults_of(members);
    ASSERT_EQ(faults.size(), 1U) << members;
    EXPECT_EQ(faults[0].id, id) << faults[0].message;
    EXPECT_EQ(faults[0].pointer, pointer) << faults[0].message;
    EXPECT_NE(faults[0].message.find(part), std::string::npos) << faults[0].message;
    EXPECT_EQ(faults[0].file, "");
  }

  test::TemporaryDirectory directory_;
};

/// Same names, f, g, starts: everything a run depends on.
void expect_same(const Model& a, const Model& b) {
  ASSERT_EQ(a.signature.size(), b.signature.size());
  for (int i = 0; i < a.signature.size(); ++i) EXPECT_EQ(a.signature.row_name(i), b.signature.row_name(i));
  EXPECT_EQ(a.equation_names, b.equation_names);
  EXPECT_EQ(a.constraint_names, b.constraint_names);
  EXPECT_EQ(a.x_start, b.x_start);
  EXPECT_EQ(a.y_start, b.y_start);
  EXPECT_EQ(a.z_start, b.z_start);
  for (int row = 0; row < a.equations(); ++row) EXPECT_EQ(equation_of(a, row), equation_of(b, row)) << row;
  for (int row = 0; row < a.constraints(); ++row)
    EXPECT_EQ(constraint_of(a, row), constraint_of(b, row)) << row;
}

TEST_F(Components, RenameEverythingOfTheirModel) {
  const Model model = read(R"("parameters": {"c": 1},
    "components": [{"name": "left", "model": "tank.json", "parameters": {"low": "c + 20"}, "start": {"q": 7}}])");
  const Model flat =
      read(R"json("parameters": {"c": 1, "left.a": 2, "left.low": "c + 20", "left.high": "left.low + 5"},
    "states": [{"name": "left.T", "start": "left.low"}],
    "inputs": [{"name": "left.before", "value": 30}, {"name": "left.window", "binary": true, "value": 0}],
    "algebraic": [{"name": "left.q", "start": 7}], "binaries": [{"name": "left.on"}],
    "equations": [{"name": "left.eq1", "text": "der(left.T) = left.q + left.a*(left.before - left.T)*(1 - left.window)"},
                  {"name": "left.heat", "text": "left.q = 3*left.on*left.T^2"}],
    "constraints": [{"name": "left.cold", "text": "(left.low - left.T)*(1 - left.on) <= 0"}])json");
  expect_same(model, flat);
  EXPECT_EQ(model.x_start, std::vector<double>{21.0});
  ASSERT_EQ(model.invariants.size(), 1U);
  EXPECT_EQ(model.invariants[0].text, "not (left.on and left.window)");
  ASSERT_EQ(model.transitions.size(), 1U);
  EXPECT_EQ(model.transitions[0].target, 0);
  EXPECT_EQ(model.transitions[0].replaces, std::vector<int>{0}) << "eq1 of the component";
  EXPECT_EQ(model.transitions[0].equation_texts, std::vector<std::string>{"left.T = pre(left.T) + 1"});
  ASSERT_EQ(model.scenarios.size(), 1U);
  EXPECT_EQ(model.scenarios[0].name, "left.rest");
  EXPECT_EQ(model.signature.states()[0].unit, "degC");
  EXPECT_EQ(model.signature.states()[0].nominal, 40.0);
}

TEST_F(Components, ArraysWithAnIndexInParametersAndConnections) {
  const Model model = read(R"("parameters": {"n": 3},
    "components": [{"name": "tank[i]", "for": {"i": [1, "n"]}, "model": "tank.json",
                    "parameters": {"low": "20 + 10*i"}, "start": {"T": "i^2"}}],
    "connections": [{"input": "tank[i].before", "from": "tank[i-1].T", "for": {"i": [2, "n"]}},
                    {"input": "tank[1].before", "from": "2*tank[n].T"}])");
  EXPECT_EQ(model.x_start, (std::vector<double>{1.0, 4.0, 9.0}));
  EXPECT_EQ(model.signature.states()[2].name, "tank3.T");
  EXPECT_EQ(model.signature.m(), 3) << "the windows";
  const auto row_of = [&](const std::string& name) {
    return static_cast<int>(std::ranges::find(model.equation_names, name) - model.equation_names.begin());
  };
  EXPECT_EQ(equation_of(model, row_of("connection1_3")),
            (Monomials{{"tank3.before", 1.0}, {"tank2.T", -1.0}}));
  EXPECT_EQ(equation_of(model, row_of("connection2")), (Monomials{{"tank1.before", 1.0}, {"tank3.T", -2.0}}));
  EXPECT_EQ(constraint_of(model, 1),
            (Monomials{{"", 40.0}, {"tank2.T", -1.0}, {"tank2.on", -40.0}, {"tank2.T*tank2.on", 1.0}}));
}

TEST_F(Components, BalancesAndEqualities) {
  const std::string pipe = R"({"algebraic": [{"name": "p"}, {"name": "flow"}], "equations": ["flow = 2*p"]})";
  const Model model = read(R"("algebraic": [{"name": "main"}],
    "components": [{"name": "a[i]", "for": {"i": [1, 3]}, "model": )" +
                           pipe + R"(}, {"name": "b", "model": )" + pipe +
                           R"(}],
    "connections": [{"equal": ["b.p", "a[:].p"]},
                    {"name": "node", "balance": ["main", "-a[:].flow", "3*b.flow - 1"]}])");
  const Model flat =
      read(R"("algebraic": [{"name": "main"}, {"name": "a1.p"}, {"name": "a1.flow"}, {"name": "a2.p"},
      {"name": "a2.flow"}, {"name": "a3.p"}, {"name": "a3.flow"}, {"name": "b.p"}, {"name": "b.flow"}],
    "equations": [{"name": "a1.eq1", "text": "a1.flow = 2*a1.p"}, {"name": "a2.eq1", "text": "a2.flow = 2*a2.p"},
      {"name": "a3.eq1", "text": "a3.flow = 2*a3.p"}, {"name": "b.eq1", "text": "b.flow = 2*b.p"},
      {"name": "connection1_1", "text": "b.p = a1.p"}, {"name": "connection1_2", "text": "b.p = a2.p"},
      {"name": "connection1_3", "text": "b.p = a3.p"},
      {"name": "node", "text": "main - a1.flow - a2.flow - a3.flow + 3*b.flow - 1 = 0"}])");
  expect_same(model, flat);
}

TEST_F(Components, NestedWithParametersThroughEveryLevel) {
  directory_.write("row.json", head + R"("parameters": {"n": 2, "base": 20},
    "components": [{"name": "tank[j]", "for": {"j": [1, "n"]}, "model": "tank.json", "parameters": {"low": "base + j"}}],
    "connections": [{"input": "tank[j].before", "from": "tank[j-1].T", "for": {"j": [2, "n"]}}]})");
  const std::string members = R"("parameters": {"base": 50},
    "components": [{"name": "row[i]", "for": {"i": [1, 2]}, "model": "row.json",
                    "parameters": {"n": "i + 1", "base": "base + 10*i", "tank1.a": 9}}])";
  const Model model = read(members);
  EXPECT_EQ(model.signature.n(), 2 + 3) << "the number of tanks follows the parameter of each row";
  EXPECT_EQ(model.x_start, (std::vector<double>{61, 62, 71, 72, 73}));
  EXPECT_EQ(read(members, {{"base", 0.0}}).x_start, (std::vector<double>{11, 12, 21, 22, 23}));
  EXPECT_EQ(read(members, {{"row2.tank3.low", 5.0}}).x_start, (std::vector<double>{61, 62, 71, 72, 5}));
  EXPECT_EQ(read(members, {{"row1.n", 1.0}}).x_start, (std::vector<double>{61, 71, 72, 73}))
      << "an override changes the structure";
  EXPECT_EQ(equation_of(model, 0).at("row1.tank1.T"), 9.0) << "a parameter two levels further in";
}

TEST_F(Components, ArraysOfTwoIndices) {
  const Model model = read(R"("components": [{"name": "cell[i][j]", "for": {"i": [1, 2], "j": ["i", 2]},
      "model": {"states": [{"name": "x"}], "inputs": [{"name": "u", "value": 0}], "equations": ["der(x) = u"]}}],
    "connections": [{"input": "cell[i][2].u", "from": "cell[1][i].x - i", "for": {"i": [1, 2]}}])");
  ASSERT_EQ(model.signature.n(), 3);
  EXPECT_EQ(model.signature.states()[0].name, "cell1_1.x");
  EXPECT_EQ(model.signature.states()[2].name, "cell2_2.x");
  const int last = model.equations() - 1;
  EXPECT_EQ(equation_of(model, last), (Monomials{{"cell2_2.u", 1.0}, {"cell1_2.x", -1.0}, {"", 2.0}}));
}

TEST_F(Components, BinaryInputsBecomeWhatDrivesThem) {
  const Model model = read(R"("binaries": [{"name": "open"}],
    "components": [{"name": "a", "model": "tank.json"}, {"name": "b", "model": "tank.json"}],
    "connections": [{"input": "b.window", "from": "a.window"}, {"input": "a.window", "from": "open"}])");
  EXPECT_EQ(model.signature.m(), 2) << "the two temperatures before";
  EXPECT_EQ(model.invariants[1].text, "not (b.on and open)") << "through a.window";
  EXPECT_EQ(equation_of(model, 2).at("b.T*open"), -2.0);
}

TEST_F(Components, MatricesBesideEquations) {
  directory_.write("decay.json", head + R"("states": [{"name": "x", "start": 3}],
    "inputs": [{"name": "time", "value": 0}, {"name": "u", "value": 1}],
    "matrices": {"S": {"rows": 4, "cols": 3, "i": [0, 1, 3], "k": [0, 1, 2], "v": [1, 1, 1]},
                 "Phi_eq": {"rows": 1, "cols": 3, "i": [0, 0, 0], "k": [0, 1, 2], "v": [1, 2, -4]}}})");
  const Model model = read(R"("components": [{"name": "d", "model": "decay.json"}],
    "connections": [{"input": "d.u", "from": "5*d.x"}])");
  EXPECT_EQ(equation_of(model, 0), (Monomials{{"der(d.x)", 1.0}, {"d.x", 2.0}, {"d.u", -4.0}}));
  EXPECT_EQ(model.signature.m(), 0);
}

TEST_F(Components, AreReadBesideTheFileThatNamesThem) {
  std::filesystem::create_directory(directory_.path() / "parts");
  directory_.write("parts/w.csv", "t,T\n0,20\n");
  directory_.write("parts/leaf.json", head + R"("states": [{"name": "x"}],
    "inputs": [{"name": "T", "csv": "w.csv", "column": "T"}], "equations": ["der(x) = T"]})");
  directory_.write("parts/twig.json", head + R"("components": [{"name": "leaf", "model": "leaf.json"}]})");
  const auto file =
      directory_.write("m.json", head + R"("components": [{"name": "twig", "model": "parts/twig.json"}]})");
  const Model model = read_model(file);
  EXPECT_EQ(model.signature.states()[0].name, "twig.leaf.x");
  EXPECT_EQ(model.inputs[0].piece(0.0).value(0.0), 20.0);
}

TEST_F(Components, WrittenFlatTheyAreTheSameModel) {
  const Model model = read(R"("components": [{"name": "tank[i]", "for": {"i": [1, 2]}, "model": "tank.json"}],
    "connections": [{"input": "tank[1].before", "from": "tank[2].T"}])");
  expect_same(build(to_equations(model)), model);
}

TEST_F(Components, FaultsOfConnections) {
  const std::string two =
      R"("components": [{"name": "tank[i]", "for": {"i": [1, 2]}, "model": "tank.json"}], )";
  expect_fault(two + R"("connections": [{"input": "tank[1].befor", "from": "tank[2].T"}])", "unknown-input",
               "/connections/0", "did you mean tank1.before?");
  expect_fault(two + R"("connections": [{"input": "tank[1].before", "from": "tank[2].TT"}])", "unknown-name",
               "/connections/0", "did you mean tank2.T?");
  expect_fault(two + R"("connections": [{"input": "tank[i].before", "from": "0", "for": {"i": [1, 2]}},
                                       {"input": "tank[2].before", "from": "1"}])",
               "input-driven-twice", "/connections/1", "tank2.before");
  expect_fault(two + R"("connections": [{"equal": ["tank[1].T"]}])", "empty-connection", "/connections/0",
               "two");
  expect_fault(two + R"("connections": [{"balance": ["tank[1].T", "2 +"]}])", "syntax-error",
               "/connections/0/balance/1", "expected a number");
  expect_fault(two + R"("connections": [{"balance": ["-tnk[:].q"]}])", "unknown-component",
               "/connections/0/balance/0", "did you mean tank?");
  expect_fault(two + R"("connections": [{"equal": ["tank[1/2].q", "0"]}])", "bad-index",
               "/connections/0/equal/0", "0.5");
  expect_fault(two + R"("connections": [{"input": "tank[1].window", "from": "1 - tank[2].on"}])",
               "not-a-binary", "/connections/0", "tank1.window");
  expect_fault(two + R"("connections": [{"input": "tank[1].window", "from": "tank[1].window"}])",
               "not-a-binary", "/connections/0", "follows itself");
}

TEST_F(Components, FaultsOfComponents) {
  const auto one = [](const std::string& more) {
    return R"("components": [{"name": "t", "model": "tank.json")" + more + "}]";
  };
  expect_fault(one(R"(, "parameters": {"hgh": 3})"), "unknown-parameter", "/components/0/parameters/hgh",
               "did you mean high?");
  expect_fault(one(R"(, "parameters": {"T": 3})"), "unknown-parameter", "/components/0/parameters/T", "");
  expect_fault(one(R"(, "start": {"a": 3})"), "unknown-start", "/components/0/start/a", "");
  expect_fault(one(R"(, "parameters": {"low": "1/0"})"), "division-by-zero", "/components/0/parameters/low",
               "");
  expect_fault(one(R"(, "start": {"on": 2})"), "not-binary", "/components/0/start/on", "0 or 1");
  expect_fault(one(R"(, "paramters": {})"), "unknown-key", "/components/0/paramters",
               R"(did you mean "parameters"?)");
  expect_fault(one(R"(, "for": {"i": [1, 2]})"), "duplicate-name", "/components/0/name", "t[i]");
  expect_fault(one(R"(, "for": {"i": [1, 0.5]})"), "bad-index", "/components/0/for/i", "0.5");
  expect_fault(R"("components": [{"name": "t.u", "model": "tank.json"}])", "bad-name", "/components/0/name",
               "t.u");
  expect_fault(R"("components": [{"name": "t", "model": "tnk.json"}])", "model-unreadable",
               "/components/0/model", "tnk.json");
  expect_fault(R"("components": [{"name": "t[i]", "for": {"i": [1, 1e8]}, "model": "tank.json"}])",
               "too-many-components", "/components/0/for/i", "1000000");
}

TEST_F(Components, FaultsPointIntoTheFileTheyAreIn) {
  directory_.write("bad.json",
                   head + R"("states": [{"name": "x"}], "equations": ["der(x) = -x", "x + k = xx"]})");
  const std::vector<Fault> faults =
      faults_of(R"("components": [{"name": "b[i]", "for": {"i": [1, 5]}, "model": "bad.json"}],
                   "equations": ["b1.x = b9.x"])");
  ASSERT_EQ(faults.size(), 3U) << "once for five components";
  EXPECT_EQ(faults[0].file, (directory_.path() / "bad.json").string());
  EXPECT_EQ(faults[0].pointer, "/equations/1");
  EXPECT_EQ(faults[0].message, "column 5: unknown name k") << "as in the file by itself";
  EXPECT_EQ(faults[2].file, "");
  EXPECT_EQ(faults[2].pointer, "/equations/0");
}

TEST_F(Components, InOneOfTheirInstancesOnly) {
  const std::vector<Fault> faults = faults_of(
      R"("components": [{"name": "a", "model": "tank.json"}, {"name": "b", "model": {
        "parameters": {"k": 1}, "states": [{"name": "x", "start": "1/k"}], "equations": ["der(x) = x"]},
        "parameters": {"k": 0}}])");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].pointer, "/components/1/model/states/0/start");
  EXPECT_EQ(faults[0].message, "division by zero (in b)");
}

TEST_F(Components, ThatContainThemselves) {
  directory_.write("a.json", head + R"("components": [{"name": "b", "model": "b.json"}]})");
  directory_.write("b.json", head + R"("components": [{"name": "a", "model": "a.json"}]})");
  try {
    (void)read_model(directory_.path() / "a.json");
    FAIL();
  } catch (const InvalidModel& invalid) {
    ASSERT_EQ(invalid.faults().size(), 1U);
    EXPECT_EQ(invalid.faults()[0].id, "component-cycle");
    EXPECT_EQ(invalid.faults()[0].pointer, "/components/0/model");
    EXPECT_EQ(invalid.faults()[0].file, (directory_.path() / "b.json").string());
    EXPECT_NE(invalid.faults()[0].message.find("a.json -> b.json -> a.json"), std::string::npos);
  }
}

}  // namespace components_test
}  // namespace mti
