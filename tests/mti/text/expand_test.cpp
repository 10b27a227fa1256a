// Relations multiplied out against the direct evaluation of the same expression.
//
// Let |E| be the value of an expression after every sign has become + and every number its absolute value.
// Each monomial of the expansion comes from products of at most N roundings (N operations in the text, powers
// counted factor by factor) and from sums of at most T contributions (T monomials before equal ones are
// merged); the value of the map then adds at most R columns of at most F factors. Dropping cancelled
// coefficients costs 4 eps of their size, and direct evaluation N more roundings. The difference is therefore
// at most (2N + T + R + F + 4) eps · |E| to first order; the factor 2 below covers the rest.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>

#include "mti/build/build.hpp"
#include "mti/common/number.hpp"
#include "tests/mti/model/model_texts.hpp"
#include "tests/mti/text/row_values.hpp"

namespace mti {
namespace expand_test {

constexpr double kEps = std::numeric_limits<double>::epsilon();

/// An expression as the test knows it: text and value are made side by side, without the parser.
struct Expression {
  std::string text;
  double value = 0.0;
  double size = 0.0;        ///< |E|
  double operations = 0.0;  ///< N
  double terms = 1.0;       ///< T
  double degree = 0.0;      ///< F
};

using Point = std::map<std::string, double>;

const Point kParameters = {{"a", 1.75}, {"b", -0.3}, {"c.d", 12.0}};
const std::vector<std::string> kSignals = {"x1", "x2", "der(x1)", "der(x2)", "u",   "y",
                                           "z1", "z2", "d",       "pre(z1)", "time"};

bool is_binary(const std::string& name) {
  return name == "z1" || name == "z2" || name == "d" || name == "pre(z1)";
}

Source frame() {
  Source source;
  for (const auto& [name, value] : kParameters) source.parameters.push_back({name, value});
  source.states = {{"x1", 0.0}, {"x2", 0.0}};
  source.inputs = {{"u", Number(0.0)}, {.name = "d", .form = Number(0.0), .binary = true}};
  source.algebraic = {{"y", 0.0}, {"q", 0.0}};
  source.binaries = {{"z1", 0.0}, {"z2", 0.0}};
  return source;
}

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  double real() { return std::uniform_real_distribution<double>(-2.0, 2.0)(random_); }

  Point point() {
    Point point;
    for (const std::string& name : kSignals) point[name] = is_binary(name) ? below(2) : real();
    point["q"] = real();
    return point;
  }

  Expression expression(int depth, const Point& at) {
    if (depth == 0) return leaf(at);
    switch (below(7)) {
      case 0:
      case 1:
        return sum(expression(depth - 1, at), expression(depth - 1, at), false);
      case 2:
        return sum(expression(depth - 1, at), expression(depth - 1, at), true);
      case 3:
      case 4:
        return product(expression(depth - 1, at), expression(depth - 1, at));
      case 5:
        return power(expression(depth - 1, at), below(4));
      default:
        return quotient(expression(depth - 1, at), constant());
    }
  }

 private:
  Expression leaf(const Point& at) {
    if (below(4) == 0) return constant();
    const std::string name = kSignals[static_cast<std::size_t>(below(static_cast<int>(kSignals.size())))];
    const double value = at.at(name);
    return {name, value, std::abs(value), 0.0, 1.0, 1.0};
  }

  Expression constant() {
    if (below(2) == 0) {
      const double value = std::abs(real()) + 0.1;
      return {text::format_number(value), value, value};
    }
    auto parameter = kParameters.begin();
    std::advance(parameter, below(static_cast<int>(kParameters.size())));
    return {parameter->first, parameter->second, std::abs(parameter->second)};
  }

  static Expression sum(const Expression& a, const Expression& b, bool minus) {
    return {"(" + a.text + (minus ? " - " : " + ") + b.text + ")",
            minus ? a.value - b.value : a.value + b.value,
            a.size + b.size,
            a.operations + b.operations + 1.0,
            a.terms + b.terms,
            std::max(a.degree, b.degree)};
  }
  static Expression product(const Expression& a, const Expression& b) {
    return {a.text + "*" + b.text, a.value * b.value,  a.size * b.size, a.operations + b.operations + 1.0,
            a.terms * b.terms,     a.degree + b.degree};
  }
  static Expression quotient(const Expression& a, const Expression& b) {
    return {"(" + a.text + ")/" + b.text,      a.value / b.value, a.size / b.size,
            a.operations + b.operations + 1.0, a.terms,           a.degree};
  }
  static Expression power(const Expression& a, int exponent) {
    Expression result{"(" + a.text + ")^" + std::to_string(exponent), 1.0, 1.0};
    for (int i = 0; i < exponent; ++i) {
      result.value *= a.value;
      result.size *= a.size;
      result.terms *= a.terms;
    }
    result.operations = std::max(1, exponent) * (a.operations + 1.0);
    result.degree = exponent * a.degree;
    return result;
  }

  std::mt19937 random_;
};

/// v with every auxiliary signal at the value of the signal it copies (known by its name).
std::vector<double> values_at(const Model& model, const Point& point) {
  std::vector<double> v;
  for (int row = 0; row < model.signature.size(); ++row) {
    std::string name = model.signature.row_name(row);
    const std::size_t copy = name.find(".copy");
    if (copy != std::string::npos) {
      name.resize(copy);
      if (name.ends_with(".der")) name = "der(" + name.substr(0, name.size() - 4) + ")";
    }
    v.push_back(point.contains(name) ? point.at(name) : 0.0);
  }
  return v;
}

struct Comparison {
  double difference = 0.0;
  double bound = 0.0;
};

/// "q = expression" built, and its value at the point against q − expression.
Comparison compare(const Expression& expression, const std::string& text, const Point& point) {
  Source source = frame();
  source.equations = {RelationSource("q = " + text)};
  const Model model = build(source);
  std::vector<double> v = values_at(model, point);
  test::enter_sums(model, v);
  for (int row = 1; row < model.equations(); ++row) {
    const std::string& name = model.equation_names[static_cast<std::size_t>(row)];
    const bool is_sum = name.starts_with("fn.sum") && name.find(".copy") == std::string::npos;
    EXPECT_TRUE(is_sum || test::value_of_row(model.S, model.Phi_eq, row, v) == 0.0) << name;
  }
  const double roundings =
      2.0 * expression.operations + expression.terms + model.columns() + expression.degree + 8.0;
  return {std::abs(test::value_of_row(model.S, model.Phi_eq, 0, v) - (point.at("q") - expression.value)),
          2.0 * roundings * kEps * (expression.size + std::abs(point.at("q")))};
}

TEST(Expand, HasTheValueOfTheExpressionAtRandomPoints) {
  Generator generator(20250721);
  int compared = 0, with_powers = 0;
  while (compared < 600) {
    const Point point = generator.point();
    const Expression expression = generator.expression(1 + generator.below(5), point);
    if (expression.terms > 2000.0 || expression.degree > 40.0) continue;
    const Comparison result = compare(expression, expression.text, point);
    ASSERT_LE(result.difference, result.bound) << expression.text;
    ++compared;
    if (expression.text.find('^') != std::string::npos) ++with_powers;
  }
  EXPECT_GT(with_powers, 200);
}

TEST(Expand, DiffersWhereTheExpressionDiffers) {
  Generator generator(7);
  for (int i = 0; i < 100; ++i) {
    const Point point = generator.point();
    const Expression expression = generator.expression(2, point);
    const Comparison result = compare(expression, "(" + expression.text + ") + 1e-9*(1 + a)", point);
    EXPECT_GT(result.difference, 1e-9);
    EXPECT_GT(result.difference, result.bound) << expression.text;
  }
}

TEST(Expand, KeepsEveryFactorOfAProduct) {
  Source source;
  source.states = {{"x1", 0.0}};
  source.inputs = {{"u1", Number(0.0)}};
  source.algebraic = {{"y1"}, {"y2"}, {"y3"}, {"y4"}};
  source.equations = {"der(x1) = 61*u1*x1*y1*y2*y3*y4"};
  const test::Monomials expected = {{"der(x1)", 1.0}, {"x1*u1*y1*y2*y3*y4", -61.0}};
  EXPECT_EQ(test::equation_of(build(source), 0), expected);
}

TEST(Expand, MergesEqualColumnsAndForgetsWhatCancels) {
  Source source = frame();
  source.equations = {"q = x1*y + y*x1 + x1*(x1-x2) + (x1+x2)*x2 - x1^2 + 0.1*u + 0.2*u - 0.3*u"};
  const Model model = build(source);
  // x2² is left, so x2 alone has a copy.
  EXPECT_EQ(test::equation_of(model, 0),
            (test::Monomials{{"q", 1.0}, {"x1*y", -2.0}, {"x2*x2.copy1", -1.0}}));
  EXPECT_EQ(model.equation_names, (std::vector<std::string>{"eq1", "x2.copy1.definition"}));
}

TEST(Expand, SquaresOfBinariesAreThemselves) {
  Source source = frame();
  source.equations = {"q = z1^5*x1 + z2*z2 + d*d*u + pre(z1)^2*y + (z1+z2)^2"};
  EXPECT_EQ(test::equation_of(build(source), 0), (test::Monomials{{"q", 1.0},
                                                                  {"x1*z1", -1.0},
                                                                  {"z2", -2.0},
                                                                  {"u*d", -1.0},
                                                                  {"y*pre(z1)", -1.0},
                                                                  {"z1", -1.0},
                                                                  {"z1*z2", -2.0}}));
}

TEST(Expand, PowersShareTheirCopies) {
  Source source = frame();
  source.states[0].start = 3.0;
  source.states[0].unit = "m";
  source.states[0].nominal = 5.0;
  source.inputs[0].form = TableSource{.time = {0.0, 2.0}, .value = {1.0, 5.0}};
  source.experiment.start = 1.0;
  source.experiment.stop = 2.0;
  source.equations = {"q = x1^3 + x1*x1", "y = u^2 + der(x1)^2"};
  source.constraints = {"x1^2 <= 1"};
  const Model model = build(source);
  EXPECT_EQ(test::equation_of(model, 0),
            (test::Monomials{{"q", 1.0}, {"x1*x1.copy1*x1.copy2", -1.0}, {"x1*x1.copy1", -1.0}}));
  EXPECT_EQ(test::equation_of(model, 1),
            (test::Monomials{{"y", 1.0}, {"u*u.copy1", -1.0}, {"der(x1)*x1.der.copy1", -1.0}}));
  EXPECT_EQ(test::equation_of(model, 2), (test::Monomials{{"x1.copy1", 1.0}, {"x1", -1.0}}));
  EXPECT_EQ(test::equation_of(model, 3), (test::Monomials{{"x1.copy2", 1.0}, {"x1", -1.0}}));
  EXPECT_EQ(test::equation_of(model, 4), (test::Monomials{{"u.copy1", 1.0}, {"u", -1.0}}));
  EXPECT_EQ(test::equation_of(model, 5), (test::Monomials{{"x1.der.copy1", 1.0}, {"der(x1)", -1.0}}));
  EXPECT_EQ(test::constraint_of(model, 0), (test::Monomials{{"x1*x1.copy1", 1.0}, {"", -1.0}}));
  EXPECT_EQ(model.y_start, (std::vector<double>{0.0, 0.0, 3.0, 3.0, 3.0, 0.0})) << "u(1) = 3";
  const Signal& copy = model.signature.algebraic().at(2);
  EXPECT_TRUE(copy.auxiliary);
  EXPECT_EQ(copy.unit, "m");
  EXPECT_EQ(copy.nominal, 5.0);
  EXPECT_FALSE(model.signature.algebraic().at(1).auxiliary);
}

TEST(Expand, NamesOfCopiesGiveWayToDeclaredNames) {
  Source source = frame();
  source.algebraic.push_back({"x1.copy1"});
  source.equations = {{"x1.copy1_.definition", "q = x1^2 + x1.copy1"}};
  const Model model = build(source);
  EXPECT_EQ(test::equation_of(model, 0),
            (test::Monomials{{"q", 1.0}, {"x1*x1.copy1_", -1.0}, {"x1.copy1", -1.0}}));
  EXPECT_EQ(model.equation_names,
            (std::vector<std::string>{"x1.copy1_.definition", "x1.copy1_.definition_"}));
}

TEST(Expand, TimeIsAHiddenLastInput) {
  Source source = frame();
  source.experiment.start = 4.0;
  source.experiment.stop = 5.0;
  source.equations = {"q = time*x1 + time^2"};
  const Model model = build(source);
  ASSERT_EQ(model.signature.m(), 3);
  EXPECT_EQ(model.signature.inputs().back().name, "time");
  EXPECT_TRUE(model.signature.inputs().back().auxiliary);
  EXPECT_EQ(model.inputs.back(), Input(ClockInput{}));
  EXPECT_EQ(test::equation_of(model, 0),
            (test::Monomials{{"q", 1.0}, {"x1*time", -1.0}, {"time*time.copy1", -1.0}}));
  EXPECT_EQ(model.y_start.back(), 4.0);
  source.equations = {"q = x1"};
  EXPECT_EQ(build(source).signature.m(), 2) << "no clock where nobody asks for the time";
}

TEST(Expand, InequalitiesPointDownwards) {
  Source source = frame();
  source.equations = {"q = 1"};
  source.constraints = {"x1 <= a", "x1 >= b*y"};
  const Model model = build(source);
  EXPECT_EQ(test::constraint_of(model, 0), (test::Monomials{{"x1", 1.0}, {"", -1.75}}));
  EXPECT_EQ(test::constraint_of(model, 1), (test::Monomials{{"x1", -1.0}, {"y", -0.3}}));
}

TEST(Expand, FunctionsAndPowersOfParameters) {
  Source source = frame();
  source.equations = {"q = sqrt(a)*x1 + max(a, b)*y + a^0.5*u + 2^-1*z1 + sin(pi/2)*z2 + abs(b)^b*d"};
  const Model model = build(source);
  EXPECT_EQ(test::equation_of(model, 0), (test::Monomials{{"q", 1.0},
                                                          {"x1", -std::sqrt(1.75)},
                                                          {"y", -1.75},
                                                          {"u", -std::pow(1.75, 0.5)},
                                                          {"z1", -0.5},
                                                          {"z2", -1.0},
                                                          {"d", -std::pow(0.3, -0.3)}}));
}

TEST(Expand, DivisionByASumWhoseSignalsCancelIsByANumber) {
  Source source = frame();
  source.equations = {"q = x1/(2 + u - u)"};
  EXPECT_EQ(test::equation_of(build(source), 0), (test::Monomials{{"q", 1.0}, {"x1", -0.5}}));
}

std::string message_of(const std::string& equation) {
  Source source = frame();
  source.equations = {RelationSource(equation)};
  std::string message;
  test::faults_of(source, &message);
  return message;
}

// Scenarios have no rows for quotients of signals.
TEST(Expand, ShowsADivisionMultipliedOut) {
  const auto shows = [](const std::string& equation, const std::string& expected) {
    Source source = frame();
    source.equations = {"q = x1"};
    source.scenarios = {{.name = "begin", .equations = {equation}}};
    std::string message;
    test::faults_of(source, &message);
    EXPECT_NE(message.find("division-by-signal"), std::string::npos) << message;
    EXPECT_NE(message.find("write " + expected), std::string::npos) << message;
  };
  shows("y = x1/(1+u)", "y*(1+u) = x1");
  shows("y = 1/u", "y*u = 1");
  shows("y + x1/u = 0", "y*u + x1 = 0");
  shows("y - (x1/u - q) = a*(2 - x2/u)", "y*u - (x1 - q*u) = a*(2*u - x2)");
  shows("y*x1/u/a = 2", "y*x1/a = 2*u");
  shows("y = -x1/u^2", "y*u^2 = -x1");
}

TEST(Expand, RefusesToExplode) {
  Source source;
  std::string product = "x0";
  for (int i = 0; i < 60; ++i) {
    std::string name = "x";
    name += std::to_string(i);
    product.append(i % 2 == 0 ? "*(" : " + ").append(name).append(i % 2 == 0 ? "" : ")");
    source.states.push_back({std::move(name)});
  }
  source.equations = {RelationSource(product + " = 0")};
  EXPECT_EQ(test::faults_of(source).at(0).first, "too-many-terms") << "2^30 terms";
  std::string nested = "z1 + z2 + x1 + x2 + y + u";
  for (int i = 0; i < 20; ++i) nested.insert(0, 1, '(').append(")^9");
  EXPECT_NE(message_of("q = " + nested).find("too-many-terms"), std::string::npos);
  EXPECT_NE(message_of("q = x1^65").find("power-too-high"), std::string::npos);
  EXPECT_NE(message_of("q = (x1^33)^2").find("power-too-high"), std::string::npos);
  EXPECT_EQ(message_of("q = x1^64"), "");
}

}  // namespace expand_test
}  // namespace mti
