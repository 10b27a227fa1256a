// Every id that build() can report, at the place it is reported for, beside a model that only just builds.

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "mti/build/build.hpp"
#include "tests/mti/model/model_texts.hpp"

namespace mti {
namespace build_faults_test {

using Found = std::vector<std::pair<std::string, std::string>>;

/// One of everything; it builds.
Source sound() {
  Source source;
  source.parameters = {{"a", 2.0}, {"b", "3*a"}};
  source.states = {{"x", 1.0}, {"v", 0.0}};
  source.inputs = {
      {"u", Number(0.0)},
      {"w", TableSource{.time = {0.0, 1.0}, .value = {0.0, 2.0}}},
      {.name = "on", .form = TableSource{.time = {0.0, 1.0}, .value = {0.0, 1.0}}, .binary = true}};
  source.algebraic = {{"y", 0.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x) = v", {"force", "der(v) = y"}, "y = -b*x*z + u + w*on"};
  source.constraints = {{"floor", "-x <= 0"}};
  source.invariants = {"not (z and on)"};
  source.transitions = {{"reach(floor)", {"force"}, {"v = -0.5*pre(v)"}}};
  source.scenarios = {{"rest", "not z", {"x = 1", "der(v)^2 = 4"}}, {"moving"}};
  return source;
}

struct Case {
  const char* id;
  const char* pointer;
  std::function<void(Source&)> spoil;
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"syntax-error", "/equations/0", [](Source& s) { s.equations[0].text = "der(x) = "; }},
      {"syntax-error", "/equations/1/text", [](Source& s) { s.equations[1].text = "der(v) = y)"; }},
      {"syntax-error", "/constraints/0/text", [](Source& s) { s.constraints[0].text = "x < 0"; }},
      {"syntax-error", "/parameters/b", [](Source& s) { s.parameters[1].value = "3*"; }},
      {"syntax-error", "/parameters/b", [](Source& s) { s.parameters[1].value = ""; }},
      {"syntax-error", "/invariants/0", [](Source& s) { s.invariants[0] = "z xor on"; }},
      {"syntax-error", "/transitions/0/when", [](Source& s) { s.transitions[0].when = "hits(floor)"; }},
      {"syntax-error", "/transitions/0/equations/0", [](Source& s) { s.transitions[0].equations[0] = "v"; }},
      {"too-deep", "/equations/0",
       [](Source& s) { s.equations[0].text = std::string(300, '(') + "x" + std::string(300, ')') + " = 0"; }},
      {"number-range", "/equations/0", [](Source& s) { s.equations[0].text = "der(x) = 1e400*v"; }},
      {"number-range", "/states/0/start", [](Source& s) { s.states[0].start = "1e400"; }},

      {"bad-name", "/states/0/name", [](Source& s) { s.states.insert(s.states.begin(), {"2x"}); }},
      {"bad-name", "/algebraic/1/name", [](Source& s) { s.algebraic.push_back({"y."}); }},
      {"bad-name", "/algebraic/1/name", [](Source& s) { s.algebraic.push_back({""}); }},
      {"bad-name", "/algebraic/1/name", [](Source& s) { s.algebraic.push_back({"a b"}); }},
      {"bad-name", "/parameters/p~1q~0",
       [](Source& s) {
         s.parameters.push_back({"p/q~", 1.0});
       }},
      {"bad-name", "/equations/1/name",
       [](Source& s) {
         s.equations[1].name = "a-b";
         s.transitions.clear();
       }},
      {"reserved-name", "/algebraic/1/name", [](Source& s) { s.algebraic.push_back({"der"}); }},
      {"reserved-name", "/binaries/1/name", [](Source& s) { s.binaries.push_back({"and"}); }},
      {"reserved-name", "/parameters/pi",
       [](Source& s) {
         s.parameters.push_back({"pi", 3.0});
       }},
      {"reserved-name", "/states/2/name", [](Source& s) { s.states.push_back({"time"}); }},
      {"reserved-name", "/inputs/4/name",
       [](Source& s) {
         s.inputs.push_back({"time"});
         s.inputs.push_back({"time"});
       }},
      {"duplicate-name", "/algebraic/1/name", [](Source& s) { s.algebraic.push_back({"x"}); }},
      {"duplicate-name", "/states/2/name", [](Source& s) { s.states.push_back({"a"}); }},
      {"duplicate-name", "/parameters/a",
       [](Source& s) {
         s.parameters.push_back({"a", 1.0});
       }},
      {"duplicate-name", "/equations/2/name",
       [](Source& s) { s.equations[2] = RelationSource("force", s.equations[2].text); }},
      {"duplicate-name", "/constraints/0/name",
       [](Source& s) {
         s.constraints[0].name = "force";
         s.transitions.clear();
       }},
      {"duplicate-name", "/transitions/0/replaces/1",
       [](Source& s) { s.transitions[0].replaces.push_back("force"); }},
      {"unknown-name", "/equations/0", [](Source& s) { s.equations[0].text = "der(x) = vv"; }},
      {"unknown-name", "/equations/0", [](Source& s) { s.equations[0].text = "der(xx) = v"; }},
      {"unknown-name", "/constraints/0/text", [](Source& s) { s.constraints[0].text = "pre(zz) - z <= 0"; }},
      {"unknown-name", "/parameters/b", [](Source& s) { s.parameters[1].value = "3*q"; }},
      {"unknown-name", "/inputs/1/table/value/1",
       [](Source& s) { std::get<TableSource>(s.inputs[1].form).value[1] = "q"; }},
      {"unknown-name", "/invariants/0", [](Source& s) { s.invariants[0] = "not zz"; }},
      {"unknown-name", "/transitions/0/when", [](Source& s) { s.transitions[0].when = "rise(zz)"; }},
      {"unknown-function", "/equations/0", [](Source& s) { s.equations[0].text = "der(x) = v + sqr(a)"; }},
      {"unknown-constraint", "/transitions/0/when", [](Source& s) { s.transitions[0].when = "reach(flor)"; }},
      {"unknown-equation", "/transitions/0/replaces/0",
       [](Source& s) { s.transitions[0].replaces[0] = "farce"; }},

      {"not-finite", "/parameters/a", [](Source& s) { s.parameters[0].value = kInfinity; }},
      {"not-finite", "/parameters/b", [](Source& s) { s.parameters[1].value = "sqrt(-a)"; }},
      {"not-finite", "/states/0/start", [](Source& s) { s.states[0].start = kNaN; }},
      {"not-finite", "/inputs/1/table/time/0",
       [](Source& s) { std::get<TableSource>(s.inputs[1].form).time[0] = -kInfinity; }},
      {"not-finite", "/equations/2", [](Source& s) { s.equations[2].text = "y = 1e300*a*1e300*x"; }},
      {"not-finite", "/equations/2", [](Source& s) { s.equations[2].text = "y = (-a)^0.5*x"; }},
      {"parameter-order", "/parameters/a",
       [](Source& s) {
         s.parameters[0].value = "b/3";
         s.parameters[1].value = 6.0;
       }},
      {"parameter-order", "/parameters/b", [](Source& s) { s.parameters[1].value = "b + 1"; }},
      {"signal-as-number", "/parameters/b", [](Source& s) { s.parameters[1].value = "3*x"; }},
      {"signal-as-number", "/states/0/start", [](Source& s) { s.states[0].start = "time"; }},
      {"signal-as-number", "/states/0/start", [](Source& s) { s.states[0].start = "der(x)"; }},
      {"wrong-arguments", "/parameters/b", [](Source& s) { s.parameters[1].value = "sqrt(a, a)"; }},
      {"wrong-arguments", "/parameters/b", [](Source& s) { s.parameters[1].value = "max(a)"; }},
      {"division-by-zero", "/parameters/b", [](Source& s) { s.parameters[1].value = "1/(a - 2)"; }},
      {"division-by-zero", "/equations/2", [](Source& s) { s.equations[2].text = "y = x/(a - 2)"; }},
      {"division-by-zero", "/equations/2", [](Source& s) { s.equations[2].text = "y = x*(a - 2)^-1"; }},

      {"bad-nominal", "/states/1/nominal", [](Source& s) { s.states[1].nominal = 0.0; }},
      {"bad-nominal", "/inputs/0/nominal", [](Source& s) { s.inputs[0].nominal = "-a"; }},
      {"bad-nominal", "/algebraic/0/nominal", [](Source& s) { s.algebraic[0].nominal = -1.0; }},
      {"not-binary", "/binaries/0/start", [](Source& s) { s.binaries[0].start = 0.5; }},
      {"not-binary", "/inputs/2/table/value/1",
       [](Source& s) { std::get<TableSource>(s.inputs[2].form).value[1] = 2.0; }},
      {"not-binary", "/inputs/2/value", [](Source& s) { s.inputs[2].form = Number(-1.0); }},
      {"not-binary", "/inputs/2/sine", [](Source& s) { s.inputs[2].form = SineSource{}; }},
      {"bad-table", "/inputs/1/table",
       [](Source& s) { std::get<TableSource>(s.inputs[1].form).time.pop_back(); }},
      {"bad-table", "/inputs/1/table", [](Source& s) { s.inputs[1].form = TableSource{}; }},
      {"bad-table", "/inputs/1/table/time/1",
       [](Source& s) { std::get<TableSource>(s.inputs[1].form).time[1] = -1.0; }},
      {"bad-table", "/inputs/2/interpolation",
       [](Source& s) { std::get<TableSource>(s.inputs[2].form).interpolation = Interpolation::linear; }},
      {"clock-with-value", "/inputs/3",
       [](Source& s) {
         s.inputs.push_back({"time", Number(1.0)});
       }},
      {"clock-with-value", "/inputs/3",
       [](Source& s) { s.inputs.push_back({.name = "time", .binary = true}); }},
      {"bad-experiment", "/experiment/stop", [](Source& s) { s.experiment.stop = -1.0; }},
      {"bad-experiment", "/experiment/rtol", [](Source& s) { s.experiment.rtol = 0.0; }},
      {"bad-experiment", "/experiment/rtol", [](Source& s) { s.experiment.rtol = 1.0; }},
      {"bad-experiment", "/experiment/atol", [](Source& s) { s.experiment.atol = -1e-9; }},
      {"bad-experiment", "/experiment/output_interval",
       [](Source& s) { s.experiment.output_interval = 0.0; }},

      {"expected-equation", "/equations/0", [](Source& s) { s.equations[0].text = "der(x) <= v"; }},
      {"expected-equation", "/transitions/0/equations/0",
       [](Source& s) { s.transitions[0].equations[0] = "v >= 0"; }},
      {"expected-inequality", "/constraints/0/text", [](Source& s) { s.constraints[0].text = "x = 0"; }},
      {"outside-domain", "/equations/2", [](Source& s) { s.equations[2].text = "y = log(0*x - 1)"; }},
      {"division-by-signal", "/transitions/0/equations/0",
       [](Source& s) { s.transitions[0].equations[0] = "v = 1/x"; }},
      {"function-of-signal", "/transitions/0/equations/0",
       [](Source& s) { s.transitions[0].equations[0] = "v = sqrt(x)"; }},
      {"function-of-signal", "/equations/2", [](Source& s) { s.equations[2].text = "y = floor(x)"; }},
      {"function-of-signal", "/equations/2", [](Source& s) { s.equations[2].text = "y = 2*mod(x, a)"; }},
      {"not-finite", "/parameters/b", [](Source& s) { s.parameters[1].value = "mod(a, 0)"; }},
      {"power-too-high", "/equations/2", [](Source& s) { s.equations[2].text = "y = x^1000000000"; }},
      {"too-many-terms", "/equations/2",
       [](Source& s) {
         s.equations[2].text = "y = 1";
         for (int i = 0; i < 25; ++i) {
           s.algebraic.push_back({"y" + std::to_string(i)});
           s.equations[2].text += "*(1 + y" + std::to_string(i) + ")";
         }
       }},
      {"der-of-non-state", "/equations/2", [](Source& s) { s.equations[2].text = "y = der(u)"; }},
      {"der-of-non-state", "/equations/2", [](Source& s) { s.equations[2].text = "y = der(2*x)"; }},
      {"der-of-non-state", "/equations/2", [](Source& s) { s.equations[2].text = "y = der(a)"; }},
      {"der-of-non-state", "/equations/2", [](Source& s) { s.equations[2].text = "y = der(time)"; }},
      {"pre-of-non-binary", "/equations/2", [](Source& s) { s.equations[2].text = "y = pre(x)"; }},
      {"pre-of-non-binary", "/equations/2", [](Source& s) { s.equations[2].text = "y = pre(on)"; }},
      {"pre-of-non-binary", "/equations/2", [](Source& s) { s.equations[2].text = "y = pre(time)"; }},
      {"pre-of-non-signal", "/equations/2", [](Source& s) { s.equations[2].text = "y = pre(2)"; }},
      {"pre-of-non-signal", "/transitions/0/equations/0",
       [](Source& s) { s.transitions[0].equations[0] = "v = pre(a)"; }},
      {"empty-equation", "/equations/2", [](Source& s) { s.equations[2].text = "y + x = x + y"; }},
      {"empty-equation", "/equations/2", [](Source& s) { s.equations[2].text = "(0.1 + 0.2)*x = 0.3*x"; }},
      {"impossible-equation", "/equations/2", [](Source& s) { s.equations[2].text = "1 = 0"; }},
      {"impossible-equation", "/transitions/0/equations/0",
       [](Source& s) { s.transitions[0].equations[0] = "v - v = 1"; }},
      {"impossible-constraint", "/constraints/0/text", [](Source& s) { s.constraints[0].text = "1 <= 0"; }},
      {"impossible-constraint", "/constraints/0/text",
       [](Source& s) { s.constraints[0].text = "x >= x + a"; }},
      {"empty-model", "", [](Source& s) { s = Source{}; }},

      {"not-a-binary", "/invariants/0", [](Source& s) { s.invariants[0] = "not u"; }},
      {"not-a-binary", "/transitions/0/when", [](Source& s) { s.transitions[0].when = "fall(x)"; }},
      {"power-in-law", "/transitions/0/equations/0",
       [](Source& s) { s.transitions[0].equations[0] = "v*v = pre(v)"; }},
      {"power-in-law", "/transitions/0/equations/0",
       [](Source& s) { s.transitions[0].equations[0] = "v = pre(v)^2"; }},
      {"empty-law", "/transitions/0/equations",
       [](Source& s) {
         s.transitions[0].equations.clear();
         s.transitions[0].replaces.clear();
       }},

      {"bad-name", "/scenarios/0/name", [](Source& s) { s.scenarios[0].name = ""; }},
      {"duplicate-name", "/scenarios/1/name", [](Source& s) { s.scenarios[1].name = "rest"; }},
      {"syntax-error", "/scenarios/0/modes", [](Source& s) { s.scenarios[0].modes = "not z and"; }},
      {"syntax-error", "/scenarios/0/modes", [](Source& s) { s.scenarios[0].modes = " "; }},
      {"unknown-name", "/scenarios/0/modes", [](Source& s) { s.scenarios[0].modes = "not zz"; }},
      {"not-a-binary", "/scenarios/1/modes", [](Source& s) { s.scenarios[1].modes = "x"; }},
      {"syntax-error", "/scenarios/0/equations/1", [](Source& s) { s.scenarios[0].equations[1] = "v"; }},
      {"unknown-name", "/scenarios/0/equations/0", [](Source& s) { s.scenarios[0].equations[0] = "xx = 1"; }},
      {"expected-equation", "/scenarios/0/equations/0",
       [](Source& s) { s.scenarios[0].equations[0] = "x >= 1"; }},
      {"division-by-signal", "/scenarios/0/equations/0",
       [](Source& s) { s.scenarios[0].equations[0] = "x = 1/u"; }},
      {"empty-equation", "/scenarios/0/equations/0",
       [](Source& s) { s.scenarios[0].equations[0] = "x = x"; }},
      {"impossible-equation", "/scenarios/0/equations/0",
       [](Source& s) { s.scenarios[0].equations[0] = "1 = a"; }},
      {"pre-of-non-binary", "/scenarios/0/equations/0",
       [](Source& s) { s.scenarios[0].equations[0] = "x = pre(x)"; }},
      {"pre-in-scenario", "/scenarios/0/equations/0",
       [](Source& s) { s.scenarios[0].equations[0] = "x = pre(z)"; }},
  };
  return all;
}

TEST(BuildFaults, HaveNoneWhereNothingIsWrong) { EXPECT_EQ(test::faults_of(sound()), Found{}); }

TEST(BuildFaults, HaveTheirIdAndPointer) {
  for (const Case& one : cases()) {
    Source source = sound();
    one.spoil(source);
    std::string message;
    EXPECT_EQ(test::faults_of(source, &message), (Found{{one.id, one.pointer}}))
        << "expected " << one.id << " at " << one.pointer << "\n"
        << message;
  }
}

TEST(BuildFaults, AreAllReportedAtOnce) {
  Source source = sound();
  source.parameters.push_back({"c", "1/0"});
  source.states[0].start = "c + q";
  source.states[1].nominal = -1.0;
  source.equations[0].text = "der(x) = vv + der(y) + x/u";
  source.equations[2].text = "y = ";
  source.constraints[0].text = "1 <= 0";
  source.experiment.rtol = -1.0;
  source.invariants.push_back("x");
  EXPECT_EQ(test::faults_of(source), (Found{{"division-by-zero", "/parameters/c"},
                                            {"unknown-name", "/states/0/start"},
                                            {"bad-nominal", "/states/1/nominal"},
                                            {"bad-experiment", "/experiment/rtol"},
                                            {"unknown-name", "/equations/0"},
                                            {"der-of-non-state", "/equations/0"},
                                            {"syntax-error", "/equations/2"},
                                            {"impossible-constraint", "/constraints/0/text"},
                                            {"not-a-binary", "/invariants/1"}}));
}

TEST(BuildFaults, AParameterInErrorCausesNoOthers) {
  Source source = sound();
  source.parameters[0].value = "sqrt(-1)";
  source.states[0].start = "a";
  source.equations[2].text = "y = x^a/a*sqrt(a)";
  EXPECT_EQ(test::faults_of(source), (Found{{"not-finite", "/parameters/a"}}));
}

TEST(BuildFaults, SuggestWhatMayHaveBeenMeant) {
  const auto message = [](auto spoil) {
    Source source = sound();
    spoil(source);
    std::string text;
    test::faults_of(source, &text);
    return text;
  };
  const auto suggests = [](const std::string& text, const std::string& name) {
    return text.find("did you mean " + name + "?") != std::string::npos;
  };
  EXPECT_TRUE(suggests(message([](Source& s) { s.equations[0].text = "der(x) = w2"; }), "w"));
  EXPECT_TRUE(suggests(message([](Source& s) { s.transitions[0].when = "reach(flor)"; }), "floor"));
  EXPECT_TRUE(suggests(message([](Source& s) { s.transitions[0].replaces[0] = "forse"; }), "force"));
  EXPECT_TRUE(suggests(message([](Source& s) { s.parameters[1].value = "sqr(a)"; }), "sqrt"));
  EXPECT_TRUE(suggests(message([](Source& s) { s.scenarios[0].equations[0] = "xy = 1"; }), "x"));
  EXPECT_FALSE(suggests(message([](Source& s) { s.equations[0].text = "der(x) = quite_different"; }), "x"));
}

}  // namespace build_faults_test
}  // namespace mti
