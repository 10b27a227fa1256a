#include "mti/model/differentiate.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <numeric>
#include <set>

#include "mti/build/build.hpp"
#include "mti/multilinear/row_map.hpp"
#include "mti/printing/print.hpp"
#include "tests/mti/multilinear/random_map.hpp"

namespace mti {
namespace differentiate_test {

using test::Random;

/// ẋ1, ẋ2, x1, x2, u1, u2 (binary), y1 … y3, z1, pre(z1).
Signature small_signature() {
  return {{{.name = "x1"}, {.name = "x2"}},
          {{.name = "u1"}, {.name = "u2", .binary = true}},
          {{.name = "y1"}, {.name = "y2"}, {.name = "y3"}},
          {{.name = "z1"}},
          {0}};
}

std::vector<int> all_rows(const CpMap& f) {
  std::vector<int> rows(at(f.rows()));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

bool is_constant(const Signature& signature, int row) {
  return row >= signature.binary_row(0) || row == signature.input_row(1);
}

/// Taylor coefficients of a motion: x_{k+1} = ẋ_k/(k + 1), constants stay.
TaylorSeries random_motion(Random& random, const Signature& signature, int orders) {
  TaylorSeries series(signature.size());
  for (int k = 0; k < orders; ++k) {
    series.add_order();
    for (int row = 0; row < signature.size(); ++row)
      if (k == 0 || !is_constant(signature, row)) series.at(row, k).value = random.uniform(-1.5, 1.5);
    for (int i = 0; i < signature.n() && k > 0; ++i)
      series.at(signature.state_row(i), k).value = series.at(signature.derivative_row(i), k - 1).value / k;
  }
  return series;
}

/// What the rows of S stand for, and the copies with the values of their originals.
std::vector<double> extended(const DifferentiatedMap& map, const TaylorSeries& series) {
  std::vector<double> v;
  for (int row = 0; row < map.map.signals(); ++row) {
    const auto [signal, order] = map.at(row);
    v.push_back(order < series.orders() ? factorial(order) * series.at(signal, order).value : 0.0);
  }
  return v;
}

/// Every factor of a column in a row of its own, |S| ≤ 1: the invariants of a CP map.
void expect_multilinear(const DifferentiatedMap& map) {
  EXPECT_NO_THROW((void)CpMap(map.map.S(), map.map.Phi()));
  EXPECT_EQ(std::set<int>(map.copied.begin(), map.copied.end()).size(), map.copied.size());
}

/// Danger: products of derivatives are lost, or counted once instead of as often as they arise.
TEST(Differentiate, GivesTheTaylorCoefficientsOfEveryMotion) {
  Random random(41);
  const Signature signature = small_signature();
  int copies = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const CpMap f = test::random_map(random, signature.size(), 3, 1 + random.index(8), 6);
    const RowMap rows(f);
    const TaylorSeries motion = random_motion(random, signature, 5);
    for (int times = 0; times <= 3; ++times) {
      const DifferentiatedMap D = differentiate(f, all_rows(f), signature, times);
      expect_multilinear(D);
      ASSERT_EQ(D.equations(), f.rows());
      copies += static_cast<int>(D.copied.size());
      const std::vector<double> v = extended(D, motion);
      const std::vector<long double> value = test::naive_value(D.map, v);
      const std::vector<long double> size = test::naive_value(test::absolute(D.map), test::absolute(v));
      for (int row = 0; row < f.rows(); ++row) {
        const auto j = at(row);
        // Both sides round; the coefficients of D^k f are sums of at most 6^k products.
        ASSERT_NEAR(static_cast<double>(value[j]),
                    factorial(times) * rows.coefficient(row, motion, times).value,
                    1e-13 * static_cast<double>(size[j]))
            << "trial " << trial << ", row " << row << ", order " << times;
      }
      for (std::size_t j = at(f.rows()); j < value.size(); ++j)
        EXPECT_EQ(value[j], 0.0L) << "a copy is its original";
    }
  }
  EXPECT_GT(copies, 50) << "x and its derivative met often enough";
}

/// Df = Im f(v + i h v')/h up to h²: no subtraction, so h may be tiny.
TEST(Differentiate, AgreesWithAComplexStep) {
  Random random(42);
  const Signature signature = small_signature();
  constexpr double h = 1e-40;
  for (int trial = 0; trial < 60; ++trial) {
    const CpMap f = test::random_map(random, signature.size(), 3, 1 + random.index(8), 6);
    const TaylorSeries motion = random_motion(random, signature, 2);
    std::vector<std::complex<double>> sum(3);
    for (int k = 0; k < f.columns(); ++k) {
      std::complex<double> product = 1.0;
      for (SparseColumns::InnerIterator factor(f.S(), k); factor; ++factor) {
        const int row = static_cast<int>(factor.row());
        product *=
            1.0 - std::abs(factor.value()) +
            factor.value() * std::complex<double>(motion.at(row, 0).value, h * motion.at(row, 1).value);
      }
      for (SparseColumns::InnerIterator weight(f.Phi(), k); weight; ++weight)
        sum[at(weight.row())] += weight.value() * product;
    }
    const DifferentiatedMap D = differentiate(f, all_rows(f), signature);
    const std::vector<double> v = extended(D, motion);
    const std::vector<long double> value = test::naive_value(D.map, v);
    const std::vector<long double> size = test::naive_value(test::absolute(D.map), test::absolute(v));
    for (std::size_t j = 0; j < sum.size(); ++j)
      ASSERT_NEAR(static_cast<double>(value[j]), sum[j].imag() / h, 1e-13 * static_cast<double>(size[j]));
  }
}

TEST(Differentiate, OneDerivativeMoreIsTheSameAsAllAtOnce) {
  Random random(43);
  const Signature signature = small_signature();
  const CpMap f = test::random_map(random, signature.size(), 3, 6, 5);
  const DifferentiatedMap twice = differentiate(f, all_rows(f), signature, 2);
  const DifferentiatedMap step = differentiate(differentiate(f, all_rows(f), signature, 1));
  EXPECT_EQ(twice.copied, step.copied);
  EXPECT_EQ(Eigen::MatrixXd(twice.map.S()), Eigen::MatrixXd(step.map.S()));
  EXPECT_EQ(Eigen::MatrixXd(twice.map.Phi()), Eigen::MatrixXd(step.map.Phi()));
}

Model model_of(const std::string& equation) {
  Source source;
  source.states = {{.name = "x"}, {.name = "w"}};
  source.inputs = {{.name = "u"}, {.name = "b", .binary = true}};
  source.algebraic = {{.name = "y"}};
  source.binaries = {{.name = "z"}};
  source.equations = {RelationSource(equation)};
  return build(source);
}

std::string derivative_of(const std::string& equation, int times) {
  const Model model = model_of(equation);
  return row_to_text(differentiate(model.f(), std::vector{0}, model.signature, times), 0, model.signature);
}

TEST(Differentiate, ReadsAsByHand) {
  EXPECT_EQ(derivative_of("x*y = 0", 0), "x*y");
  EXPECT_EQ(derivative_of("x*y = 0", 1), "der(x)*y + x*der(y)");
  EXPECT_EQ(derivative_of("x*y = 0", 2), "y*der(x, 2) + 2*der(x)*der(y) + x*der(y, 2)");
  EXPECT_EQ(derivative_of("3*x*z*b - 4*u + 7 = 0", 1), "3*der(x)*b*z - 4*der(u)");
  EXPECT_EQ(derivative_of("(2 - 2*w)*y = 0", 1), "2*der(y) - 2*der(w)*y - 2*w*der(y)");
  EXPECT_EQ(derivative_of("3*z = 0", 1), "0");
}

TEST(Differentiate, ASignalThatMeetsItsDerivativeHasACopy) {
  const Model model = model_of("der(x)*x = 0");
  const DifferentiatedMap once = differentiate(model.f(), std::vector{0}, model.signature);
  EXPECT_EQ(once.equations(), 1);
  ASSERT_EQ(once.copied, std::vector{0});  // ẋ
  EXPECT_EQ(once.map.rows(), 2);
  EXPECT_EQ(once.map.columns(), 4);  // ẋ·copy, ẍ·x; copy, ẋ
  EXPECT_EQ(row_to_text(once, 0, model.signature), "x*der(x, 2) + der(x)*der(x)");
  // ẋẍ + x x''' of the first term, 2 ẋẍ of the square.
  const DifferentiatedMap twice = differentiate(once);
  EXPECT_TRUE(twice.copied.empty());
  EXPECT_EQ(row_to_text(twice, 0, model.signature), "3*der(x)*der(x, 2) + x*der(x, 3)");
  const DifferentiatedMap thrice = differentiate(twice);
  EXPECT_EQ(thrice.copied, std::vector{thrice.row({0, 1})});  // ẍ
  EXPECT_EQ(thrice.map.columns(), 5);                         // x x'''', ẋ x''', ẍ·copy; copy, ẍ
}

/// 40 factors: 40 columns, then 40 + 40·39/2, and none of 2^40.
TEST(Differentiate, ColumnsGrowAsThePowersOfTheDegree) {
  constexpr int n = 40;
  std::vector<Signal> signals;
  std::vector<AffineFactor> factors;
  for (int i = 0; i < n; ++i) {
    signals.push_back({.name = "y" + std::to_string(i)});
    factors.push_back({i, 0.0, 1.0});
  }
  const Signature signature({}, {}, signals, {});
  CpBuilder builder(n, 1);
  builder.add(0, 1.0, factors);
  const CpMap f = builder.build();
  const DifferentiatedMap once = differentiate(f, std::vector{0}, signature);
  EXPECT_EQ(once.map.columns(), n);
  EXPECT_EQ(once.map.S().nonZeros(), n * n);
  const DifferentiatedMap twice = differentiate(once);
  EXPECT_EQ(twice.map.columns(), n + n * (n - 1) / 2);
  EXPECT_EQ(twice.map.S().nonZeros(), n * twice.map.columns()) << "the degree stays";
  EXPECT_TRUE(twice.copied.empty());
}

/// Only the rows asked for, in the order given.
TEST(Differentiate, TakesTheListedRows) {
  Random random(44);
  const Signature signature = small_signature();
  const CpMap f = test::random_map(random, signature.size(), 5, 12, 5);
  const DifferentiatedMap all = differentiate(f, all_rows(f), signature);
  const DifferentiatedMap some = differentiate(f, std::vector{3, 1}, signature);
  ASSERT_EQ(some.equations(), 2);
  const TaylorSeries motion = random_motion(random, signature, 2);
  const auto value_all = test::naive_value(all.map, extended(all, motion));
  const auto value_some = test::naive_value(some.map, extended(some, motion));
  EXPECT_NEAR(static_cast<double>(value_some[0] - value_all[3]), 0.0, 1e-12);
  EXPECT_NEAR(static_cast<double>(value_some[1] - value_all[1]), 0.0, 1e-12);
  EXPECT_NE(value_some[0], value_some[1]);
}

}  // namespace differentiate_test
}  // namespace mti
