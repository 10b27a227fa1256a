#include "mti/build/build.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/multilinear/cp_kernel.hpp"
#include "mti/printing/print.hpp"

namespace mti {
namespace build_functions_test {

Source source_of(std::vector<RelationSource> equations) {
  Source source;
  source.states = {{.name = "x", .start = 0.5}, {.name = "w", .start = 2.0}};
  source.algebraic = {{.name = "y", .start = 0.25}};
  source.binaries = {{.name = "z"}};
  source.equations = std::move(equations);
  return source;
}

/// f at given x, w, y, z, with the auxiliary signals at their start values, which are those of x, w and y.
std::vector<double> residual(const Model& model) {
  std::vector<double> v(at(model.signature.size()), 0.0), f(at(model.equations()));
  for (int i = 0; i < model.signature.n(); ++i) v[at(model.signature.state_row(i))] = model.x_start[at(i)];
  for (int i = 0; i < model.signature.p(); ++i)
    v[at(model.signature.algebraic_row(i))] = model.y_start[at(i)];
  CpKernel(model.f()).value(v, f);
  return f;
}

TEST(BuildFunctions, EqualArgumentsAndApplicationsAreOneSignal) {
  const Model model =
      build(source_of({"der(x) = sin(x*w) + cos(w*x)", "der(w) = -sin(x*w)*exp(x)", "y = x"}));
  // x·w is one signal; sin, cos of it and exp(x) are three.
  EXPECT_EQ(model.functions.size(), 3U);
  EXPECT_EQ(model.signature.p(), 1 + 4);
  EXPECT_EQ(model.equations(), 3 + 4);
  EXPECT_EQ(model.function_texts[0].text, "sin(x*w)");
}

TEST(BuildFunctions, RowsHoldAtTheValuesOfTheFunctions) {
  const Model model = build(source_of(
      {"der(x) = 0", "der(w) = 0", "y = sqrt(x + 1)*log(w)/(x + w) + x^2.5 - w^(-2) + x^w + tanh(x^2)"}));
  const std::vector<double> f = residual(model);
  const double x = 0.5, w = 2.0;
  const double right = std::sqrt(x + 1) * std::log(w) / (x + w) + std::pow(x, 2.5) - std::pow(w, -2.0) +
                       std::pow(x, w) + std::tanh(x * x);
  EXPECT_NEAR(f[2], 0.25 - right, 1e-14);
  for (std::size_t row = 3; row < f.size(); ++row)
    EXPECT_NEAR(f[row], 0.0, 1e-15) << model.equation_names[row];
  ASSERT_EQ(model.divisors.size(), 1U);
  EXPECT_EQ(model.divisors[0].text, "(x + w)");
}

/// Danger: powers of functions need copies of auxiliary signals, which come before these and began with 0.
TEST(BuildFunctions, CopiesOfAuxiliarySignalsBeginWithTheirValues) {
  const Model model = build(source_of({"der(x) = 0", "der(w) = 0", "y = sin(x)^3*(w/x)^2 - exp(sin(x)^2)"}));
  const std::vector<double> f = residual(model);
  const double x = 0.5, w = 2.0;
  EXPECT_NEAR(f[2],
              0.25 - std::pow(std::sin(x), 3.0) * std::pow(w / x, 2.0) + std::exp(std::pow(std::sin(x), 2.0)),
              1e-14);
  for (std::size_t row = 3; row < f.size(); ++row)
    EXPECT_NEAR(f[row], 0.0, 1e-15) << model.equation_names[row];
}

TEST(BuildFunctions, OfNumbersAndOfOneBinaryAreNumbers) {
  const Model model =
      build(source_of({"der(x) = sqrt(4)*x", "der(w) = exp(1 - 2*z)*w/(1 + z)", "y = acos(0.5)*x"}));
  EXPECT_TRUE(model.is_multilinear());
  EXPECT_EQ(model.signature.p(), 1);
}

TEST(BuildFunctions, MatricesComeBack) {
  const Model model = build(
      source_of({"der(x) = sin(x*w) - y/(1 + x)", "der(w) = -sin(x*w)*exp(x)", "y = x^1.75 + atan(der(w))"}));
  const Source matrices = to_matrices(model);
  EXPECT_EQ(matrices.matrices->functions.size(), model.functions.size());
  const Model again = build(matrices);
  EXPECT_EQ(Eigen::MatrixXd(again.S), Eigen::MatrixXd(model.S));
  EXPECT_EQ(Eigen::MatrixXd(again.Phi_eq), Eigen::MatrixXd(model.Phi_eq));
  EXPECT_EQ(again.functions, model.functions);
  EXPECT_EQ(again.equation_names, model.equation_names);
  EXPECT_EQ(again.y_start, model.y_start);
  EXPECT_EQ(again.divisors.size(), model.divisors.size());
}

TEST(BuildFunctions, TextComesBack) {
  const Model model = build(source_of({"der(x) = sin(x)", "der(w) = -sin(x)*sqrt(x*w)", "y = x^1.75"}));
  const Source text = to_equations(model);
  const Model again = build(text);
  EXPECT_EQ(again.equations(), model.equations());
  EXPECT_EQ(again.functions.size(), model.functions.size());
  EXPECT_EQ(again.signature.p(), model.signature.p());
  const Source once_more = to_equations(again);
  ASSERT_EQ(once_more.equations.size(), text.equations.size());
  for (std::size_t i = 0; i < text.equations.size(); ++i)
    EXPECT_EQ(once_more.equations[i].text, text.equations[i].text);
}

}  // namespace build_functions_test
}  // namespace mti
