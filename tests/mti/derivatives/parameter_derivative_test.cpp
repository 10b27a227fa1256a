#include "mti/derivatives/parameter_derivative.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/multilinear/cp_kernel.hpp"

namespace mti {
namespace parameter_derivative_test {

using Values = std::vector<std::pair<std::string, double>>;

/// v with values by name of row, others 0.
std::vector<double> point(const Model& model, const Values& values) {
  std::vector<double> v(static_cast<std::size_t>(model.signature.size()), 0.0);
  for (const auto& [name, value] : values) {
    bool found = false;
    for (int row = 0; row < model.signature.size(); ++row)
      if (model.signature.row_name(row) == name) v[static_cast<std::size_t>(row)] = value, found = true;
    EXPECT_TRUE(found) << name;
  }
  return v;
}

double value_of(const CpMap& map, int row, const std::vector<double>& v) {
  std::vector<double> f(static_cast<std::size_t>(map.rows()));
  CpKernel(map).value(v, f);
  return f[static_cast<std::size_t>(row)];
}

int row_of(const std::vector<std::string>& names, const std::string& name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<int>(i);
  ADD_FAILURE() << name;
  return 0;
}

double f_of(const DifferentiatedModel& d, std::size_t i, const std::string& equation, const Values& values) {
  return value_of(d.derivatives[i].f, row_of(d.model.equation_names, equation), point(d.model, values));
}

double g_of(const DifferentiatedModel& d, std::size_t i, const std::string& constraint,
            const Values& values) {
  return value_of(d.derivatives[i].g, row_of(d.model.constraint_names, constraint), point(d.model, values));
}

std::vector<std::string> refusals(const Source& source, const std::vector<std::string>& names) {
  std::vector<std::string> ids;
  try {
    static_cast<void>(build_with_derivatives(source, names));
  } catch (const InvalidOption& refused) {
    for (const Fault& fault : refused.faults()) ids.push_back(fault.id + " " + fault.pointer);
  }
  return ids;
}

using Ids = std::vector<std::string>;

// f = a² ẋ + sqrt(a b)/b x − exp(−a) u with b = 3a: derivatives of a follow through b, those of b are partial.
Source expressions() {
  return {.parameters = {{"a", 2.0}, {"b", "3*a"}},
          .states = {{.name = "x", .start = "a*b"}},
          .inputs = {{.name = "u", .form = Number("b^2")}},
          .equations = {{"row", "a^2*der(x) + sqrt(a*b)/b*x = exp(-a)*u"}},
          .experiment = {.start = "a - 2", .stop = "b"}};
}

TEST(ParameterDerivative, FollowsExpressionsAndOtherParameters) {
  const DifferentiatedModel d = build_with_derivatives(expressions(), {"a", "b"});
  const Values at = {{"der(x)", 0.7}, {"x", -1.3}, {"u", 0.4}};
  // sqrt(a b)/b = 3^(−1/2) for b = 3a; by b alone sqrt(a) b^(−1/2) has the derivative −sqrt(a) b^(−3/2)/2.
  EXPECT_NEAR(f_of(d, 0, "row", at), 4.0 * 0.7 + std::exp(-2.0) * 0.4, 1e-14);
  EXPECT_NEAR(f_of(d, 1, "row", at), 0.5 * std::sqrt(2.0) * std::pow(6.0, -1.5) * 1.3, 1e-15);
  EXPECT_NEAR(d.derivatives[0].x_start[0], 12.0, 1e-14);
  EXPECT_NEAR(d.derivatives[1].x_start[0], 2.0, 1e-15);
  EXPECT_NEAR(d.derivatives[0].inputs[0].piece(0.0).value(0.3), 36.0, 1e-13);
  EXPECT_NEAR(d.derivatives[1].inputs[0].piece(0.0).value(0.3), 12.0, 1e-14);
  EXPECT_EQ(d.derivatives[0].start_time, 1.0);
  EXPECT_EQ(d.derivatives[0].stop_time, 3.0);
  EXPECT_EQ(d.derivatives[1].value, 6.0);
}

// d/da along b = 3a is ∂/∂a at fixed b plus 3 ∂/∂b.
TEST(ParameterDerivative, IsTheSumOfItsPathsAlongAnother) {
  Source apart = expressions();
  apart.parameters[1].value = 6.0;
  const DifferentiatedModel whole = build_with_derivatives(expressions(), {"a"});
  const DifferentiatedModel parts = build_with_derivatives(apart, {"a", "b"});
  const Values at = {{"der(x)", 0.3}, {"x", 1.9}, {"u", -2.0}};
  EXPECT_NEAR(f_of(whole, 0, "row", at), f_of(parts, 0, "row", at) + 3.0 * f_of(parts, 1, "row", at), 1e-14);
  EXPECT_NEAR(whole.derivatives[0].x_start[0],
              parts.derivatives[0].x_start[0] + 3.0 * parts.derivatives[1].x_start[0], 1e-14);
}

TEST(ParameterDerivative, IsThereWhereTheCoefficientIsZero) {
  const Source source{.parameters = {{"k", 0.0}},
                      .states = {{.name = "x"}},
                      .equations = {{"row", "der(x) = -x + k*x^2 + x/(1 + 2*k*x)"}}};
  const DifferentiatedModel d = build_with_derivatives(source, {"k"});
  // ∂f/∂k = −(x² − 2 x²); x² holds the copy of x.
  EXPECT_NEAR(f_of(d, 0, "row", {{"x", 3.0}, {"x.copy1", 5.0}}), 15.0, 1e-14);
  const Source square{
      .parameters = {{"k", 0.0}}, .states = {{.name = "x"}}, .equations = {{"row", "der(x) = k*x^2"}}};
  const DifferentiatedModel e = build_with_derivatives(square, {"k"});
  EXPECT_NEAR(f_of(e, 0, "row", {{"x", 3.0}, {"x.copy1", 5.0}}), -15.0, 1e-14);
}

TEST(ParameterDerivative, OfArgumentsOfFunctionsStandsInTheirDefinitions) {
  const Source source{.parameters = {{"c", 4.0}, {"n", 1.5}},
                      .states = {{.name = "x", .start = 2.0}},
                      .equations = {{"row", "der(x) = -sqrt(c*x) + x^n + 1/(c + x)"}}};
  const DifferentiatedModel d = build_with_derivatives(source, {"c", "n"});
  const std::vector<double>& start = d.model.x_start;
  ASSERT_EQ(start.size(), 1U);
  // y − c x = 0 of the root: −x; the divisor q (c + x) = 1: y − c − x = 0: −1.
  double root = 0.0, divisor = 0.0;
  const std::vector<double> v = point(d.model, {{"x", 2.0}});
  for (int row = 0; row < d.model.equations(); ++row) {
    const std::string& name = d.model.equation_names[static_cast<std::size_t>(row)];
    const double value = value_of(d.derivatives[0].f, row, v);
    if (name == "fn.sqrt1.argument.definition")
      root = value;
    else if (name == "fn.quotient1.divisor.definition")
      divisor = value;
    else
      EXPECT_EQ(value, 0.0) << name;
  }
  EXPECT_EQ(root, -2.0);
  EXPECT_EQ(divisor, -1.0);
  EXPECT_TRUE(d.derivatives[0].f.functions().empty());
  // x^n = exp(n log x): the definition y − n r = 0 of the argument has the derivative −r, r = log x.
  double power = 0.0;
  std::vector<double> w(v.size(), 0.0);
  for (int row = 0; row < d.model.signature.size(); ++row)
    if (d.model.signature.row_name(row) == "fn.log1") w[static_cast<std::size_t>(row)] = 0.25;
  for (int row = 0; row < d.model.equations(); ++row) power += value_of(d.derivatives[1].f, row, w);
  EXPECT_EQ(power, -0.25);
}

TEST(ParameterDerivative, OfLimitsStandsInTheConstraintsOfTheirBinaries) {
  const Source source{
      .parameters = {{"low", 19.0}, {"high", 21.0}, {"gain", 5.0}},
      .states = {{.name = "T", .start = 20.0}},
      .equations = {{"row", "der(T) = gain*(1 - hysteresis(T, low, high)) + max(T, 2*high)"}}};
  const DifferentiatedModel d = build_with_derivatives(source, {"low", "high", "gain"});
  // (T − high)(1 − z) and (low − T) z.
  const Values off = {{"T", 3.0}}, on = {{"T", 3.0}, {"row.on", 1.0}};
  EXPECT_EQ(g_of(d, 0, "row.on.off", off), 0.0);
  EXPECT_EQ(g_of(d, 0, "row.on.on", on), 1.0);
  EXPECT_EQ(g_of(d, 1, "row.on.off", off), -1.0);
  EXPECT_EQ(g_of(d, 1, "row.on.on", on), 0.0);
  EXPECT_EQ(f_of(d, 2, "row", off), -1.0);
  EXPECT_EQ(f_of(d, 2, "row", on), 0.0);
  // max: −2 high where it is not T.
  EXPECT_EQ(f_of(d, 1, "row", off), -2.0);
  EXPECT_EQ(f_of(d, 1, "row", {{"T", 3.0}, {"row.max", 1.0}}), 0.0);
}

TEST(ParameterDerivative, OfTablesMovesPointsAndValues) {
  const Source source{.parameters = {{"x2", 1.0}, {"y2", 3.0}},
                      .states = {{.name = "x"}},
                      .equations = {{"row", "der(x) = table(x, [0, x2, 2], [0, y2, 4])"}}};
  const DifferentiatedModel d = build_with_derivatives(source, {"x2", "y2"});
  const double x = 0.4, w = 1.7;
  // x below x2: y2 x/x2; above: y2 + (4 − y2)/(2 − x2) (x − x2).
  EXPECT_NEAR(f_of(d, 0, "row", {{"x", x}}), 3.0 * x, 1e-14);
  EXPECT_NEAR(f_of(d, 1, "row", {{"x", x}}), -x, 1e-14);
  EXPECT_NEAR(f_of(d, 0, "row", {{"x", w}, {"row.above", 1.0}}), -((w - 1.0) - 1.0), 1e-14);
  EXPECT_NEAR(f_of(d, 1, "row", {{"x", w}, {"row.above", 1.0}}), -(1.0 - (w - 1.0)), 1e-14);
}

TEST(ParameterDerivative, OfLawsHasTheirRowsAndLeftLimits) {
  const Source source{.parameters = {{"e", 0.8}, {"m", 2.0}},
                      .states = {{.name = "h", .start = 1.0}, {.name = "v"}},
                      .equations = {"der(h) = v", "m*der(v) = -9.81*m"},
                      .constraints = {{"ground", "-h <= 0"}},
                      .transitions = {{"reach(ground)", {}, {"v = -e*pre(v)"}}}};
  const DifferentiatedModel d = build_with_derivatives(source, {"e", "start(h)", "m"});
  ASSERT_EQ(d.derivatives[0].laws.size(), 1U);
  const int N = d.model.signature.size();
  EXPECT_EQ(d.derivatives[0].laws[0].signals(), 2 * N);
  std::vector<double> both(2 * at(N), 0.0);
  both[at(N) + 3] = -7.0;  // pre(v)
  EXPECT_EQ(value_of(d.derivatives[0].laws[0], 0, both), -7.0);
  EXPECT_EQ(d.derivatives[1].x_start, (std::vector<double>{1.0, 0.0}));
  EXPECT_EQ(d.derivatives[1].f.columns(), 0);
  EXPECT_EQ(d.derivatives[1].name, "start(h)");
  EXPECT_EQ(d.derivatives[1].value, 1.0);
  EXPECT_EQ(f_of(d, 2, "eq2", {{"der(v)", 3.0}}), 3.0 + 9.81);
}

// x − p and x − q share a binary where p = q, and their derivatives do not.
TEST(ParameterDerivative, KeepsApartWhatIsEqualByChance) {
  const Source source{.parameters = {{"p", 1.0}, {"q", 1.0}},
                      .states = {{.name = "x"}},
                      .equations = {"der(x) = (x > p) + 2*(x > q) + 3*(x > p) + sqrt(x + p)*sqrt(x + q)"}};
  EXPECT_EQ(build(source).signature.q(), 1);
  EXPECT_EQ(build(source).functions.size(), 1U);
  EXPECT_EQ(build_with_derivatives(source, {"p"}).model.signature.q(), 2);
  EXPECT_EQ(build_with_derivatives(source, {"p"}).model.functions.size(), 2U);
  const DifferentiatedModel same = build_with_derivatives(source, {"start(x)"});
  EXPECT_EQ(same.model.signature, build(source).signature);
}

// A relation and a multiple of it by a parameter share one binary all the same.
TEST(ParameterDerivative, KeepsTogetherWhatIsEqualForAllValues) {
  const Source source{.parameters = {{"p", 2.0}, {"q", 1.0}},
                      .states = {{.name = "x"}},
                      .equations = {"der(x) = (x > q) + (p*x > p*q)"}};
  EXPECT_EQ(build_with_derivatives(source, {"p", "q"}).model.signature.q(), 1);
}

TEST(ParameterDerivative, OfMatricesIsThatOfStartsAndInputs) {
  Source source{.states = {{.name = "x", .start = 1.0}}, .inputs = {{.name = "u", .form = Number(2.0)}}};
  source.state_space = StateSpaceSource{.E = std::nullopt,
                                        .A = {1, 1, {0}, {0}, {-1.0}},
                                        .B = {1, 1, {0}, {0}, {1.0}},
                                        .C = {0, 1, {}, {}, {}},
                                        .D = {0, 1, {}, {}, {}},
                                        .equation_names = {}};
  const DifferentiatedModel d = build_with_derivatives(source, {"start(x)", "input(u)"});
  EXPECT_EQ(d.derivatives[0].f.rows(), 1);
  EXPECT_EQ(d.derivatives[0].f.columns(), 0);
  EXPECT_EQ(d.derivatives[0].x_start[0], 1.0);
  EXPECT_EQ(d.derivatives[1].x_start[0], 0.0);
  EXPECT_EQ(d.derivatives[1].inputs[0].piece(0.0).value(5.0), 1.0);
  EXPECT_TRUE(d.derivatives[0].inputs[0].is_zero());
}

TEST(ParameterDerivative, OfFunctionsOfNumbersIsThatOfThePieceTheyAreIn) {
  const auto slope = [](const std::string& text, double p) {
    const Source source{.parameters = {{"p", p}, {"r", text}},
                        .states = {{.name = "x"}},
                        .equations = {{"row", "der(x) = r*x"}}};
    const DifferentiatedModel d = build_with_derivatives(source, {"p"});
    return -f_of(d, 0, "row", {{"x", 1.0}});
  };
  const double p = 0.3;
  EXPECT_NEAR(slope("sin(p)", p), std::cos(p), 1e-15);
  EXPECT_NEAR(slope("tan(p)", p), 1.0 / (std::cos(p) * std::cos(p)), 1e-15);
  EXPECT_NEAR(slope("atan2(p, 1 - p)", p), 1.0 / (p * p + (1 - p) * (1 - p)), 1e-14);
  EXPECT_NEAR(slope("erf(p)", p), 2.0 / std::sqrt(std::numbers::pi) * std::exp(-p * p), 1e-15);
  EXPECT_NEAR(slope("p^p", p), std::pow(p, p) * (1.0 + std::log(p)), 1e-15);
  EXPECT_NEAR(slope("(1 + p)^3/(2 - p)", p), 3.0 * 1.69 / 1.7 + std::pow(1.3, 3) / (1.7 * 1.7), 1e-14);
  EXPECT_EQ(slope("max(p, 0.2)", p), 1.0);
  EXPECT_EQ(slope("max(0.5, p, 0.4)", p), 0.0);
  EXPECT_EQ(slope("min(2*p, 0.7)", p), 2.0);
  EXPECT_EQ(slope("abs(-p)", p), 1.0);
  EXPECT_EQ(slope("clamp(p, 0, 1) + clamp(p, 0.5, 1) + clamp(p, 0, 0.25*p)", p), 1.25);
  EXPECT_EQ(slope("deadzone(p, -1, 0.1) + deadzone(p, -1, 1)", p), 1.0);
  EXPECT_EQ(slope("neg(-3*p) + pos(-p)", p), 3.0);
  EXPECT_EQ(slope("if 1 < 2 then 4*p else 5*p", p), 4.0);
}

TEST(ParameterDerivative, IsRefusedWhereAParameterDecides) {
  const auto source = [](const std::string& equation, Number r = 1.0) {
    return Source{.parameters = {{"p", 2.0}, {"r", std::move(r)}},
                  .states = {{.name = "x", .start = 1.0}},
                  .equations = {equation}};
  };
  const Ids at_equation = {"parameter-decides /equations/0"}, at_r = {"parameter-decides /parameters/r"};
  EXPECT_EQ(refusals(source("der(x) = x^p"), {"p"}), at_equation);
  EXPECT_EQ(refusals(source("der(x) = x^(-p)"), {"p"}), at_equation);
  EXPECT_EQ(refusals(source("der(x) = r*x", "if p > 1 then p else 1"), {"p"}), at_r);
  for (const char* decided : {"step(p)", "floor(p)", "1 + ceil(p/3)", "mod(p, 3)", "mod(3, p)"})
    EXPECT_EQ(refusals(source("der(x) = r*x", decided), {"p"}), at_r) << decided;
  EXPECT_EQ(refusals(source("der(x) = r*x", "p*floor(2.5)"), {"p"}), Ids());
  EXPECT_EQ(refusals(source("der(x) = if p > 1 then x else -x"), {"p"}), at_equation);
  EXPECT_EQ(refusals(source("der(x) = x^p + r"), {"r"}), Ids());
  Source binary = source("der(x) = x*z");
  binary.binaries = {{.name = "z", .start = "p - 1"}};
  EXPECT_EQ(refusals(binary, {"p"}), Ids{"parameter-decides /binaries/0/start"});
  EXPECT_EQ(refusals(binary, {"start(z)"}), Ids{"parameter-decides "});
  Source input = source("der(x) = x*u");
  input.inputs = {{.name = "u", .form = Number("p - 1"), .binary = true}};
  EXPECT_EQ(refusals(input, {"p"}), Ids{"parameter-decides /inputs/0"});
}

TEST(ParameterDerivative, IsRefusedWhereThereIsNone) {
  const auto source = [](double p, const std::string& r) {
    return Source{
        .parameters = {{"p", p}, {"r", r}}, .states = {{.name = "x"}}, .equations = {"der(x) = r*x"}};
  };
  const Ids at_r = {"not-differentiable /parameters/r"};
  EXPECT_EQ(refusals(source(0.0, "sqrt(p)"), {"p"}), at_r);
  EXPECT_EQ(refusals(source(1.0, "max(p, 1)"), {"p"}), at_r);
  EXPECT_EQ(refusals(source(0.0, "abs(p)"), {"p"}), at_r);
  EXPECT_EQ(refusals(source(1.0, "max(p, p)"), {"p"}), Ids());
  EXPECT_EQ(refusals(source(0.0, "p^1.5"), {"p"}), Ids());
}

TEST(ParameterDerivative, NamesWhatIsNotThere) {
  const Source source{.parameters = {{"mass", 1.0}},
                      .states = {{.name = "x"}},
                      .inputs = {{.name = "u", .form = Number(1.0)},
                                 {.name = "w", .form = TableSource{.time = {0.0, 1.0}, .value = {1.0, 2.0}}}},
                      .equations = {"mass*der(x) = u + w"}};
  EXPECT_EQ(refusals(source, {"mas"}), Ids{"unknown-derivative "});
  EXPECT_EQ(refusals(source, {"x"}), Ids{"unknown-derivative "});
  EXPECT_EQ(refusals(source, {"start(u)"}), Ids{"unknown-derivative "});
  EXPECT_EQ(refusals(source, {"input(w)", "table(u,1)", "table(w,3)", "table(w,x)"}),
            Ids(4, "derivative-of-function "));
  EXPECT_EQ(refusals(source, {" input( u )", "table(w, 2)", "mass", "start(x)", "table(w,2)"}), Ids());
  EXPECT_EQ(split_derivative_names(" mass, table(w, 2),,start(x)"),
            (Ids{" mass", " table(w, 2)", "start(x)"}));
  try {
    static_cast<void>(build_with_derivatives(source, {"x"}));
    FAIL();
  } catch (const InvalidOption& refused) {
    EXPECT_EQ(refused.faults()[0].message,
              "there is no parameter x; the start value of the state is start(x)");
  }
}

}  // namespace parameter_derivative_test
}  // namespace mti
