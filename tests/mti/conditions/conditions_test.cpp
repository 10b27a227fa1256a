// Every form of condition against the function it stands for: in each assignment of the generated binaries that
// constraints and invariants admit, the equation gives the value that the function has.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/multilinear/cp_map.hpp"
#include "tests/mti/model/model_texts.hpp"

namespace mti {
namespace conditions_test {

using Function = std::function<double(double, double, double)>;

/// y = FORM of three inputs a, b, c; auxiliary signals are allowed.
Model model_of(const std::string& form) {
  Source source;
  for (const char* name : {"a", "b", "c"}) source.inputs.push_back({name, Number(0.0)});
  source.inputs.push_back({.name = "on", .binary = true});
  source.algebraic = {{"y"}};
  source.equations = {"y = " + form};
  return build(source);
}

std::vector<double> values(const CpMap& map, const std::vector<double>& v) {
  std::vector<double> result(at(map.rows()), 0.0);
  for (int k = 0; k < map.columns(); ++k) {
    double product = 1.0;
    for (SparseColumns::InnerIterator entry(map.S(), k); entry; ++entry)
      product *= 1.0 - std::abs(entry.value()) + entry.value() * v[at(entry.row())];
    for (SparseColumns::InnerIterator entry(map.Phi(), k); entry; ++entry)
      result[at(entry.row())] += entry.value() * product;
  }
  return result;
}

/// Algebraic signals by substitution, from the last equations to the first: each is explicit in its own signal.
void solve(const Model& model, std::vector<double>& v) {
  const int p = model.signature.p();
  for (int pass = 0; pass < 2 * p; ++pass)
    for (int i = 0; i < p; ++i) {
      const auto row = at(model.signature.algebraic_row(i));
      v[row] = 0.0;
      v[row] = -values(model.f(), v)[at(i)];
    }
}

/// The admissible assignments at (a, b, c), each with its y.
std::vector<double> admissible(const Model& model, double a, double b, double c, double on) {
  const Signature& signature = model.signature;
  std::vector<double> found;
  for (unsigned bits = 0; bits < 1U << static_cast<unsigned>(signature.q()); ++bits) {
    std::vector<double> v(at(signature.size()), 0.0);
    v[at(signature.input_row(0))] = a;
    v[at(signature.input_row(1))] = b;
    v[at(signature.input_row(2))] = c;
    v[at(signature.input_row(3))] = on;
    for (int i = 0; i < signature.q(); ++i)
      v[at(signature.binary_row(i))] = bits >> static_cast<unsigned>(i) & 1U;
    const bool allowed =
        std::all_of(model.invariants.begin(), model.invariants.end(), [&](const BooleanFormula& formula) {
          return formula.evaluate([&](int row) { return v[at(row)] != 0.0; });
        });
    if (!allowed) continue;
    solve(model, v);
    const auto f = values(model.f(), v), g = values(model.g(), v);
    const bool holds = std::all_of(g.begin(), g.end(), [](double value) { return value <= 1e-12; }) &&
                       std::all_of(f.begin(), f.end(), [](double value) { return std::abs(value) < 1e-9; });
    if (holds) found.push_back(v[at(signature.algebraic_row(0))]);
  }
  return found;
}

struct Form {
  const char* text;
  Function value;
};

double table_of(double x) {  // points (-1, 2), (0, 0), (0.5, 1), (2, 1)
  if (x < 0.0) return -2.0 * x;
  return x < 0.5 ? 2.0 * x : 1.0;
}

const std::vector<Form>& forms() {
  static const std::vector<Form> all = {
      {"max(a, b)", [](double a, double b, double) { return std::max(a, b); }},
      {"min(a, b, c)",
       [](double a, double b, double c) {
         return std::min({a, b, c});
       }},
      {"max(a + b, 2*b - c, a*c)",
       [](double a, double b, double c) {
         return std::max({a + b, 2 * b - c, a * c});
       }},
      {"abs(a - b)", [](double a, double b, double) { return std::abs(a - b); }},
      {"pos(a) + 10*neg(a)", [](double a, double, double) { return a > 0.0 ? a : -10.0 * a; }},
      // Danger: binaries are 0 for more than an instant, and step was the constant 1.
      {"step((a > b))", [](double a, double b, double) { return a > b ? 1.0 : 0.0; }},
      {"sign((a > b))", [](double a, double b, double) { return a > b ? 1.0 : 0.0; }},
      {"sign((a > b) - (b > c))", [](double a, double b, double c) { return double(a > b) - double(b > c); }},
      {"step((b > c) - (a > b))", [](double a, double b, double c) { return b > c && a <= b ? 1.0 : 0.0; }},
      {"sign((a > b) + (b > c) - 1.5)",
       [](double a, double b, double c) { return a > b && b > c ? 1.0 : -1.0; }},
      {"sign(a*b)", [](double a, double b, double) { return a * b > 0.0 ? 1.0 : -1.0; }},
      {"step(a) + (b < c) + 2*(c > b) + 4*(2*b <= 2*c)",
       [](double a, double b, double c) { return (a > 0.0 ? 1.0 : 0.0) + (b < c ? 7.0 : 0.0); }},
      {"clamp(a, -0.5, 0.25)", [](double a, double, double) { return std::clamp(a, -0.5, 0.25); }},
      {"deadzone(a, -0.5, 0.25)",
       [](double a, double, double) { return a < -0.5   ? a + 0.5
                                             : a > 0.25 ? a - 0.25
                                                        : 0.0; }},
      {"clamp(a, b, b + 1)", [](double a, double b, double) { return std::clamp(a, b, b + 1.0); }},
      {"clamp(a, b, c)", [](double a, double b, double c) { return a < b   ? b
                                                                   : a > c ? c
                                                                           : a; }},
      {"if a > b then c else -c", [](double a, double b, double c) { return a > b ? c : -c; }},
      {"if a > b and b > c then 1 elseif not (a > c or b > 0) then a*b else 3*c",
       [](double a, double b, double c) {
         if (a > b && b > c) return 1.0;
         return !(a > c || b > 0.0) ? a * b : 3.0 * c;
       }},
      {"if on then a else b", [](double, double b, double) { return b; }},
      {"if a > 0 then if b > 0 then 1 else 2 else if b > 0 then 3 else 4",
       [](double a, double b, double) { return a > 0.0   ? (b > 0.0 ? 1.0 : 2.0)
                                               : b > 0.0 ? 3.0
                                                         : 4.0; }},
      {"table(a, [-1, 0, 0.5, 2], [2, 0, 1, 1])", [](double a, double, double) { return table_of(a); }},
      {"table(a + b, [-1, 0, 0.5, 2], [2, 0, 1, 1])",
       [](double a, double b, double) { return table_of(a + b); }},
      {"((a > 0) + (b > 0) + (c > 0) >= 2) + 2*((a > 0) + (b > 0) == 0)", nullptr},
      {"((a > 0) + (b > 0) + (c > 0) >= 2)",
       [](double a, double b, double c) { return (a > 0.0) + (b > 0.0) + (c > 0.0) >= 2 ? 1.0 : 0.0; }},
      {"((a > 0) + (b > 0) > 1)", [](double a, double b, double) { return a > 0.0 && b > 0.0 ? 1.0 : 0.0; }}};
  return all;
}

TEST(Conditions, HaveTheValuesOfTheFunctionsTheyStandFor) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1.5, 1.5);
  for (const Form& form : forms()) {
    SCOPED_TRACE(form.text);
    if (!form.value) {
      EXPECT_THROW(static_cast<void>(model_of(form.text)), InvalidModel);
      continue;
    }
    const Model model = model_of(form.text);
    EXPECT_LE(model.signature.q(), 9);
    for (int trial = 0; trial < 60; ++trial) {
      const double a = number(random), b = number(random), c = number(random);
      const std::vector<double> found = admissible(model, a, b, c, 0.0);
      ASSERT_EQ(found.size(), 1U) << a << ' ' << b << ' ' << c;
      EXPECT_NEAR(found[0], form.value(a, b, c), 1e-12) << a << ' ' << b << ' ' << c;
    }
  }
}

/// max(a, b) is continuous: on the boundary both values are right, and give the same.
TEST(Conditions, AreContinuousWhereTheirFunctionIs) {
  for (const char* text : {"max(a, b)", "min(a, b)", "abs(a - b)", "clamp(a, b, b + 1)",
                           "deadzone(a, b, b + 1)", "table(a, [0, 0.5, 1], [0, 3, -1])"}) {
    SCOPED_TRACE(text);
    const std::vector<double> found = admissible(model_of(text), 0.5, 0.5, 0.0, 0.0);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_NEAR(found[0], found[1], 1e-15);
  }
}

TEST(Conditions, ShareTheBinariesOfEqualRelations) {
  const Model model = model_of("(a < b) + (b > a) + (3*a <= 3*b) + (a > b) + max(a, b) + step(b - a)");
  EXPECT_EQ(model.signature.q(), 1);
  EXPECT_EQ(model.constraint_names, (std::vector<std::string>{"y.on.off", "y.on.on"}));
}

TEST(Conditions, AreCalledAfterTheirPlaceAndKeepTheirText) {
  Source source;
  source.states = {{"T", 20.0}};
  source.algebraic = {{"heat"}};
  source.equations = {"der(T) - heat = if T < 19 then 1 else -1",
                      "heat = if T < 19.5 and not (T > 25) then 2 else 0"};
  source.constraints = {{"guard", "max(T, heat) <= 100"}};
  const Model model = build(source);
  std::vector<std::string> names, texts;
  for (const Signal& binary : model.signature.binaries()) {
    names.push_back(binary.name);
    texts.push_back(binary.generated);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"eq1.if1", "heat.on", "heat.on2", "heat.all", "guard.max"}));
  EXPECT_EQ(texts, (std::vector<std::string>{"T < 19", "T < 19.5", "T > 25", "T < 19.5 and not (T > 25)",
                                             "T > heat"}));
  EXPECT_EQ(model.z_start, (std::vector<char>{0, 0, 0, 0, 1})) << "T = 20, heat = 0";
}

/// The size of nested conditions is proportional to their number.
TEST(Conditions, GrowLinearlyWithTheirNesting) {
  const auto columns = [](int depth) {
    std::string text = "a";
    for (int i = 0; i < depth; ++i) text = "max(" + text + ", b + " + std::to_string(i) + "*c)";
    return model_of(text).columns();
  };
  const int ten = columns(10), twenty = columns(20), forty = columns(40);
  EXPECT_NEAR(forty - twenty, 2 * (twenty - ten), 0.2 * (forty - twenty));
}

TEST(Conditions, SayWhatIsWrong) {
  const auto id_of = [](const std::string& form) -> std::string {
    try {
      static_cast<void>(model_of(form));
    } catch (const InvalidModel& invalid) {
      EXPECT_EQ(invalid.faults().front().pointer, "/equations/0");
      return invalid.faults().front().id;
    }
    return "";
  };
  EXPECT_EQ(id_of("clamp(a, 1, 0)"), "bad-limits");
  EXPECT_EQ(id_of("deadzone(a, b + 1, b)"), "bad-limits");
  EXPECT_EQ(id_of("hysteresis(a, 2, 1)"), "bad-limits");
  EXPECT_EQ(id_of("hysteresis(a, 1, 2, initial 3)"), "wrong-arguments");
  EXPECT_EQ(id_of("hysteresis(a, 1, 2, 1)"), "wrong-arguments");
  EXPECT_EQ(id_of("clamp(a, 1)"), "wrong-arguments");
  EXPECT_EQ(id_of("clampp(a, 0, 1)"), "unknown-function");
  EXPECT_EQ(id_of("table(a, [0, 1], [1])"), "bad-table");
  EXPECT_EQ(id_of("table(a, [0, 0], [1, 2])"), "bad-table");
  EXPECT_EQ(id_of("table(a, [0], [1])"), "bad-table");
  EXPECT_EQ(id_of("table(a, b, [1])"), "wrong-arguments");
  EXPECT_EQ(id_of("table(a, [0, b], [1, 2])"), "signal-as-number");
  EXPECT_EQ(id_of("table2(a, b, [0, 1], [0, 1], [[0, 1]])"), "bad-table");
  EXPECT_EQ(id_of("if a then 1 else 2"), "not-a-condition");
  EXPECT_EQ(id_of("(a > 0) + (not b)"), "not-a-condition");
  EXPECT_EQ(id_of("(a == b)"), "syntax-error");
  EXPECT_EQ(id_of("(a < b < c)"), "syntax-error");
  EXPECT_EQ(id_of("if a > b then c"), "syntax-error");
  EXPECT_EQ(id_of("[a, b]"), "syntax-error");
  EXPECT_EQ(id_of("max([a], b)"), "wrong-arguments");
}

TEST(Conditions, AreNumbersWhereTheyAreMadeOfParameters) {
  Source source;
  source.parameters = {{"n", 3.0},
                       {"k", "if n > 2 and not (n > 5) then clamp(n, 0, 2) else deadzone(n, 1, 2)"},
                       {"l", "(n >= 3) + 2*(n < 3) + sign(-n) + pos(n) + neg(-n) + step(0) + atan2(0, 1)"}};
  source.states = {{"x", 1.0}};
  source.equations = {"der(x) = -x*max(k, l)"};
  const auto values = parameter_values(source);
  EXPECT_EQ(values[1].second, 2.0);
  EXPECT_EQ(values[2].second, 1.0 - 1.0 + 3.0 + 3.0 + 0.0 + 0.0);
  EXPECT_EQ(build(source).signature.q(), 0);
}

// Danger: one binary served for both, so that one of them began with the other's value.
TEST(Conditions, OfHysteresesWithOtherStartsAreTwo) {
  Source source;
  source.states = {{"x", 1.5}};
  source.algebraic = {{"y1"}, {"y2"}, {"y3"}};
  source.equations = {"der(x) = 0", "y1 = hysteresis(x, 1, 2, initial 0)",
                      "y2 = hysteresis(x, 1, 2, initial 1)", "y3 = hysteresis(x, 1, 2, initial 1)"};
  const Model model = build(source);
  ASSERT_EQ(model.signature.q(), 2);
  EXPECT_EQ(model.z_start, (std::vector<char>{0, 1}));
}

// Danger: y counts as 0 as long as nothing has solved for it, and 0 is below the lower limit.
TEST(Conditions, GuessesDoNotOutweighWhatAHysteresisBeginsWith) {
  Source source;
  source.states = {{"x", 5.0}};
  source.algebraic = {{"y"}, {"h"}};
  source.equations = {"der(x) = 0", "y = x", "h = hysteresis(y, 2, 8, initial 1)"};
  EXPECT_EQ(build(source).z_start, std::vector<char>{1});
  source.equations[2] = "h = hysteresis(x, 6, 8, initial 1)";  // x is no guess
  EXPECT_EQ(build(source).z_start, std::vector<char>{0});
}

TEST(Conditions, HoldTrueAndFalse) {
  Source source;
  source.states = {{"x", 5.0}};
  source.algebraic = {{"y"}};
  source.equations = {"der(x) = 0", "y = if x > 0 and true or false then 1 else 2"};
  EXPECT_EQ(build(source).signature.q(), 1);
}

// Danger: the period of a time was looked for for ever.
TEST(Conditions, PeriodsBelowTheResolutionOfTimeAreRefused) {
  Source source;
  source.states = {{"x", 0.0}};
  source.inputs = {{.name = "u", .form = PulseSource{.period = 1e-17}}};
  source.equations = {"der(x) = u"};
  source.experiment.start = 1.0;
  source.experiment.stop = 2.0;
  using Found = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(test::faults_of(source), (Found{{"bad-period", "/inputs/0"}}));
}

}  // namespace conditions_test
}  // namespace mti
