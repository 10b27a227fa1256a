// Rules, initial assignments, functions: formulas of every kind, against their values by the standard library.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <utility>

#include "io/kinetics/read_sbml.hpp"
#include "mti/build/build.hpp"
#include "mti/source/overrides.hpp"
#include "tests/io/kinetics/sbml_model.hpp"

namespace mti {
namespace rules_test {

using test::SbmlModel;
using test::SbmlRun;

constexpr double close = 1e-7;

TEST(SbmlRules, FunctionsAreTheirOwn) {
  // Of x = 0.3 + t/2, over 0.3 … 0.8, and as start values of constants at x = 0.3.
  const std::vector<std::pair<std::string, double (*)(double)>> functions = {
      {"abs(-x)", [](double x) { return x; }},
      {"exp(x)", [](double x) { return std::exp(x); }},
      {"ln(x)", [](double x) { return std::log(x); }},
      {"log(x)", [](double x) { return std::log10(x); }},
      {"log(3, x)", [](double x) { return std::log(x) / std::log(3.0); }},
      {"sin(x)", [](double x) { return std::sin(x); }},
      {"cos(x)", [](double x) { return std::cos(x); }},
      {"tan(x)", [](double x) { return std::tan(x); }},
      {"sec(x)", [](double x) { return 1 / std::cos(x); }},
      {"csc(x)", [](double x) { return 1 / std::sin(x); }},
      {"cot(x)", [](double x) { return 1 / std::tan(x); }},
      {"sinh(x)", [](double x) { return std::sinh(x); }},
      {"cosh(x)", [](double x) { return std::cosh(x); }},
      {"tanh(x)", [](double x) { return std::tanh(x); }},
      {"sech(x)", [](double x) { return 1 / std::cosh(x); }},
      {"csch(x)", [](double x) { return 1 / std::sinh(x); }},
      {"coth(x)", [](double x) { return 1 / std::tanh(x); }},
      {"arcsin(x)", [](double x) { return std::asin(x); }},
      {"arccos(x)", [](double x) { return std::acos(x); }},
      {"arctan(x)", [](double x) { return std::atan(x); }},
      {"arcsec(1/x)", [](double x) { return std::acos(x); }},
      {"arccsc(1/x)", [](double x) { return std::asin(x); }},
      {"arccot(x)", [](double x) { return std::atan(1 / x); }},
      {"arcsinh(x)", [](double x) { return std::asinh(x); }},
      {"arccosh(1 + x)", [](double x) { return std::acosh(1 + x); }},
      {"arctanh(x)", [](double x) { return std::atanh(x); }},
      {"arcsech(x)", [](double x) { return std::acosh(1 / x); }},
      {"arccsch(x)", [](double x) { return std::asinh(1 / x); }},
      {"arccoth(1 + x)", [](double x) { return std::atanh(1 / (1 + x)); }},
      {"root(2, x)", [](double x) { return std::sqrt(x); }},
      {"root(3, x)", [](double x) { return std::cbrt(x); }},
      {"root(5, x)", [](double x) { return std::pow(x, 0.2); }},
      {"x^2.5", [](double x) { return std::pow(x, 2.5); }},
      {"x^(-2)", [](double x) { return 1 / (x * x); }},
      {"x^x", [](double x) { return std::pow(x, x); }},
      {"-x^2", [](double x) { return -x * x; }},
      {"1 - (2 - x)", [](double x) { return x - 1; }},
      {"1/(2/x)", [](double x) { return x / 2; }},
      {"max(x, 0.5, 0.1)", [](double x) { return std::max(x, 0.5); }},
      {"min(x, 0.5)", [](double x) { return std::min(x, 0.5); }},
      {"plus(x, 1, 2)*times(x, 2, 3)", [](double x) { return (x + 3) * 6 * x; }},
      {"piecewise(1, lt(x, 0.4), 2, and(geq(x, 0.4), not(gt(x, 0.6))), 3)",
       [](double x) { return x < 0.4   ? 1.0
                             : x < 0.6 ? 2.0
                                       : 3.0; }},
      {"piecewise(1, xor(lt(x, 0.4), lt(x, 0.6)), 0)",
       [](double x) { return x > 0.4 && x < 0.6 ? 1.0 : 0.0; }},
      {"piecewise(1, implies(lt(x, 0.6), lt(x, 0.4)), 0)",
       [](double x) { return x > 0.4 && x < 0.6 ? 0.0 : 1.0; }},
      {"piecewise(1, eq(lt(x, 0.6), lt(x, 0.4)), 0)",
       [](double x) { return x > 0.4 && x < 0.6 ? 0.0 : 1.0; }},
      {"piecewise(1, lt(0.4, x, 0.6), 0)", [](double x) { return x > 0.4 && x < 0.6 ? 1.0 : 0.0; }},
      {"piecewise(x, piecewise(lt(x, 0.5), lt(x, 0.4), gt(x, 0.6)), 0)",
       [](double x) { return x < 0.4 || x > 0.6 ? x : 0.0; }},
      {"lt(x, 0.5) + 1", [](double x) { return x < 0.5 ? 2.0 : 1.0; }},
  };
  SbmlModel model;
  model.parameter("x", "", false).assignment("x", "0.3 + time/2").parameter("c", "0.3");
  for (std::size_t i = 0; i < functions.size(); ++i) {
    std::string of_constant = functions[i].first;
    for (std::size_t at = 0; (at = of_constant.find('x', at)) != std::string::npos; ++at)
      if (at == 0 || !std::isalpha(static_cast<unsigned char>(of_constant[at - 1])))
        if (at + 1 == of_constant.size() || !std::isalpha(static_cast<unsigned char>(of_constant[at + 1])))
          of_constant[at] = 'c';
    const std::string number = std::to_string(i);
    model.parameter("y" + number, "", false).assignment("y" + number, functions[i].first);
    model.parameter("z" + number, "").initial("z" + number, of_constant);
  }
  const SbmlRun run(model, 1);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const auto& [text, function] = functions[i];
    const std::string number = std::to_string(i);
    EXPECT_NEAR(run("z" + number, 0.5), function(0.3), 1e-12) << text;
    for (const double t : {0.0, 0.1, 0.37, 0.81, 1.0})
      EXPECT_NEAR(run("y" + number, t), function(0.3 + t / 2), close) << text << " at " << t;
  }
}

TEST(SbmlRules, FunctionsOfStepsOfConstantsAreNumbers) {
  SbmlModel model;
  model.parameter("a", "7.6").parameter("b", "-2").parameter("n", "5");
  const std::vector<std::pair<std::string, double>> values = {{"floor(a/b)", -4},
                                                              {"ceiling(a/b)", -3},
                                                              {"factorial(n)", 120},
                                                              {"quotient(a, b)", -3},
                                                              {"rem(a, b)", 7.6 - 6}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string id = "y" + std::to_string(i);
    model.parameter(id, "", false).assignment(id, values[i].first + " + 0*time");
  }
  const SbmlRun run(model, 1);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(run("y" + std::to_string(i), 1), values[i].second, 1e-12) << values[i].first;
  // They have been computed on reading: the constants in them cannot be set any more.
  Source source = read_sbml_text(model.text());
  override_values(source, {{"a", 8.6}});
  EXPECT_THROW(static_cast<void>(build(source)), InvalidModel);
  source = read_sbml_text(model.text());
  override_values(source, {{"a", 7.6}});
  EXPECT_NO_THROW(static_cast<void>(build(source)));
}

TEST(SbmlRules, VariablesThatDoNotChangeAreNumbers) {
  SbmlModel model;
  model.parameter("a", "7.6").parameter("b", "", false).assignment("b", "a/2");
  model.parameter("y", "", false).assignment("y", "floor(b) + 0*time");
  model.parameter("z", "", false)
      .assignment("z", "piecewise(1, eq(b, 3.8), 2) + piecewise(10, neq(b, a), 20)");
  model.parameter("n", "0", false).event("E", "and(eq(b, 3.8), geq(time, 1))", {{"n", "1"}});
  const SbmlRun run(model, 2);
  EXPECT_EQ(run("y", 2), 3.0);
  EXPECT_EQ(run("z", 2), 11.0);
  EXPECT_EQ(run("n", 2), 1.0);
}

TEST(SbmlRules, AConstantIsSetByItsName) {
  SbmlModel model;
  model.parameter("k", "1")
      .parameter("twice", "0")
      .initial("twice", "2*k")
      .parameter("x", "3", false)
      .rate("x", "twice");
  Source source = read_sbml_text(model.text());
  override_values(source, {{"k", 5.0}, {"x", 1.0}});
  SimulationOptions options;
  options.stop = 2.0;
  const Trajectory run = simulate(build(source), options);
  EXPECT_NEAR(run.value(run.size() - 1, run.column("x")), 21, close);
  EXPECT_EQ(run.value(run.size() - 1, run.column("k")), 5.0);
  EXPECT_THROW(override_values(source, {{"nothing", 1.0}}), InvalidOption);
}

TEST(SbmlRules, InitialAssignmentsInTheirOrder) {
  // a = 2b, b = c + S, c = 3; S begins with 4/2, and T with its own rule's value
  SbmlModel model;
  model.compartment("C", "size='1'").initial("C", "2").species("S", "initialAmount='4'").species("T", "");
  model.parameter("a", "").parameter("b", "9").parameter("c", "3").parameter("r", "", false);
  model.initial("a", "2*b").initial("b", "c + S").assignment("r", "a + time").initial("T", "r*10 + Q");
  model.reaction("Q", "S", "", "0.5*S*C");
  const SbmlRun run(model, 1);
  EXPECT_NEAR(run("a", 0), 10, 1e-12);
  EXPECT_NEAR(run("r", 1), 11, 1e-12);
  EXPECT_NEAR(run("T", 1), 102, 1e-12);
  EXPECT_NEAR(run("T.amount", 1), 204, 1e-12);
}

TEST(SbmlRules, AlgebraicRulesDetermineWhatIsLeft) {
  // S1 + S2 = T and y² = S1 with y > 0
  SbmlModel model;
  model.compartment("C").species("S1", "initialAmount='4'").reaction("R", "S1", "", "S1*C");
  model.species("S2", "initialAmount='1' boundaryCondition='true'")
      .parameter("T", "5")
      .parameter("y", "2", false);
  model.algebraic("S1 + S2 - T").algebraic("y^2 - S1");
  const SbmlRun run(model, 1);
  EXPECT_NEAR(run("S2", 1), 5 - 4 * std::exp(-1.0), close);
  EXPECT_NEAR(run("y", 1), 2 * std::exp(-0.5), close);
  EXPECT_NEAR(run("S2.amount", 1), 5 - 4 * std::exp(-1.0), close);
}

TEST(SbmlRules, FunctionDefinitionsInEachOther) {
  SbmlModel model;
  model.function("square", {"a"}, "a*a").function("norm", {"a", "b"}, "root(2, square(a) + square(b))");
  model.function("three", {}, "3")
      .parameter("a", "4")
      .parameter("x", "", false)
      .assignment("x", "norm(a, three()) + time");
  EXPECT_NEAR(SbmlRun(model, 1)("x", 1), 6, close);
}

TEST(SbmlRules, SymbolsOfSbml) {
  // x' = rateOf(y) = 2 y, y = exp(2t); rateOf of a constant is 0
  SbmlModel model;
  model.parameter("y", "1", false).rate("y", "2*y").parameter("x", "1", false).rate("x", "rateOf(y)");
  model.parameter("c", "1").parameter("n", "", false).assignment("n", "avogadro/1e23 + rateOf(c)");
  model.parameter("z", "1", false).rate("z", "exponentiale*cos(pi*time)");
  const SbmlRun run(model, 1);
  EXPECT_NEAR(run("x", 1), std::exp(2.0), 1e-6);
  EXPECT_NEAR(run("n", 1), 6.02214179, 1e-12);
  EXPECT_NEAR(run("z", 0.5), 1 + std::exp(1.0) / 3.141592653589793, close);
}

TEST(SbmlRules, WhatHasNoFormulaSaysNothing) {
  SbmlModel model;
  model.parameter("a", "3")
      .initial("a", "")
      .parameter("b", "4", false)
      .assignment("b", "")
      .parameter("c", "5", false);
  model.rate("c", "").algebraic("").parameter("d", "6", false).parameter("e", "7", false).constraint("");
  model.event("E1", "", {{"d", "9"}})
      .event("E2", "gt(time, 1)", {{"d", ""}, {"e", "8"}}, {.delay = " ", .priority = " "});
  model.event("E3", "gt(time, 1)", {{"d", ""}});
  const SbmlRun run(model, 2);
  for (const auto& [id, value] : {std::pair("a", 3), {"b", 4}, {"c", 5}, {"d", 6}, {"e", 8}})
    EXPECT_EQ(run(id, 2), value) << id;
}

TEST(SbmlRules, NumbersWithExponentsAreRoundedOnce) {
  // 6.02214179·10²³ is the number that avogadro is; its mantissa times 10²³ is another one.
  SbmlModel model;
  model.parameter("a", "").parameter("b", "").initial("b", "1234567.5").initial("a", "12345 - avogadro");
  std::string text = model.text();
  const auto exchange = [&](const std::string& of, const std::string& by) {
    text.replace(text.find(of), of.size(), by);
  };
  exchange("<cn>12345</cn>", "<cn type='e-notation'>6.02214179<sep/>23</cn>");
  exchange("<cn>1234567.5</cn>", "<cn type='e-notation'>-25<sep/>-3</cn>");
  const SbmlRun run(text, 1);
  EXPECT_EQ(run("a", 1), 0.0);
  EXPECT_EQ(run("b", 1), -0.025);
}

TEST(SbmlRules, RatesOfConcentrationsInCompartmentsThatChange) {
  // n = 4 + 3t in C = 2 + t; in the other one n = 4 + 3t too, and C jumps from 2 to 5 at t = 1
  for (const bool jumps : {false, true}) {
    SbmlModel model;
    model.compartment("C", "size='2'", false).species("S", "initialAmount='4'").reaction("R", "", "S", "3");
    model.parameter("y", "", false).assignment("y", "rateOf(S)").parameter("z", "0", false);
    model.rate("z", "rateOf(S)");
    if (jumps)
      model.event("E", "geq(time, 1)", {{"C", "5"}});
    else
      model.rate("C", "1");
    const SbmlRun run(model, 3);
    EXPECT_NEAR(run("y", 0), jumps ? 1.5 : 0.5, close);
    EXPECT_NEAR(run("y", 3), jumps ? 0.6 : 0.08, close);
    EXPECT_NEAR(run("z", 3), jumps ? 1.5 + 2 * 0.6 : 13.0 / 5.0 - 2.0, close);
  }
}

TEST(SbmlRules, WordsOfTheLanguageGetAnUnderscore) {
  SbmlModel model;
  model.parameter("time", "2").parameter("pre", "3", false).rate("pre", "time*der").parameter("der", "5");
  const std::string text = model.text();
  std::string named = text;  // `time` here is a name
  const std::string symbol =
      "<csymbol encoding='text' definitionURL='http://www.sbml.org/sbml/symbols/time'>time</csymbol>";
  named.replace(named.find(symbol), symbol.size(), "<ci>time</ci>");
  const SbmlRun run(named, 1);
  EXPECT_NEAR(run("pre_", 1), 13, close);
  EXPECT_NEAR(run("time_", 1), 2, close);
}

TEST(SbmlRules, LocalParametersHideOthers) {
  SbmlModel model;
  model.compartment("C").species("S", "initialAmount='1'").parameter("k", "100");
  model.reaction("R", "S", "", "k*S*C*Q", {{"k", "2"}, {"Q", "0.25"}}).reaction("Q", "S", "", "0.1*S*C");
  EXPECT_NEAR(SbmlRun(model, 1)("S", 1), std::exp(-0.6), close);
}

TEST(SbmlRules, ConstraintsAreResults) {
  SbmlModel model;
  model.parameter("x", "0", false).rate("x", "1").constraint("lt(x, 0.5)");
  const SbmlRun run(model, 1);
  EXPECT_EQ(run("constraint1.holds", 0.3), 1.0);
  EXPECT_EQ(run("constraint1.holds", 0.7), 0.0);
}

TEST(SbmlRules, SmallAmountsHaveTolerancesOfTheirOwn) {
  SbmlModel model;
  model.compartment("C").species("A", "initialAmount='1e-12'").species("B", "initialAmount='0'");
  model.reaction("R", "A", "B", "A*C");
  const SbmlRun run(model, 1, 1e-6);
  EXPECT_NEAR(run("A", 1), 1e-12 * std::exp(-1.0), 1e-17);
  EXPECT_NEAR(run("B", 1), 1e-12 * (1 - std::exp(-1.0)), 1e-17);
}

// Rates as they are at the start, by a rule, by reactions (0.5·4 leave a volume of 2), of what nothing changes.
TEST(SbmlRules, RatesInInitialAssignments) {
  SbmlModel model;
  model.compartment("V", "size='2'").species("S", "initialConcentration='4'", false, "V");
  model.parameter("k", "0.5").reaction("R", "S", "", "k*S");
  model.parameter("x", "3", false).rate("x", "2*x").parameter("c", "7");
  for (const char* name : {"p", "q", "r", "s"}) model.parameter(name, "");
  model.initial("p", "rateOf(x)")
      .initial("q", "rateOf(S)")
      .initial("r", "rateOf(c) + 1")
      .initial("s", "q - p");
  const SbmlRun run(model, 1);
  EXPECT_NEAR(run("p", 1), 6, close);
  EXPECT_NEAR(run("q", 1), -1, close);
  EXPECT_NEAR(run("r", 1), 1, close);
  EXPECT_NEAR(run("s", 1), -7, close);
}

// In level 2 a stoichiometry may be a rational number.
TEST(SbmlRules, StoichiometriesAreRationalNumbers) {
  SbmlModel model(2, 4);
  model.compartment("C").species("S", "initialConcentration='0'");
  model.reaction("R", "",
                 "<speciesReference species='S'><stoichiometryMath><math "
                 "xmlns='http://www.w3.org/1998/Math/MathML'><cn type='rational'>3<sep/>2</cn></math>"
                 "</stoichiometryMath></speciesReference>",
                 "1");
  EXPECT_NEAR(SbmlRun(model, 2)("S", 2), 3, close);
}

}  // namespace rules_test
}  // namespace mti
