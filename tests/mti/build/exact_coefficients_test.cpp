// Coefficients of text and of factors, over the whole range of doubles.
//
// The oracle multiplies out in long double, whose exponents go on where those of doubles end, and compares every
// coefficient with itself, not with the largest one.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"
#include "mti/common/number.hpp"
#include "mti/printing/print.hpp"

namespace mti {
namespace exact_coefficients_test {

constexpr long double kEps = std::numeric_limits<double>::epsilon();

/// The coefficient of Π_{i ∈ monomial} v_i in a row.
long double coefficient(const SparseColumns& S, const SparseColumns& Phi, int row,
                        const std::vector<int>& monomial) {
  long double sum = 0.0L;
  for (int k = 0; k < static_cast<int>(S.cols()); ++k) {
    long double part = Phi.coeff(row, k);
    std::size_t used = 0;
    for (SparseColumns::InnerIterator factor(S, k); factor; ++factor) {
      const bool holds =
          std::find(monomial.begin(), monomial.end(), static_cast<int>(factor.row())) != monomial.end();
      used += holds ? 1 : 0;
      part *= holds ? static_cast<long double>(factor.value())
                    : 1.0L - std::abs(static_cast<long double>(factor.value()));
    }
    if (used != monomial.size()) continue;
    sum += part;
  }
  return sum;
}

std::vector<Fault> faults_of(const Source& source) {
  try {
    static_cast<void>(build(source));
  } catch (const InvalidModel& invalid) {
    return invalid.faults();
  }
  return {};
}

/// 2^32 + 1 was the exponent 1: powers of powers ran over the whole numbers.
TEST(ExactCoefficients, PowersOfPowersAreRefused) {
  for (const std::string right : {"-(((((x^64)^64)^64)^64)^64)^4*x", "sin((((((x^64)^64)^64)^64)^64)^4*x)",
                                  "max(0, x^40*x^40)", "x^33*x^32"}) {
    Source source;
    source.states = {{"x", 1.0}};
    source.equations = {"der(x) = " + right};
    const std::vector<Fault> faults = faults_of(source);
    ASSERT_EQ(faults.size(), 1U) << right;
    EXPECT_EQ(faults[0].id, "power-too-high") << right;
    EXPECT_EQ(faults[0].pointer, "/equations/0") << right;
  }
  Source source;
  source.states = {{"x", 1.0}};
  source.algebraic = {{"y", 1.0}};
  source.equations = {"der(x) = x^32*y^64*x^32", "y = 1"};
  EXPECT_TRUE(faults_of(source).empty());
}

/// f of an explicit form with one row: ẋ − phi Π (a_i + b_i w_i).
Source of_factors(const std::vector<std::pair<double, double>>& factors, double phi, bool binary = false) {
  Source source;
  source.states = {{"x", 0.0}};
  ExplicitSource form;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (i > 0)
      source.inputs.push_back({.name = "u" + std::to_string(i), .form = Number(0.0), .binary = binary});
    form.factors.push_back({{factors[i].first}, {factors[i].second}});
  }
  form.phi.rows = form.phi.cols = 1;
  form.phi.i = form.phi.k = {0};
  form.phi.v = {phi};
  source.explicit_form = form;
  return source;
}

TEST(ExactCoefficients, FactorsKeepBothNumbers) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> mantissa(1.0, 10.0), exponent(-90.0, 90.0), near(-20.0, 20.0);
  const auto number = [&](double scale) { return mantissa(random) * std::pow(10.0, scale); };
  for (int sample = 0; sample < 400; ++sample) {
    const bool far = sample % 2 == 0;
    std::vector<std::pair<double, double>> factors;
    for (int i = 0; i < 3; ++i) {
      const double scale = exponent(random);
      const double other = far ? exponent(random) : scale + near(random);
      factors.emplace_back(number(scale), sample % 3 == 0 ? -number(other) : number(other));
    }
    const double phi = number(exponent(random) / 3.0);
    const Model model = build(of_factors(factors, phi));
    for (unsigned set = 0; set < 8; ++set) {
      long double expected = -phi;
      std::vector<int> monomial;
      for (unsigned i = 0; i < 3; ++i) {
        const bool holds = (set >> i & 1U) != 0;
        expected *= holds ? factors[i].second : factors[i].first;
        if (holds) monomial.push_back(1 + static_cast<int>(i));  // rows are (ẋ, x, u)
      }
      if (std::abs(expected) < 1e-300L || std::abs(expected) > 1e300L) continue;
      const long double found = coefficient(model.S, model.Phi_eq, 0, monomial);
      ASSERT_LE(std::abs(found - expected), 32.0L * kEps * std::abs(expected)) << sample << " " << set;
    }
  }
}

/// 1 + (1e-15 − 1)·z is 1e-15 at z = 1.
TEST(ExactCoefficients, FactorsOfBinariesKeepBothValues) {
  for (const double small : {1e-3, 1e-9, 1e-15, 0.0}) {
    const double b = small - 1.0;
    const Model model = build(of_factors({{3.0, 0.0}, {1.0, b}}, 1.0, true));
    const int u = 2;
    const long double at_0 = coefficient(model.S, model.Phi_eq, 0, {});
    EXPECT_NEAR(static_cast<double>(at_0), -3.0, 16.0 * static_cast<double>(kEps) * 3.0);
    // as f is evaluated: column by column, rounded
    double at_1 = 0.0;
    for (int k = 0; k < static_cast<int>(model.S.cols()); ++k) {
      if (model.S.coeff(0, k) != 0.0) continue;
      const double S = model.S.coeff(u, k);
      at_1 += model.Phi_eq.coeff(0, k) * (1.0 - std::abs(S) + S);
    }
    EXPECT_NEAR(at_1, -3.0 * (1.0 + b), 16.0 * static_cast<double>(kEps) * 3.0 * (1.0 + b)) << small;
  }
}

TEST(ExactCoefficients, ProductsBeyondTheRangeComeBack) {
  const Model model = build(of_factors({{1e-200, 0.0}, {1e-200, 1e-200}}, 1e300));
  const long double found = coefficient(model.S, model.Phi_eq, 0, {});
  EXPECT_NEAR(static_cast<double>(found / -1e-100L), 1.0, 1e-15);
}

/// Of 1e-200 u − c w only infinity was left of c, and conditions with another c shared a binary.
TEST(ExactCoefficients, ConditionsOfFarScalesStayApart) {
  for (const auto& scales : {std::pair("1e-200", "e200"), {"1e-300", "e10"}, {"1e250", "e-250"}}) {
    const auto condition = [&](const std::string& c) {
      return std::string(scales.first) + "*u - " + c + scales.second + "*w > 0";
    };
    Source source;
    source.states = {{"x", 0.0}, {"y", 0.0}, {"q", 0.0}};
    source.inputs = {{.name = "u", .form = Number(2.0)}, {.name = "w", .form = Number(1.0)}};
    source.equations = {"der(x) = if " + condition("1") + " then 1 else -1",
                        "der(y) = if " + condition("3") + " then 1 else -1",
                        "der(q) = if " + condition("1") + " then 2 else -2"};
    EXPECT_EQ(build(source).signature.q(), 2) << scales.first << scales.second;
  }
}

/// Whole numbers are what they say: their differences are none of rounding.
TEST(ExactCoefficients, DifferencesOfLargeNumbersStay) {
  Source source;
  source.parameters = {
      {"t0", 1700000000000000.0}, {"t1", 1700000000000001.0}, {"scale", Number("t1 - t0 + 3")}};
  source.states = {{"x", 0.0}, {"y", 0.0}, {"q", 0.0}, {"none", 0.0}};
  source.equations = {"der(x) = t1 - t0", "der(y) = (t1 - t0)*x - (t0 - t1 - 0.25)*y*x",
                      "der(q) = (time - t0) - (time - t1) + (10^15 - 999999999999999)*q",
                      "der(none) = (0.1 + 0.2 - 0.3)*x + 1/3 + 1/3 + 1/3 - 1 + none"};
  const Model model = build(source);
  const auto value = [&](int row, const std::vector<int>& monomial) {
    return static_cast<double>(coefficient(model.S, model.Phi_eq, row, monomial));
  };
  const int x = 4, y = 5, q = 6, none = 7;
  EXPECT_EQ(value(0, {}), -1.0);
  EXPECT_EQ(value(1, {x}), -1.0);
  EXPECT_EQ(value(1, {x, y}), -1.25);
  EXPECT_EQ(value(2, {}), -1.0);
  EXPECT_EQ(value(2, {q}), -1.0);
  EXPECT_EQ(value(3, {x}), 0.0);
  EXPECT_EQ(value(3, {}), 0.0);
  EXPECT_EQ(value(3, {none}), -1.0);
}

/// Random sums of products, read, written as equations, and read again.
TEST(ExactCoefficients, RandomExpressionsKeepTheirCoefficients) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> mantissa(-10.0, 10.0), exponent(-140.0, 140.0);
  for (int sample = 0; sample < 60; ++sample) {
    Source source;
    source.states = {{"x", 0.0}, {"y", 0.0}};
    const auto number = [&] { return mantissa(random) * std::pow(10.0, exponent(random)); };
    const double a = number(), b = number(), c = number(), d = number();
    const auto text = [](double value) { return "(" + text::format_number(value) + ")"; };
    source.equations = {
        "der(x) = (" + text(a) + " + " + text(b) + "*x)*(" + text(c) + " + " + text(d) + "*y)", "der(y) = 1"};
    Model model = build(source);
    for (int round = 0; round < 3; ++round) {
      const long double expected[4] = {static_cast<long double>(a) * c, static_cast<long double>(b) * c,
                                       static_cast<long double>(a) * d, static_cast<long double>(b) * d};
      const std::vector<int> monomials[4] = {{}, {2}, {3}, {2, 3}};
      for (int i = 0; i < 4; ++i) {
        if (std::abs(expected[i]) < 1e-300L || std::abs(expected[i]) > 1e300L) continue;
        const long double found = coefficient(model.S, model.Phi_eq, 0, monomials[i]);
        ASSERT_LE(std::abs(found + expected[i]), 4.0L * kEps * std::abs(expected[i])) << sample << i;
      }
      model = build(round % 2 == 0 ? to_equations(model) : to_matrices(model));
    }
  }
}

}  // namespace exact_coefficients_test
}  // namespace mti
