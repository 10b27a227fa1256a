// Scenarios of a model: their equations against direct evaluation, and what they leave alone.

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/printing/print.hpp"
#include "tests/mti/model/model_texts.hpp"
#include "tests/mti/multilinear/random_map.hpp"

namespace mti {
namespace build_scenarios_test {

/// The model below has the entries of v in this order; x.copy1 is an auxiliary signal of the model.
enum Row { der_x, der_s, x, s, u, on, t, y, x_copy, z, w, pre_w, rows };

/// Everything a scenario can name. Parameters are dyadic, so that coefficients are exact.
Source bare_source() {
  Source source;
  source.parameters = {{"a", 0.75}, {"b", "-2*a - 1"}};
  source.states = {{"x", 1.0}, {"s", 0.0}};
  source.inputs = {{"u", Number(2.0)}, {.name = "on", .form = Number(0.0), .binary = true}};
  source.algebraic = {{"y", 0.0}};
  source.binaries = {{"z", 0.0}, {"w", 0.0}};
  source.equations = {"der(x) = x^2 - time", "der(s) = y", "y = pre(w)*u - x"};
  return source;
}

Source source_with(std::vector<std::string> equations, std::string modes = "") {
  Source source = bare_source();
  source.scenarios = {{"start", std::move(modes), std::move(equations)}};
  return source;
}

using Values = std::array<long double, rows>;

struct Case {
  const char* text;
  std::function<long double(const Values&)> left_minus_right;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"x = 3", [](const Values& v) { return v[x] - 3; }},
      {"der(x) = 0", [](const Values& v) { return v[der_x]; }},
      {"z*(x - a) + (1 - z)*(der(s) - b) = 0",
       [](const Values& v) { return v[z] * (v[x] - 0.75L) + (1 - v[z]) * (v[der_s] + 2.5L); }},
      {"x*(u + 2)*(y - on) = a*pre(w)",
       [](const Values& v) { return v[x] * (v[u] + 2) * (v[y] - v[on]) - 0.75L * v[pre_w]; }},
      {"x^2 + y^2 = 4", [](const Values& v) { return v[x] * v[x] + v[y] * v[y] - 4; }},
      {"x^2 - x = 0", [](const Values& v) { return v[x] * v[x] - v[x]; }},
      {"(x*z - s)^3 = y/a*3",
       [](const Values& v) {
         const long double base = v[x] * v[z] - v[s];
         return base * base * base - 4 * v[y];
       }},
      {"der(x)^2*x = time^2*w",
       [](const Values& v) { return v[der_x] * v[der_x] * v[x] - v[t] * v[t] * v[w]; }},
      {"z^2*x = on*on", [](const Values& v) { return v[z] * v[x] - v[on]; }},
  };
  return all;
}

/// A point of v where the copy of the model agrees with x.
std::vector<double> random_point(test::Random& random) {
  std::vector<double> v = random.point(rows);
  v[x_copy] = v[x];
  for (const Row binary : {on, z, w, pre_w}) v[binary] = random.index(2);
  return v;
}

/// v and the copies of a scenario.
std::vector<double> with_copies(const Scenario& scenario, std::vector<double> v) {
  for (int row = rows; row < scenario.equations.signals(); ++row) v.push_back(v[at(scenario.original(row))]);
  return v;
}

void expect_values(const Scenario& scenario, const std::vector<double>& v,
                   const std::vector<long double>& expected) {
  const std::vector<double> point = with_copies(scenario, v);
  const std::vector<long double> found = test::naive_value(scenario.equations, point);
  // The sums of both sides are made of the same products, rounded far below a double.
  const auto sizes = test::naive_value(test::absolute(scenario.equations), test::absolute(point));
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_LE(std::abs(found[i] - expected[i]), test::rounding(scenario.equations) * (1.0L + sizes[i]))
        << scenario.equation_texts[i];
}

TEST(BuildScenarios, TheModelOfTheseTestsHasTheRowsTheyCount) {
  const Signature signature = build(bare_source()).signature;
  const std::vector<std::string> names = {"der(x)", "der(s)", "x",       "s", "u", "on",
                                          "time",   "y",      "x.copy1", "z", "w", "pre(w)"};
  ASSERT_EQ(signature.size(), rows);
  for (int row = 0; row < rows; ++row) EXPECT_EQ(signature.row_name(row), names[at(row)]);
}

TEST(BuildScenarios, HaveTheValuesOfTheirTexts) {
  std::vector<std::string> texts;
  for (const Case& one : cases()) texts.emplace_back(one.text);
  const Model model = build(source_with(texts));
  const Scenario& scenario = model.scenarios.at(0);
  EXPECT_EQ(scenario.equation_texts, texts);
  test::Random random(11);
  for (int point = 0; point < 100; ++point) {
    const std::vector<double> v = random_point(random);
    Values exact{};
    std::copy(v.begin(), v.end(), exact.begin());
    std::vector<long double> expected;
    for (const Case& one : cases()) expected.push_back(one.left_minus_right(exact));
    expect_values(scenario, v, expected);
  }
}

/// "2.5*x*y*x*z", a random product: its text and the entries of v in it.
struct Product {
  double coefficient = 0.0;
  std::vector<int> factors;
};

TEST(BuildScenarios, HaveTheValuesOfRandomSumsOfProducts) {
  test::Random random(12);
  const Signature signature = build(bare_source()).signature;
  int built = 0;
  for (int model_number = 0; model_number < 100; ++model_number) {
    std::vector<std::string> texts;
    std::vector<std::vector<Product>> sums(3);
    for (auto& sum : sums) {
      sum.push_back({1.0 + random.index(9), {random.index(on)}});
      for (int products = random.index(4); products > 0; --products) {
        Product product{0.25 * (random.index(40) - 20), {}};
        while (random.index(5) > 0) {
          const int row = random.index(rows);
          if (row != x_copy) product.factors.push_back(row);
        }
        sum.push_back(product);
      }
      std::string text = "7 = u";
      for (const Product& product : sum) {
        text += " + " + std::to_string(product.coefficient);
        for (const int row : product.factors) text += "*" + signature.row_name(row);
      }
      texts.push_back(text);
    }
    const Source source = source_with(texts);
    if (!test::faults_of(source).empty()) continue;  // a sum that cancels: no equation
    const Model model = build(source);
    ++built;
    for (int point = 0; point < 5; ++point) {
      const std::vector<double> v = random_point(random);
      std::vector<long double> expected;
      for (const auto& sum : sums) {
        long double value = 7.0L - v[u];
        for (const Product& product : sum) {
          long double term = product.coefficient;
          for (const int row : product.factors) term *= v[at(row)];
          value -= term;
        }
        expected.push_back(value);
      }
      expect_values(model.scenarios.at(0), v, expected);
    }
    test::expect_same(build(to_equations(model)), model);
    test::expect_same(build(to_matrices(model)), model);
    if (HasFailure()) FAIL() << texts[0] << "\n" << texts[1] << "\n" << texts[2];
  }
  EXPECT_GE(built, 90);
}

TEST(BuildScenarios, PowersMakeCopiesThatAreNoSignalsOfTheModel) {
  const Model bare = build(bare_source());
  Model model = build(source_with({"x^3 = y^2", "x^2 = x"}));
  const Scenario scenario = model.scenarios.at(0);
  EXPECT_EQ(scenario.copied, (std::vector<int>{x, x, y}));
  EXPECT_EQ(scenario.equations.signals(), rows + 3);
  EXPECT_EQ(scenario.original(rows + 2), y);
  EXPECT_EQ(scenario.original(z), z);
  EXPECT_EQ(scenario.equations.columns(), 4) << "x^3, y^2, x^2, x";
  model.scenarios.clear();
  test::expect_same(model, bare);
}

TEST(BuildScenarios, WithoutPowersHaveTheRowsOfTheModel) {
  const Model model = build(source_with({"x*y*z = 1"}));
  EXPECT_EQ(model.scenarios.at(0).equations.signals(), rows);
  EXPECT_TRUE(model.scenarios.at(0).copied.empty());
}

TEST(BuildScenarios, HoldInTheModesOfTheirFormula) {
  const Model model = build(source_with({"x = 1"}, "z and not on"));
  const auto holds = [&](bool z_value, bool on_value) {
    return model.scenarios.at(0).modes.evaluate([&](int row) { return row == z ? z_value : on_value; });
  };
  EXPECT_TRUE(holds(true, false));
  EXPECT_FALSE(holds(true, true));
  EXPECT_FALSE(holds(false, false));
  EXPECT_EQ(model.scenarios.at(0).modes.text, "z and not on");
}

TEST(BuildScenarios, WithoutAFormulaHoldInAllModes) {
  const Model model = build(source_with({}));
  EXPECT_TRUE(model.scenarios.at(0).modes.steps.empty());
  EXPECT_TRUE(model.scenarios.at(0).modes.evaluate([](int) { return false; }));
  EXPECT_EQ(model.scenarios.at(0).equations.rows(), 0);
  EXPECT_EQ(model.scenarios.at(0).equations.signals(), rows);
}

TEST(BuildScenarios, BringTheClockAsLawsDo) {
  Source source = test::decay_source();
  source.scenarios = {{"s", "", {"x = 2*time"}}};
  const Model model = build(source);
  ASSERT_EQ(model.signature.m(), 1);
  EXPECT_EQ(model.inputs.at(0), Input(ClockInput{}));
  EXPECT_TRUE(model.signature.inputs().at(0).auxiliary);
  const CpMap& equations = model.scenarios.at(0).equations;
  EXPECT_EQ(test::monomials_of(equations.S(), equations.Phi(), 0, model.signature),
            (test::Monomials{{"x", 1.0}, {"time", -2.0}}));
  test::expect_same(build(to_equations(model)), model);
  test::expect_same(build(to_matrices(model)), model);
}

using Found = std::vector<std::pair<std::string, std::string>>;

TEST(BuildScenarios, OfMatricesAreThoseOfEquations) {
  Source matrices = to_matrices(build(bare_source()));
  const Model bare = build(matrices);
  ASSERT_EQ(bare.signature.row_name(t), "time");
  matrices.scenarios = {{"start", "z or on", {"x^2*der(s) = time*pre(w)", "x.copy1 = 2"}}};
  const Model model = build(matrices);
  const Scenario& scenario = model.scenarios.at(0);
  test::Random random(13);
  for (int point = 0; point < 20; ++point) {
    const std::vector<double> v = random_point(random);
    expect_values(
        scenario, v,
        {static_cast<long double>(v[x]) * v[x] * v[der_s] - static_cast<long double>(v[t]) * v[pre_w],
         v[x] - 2.0L});
  }
  test::expect_same(build(to_equations(model)), model);
  test::expect_same(build(to_matrices(model)), model);
}

TEST(BuildScenarios, OfMatricesNeedADeclaredClock) {
  Source source = to_matrices(build(test::decay_source()));
  source.scenarios = {{"s", "", {"x = time"}}};
  EXPECT_EQ(test::faults_of(source), (Found{{"undeclared-clock", "/inputs"}}));
  source.scenarios[0].equations = {"x = 1"};
  EXPECT_EQ(test::faults_of(source), Found{});
}

TEST(BuildScenarios, HoldLeftLimitsOfTheModelOnly) {
  EXPECT_EQ(test::faults_of(source_with({"x = pre(w)"})), Found{});
  std::string message;
  EXPECT_EQ(test::faults_of(source_with({"x = 1", "pre(z)*x + pre(z)*pre(w) = 1"}), &message),
            (Found{{"pre-in-scenario", "/scenarios/0/equations/1"}}));
  EXPECT_NE(message.find("pre(z)"), std::string::npos) << message;
}

// A row of S for pre(w) without elements would be lost where the model is written as equations.
TEST(BuildScenarios, DoNotHoldALeftLimitWithAnEmptyRow) {
  Source source = bare_source();
  source.equations[2].text = "y = w*u - x";
  source = to_matrices(build(source));
  source.matrices->pre = {"w"};
  ++source.matrices->S.rows;
  EXPECT_EQ(test::faults_of(source), Found{});
  source.scenarios = {{"s", "", {"x = pre(w)"}}};
  EXPECT_EQ(test::faults_of(source), (Found{{"pre-in-scenario", "/scenarios/0/equations/0"}}));
}

TEST(BuildScenarios, AreWrittenWithNumbersAndProducts) {
  const Source printed = to_equations(build(source_with({"x^2 = b", "a*der(s) = time"}, "not  z")));
  ASSERT_EQ(printed.scenarios.size(), 1U);
  EXPECT_EQ(printed.scenarios[0].name, "start");
  EXPECT_EQ(printed.scenarios[0].modes, "not  z");
  EXPECT_EQ(printed.scenarios[0].equations,
            (std::vector<std::string>{"x*x + 2.5 = 0", "0.75*der(s) - time = 0"}));
}

}  // namespace build_scenarios_test
}  // namespace mti
