// What is refused of Modelica, with its place and its reason, and what signs and precedences mean.

#include "io/modelica/read_modelica.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"
#include "mti/source/overrides.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti::test {
namespace read_modelica_test {

/// "place: id: message" of the only fault of a text.
std::string fault_of(const std::string& text) {
  ModelicaReading reading = read_modelica(text);
  if (reading.faults.empty()) {
    try {
      static_cast<void>(build(reading.source));
    } catch (const InvalidModel& invalid) {
      reading.faults = at_places(invalid.faults(), reading);
    }
  }
  if (reading.faults.size() != 1) return std::to_string(reading.faults.size()) + " faults";
  const Fault& fault = reading.faults.front();
  return fault.pointer + ": " + fault.id + ": " + fault.message;
}

/// The same of a model with one state x, a Boolean b, and these lines from line 4 on.
std::string fault_of_equations(const std::string& lines) {
  return fault_of("model m\n  Real x(start = 1), y;\n  Boolean b;\nequation\n" + lines + "\nend m;\n");
}

constexpr const char* rest = "  der(x) = -x;\n  b = x > 0;\n";

struct Refusal {
  std::string lines, fault;
};

TEST(ReadModelica, RefusesByNameWithLineAndColumn) {
  const Refusal refusals[] = {
      {"  y = f(x);", "5:7: modelica-unsupported: the function f is not read"},
      {"  y = x[1];", "5:8: modelica-unsupported: arrays are not read: expected scalar variables"},
      {"  for i in 1:3 loop y = x; end for;",
       "5:3: modelica-unsupported: 'for' is not read: a flat model has variables, parameters and equations "
       "alone"},
      {"  connect(a, c);",
       "5:3: modelica-unsupported: 'connect' is not read: a flat model has variables, parameters and "
       "equations alone"},
      {"  y = x.*x;", "5:8: modelica-unsupported: operators of arrays are not read: found .*"},
      {"  y = delay(x, 1);", "5:7: modelica-unsupported: the function delay is not read"},
      {"  y = pre(x);", "5:7: modelica-unsupported: pre of the number x is read within when-equations alone"},
      {"  y = der(2*x);",
       "5:11: modelica-unsupported: der is read of a variable alone, not of an expression"},
      {"  y = if x == 1 then 1 else 0;",
       "5:10: modelica-unsupported: numbers are not compared for equality: expected <, <=, > or >="},
      {"  y = b;", "5:3: modelica-type: one side of the equation is a number, the other a condition"},
      {"  y = 1 + b;", "5:11: modelica-type: b is Boolean where a number is expected"},
      {"  y = if x then 1 else 0;", "5:10: modelica-type: a number stands where a condition is expected"},
      {"  y = z;", "5:7: unknown-name: unknown name z"},
      {"  y = ;", "5:7: syntax-error: expected a number, a name or '(', found ';'"},
      {"  y = 1", "6:3: syntax-error: expected an operator, '=' or ';', found 'd'"},
      {"  y = (1;", "5:9: syntax-error: expected an operator or ')', found ';'"},
      {"  y = \"a\";", "5:7: modelica-type: a text stands where a number is expected"},
      {"  terminate(\"now\");",
       "5:3: modelica-unsupported: terminate(…) is not read here: expected an equation a = b or an "
       "assertion"},
      {"  y = 1;\n  when b then\n    x = 1;\n  end when;",
       "7:5: modelica-unsupported: x cannot be set by a when-equation"},
      {"  y = 1;\n  when initial() then\n    reinit(x, 1);\n  end when;",
       "6:8: modelica-unsupported: the function initial is not read"},
      {"  if b then\n    y = 1;\n  end if;",
       "5:3: modelica-unsupported: an if-equation needs an else where signals decide"},
      {"  y = 1; assert(1 > 2, \"no\");", "5:10: modelica-assertion: what is asserted is false: no"},
      {"  y = sqrt(1, 2);", "5:7: wrong-arguments: sqrt takes one argument"},
  };
  for (const Refusal& refusal : refusals)
    EXPECT_EQ(fault_of_equations(refusal.lines + "\n" + rest), refusal.fault) << refusal.lines;
}

TEST(ReadModelica, RefusesDeclarations) {
  const auto declared = [](const std::string& line) { return fault_of("model m\n  " + line + "\nend m;\n"); };
  EXPECT_EQ(
      declared("Voltage u;"),
      "2:11: modelica-unsupported: the type Voltage of u is not read: expected Real, Integer or Boolean");
  EXPECT_EQ(declared("Real x[3];"),
            "2:9: modelica-unsupported: arrays are not read: expected scalar variables");
  EXPECT_EQ(declared("extends a;"),
            "2:3: modelica-unsupported: 'extends' is not read: a flat model has variables, parameters and "
            "equations alone");
  EXPECT_EQ(declared("algorithm"),
            "2:3: modelica-unsupported: 'algorithm' is not read: a flat model has variables, parameters and "
            "equations alone");
  EXPECT_EQ(declared("parameter Real a;"), "2:18: modelica-unsupported: the parameter a has no value");
  EXPECT_EQ(declared("parameter Real a = b, b = a;").substr(0, 8), "2 faults");
  EXPECT_EQ(declared("parameter Real a(max = 1) = 2;"),
            "2:26: modelica-range: the parameter a lies beyond its max, 1");
  EXPECT_EQ(declared("Real x(begin = 1);").substr(0, 48), "2:10: modelica-unsupported: begin is no attribut");
  EXPECT_EQ(declared("Real 'a b' = 1;").substr(0, 35), "2:8: bad-name: 'a b' cannot be a na");
  EXPECT_EQ(fault_of("model a\nend b;"), "2:5: syntax-error: expected the name of the model, a, found b");
  EXPECT_EQ(fault_of("block a\nend a;"),
            "1:1: modelica-unsupported: 'block' is not read: a flat model has variables, parameters and "
            "equations alone");
  EXPECT_EQ(fault_of("/* open"),
            "1:8: syntax-error: expected the end of a comment, found the end of the text");
}

TEST(ReadModelica, DeepNestingIsRefused) {
  const std::string open(300, '('), close(300, ')');
  EXPECT_NE(fault_of_equations("  y = " + open + "x" + close + ";\n" + rest).find("too-deep"),
            std::string::npos);
}

/// −x², a − (b − c), a/(b·c), 2^−1 in words of the language, comments and continued declarations.
TEST(ReadModelica, ReadsSignsAndPrecedencesAsTheSpecificationHasThem) {
  const ModelicaReading reading = read_modelica(
      "model m // a line\n  parameter Real a = -2^2, b = 10 - (3 - 1), c = 12/(2*3), d = 2^(-1) /* four */, "
      "e = -2*3 + 1.;\n"
      "  parameter Boolean f = not (1 > 2 or 2 > 3) and true;\n  parameter Real g = if f then 1e-3 else 2;\n"
      "  Real x = 1;\nend m;\n");
  ASSERT_TRUE(reading.faults.empty()) << reading.faults.front().message;
  const std::vector<std::pair<std::string, double>> expected = {{"a", -4.0}, {"b", 8.0},           {"c", 2.0},
                                                                {"d", 0.5},  {"e", -5.0},          {"f", 1.0},
                                                                {"g", 1e-3}, {"f.is_boolean", 0.0}};
  EXPECT_EQ(parameter_values(reading.source), expected);
}

/// Modelica 3.7.2: div is truncated, rem goes with it, mod with floor.
TEST(ReadModelica, ReadsWholeNumbersOfParameters) {
  const ModelicaReading reading = read_modelica(
      "model m\n  parameter Integer n = -7;\n  parameter Real b = 2.5;\n"
      "  parameter Integer f = integer(b), d = div(n, 2), m = mod(n, 2), r = rem(n, 2);\n"
      "  parameter Real g = floor(n/b), c = ceil(n/b), h = div(b, 0.5) + mod(n, b);\n"
      "  Real x(start = 0, fixed = true), u;\nequation\n"
      "  der(x) = if f > 1 then u else 0;\n  u = sin(mod(n, 4)*time);\nend m;\n");
  ASSERT_TRUE(reading.faults.empty()) << reading.faults.front().message;
  std::map<std::string, double> values;
  for (const auto& [name, value] : parameter_values(reading.source)) values[name] = value;
  EXPECT_EQ(values.at("f"), 2.0);
  EXPECT_EQ(values.at("d"), -3.0);
  EXPECT_EQ(values.at("m"), 1.0);
  EXPECT_EQ(values.at("r"), -1.0);
  EXPECT_EQ(values.at("g"), -3.0);
  EXPECT_EQ(values.at("c"), -2.0);
  EXPECT_EQ(values.at("h"), 5.5);
  const Trajectory run = simulate(build(reading.source), {.stop = 1.0});
  EXPECT_NEAR(run.value(run.size() - 1, run.column("x")), 1.0 - std::cos(1.0), 1e-5);
  EXPECT_EQ(fault_of_equations("  y = floor(x);\n" + std::string(rest)),
            "5:7: modelica-unsupported: the function floor is read of parameters and numbers alone");
}

/// A value that is a square in effect is made of left limits, as one that is written as a power.
TEST(ReadModelica, ProductsOfAVariableAreSquaresInWhenEquations) {
  const std::vector<std::pair<std::string, double>> values = {{"y*y", 3.7249},
                                                              {"y^2", 3.7249},
                                                              {"(y - c)*(y + x)", 0.93 * 3.63},
                                                              {"pre(y)*pre(y) + 1", 4.7249},
                                                              {"(pre(k) - c)*(pre(k) + c)", -0.75},
                                                              {"y*x", 1.93 * 1.7},
                                                              {"2*c*c*y", 3.86}};
  for (const auto& [text, expected] : values) {
    const ModelicaReading reading = read_modelica(
        "model m\n  parameter Real c = 1;\n  Real x(start = 1, fixed = true);\n  Real y(start = 2, fixed = "
        "true);\n"
        "  discrete Real k(start = 0.5, fixed = true);\nequation\n  der(x) = 1;\n  der(y) = -0.1;\n"
        "  when time >= 0.7 then\n    k = " +
        text +
        ";\n  end when;\n"
        "  annotation(experiment(StopTime = 1, Tolerance = 1e-9));\nend m;\n");
    ASSERT_TRUE(reading.faults.empty()) << text << ": " << reading.faults.front().message;
    const Trajectory run = simulate(build(reading.source));
    EXPECT_NEAR(run.value(run.size() - 1, run.column("k")), expected, 1e-8) << text;
  }
}

/// Comparisons of integers are written at halves: with N = 2.6, n > N would be that of n = 3 and 3.1.
TEST(ReadModelica, IntegerParametersAreSetToWholeNumbersAlone) {
  const ModelicaReading reading = read_modelica(
      "model m\n  parameter Integer N = 2;\n  Integer n(start = 0);\n  Real x(start = 0);\nequation\n"
      "  der(x) = if n > N then 1 else 0;\n  when time > 1 then n = 3; end when;\nend m;\n");
  ASSERT_TRUE(reading.faults.empty());
  const auto pointer_with = [&](double value) {
    Source source = reading.source;
    override_values(source, {{"N", value}});
    try {
      static_cast<void>(build(source));
    } catch (const InvalidModel& invalid) {
      return invalid.faults().front().pointer;
    }
    return std::string();
  };
  for (const double whole : {-999999999.0, -1.0, 0.0, 2.0, 3.0, 1e9}) EXPECT_EQ(pointer_with(whole), "");
  for (const double other : {2.6, -0.5, 1e-9, 3.0 - 1e-12})
    EXPECT_EQ(pointer_with(other), "/parameters/N.is_whole");
}

TEST(ReadModelica, BooleanParametersAreSetTo0And1Alone) {
  const ModelicaReading reading = read_modelica(
      "model m\n  parameter Boolean on = true;\n  Real y(start = 0, fixed = true);\nequation\n"
      "  der(y) = if on then 2 else -2;\nend m;\n");
  ASSERT_TRUE(reading.faults.empty());
  for (const double value : {0.0, 1.0, 0.5, 2.0, -1.0, 1e200}) {
    Source source = reading.source;
    override_values(source, {{"on", value}});
    if (value == 0.0 || value == 1.0) {
      const Trajectory run = simulate(build(source), {.stop = 1.0});
      EXPECT_NEAR(run.value(run.size() - 1, run.column("y")), 4.0 * value - 2.0, 1e-12);
      continue;
    }
    try {
      static_cast<void>(build(source));
      ADD_FAILURE() << value;
    } catch (const InvalidModel& invalid) {
      EXPECT_EQ(invalid.faults().front().pointer, "/parameters/on.is_boolean");
    }
  }
}

TEST(ReadModelica, IntegersAreGivenByIntegersAlone) {
  const auto fault = [](const std::string& equations) {
    const ModelicaReading reading = read_modelica(
        "model m\n  Real x(start = 1, fixed = true);\n  Real y;\n  Integer n(start = 0);\n  Integer "
        "k;\nequation\n"
        "  der(x) = -x;\n" +
        equations + "\nend m;\n");
    return reading.faults.empty() ? std::string() : reading.faults.front().id;
  };
  const std::string counts = "when x < 0.5 then n = pre(n) + 1; end when;";
  EXPECT_EQ(fault("y = n; k = 2*n - 1;" + counts), "");
  EXPECT_EQ(fault("n = y; k = if n > 2 then 1 else -n;" + counts), "");  // an equation of y
  EXPECT_EQ(fault("y = x; k = x;" + counts), "modelica-type");
  EXPECT_EQ(fault("y = x; k = 3/2;" + counts), "modelica-type");
  EXPECT_EQ(fault("y = x; k = n; when x < 0.5 then n = 1.5; end when;"), "modelica-type");
  EXPECT_EQ(fault("y = x; k = n; when x < 0.5 then n = x; end when;"), "modelica-type");
  EXPECT_EQ(fault("y = x;" + counts), "modelica-unbalanced");
}

/// n = 2 from t = 1 on: comparisons with what it is equal to, however that is written.
TEST(ReadModelica, ComparisonsOfIntegersHoldAtEquality) {
  const std::vector<std::pair<std::string, bool>> comparisons = {
      {"n >= 2.0", true},     {"n > 2.0", false},        {"n^2 >= 4", true},       {"n^2 < 4", false},
      {"n/2 >= 1", true},     {"n*0.5 < 1", false},      {"n + 0.5 >= 2.5", true}, {"n/4 <= 0.5", true},
      {"n/4 < 0.5", false},   {"n >= 4/2", true},        {"3*n > 6", false},       {"n*n >= 4", true},
      {"0.1*n >= 0.2", true}, {"max(n, 1) >= 2.0", true}};
  for (const auto& [text, holds] : comparisons) {
    const ModelicaReading reading = read_modelica(
        "model m\n  Integer n(start = 0);\n  Boolean b;\n  Real x(start = 0, fixed = true);\nequation\n  "
        "der(x) = 1;\n"
        "  when x > 0.5 then n = pre(n) + 1; elsewhen x > 1 then n = pre(n) + 1; end when;\n  b = " +
        text + ";\n  annotation(experiment(StopTime = 2));\nend m;\n");
    ASSERT_TRUE(reading.faults.empty()) << text << ": " << reading.faults.front().message;
    const Trajectory run = simulate(build(reading.source));
    ASSERT_NEAR(run.value(run.size() - 1, run.column("n")), 2.0, 1e-12) << text;
    EXPECT_EQ(run.value(run.size() - 1, run.column("b")), holds ? 1.0 : 0.0) << text;
  }
}

TEST(ReadModelica, ConditionsOfParametersStandInWhenEquations) {
  for (const auto& [value, expected] :
       std::vector<std::pair<std::string, double>>{{"if p > q then 1 else 2", 2.0},
                                                   {"if p < q then pre(s) + 1 else 0", 3.0},
                                                   {"if n == 3 then pre(s) + 2 else pre(s)", 6.0},
                                                   {"if x > 1.2 and p < q then 7 else pre(s)", 7.0}}) {
    const ModelicaReading reading = read_modelica(
        "model m\n  parameter Real p = 1, q = 2;\n  parameter Integer n = 3;\n  Real x(start = 0, fixed = "
        "true);\n"
        "  discrete Real s(start = 0, fixed = true);\nequation\n  der(x) = 1;\n  when sample(0.5, 0.5) then "
        "s "
        "= " +
        value + "; end when;\n  annotation(experiment(StopTime = 1.7));\nend m;\n");
    ASSERT_TRUE(reading.faults.empty()) << value << ": " << reading.faults.front().message;
    const Trajectory run = simulate(build(reading.source));
    EXPECT_NEAR(run.value(run.size() - 1, run.column("s")), expected, 1e-12) << value;
  }
}

TEST(ReadModelica, SamplesHaveAPeriodAboveZero) {
  const auto reading = [](const std::string& period) {
    return read_modelica(
        "model m\n  parameter Real p = 0.5;\n  discrete Real u(start = 0, fixed = true);\nequation\n"
        "  when sample(0, " +
        period + ") then u = time; end when;\nend m;\n");
  };
  for (const char* period : {"0", "-1", "p - 0.5"})
    EXPECT_EQ(reading(period).faults.at(0).id, "modelica-range");
  ModelicaReading good = reading("p");
  ASSERT_TRUE(good.faults.empty());
  override_values(good.source, {{"p", 0.0}});
  EXPECT_THROW(static_cast<void>(build(good.source)), InvalidModel);
}

/// In Modelica both when-equations belong to one event iteration, with pre(n) = 0; here the second one follows the first.
TEST(ReadModelica, WhatFollowsWhatIsSetMayNotLookAtWhatWasThere) {
  const std::string head =
      "model m\n  Real x(start = 0);\n  Integer n(start = 0), k(start = 0);\nequation\n  der(x) = 1;\n";
  const std::string counts = "  when x > 1 then n = pre(n) + 1; reinit(x, 0); end when;\n";
  EXPECT_EQ(
      fault_of(head + counts + "  when n >= 1 then k = pre(n) + 10; end when;\nend m;\n"),
      "7:24: modelica-unsupported: the condition of this when-equation looks at what another when-equation "
      "sets, and n may be set with it: expected both in one when-equation, or a value without it");
  EXPECT_EQ(
      fault_of(head + counts + "  when n >= 1 and x > 0.5 then k = 1; end when;\nend m;\n"),
      "7:19: modelica-unsupported: the condition of this when-equation looks at what another when-equation "
      "sets, and x may be set with it: expected both in one when-equation, or a value without it");
  EXPECT_EQ(fault_of(head + counts + "  when n >= 2 then k = n + pre(k) + 10; end when;\nend m;\n"),
            "0 faults");
}

// Danger: in Modelica what follows from d = 2 is due in the iteration that sets it, and a when-equation is active once in it, by
// the first of its branches; here it was active once for each of its conditions.
TEST(ReadModelica, AWhenEquationIsActiveOnceInAnIteration) {
  const auto fault_of_whens = [](const std::string& whens) {
    return fault_of(
        "model m\n  Real x(start = 0), y(start = 0), d(start = 0), n(start = 0), k(start = 0);\nequation\n"
        "  der(x) = 1;\n  der(y) = 2;\n" +
        whens + "\nend m;\n");
  };
  const std::string sets = "when x > 1 then d = 2; end when; ";
  for (const char* twice :
       {"when {x > 1, d > 1.5} then n = pre(n) + 1; end when;",
        "when d > 1.5 then n = pre(n) + 1; elsewhen x > 1 then n = pre(n) + 10; end when;",
        "when {x + d > 2, d > 1.5} then n = pre(n) + 1; end when;",
        "when d > 1.5 then k = 1; end when; when {d > 1, k > 0.5} then n = pre(n) + 1; end when;"})
    EXPECT_NE(fault_of_whens(sets + twice).find("in which it is active once"), std::string::npos) << twice;
  for (const char* twice : {"when {sample(0, 1), d > 1.5} then n = pre(n) + 1; end when;",
                            "when {time > 1, d > 1.5} then n = pre(n) + 1; end when;"})
    EXPECT_NE(fault_of_whens("when sample(0, 1) then d = pre(d) + 1; end when; " + std::string(twice))
                  .find("in which it is active once"),
              std::string::npos)
        << twice;
  for (const char* once : {"when {y > 1.5, d > 1.5} then n = pre(n) + 1; end when;",
                           "when {d > 1, d > 1.5} then n = pre(n) + 1; end when;",
                           "when x > 1 or d > 1.5 then n = pre(n) + 1; end when;"})
    EXPECT_EQ(fault_of_whens(sets + "when y > 9 then k = 1; end when; " + once), "0 faults") << once;
}

/// der(x) = v: the reset makes v smaller and does not turn it back. Active once it leaves 0.7, as an impact it is repeated.
TEST(ReadModelica, OnceIsOnce) {
  const auto end_of = [](const std::string& annotation) {
    const ModelicaReading reading = read_modelica(
        "model m\n  Real x(start = 0, fixed = true);\n  Real v(start = 1, fixed = true);\nequation\n  der(x) "
        "= v;\n"
        "  der(v) = 0;\n  when x > 0.5 then reinit(v, pre(v) - 0.3); end when" +
        annotation + ";\nend m;\n");
    const Trajectory run = simulate(build(reading.source), {.stop = 2.0});
    return run.value(run.size() - 1, run.column("v"));
  };
  EXPECT_NEAR(end_of(" annotation(__mti(once = true))"), 0.7, 1e-9);
  EXPECT_LT(end_of(""), 1e-9);
}

}  // namespace read_modelica_test

}  // namespace mti::test
