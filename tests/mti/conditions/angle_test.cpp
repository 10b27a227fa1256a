// atan2 of signals against std::atan2: at the start values, from which all auxiliary signals follow.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/derivatives/parameter_derivative.hpp"
#include "mti/multilinear/cp_kernel.hpp"
#include "mti/printing/print.hpp"
#include "mti/printing/readable.hpp"
#include "tests/mti/model/model_texts.hpp"
#include "tests/mti/start_values.hpp"

namespace mti {
namespace angle_test {

constexpr double pi = std::numbers::pi;

/// y = FORM of two states a and b, a parameter c and a binary z.
Source source_of(const std::string& form, double a, double b) {
  Source source;
  source.parameters = {{"c", 0.75}};
  source.states = {{"a", a}, {"b", b}};
  source.algebraic = {{"y"}};
  source.binaries = {{"z"}};
  source.equations = {"der(a) = 0", "der(b) = 0", {"value", "y = " + form}};
  return source;
}

/// The form at the start values; all other rows of f, of sums and products up to 5, hold there.
double value_of(const std::string& form, double a, double b) {
  const Model model = build(source_of(form, a, b));
  const std::vector<double> v = test::start_values(model);
  std::vector<double> f(at(model.equations()));
  CpKernel(model.f()).value(v, f);
  double value = 0.0;
  for (std::size_t row = 0; row < f.size(); ++row) {
    if (model.equation_names[row] == "value")
      value = -f[row];
    else
      EXPECT_NEAR(f[row], 0.0, 4e-15) << model.equation_names[row] << " of " << form;
  }
  return value;
}

TEST(Angle, IsThatOfThePointInEveryQuadrant) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> number(-2.0, 2.0);
  for (int trial = 0; trial < 200; ++trial) {
    const double a = number(random), b = number(random);
    SCOPED_TRACE(std::to_string(a) + ", " + std::to_string(b));
    EXPECT_NEAR(value_of("atan2(b, a)", a, b), std::atan2(b, a), 2e-15);
    EXPECT_NEAR(value_of("2*atan2(b - 1, a*b + c)", a, b), 2.0 * std::atan2(b - 1.0, a * b + 0.75), 4e-15);
  }
}

TEST(Angle, BeginsOnTheAxesAsOfPositiveZero) {
  for (const double r : {1.0, 1e-9, 1e9}) {
    EXPECT_NEAR(value_of("atan2(b, a)", r, 0.0), 0.0, 1e-15);
    EXPECT_NEAR(value_of("atan2(b, a)", 0.0, r), 0.5 * pi, 1e-15);
    EXPECT_NEAR(value_of("atan2(b, a)", -r, 0.0), pi, 1e-15);
    EXPECT_NEAR(value_of("atan2(b, a)", 0.0, -r), -0.5 * pi, 1e-15);
  }
}

/// A number that is not zero has a sign: there is no binary for it.
TEST(Angle, OfANumberAndASignal) {
  const auto binaries = [](const std::string& form) {
    return build(source_of(form, 1.0, 1.0)).signature.q() - 1;  // z
  };
  EXPECT_EQ(binaries("atan2(b, c)"), 0);
  EXPECT_EQ(binaries("atan2(b, -c)"), 1);
  EXPECT_EQ(binaries("atan2(c, a)"), 0);
  EXPECT_EQ(binaries("atan2(-c, a)"), 0);
  EXPECT_EQ(binaries("atan2(b, a) + atan2(b, 2*a) + abs(a) + (b > 0)"), 2) << "equal signs are one";
  for (const double s : {-1.5, -0.25, 0.5, 3.0}) {
    EXPECT_NEAR(value_of("atan2(b, c)", 1.0, s), std::atan2(s, 0.75), 1e-15);
    EXPECT_NEAR(value_of("atan2(b, -c)", 1.0, s), std::atan2(s, -0.75), 1e-15);
    EXPECT_NEAR(value_of("atan2(c, a)", s, 1.0), std::atan2(0.75, s), 1e-15);
    EXPECT_NEAR(value_of("atan2(-c, a)", s, 1.0), std::atan2(-0.75, s), 1e-15);
    EXPECT_NEAR(value_of("atan2(b, 0)", 1.0, s), std::atan2(s, 0.0), 1e-15);
    EXPECT_NEAR(value_of("atan2(0, a)", s, 1.0), std::atan2(0.0, s), 1e-15);
  }
}

TEST(Angle, OfBinariesIsATable) {
  EXPECT_EQ(value_of("atan2(2*z - 1, 3)", 1.0, 1.0), std::atan2(-1.0, 3.0));
  EXPECT_TRUE(build(source_of("atan2(2*z - 1, 3*z - 1)", 1.0, 1.0)).is_multilinear());
}

/// Danger: a guess that waits for another one stays 0, and so do the copies that powers need.
TEST(Angle, StartsAreGuessedThroughOtherAuxiliarySignals) {
  const double a = -0.5, b = 0.25, inner = std::atan2(std::sin(b), a);
  EXPECT_NEAR(value_of("atan2(atan2(sin(b), a), cos(atan2(sin(b), a)) - 1)^2", a, b),
              std::pow(std::atan2(inner, std::cos(inner) - 1.0), 2.0), 1e-14);
  EXPECT_NEAR(value_of("sin(b)^3 + (1/(a + b))^2", a, b), std::pow(std::sin(b), 3.0) + 16.0, 1e-14);
}

TEST(Angle, DerivativesByParametersAreThoseOfThePoint) {
  Source source = source_of("atan2(b, c)", 1.0, 0.5);
  const DifferentiatedModel d = build_with_derivatives(source, {"c"});
  // The argument of atan: q − b/c = 0 has the derivative b/c².
  std::vector<double> v(at(d.model.signature.size()), 0.0), f(at(d.model.equations()));
  v[at(d.model.signature.state_row(1))] = 0.5;
  CpKernel(d.derivatives[0].f).value(v, f);
  double sum = 0.0;
  for (const double value : f) sum += value;
  EXPECT_NEAR(sum, 0.5 / (0.75 * 0.75), 1e-15);
}

/// atan2(b, d) at d = 0 has the derivative −1/b: of q·b − d = 0, and the angle is ±π/2 − q there.
TEST(Angle, HasADerivativeByANumberThatIsZero) {
  Source source = source_of("atan2(b, d)", 1.0, 0.5);
  source.parameters = {{"d", 0.0}};
  const DifferentiatedModel d = build_with_derivatives(source, {"d"});
  std::vector<double> v(at(d.model.signature.size()), 0.0), f(at(d.model.equations()));
  CpKernel(d.derivatives[0].f).value(v, f);
  double sum = 0.0;
  for (const double value : f) sum += value;
  EXPECT_EQ(sum, -1.0);
}

TEST(Angle, MatricesAndTextsComeBack) {
  const Model model = build(source_of("atan2(b - c, a)", 1.0, 1.0));
  const Model again = build(to_matrices(model));
  EXPECT_EQ(Eigen::MatrixXd(again.Phi_eq), Eigen::MatrixXd(model.Phi_eq));
  EXPECT_EQ(again.functions, model.functions);
  EXPECT_EQ(again.z_start, model.z_start);
  EXPECT_EQ(build(to_equations(model)).functions.size(), model.functions.size());
  EXPECT_NE(print_latex(model).find("\\arctan"), std::string::npos);
}

TEST(Angle, LawsAndScenariosRefuseIt) {
  Source source = source_of("0", 1.0, 1.0);
  source.scenarios = {{.name = "begin", .equations = {"a = atan2(b, a)"}}};
  using Found = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(test::faults_of(source), (Found{{"function-of-signal", "/scenarios/0/equations/0"}}));
}

}  // namespace angle_test
}  // namespace mti
