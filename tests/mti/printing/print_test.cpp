#include "mti/printing/print.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "mti/build/build.hpp"
#include "tests/mti/model/model_texts.hpp"

namespace mti {
namespace print_test {

/// Text → columns → text → columns, and columns → matrices → columns: equal to the last bit.
void expect_round_trips(const Source& source) {
  const Model model = build(source);
  test::expect_same(build(to_equations(model)), model);
  test::expect_same(build(to_matrices(model)), model);
}

/// A model with everything that can be written.
Source rich_source() {
  Source source;
  source.name = "rich";
  source.description = "one of everything";
  source.parameters = {{"a", 0.1}, {"b", "a/3"}};
  source.states = {{"x", "b", "m", 2.5}, {"tank.v", 1e-300, "m/s"}};
  source.inputs = {
      {"u", Number(0.2), "N", 7.0},
      {"w", TableSource{.time = {0.0, 1.0, 1.0}, .value = {0.0, "b", 2.0}}},
      {"s", TableSource{{0.0, 2.0}, {1.0, 3.0}, Interpolation::previous}},
      {"ac", SineSource{"a", 50.0, "pi/3", -1.0}},
      {.name = "on", .form = TableSource{.time = {0.0, 1.0}, .value = {0.0, 1.0}}, .binary = true}};
  source.algebraic = {{"y", 0.3, "N", 4.0}, {"q", 0.0}};
  source.binaries = {{"z1", 0.0}, {"z2", 1.0}, {"z3", 0.0}};
  source.equations = {{"motion", "der(x) = tank.v"},
                      "a*der(tank.v) = y^3 - b*x^2*z1 + der(x)*der(x) + u^2 - time^2*q",
                      {"spring", "y = -(1/3)*(x - w)*(1 - z2) + s*on + ac"},
                      "q = pre(z3)*x - pre(z1) + time"};
  source.constraints = {{"floor", "-x <= 0"}, "y*(1 - 2*z1) >= 1e-7*z3", "x^2 <= 4", "1 <= 2"};
  source.invariants = {"not (z1 and z2)", "z3 or not on"};
  source.transitions = {
      {"reach(floor)", {"motion", "spring"}, {"tank.v = -b*pre(tank.v)", "y + pre(y)*time = q"}},
      {"rise(z2)", {}, {"x = pre(x)*pre(z1)"}},
      {"fall(z3)", {}, {"x = pre(time)"}}};
  source.scenarios = {{"rest", "z1 or not on", {"der(x) = b*time^2", "x^3*y = pre(z1)*x"}}, {"any"}};
  source.experiment = {
      .start = 1.0, .stop = "30*a", .rtol = 1e-7, .atol = 1e-9, .output_interval = Number("a")};
  return source;
}

TEST(Print, RoundTripsAModelWithEverything) { expect_round_trips(rich_source()); }

TEST(Print, RoundTripsTheThreeTanks) { expect_round_trips(test::three_tank_source()); }

TEST(Print, RoundTripsRandomModels) {
  std::mt19937_64 random(3);
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
  const std::vector<std::string> signals = {"x", "v", "der(x)", "der(v)", "u",
                                            "y", "z", "o",      "pre(o)", "time"};
  for (int i = 0; i < 300; ++i) {
    Source source;
    source.states = {{"x", 0.1}, {"v", std::ldexp(1.0 / 3.0, below(200) - 100)}};
    source.inputs = {{"u", Number(1.0 / 7.0)}};
    source.algebraic = {{"y", -2.0 / 3.0}};
    source.binaries = {{"z", 1.0}, {"o", 0.0}};
    const auto relation = [&](const char* comparison) {
      std::string text = signals[at(below(6))];
      for (int terms = 1 + below(4); terms > 0; --terms) {
        text += below(2) == 0 ? " + " : " - ";
        text += std::to_string(std::ldexp(1.0 + below(1 << 20), below(40) - 30)) + "/3";
        for (int factors = below(4); factors > 0; --factors) text += "*" + signals[at(below(10))];
      }
      return text + comparison + "u*(x + " + std::to_string(1 + below(9)) + "*y)";
    };
    for (int equations = 1 + below(4); equations > 0; --equations)
      source.equations.emplace_back(relation(" = "));
    for (int constraints = below(4); constraints > 0; --constraints)
      source.constraints.emplace_back(relation(below(2) == 0 ? " <= " : " >= "));
    expect_round_trips(source);
    if (HasFailure()) FAIL() << "model " << i << ": " << source.equations.front().text;
  }
}

TEST(Print, ParametersBecomeNumbersAndPowersAuxiliarySignals) {
  const Source printed = to_equations(build(rich_source()));
  EXPECT_TRUE(printed.parameters.empty());
  EXPECT_EQ(printed.equations.at(0).name, "motion");
  EXPECT_EQ(printed.equations.at(0).text, "der(x) - tank.v = 0");
  EXPECT_EQ(printed.equations.at(3).text, "q - x*pre(z3) + pre(z1) - time = 0");
  EXPECT_EQ(printed.equations.back().text.substr(printed.equations.back().text.size() - 4), " = 0");
  ASSERT_GE(printed.algebraic.size(), 3U);
  EXPECT_FALSE(printed.algebraic.at(1).auxiliary);
  EXPECT_TRUE(printed.algebraic.at(2).auxiliary);
  EXPECT_EQ(printed.inputs.size(), 5U) << "the word time brings the clock back";
  EXPECT_EQ(printed.constraints.at(3).text, "-1 <= 0");
  EXPECT_EQ(printed.transitions.at(0).when, "reach(floor)");
  EXPECT_EQ(printed.transitions.at(0).replaces, (std::vector<std::string>{"motion", "spring"}));
  EXPECT_EQ(printed.transitions.at(1).equations, (std::vector<std::string>{"x = pre(x)*pre(z1)"}));
  EXPECT_EQ(printed.invariants, rich_source().invariants);
}

/// A law "s = …" replaces what holds der(s): written as "s − … = 0" it would replace nothing.
TEST(Print, KeepsWhatALawAssigns) {
  Source source = test::decay_source();
  source.constraints = {{"low", "x >= 0.5"}};
  source.states.push_back({"s", 2.0});
  source.equations.push_back("der(s) = 0");
  source.transitions = {
      {"reach(low)", {}, {"x = -0.5*pre(x)", "s = 2*s - pre(x)*pre(s)"}},
      {"reach(low)", {}, {"x = x + pre(x) - 1", "s + pre(s) = 0"}},
  };
  const Model model = build(source);
  for (const Source& printed : {to_equations(model), to_matrices(model)}) {
    const Model again = build(printed);
    for (std::size_t i = 0; i < model.transitions.size(); ++i) {
      EXPECT_EQ(again.transitions[i].assigned, model.transitions[i].assigned);
      EXPECT_EQ(Eigen::MatrixXd(again.transitions[i].equations.S()),
                Eigen::MatrixXd(model.transitions[i].equations.S()));
      EXPECT_EQ(Eigen::MatrixXd(again.transitions[i].equations.Phi()),
                Eigen::MatrixXd(model.transitions[i].equations.Phi()));
    }
  }
}

TEST(Print, WritesNumbersThatReadBackExactly) {
  Source source = test::decay_source();
  source.parameters = {{"a", 0.1}};
  source.equations = {"der(x) = (a + 0.2)*x - der(x)*x/3*1e-300 + 12345678901234567890*a"};
  const std::string text = to_equations(build(source)).equations.at(0).text;
  EXPECT_NE(text.find("0.30000000000000004*x"), std::string::npos) << text;
  expect_round_trips(source);
}

/// f = −ẋ·3 + 2·(¾ + ¼z)·x·(−z′) + ½(½ − ½z) with z′ the second binary
Model affine_model() {
  Source source;
  source.states = {{"x", 1.0}};
  source.binaries = {{"z", 0.0}, {"w", 0.0}};
  MatricesSource matrices;
  matrices.S = {4, 3, {0, 2, 1, 3, 2}, {0, 1, 1, 1, 2}, {1.0, 0.25, 1.0, -1.0, -0.5}};
  matrices.Phi_eq = {1, 3, {0, 0, 0}, {0, 1, 2}, {-3.0, 2.0, 0.5}};
  source.matrices = matrices;
  return build(source);
}

TEST(Print, WritesAffineFactorsAsSuch) {
  const Model model = affine_model();
  EXPECT_EQ(row_to_text(model.f(), 0, model.signature), "-3*der(x) - 2*x*(0.75 + 0.25*z)*w + 0.25*(1 - z)");
}

TEST(Print, AffineFactorsKeepTheFunction) {
  const Model model = affine_model();
  const Model again = build(to_equations(model));
  test::expect_same(build(to_matrices(model)), model);
  const auto value = [](const Model& m, double derivative, double x, double z, double w) {
    double sum = 0.0;
    const std::vector<double> v = {derivative, x, z, w};
    for (int k = 0; k < m.columns(); ++k) {
      double product = m.Phi_eq.coeff(0, k);
      for (int i = 0; i < 4; ++i) {
        const double S = m.S.coeff(i, k);
        product *= 1.0 - std::abs(S) + S * v[at(i)];
      }
      sum += product;
    }
    return sum;
  };
  // All numbers are small multiples of 1/8: exact.
  for (const double z : {0.0, 1.0})
    for (const double w : {0.0, 1.0}) {
      EXPECT_EQ(value(again, 0.5, -1.25, z, w), value(model, 0.5, -1.25, z, w));
      EXPECT_EQ(value(model, 0.5, -1.25, z, w),
                -1.5 - 2.0 * (0.75 + 0.25 * z) * -1.25 * w + 0.5 * (0.5 - 0.5 * z));
    }
}

TEST(Print, ARowWithoutColumnsIsZero) {
  Source source = test::decay_source();
  source.constraints = {"0*x <= 0"};
  const Model model = build(source);
  EXPECT_EQ(row_to_text(model.g(), 0, model.signature), "0");
  expect_round_trips(source);
}

TEST(Print, KeepsAClockThatTheEquationsDoNotBringBack) {
  Source source = test::decay_source();
  source.inputs = {{.name = "time"}, {"u", Number(1.0)}};
  source.equations = {"der(x) = u*time"};
  expect_round_trips(source);
  source.equations = {"der(x) = u"};
  expect_round_trips(source);
}

}  // namespace print_test
}  // namespace mti
