// What stands in smooth(order, …), against the functions of <algorithm> and <cmath>.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/functions/function_series.hpp"
#include "mti/multilinear/cp_kernel.hpp"
#include "mti/printing/print.hpp"
#include "mti/printing/readable.hpp"
#include "tests/mti/start_values.hpp"

namespace mti {
namespace smooth_test {

Source source_of(const std::string& form, double a = 1.0, double b = 1.0) {
  Source source;
  source.parameters = {{"c", 0.5}};
  source.states = {{"a", a}, {"b", b}};
  source.algebraic = {{"y"}};
  source.equations = {"der(a) = 0", "der(b) = 0", {"value", "y = " + form}};
  return source;
}

/// The form at the start values; all other rows of f hold there.
double value_of(const std::string& form, double a, double b) {
  const Model model = build(source_of(form, a, b));
  EXPECT_EQ(model.signature.q(), 0) << form;
  EXPECT_EQ(model.constraints(), 0) << form;
  const std::vector<double> v = test::start_values(model);
  std::vector<double> f(at(model.equations()));
  CpKernel(model.f()).value(v, f);
  double value = 0.0;
  for (std::size_t row = 0; row < f.size(); ++row) {
    if (model.equation_names[row] == "value")
      value = -f[row];
    else
      EXPECT_NEAR(f[row], 0.0, 1e-15) << model.equation_names[row];
  }
  return value;
}

struct Form {
  const char* text;
  std::function<double(double, double)> value;
};

double table_of(double x) {  // points (−1, 2), (0, 0), (0.5, 1), (2, 1)
  if (x < 0.0) return -2.0 * x;
  return x < 0.5 ? 2.0 * x : 1.0;
}

TEST(Smooth, HasTheValuesOfTheFunctionsWithoutBinaries) {
  const std::vector<Form> forms = {
      {"smooth(0, abs(a - b))", [](double a, double b) { return std::abs(a - b); }},
      {"smooth(0, max(a, b))", [](double a, double b) { return std::max(a, b); }},
      {"smooth(0, min(a, b, 2*a - b))",
       [](double a, double b) {
         return std::min({a, b, 2.0 * a - b});
       }},
      {"smooth(1, pos(a)^2 - neg(b)^2)",
       [](double a, double b) { return std::pow(std::max(a, 0.0), 2) - std::pow(std::min(b, 0.0), 2); }},
      {"smooth(0, clamp(a, -c, 2*c))", [](double a, double) { return std::clamp(a, -0.5, 1.0); }},
      {"smooth(0, clamp(a, b, b + 1))", [](double a, double b) { return std::clamp(a, b, b + 1.0); }},
      {"smooth(0, deadzone(a, -c, 2*c))", [](double a, double) { return a - std::clamp(a, -0.5, 1.0); }},
      {"smooth(0, table(a*b, [-1, 0, 0.5, 2], [2, 0, 1, 1]))",
       [](double a, double b) { return table_of(a * b); }},
      {"smooth(0, sqrt(max(a, 0) + 1)*exp(abs(b)))",
       [](double a, double b) { return std::sqrt(std::max(a, 0.0) + 1.0) * std::exp(std::abs(b)); }},
      {"smooth(2, smooth(0, abs(abs(a) - abs(b)))) + atan2(b, 1)",
       [](double a, double b) { return std::abs(std::abs(a) - std::abs(b)) + std::atan2(b, 1.0); }}};
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1.5, 1.5);
  for (const Form& form : forms) {
    SCOPED_TRACE(form.text);
    for (int trial = 0; trial < 60; ++trial) {
      const double a = number(random), b = number(random);
      EXPECT_NEAR(value_of(form.text, a, b), form.value(a, b), 1e-14) << a << ' ' << b;
    }
  }
}

TEST(Smooth, EqualDifferencesAreOneSignal) {
  const Model model = build(source_of("smooth(0, max(a, b) + min(a, b) + abs(b - a))"));
  EXPECT_EQ(model.functions.size(), 1U);
}

TEST(Smooth, OfNumbersIsANumber) {
  const Model model = build(source_of("smooth(0, max(c, 1) - c)*a"));
  EXPECT_TRUE(model.is_multilinear());
  EXPECT_EQ(value_of("smooth(0, max(c, 1) - c)*a", 3.0, 0.0), 1.5);
}

TEST(Smooth, OutsideOfItConditionsHaveTheirBinaries) {
  EXPECT_EQ(build(source_of("smooth(0, abs(a)) + abs(b)")).signature.q(), 1);
}

/// What jumps, or needs a binary, is refused by its text.
TEST(Smooth, RefusesWhatJumps) {
  for (const char* text : {"sign(a)", "step(a)", "(a > b)", "if a > 0 then a else -a", "hysteresis(a, 0, 1)",
                           "atan2(b, a)", "table2(a, b, [0, 1], [0, 1], [[0, 1], [1, 0]])"}) {
    SCOPED_TRACE(text);
    try {
      static_cast<void>(build(source_of("smooth(0, 1 + (" + std::string(text) + "))")));
      ADD_FAILURE();
    } catch (const InvalidModel& invalid) {
      EXPECT_EQ(invalid.faults().front().id, "condition-in-smooth");
    }
  }
  const auto id_of = [](const std::string& form) {
    try {
      static_cast<void>(build(source_of(form)));
    } catch (const InvalidModel& invalid) {
      return invalid.faults().front().id;
    }
    return std::string();
  };
  EXPECT_EQ(id_of("smooth(-1, abs(a))"), "wrong-arguments");
  EXPECT_EQ(id_of("smooth(0.5, abs(a))"), "wrong-arguments");
  EXPECT_EQ(id_of("smooth(abs(a))"), "wrong-arguments");
  EXPECT_EQ(id_of("smooth(a, abs(a))"), "signal-as-number");
  EXPECT_EQ(id_of("smooth(0, clamp(a, 1, 0))"), "bad-limits");
}

TEST(Smooth, MatricesAndTextsComeBack) {
  const Model model = build(source_of("smooth(0, abs(a - b))"));
  const Source matrices = to_matrices(model);
  EXPECT_EQ(matrices.matrices->functions.at(0).function, "abs");
  EXPECT_EQ(build(matrices).functions, model.functions);
  const Model again = build(to_equations(model));
  EXPECT_EQ(again.functions.size(), 1U);
  EXPECT_EQ(again.signature.q(), 0);
  EXPECT_NE(print_latex(model).find("\\left|"), std::string::npos);
}

/// |a(τ)| on the side on which a is: ±a, and of a = −2τ + τ³ it is −a.
TEST(Smooth, SeriesOfAbsHaveTheSignOfTheirBeginning) {
  const ElementaryFunction abs = find_function("abs").value();
  const std::vector<double> negative{-0.5, 3.0, 1.0}, rising{0.0, 2.0, -1.0}, falling{0.0, -2.0, 0.0, 1.0};
  EXPECT_EQ(expand(abs, negative).r, (std::vector<double>{0.5, -3.0, -1.0}));
  EXPECT_EQ(expand(abs, negative).s, (std::vector<double>{-1.0, 0.0, 0.0}));
  EXPECT_EQ(expand(abs, rising).r, rising);
  EXPECT_EQ(expand(abs, falling).r, (std::vector<double>{0.0, 2.0, 0.0, -1.0}));
  EXPECT_EQ(expand(abs, falling).s, (std::vector<double>{-1.0, 0.0, 0.0, 0.0}));
}

}  // namespace smooth_test
}  // namespace mti
