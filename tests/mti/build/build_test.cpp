#include "mti/build/build.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <numbers>
#include <string>

#include "tests/mti/model/model_texts.hpp"

namespace mti {
namespace build_test {

using test::constraint_of;
using test::equation_of;
using test::Monomials;

/// Equation (10) and its cyclic images: state i, the other two, the valve.
Monomials tank(const std::string& i, const std::string& j, const std::string& k, const std::string& valve) {
  const double c = 4200.0, m = 5.0, a = 125.0, fv = 0.09, g = 3.0 * a;
  Monomials result = {{"der(x" + i + ")*y1", c * m}, {"x" + i + "*y1", g}, {"u1*y1", -a}};
  result["x" + j + "*y1"] = -a;
  result["x" + k + "*y1"] = -a;
  result["x" + i + "*" + valve] = c * fv;
  result["u2*" + valve] = -(c * fv);
  return result;
}

/// (a − b)(1 − s + t), with −b and −a in the columns.
Monomials limit(const std::string& a, const std::string& b, const std::string& s, const std::string& t) {
  return {{a, 1.0},  {a + "*" + s, -1.0}, {a + "*" + t, 1.0},
          {b, -1.0}, {b + "*" + s, 1.0},  {b + "*" + t, -1.0}};
}

TEST(Build, GivesTheMatricesOfTheThreeTanks) {
  const Model model = build(test::three_tank_source());
  EXPECT_EQ(model.signature.size(), 2 * 3 + 8 + 1 + 6);
  EXPECT_EQ(equation_of(model, 0), tank("1", "2", "3", "z1"));
  EXPECT_EQ(equation_of(model, 1), tank("2", "1", "3", "z3"));
  EXPECT_EQ(equation_of(model, 2), tank("3", "1", "2", "z5"));
  EXPECT_EQ(
      equation_of(model, 3),
      (Monomials{
          {"y1", 1.0}, {"", -1.0}, {"z1*z3", -1.0}, {"z1*z5", -1.0}, {"z3*z5", -1.0}, {"z1*z3*z5", 1.0}}));
  EXPECT_EQ(constraint_of(model, 0), limit("u3", "x1", "z1", "z2"));
  EXPECT_EQ(constraint_of(model, 1), limit("u5", "x2", "z3", "z4"));
  EXPECT_EQ(constraint_of(model, 2), limit("u7", "x3", "z5", "z6"));
  EXPECT_EQ(constraint_of(model, 3), limit("x1", "u4", "z2", "z1"));
  EXPECT_EQ(constraint_of(model, 4), limit("x2", "u6", "z4", "z3"));
  EXPECT_EQ(constraint_of(model, 5), limit("x3", "u8", "z6", "z5"));
  // Columns: der(xi)*y1, xi*y1, u1*y1; xi and u2 times a valve; the six of y1; the two limits of a tank share
  // three of their six columns, and one of those, xi times the valve, is in the equation of the tank.
  EXPECT_EQ(model.columns(), (3 + 3 + 1) + (3 + 3) + 6 + 3 * (6 + 6 - 3 - 1));
  EXPECT_EQ(model.equation_names, (std::vector<std::string>{"eq1", "eq2", "eq3", "open_valves"}));
  EXPECT_EQ(model.constraint_names, (std::vector<std::string>{"tank1_low", "c2", "c3", "c4", "c5", "c6"}));
  EXPECT_EQ(model.x_start, (std::vector<double>{37.0, 30.0, 40.0}));
  EXPECT_EQ(model.y_start, (std::vector<double>{1.0}));
  EXPECT_EQ(model.z_start, std::vector<char>(6, 0));
  EXPECT_EQ(model.experiment.stop, 1000.0);
  EXPECT_EQ(model.experiment.output_interval, 1.0);
}

TEST(Build, EvaluatesParametersInOrder) {
  Source source = test::decay_source();
  source.parameters = {
      {"a", 2.0}, {"tank.b", "3*a"}, {"c", "tank.b^2/a - cos(pi)"}, {"d", "min(c, abs(-4), 7)"}};
  source.equations = {"der(x) = d*x + c*pi"};
  EXPECT_EQ(equation_of(build(source), 0),
            (Monomials{{"der(x)", 1.0}, {"x", -4.0}, {"", -19.0 * std::numbers::pi}}));
}

TEST(Build, ReadsExpressionsWhereverANumberStands) {
  Source source = test::decay_source();
  source.parameters = {{"a", 2.0}, {"on", 1.0}};
  source.states[0].start = "a/4";
  source.states[0].nominal = "a^3";
  source.inputs = {{"u1", Number("sqrt(a)^0")},
                   {"u2", TableSource{.time = {0.0, "a", "a"}, .value = {"-a", 1.0, "a+1"}}},
                   {"u3", SineSource{.amplitude = "a", .frequency = 50.0, .phase = "pi/2", .offset = 1.0}},
                   {.name = "u4", .form = TableSource{.time = {0.0}, .value = {"on"}}, .binary = true}};
  source.binaries = {{"z", "on"}};
  source.experiment.stop = "10*a";
  source.experiment.output_interval = Number("a/10");
  const Model model = build(source);
  EXPECT_EQ(model.x_start.at(0), 0.5);
  EXPECT_EQ(model.signature.states().at(0).nominal, 8.0);
  EXPECT_EQ(model.inputs.at(0), Input(ConstantInput{1.0}));
  EXPECT_EQ(model.inputs.at(1), Input(TableInput{{0.0, 2.0, 2.0}, {-2.0, 1.0, 3.0}, Interpolation::linear}));
  EXPECT_EQ(model.inputs.at(2), Input(SineInput{2.0, 50.0, std::numbers::pi / 2.0, 1.0}));
  EXPECT_EQ(model.inputs.at(3), Input(TableInput{{0.0}, {1.0}, Interpolation::previous}));
  EXPECT_TRUE(model.signature.inputs().at(3).binary);
  EXPECT_EQ(model.z_start.at(0), 1);
  EXPECT_EQ(model.experiment.stop, 20.0);
  EXPECT_EQ(model.experiment.output_interval, 0.2);
}

TEST(Build, MakesUpNamesThatNobodyElseHas) {
  Source source = test::decay_source();
  source.algebraic = {{"y"}};
  source.equations = {"der(x) = y", {"eq1", "y = -x"}};
  EXPECT_EQ(build(source).equation_names, (std::vector<std::string>{"eq1_", "eq1"}));
}

TEST(Build, RemembersOnlyTheBinariesWhoseLeftLimitIsUsed) {
  Source source = test::decay_source();
  source.binaries = {{"z1", 0.0}, {"z2", 1.0}, {"z3", 0.0}};
  source.constraints = {"pre(z3) - z3 <= 0", "(x - 1)*(1 - z1)*pre(z3) <= 0", "pre(z1) - z2 <= 0"};
  const Model model = build(source);
  EXPECT_EQ(model.signature.pre(), (std::vector<int>{0, 2}));
  EXPECT_EQ(constraint_of(model, 0), (Monomials{{"pre(z3)", 1.0}, {"z3", -1.0}}));
  EXPECT_EQ(constraint_of(model, 2), (Monomials{{"pre(z1)", 1.0}, {"z2", -1.0}}));
}

TEST(Build, AnInputNamedTimeIsTheClockAtItsOwnPlace) {
  Source source = test::decay_source();
  source.inputs = {{.name = "time"}, {"u", Number(2.0)}};
  source.equations = {"der(x) = time*u"};
  const Model model = build(source);
  EXPECT_EQ(model.signature.m(), 2);
  EXPECT_EQ(model.inputs.at(0), Input(ClockInput{}));
  EXPECT_EQ(equation_of(model, 0), (Monomials{{"der(x)", 1.0}, {"time*u", -1.0}}));
}

TEST(Build, AConstraintMayBeSwitchedOffByAParameter) {
  Source source = test::decay_source();
  source.parameters = {{"k", 0.0}};
  source.constraints = {"k*(x - 1) <= 0", "-1 <= k", "x <= 3"};
  const Model model = build(source);
  EXPECT_EQ(model.constraints(), 3);
  EXPECT_EQ(constraint_of(model, 0), Monomials{});
  EXPECT_EQ(constraint_of(model, 1), (Monomials{{"", -1.0}}));
}

TEST(Build, ReadsTransitionLaws) {
  Source source;
  source.parameters = {{"eps", 0.5}};
  source.states = {{"x1", 0.0}, {"x2", 2.0}, {"v1", 4.0}, {"v2", 0.0}};
  source.algebraic = {{"F1"}, {"F2"}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x1) = v1",   "der(x2) = v2",      "der(v1) = F1",
                      "3*der(v2) = F2", {"free1", "F1 = 0"}, {"free2", "F2 = 0"}};
  source.constraints = {{"gap", "x1 - x2 <= 0"}};
  source.transitions = {
      {"reach(gap)", {"free1", "free2"}, {"v2 - v1 = -eps*(pre(v2) - pre(v1))", "F1 + F2 = 0"}},
      {"fall(z)", {}, {"v1 = pre(z)*pre(v1)*v2"}},
      {"rise(z)", {}, {"v1 = time - pre(time)"}}};
  const Model model = build(source);
  ASSERT_EQ(model.transitions.size(), 3U);
  const Transition& collision = model.transitions[0];
  EXPECT_EQ(collision.when, Transition::When::reach);
  EXPECT_EQ(collision.target, 0);
  EXPECT_EQ(collision.replaces, (std::vector<int>{4, 5}));
  EXPECT_EQ(collision.equations.signals(), 2 * model.signature.size());
  EXPECT_EQ(collision.equation_texts, source.transitions[0].equations);
  const auto law = [&](const Transition& transition, int row) {
    return test::monomials_of(transition.equations.S(), transition.equations.Phi(), row, model.signature);
  };
  EXPECT_EQ(law(collision, 0), (Monomials{{"v2", 1.0}, {"v1", -1.0}, {"pre(v2)", 0.5}, {"pre(v1)", -0.5}}));
  EXPECT_EQ(law(collision, 1), (Monomials{{"F1", 1.0}, {"F2", 1.0}}));
  EXPECT_EQ(model.transitions[1].when, Transition::When::fall);
  EXPECT_EQ(law(model.transitions[1], 0), (Monomials{{"v1", 1.0}, {"v2*pre(v1)*pre(z)", -1.0}}));
  EXPECT_EQ(model.transitions[2].when, Transition::When::rise);
  EXPECT_EQ(law(model.transitions[2], 0), (Monomials{{"v1", 1.0}, {"time", -1.0}, {"pre(time)", 1.0}}));
  EXPECT_EQ(model.signature.r(), 0) << "a left limit in a law is no signal of the model";
}

TEST(Build, GrowsInProportionToTheModel) {
  const auto chain = [](int n) {
    Source source;
    for (int i = 0; i < n; ++i) {
      const std::string here = "x" + std::to_string(i), next = "x" + std::to_string((i + 1) % n);
      source.states.push_back({here, 1.0});
      source.equations.emplace_back("der(" + here + ") + 3*(" + here + " - " + next + ")*" + next +
                                    "^2 + 2.5 = 0");
    }
    return source;
  };
  const auto seconds = [&](int n) {
    const Source source = chain(n);
    const auto begin = std::chrono::steady_clock::now();
    const Model model = build(source);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    EXPECT_EQ(model.equations(), 3 * n) << "x^3 needs two copies of every state";
    return elapsed.count();
  };
  const double small = seconds(1000), large = seconds(16'000);
  // Sixteen times the work; a quadratic step anywhere would show as 256. The slack is for a busy machine.
  EXPECT_LT(large, 16.0 * 6.0 * small + 0.2);
}

}  // namespace build_test
}  // namespace mti
