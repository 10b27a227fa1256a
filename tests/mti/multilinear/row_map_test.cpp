#include "mti/multilinear/row_map.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/mti/multilinear/random_map.hpp"

namespace mti {
namespace row_map_test {

using test::Random;

constexpr int orders = 5;

TaylorSeries random_series(Random& random, int signals, double largest_error) {
  TaylorSeries series(signals);
  for (int k = 0; k < orders; ++k) {
    series.add_order();
    for (int i = 0; i < signals; ++i)
      series.at(i, k) = {random.uniform(-2.0, 2.0), random.uniform(0.0, 1.0) * largest_error};
  }
  return series;
}

/// Σ_k Φ_jk Π p_i(τ), every product multiplied out in full, with p_i = (1 − |S|) + S v_i.
std::vector<long double> multiplied_out(const CpMap& map, int row, const TaylorSeries& series) {
  std::vector<long double> sum(orders, 0.0L);
  for (int k = 0; k < map.columns(); ++k) {
    std::vector<long double> product = {1.0L};
    for (SparseColumns::InnerIterator factor(map.S(), k); factor; ++factor) {
      const long double S = factor.value();
      std::vector<long double> next(product.size() + orders - 1, 0.0L);
      for (std::size_t i = 0; i < product.size(); ++i) {
        next[i] += product[i] * (1.0L - std::abs(S));
        for (int order = 0; order < orders; ++order)
          next[i + at(order)] += product[i] * S * series.at(static_cast<int>(factor.row()), order).value;
      }
      product = next;
    }
    product.resize(std::max<std::size_t>(product.size(), orders), 0.0L);
    for (std::size_t order = 0; order < orders; ++order)
      sum[order] += map.Phi().coeff(row, k) * product[order];
  }
  return sum;
}

/// The same with all signs positive: what rounding is relative to.
std::vector<long double> sizes(const CpMap& map, int row, TaylorSeries series) {
  for (int k = 0; k < orders; ++k)
    for (int i = 0; i < map.signals(); ++i) series.at(i, k).value = std::abs(series.at(i, k).value);
  return multiplied_out(test::absolute(map), row, series);
}

TEST(RowMap, CoefficientsAreThoseOfThePolynomial) {
  Random random(1);
  for (int trial = 0; trial < 30; ++trial) {
    const CpMap map = test::random_map(random, 1 + random.index(5), 3, random.index(12), 5);
    const RowMap row_map(map);
    const TaylorSeries series = random_series(random, map.signals(), 0.0);
    for (int row = 0; row < map.rows(); ++row) {
      const std::vector<long double> expected = multiplied_out(map, row, series);
      const std::vector<long double> size = sizes(map, row, series);
      for (int k = 0; k < orders; ++k) {
        const auto order = at(k);
        // Each Cauchy product has up to `orders` terms.
        ASSERT_LE(std::abs(row_map.coefficient(row, series, k).value - expected[order]),
                  orders * test::rounding(map) * size[order])
            << "row " << row << ", order " << k;
      }
    }
  }
}

/// Whatever the series is within its errors, the coefficient is within its own.
TEST(RowMap, ErrorBoundsWhatPerturbationsDo) {
  Random random(2);
  for (int trial = 0; trial < 30; ++trial) {
    const CpMap map = test::random_map(random, 1 + random.index(5), 2, random.index(12), 4);
    const RowMap row_map(map);
    const TaylorSeries series = random_series(random, map.signals(), trial % 2 == 0 ? 0.5 : 1e-6);
    for (int perturbation = 0; perturbation < 20; ++perturbation) {
      TaylorSeries moved = series;
      for (int k = 0; k < orders; ++k)
        for (int i = 0; i < map.signals(); ++i) {
          const double share = perturbation < 10 ? random.uniform(-1.0, 1.0) : 2.0 * random.index(2) - 1.0;
          moved.at(i, k).value += share * series.at(i, k).error;
        }
      for (int row = 0; row < map.rows(); ++row) {
        const std::vector<long double> truth = multiplied_out(map, row, moved);
        const std::vector<long double> size = sizes(map, row, moved);
        for (int k = 0; k < orders; ++k) {
          const auto order = at(k);
          const Ball found = row_map.coefficient(row, series, k);
          // The bound itself is rounded like a value of its size.
          const long double rounding = orders * test::rounding(map) * (size[order] + found.error);
          ASSERT_LE(std::abs(found.value - truth[order]), found.error + rounding)
              << "row " << row << ", order " << k;
        }
      }
    }
  }
}

/// The bound is no larger than need be: −3 v1 v2 with v1 = 2 ± ½, v2 = 4 ± ¼ reaches it at (2½, 4¼).
TEST(RowMap, ErrorIsAttained) {
  const RowMap map(CpMap(test::columns_of(Eigen::Vector2d::Ones()),
                         test::columns_of(Eigen::MatrixXd::Constant(1, 1, -3.0))));
  TaylorSeries series(2);
  series.add_order();
  series.at(0, 0) = {2.0, 0.5};
  series.at(1, 0) = {4.0, 0.25};
  const Ball found = map.coefficient(0, series, 0);
  EXPECT_EQ(found.value, -24.0);
  EXPECT_NEAR(found.error, 3.0 * (2.5 * 4.25 - 8.0), 1e-13);
}

/// A constant has no rate; an empty row is 0.
TEST(RowMap, ConstantsAndEmptyRows) {
  const RowMap map(CpMap(SparseColumns(1, 1), test::columns_of(Eigen::Vector2d(7.0, 0.0))));
  Random random(3);
  const TaylorSeries series = random_series(random, 1, 0.1);
  for (int k = 0; k < orders; ++k) {
    EXPECT_EQ(map.coefficient(0, series, k).value, k == 0 ? 7.0 : 0.0) << "order " << k;
    EXPECT_EQ(map.coefficient(1, series, k).value, 0.0) << "order " << k;
  }
  EXPECT_EQ(map.rows(), 2);
  EXPECT_TRUE(map.terms(1).empty());
}

TEST(RowMap, ValueMagnitudeAndGradient) {
  Random random(4);
  for (int trial = 0; trial < 50; ++trial) {
    const CpMap map = test::random_map(random, 1 + random.index(6), 3, random.index(12), 5);
    const RowMap row_map(map);
    const std::vector<double> v = random.point(map.signals());
    const std::vector<long double> value = test::naive_value(map, v);
    const std::vector<long double> size = test::naive_value(test::absolute(map), test::absolute(v));
    const Eigen::MatrixXd J = test::naive_jacobian(map, v);
    const Eigen::MatrixXd J_size = test::naive_jacobian(test::absolute(map), test::absolute(v));
    for (int row = 0; row < map.rows(); ++row) {
      const auto j = at(row);
      const double rounding = test::rounding(map);
      ASSERT_LE(std::abs(row_map.value(row, v) - value[j]), rounding * size[j]);
      long double magnitude = 0.0L;
      for (int k = 0; k < map.columns(); ++k)
        magnitude += std::abs(map.Phi().coeff(row, k) * test::product_of(map, k, v));
      ASSERT_LE(std::abs(row_map.magnitude(row, v) - magnitude), rounding * size[j]);
      Eigen::VectorXd gradient = Eigen::VectorXd::Zero(map.signals());
      row_map.gradient(row, v, [&gradient](int signal, double part) { gradient[signal] += part; });
      for (int b = 0; b < map.signals(); ++b)
        ASSERT_LE(std::abs(gradient[b] - J(row, b)), rounding * J_size(row, b)) << "signal " << b;
    }
  }
}

// Rows of a map whose columns are shared, taken over by a builder: functions, factors and numbers are those of each row.
TEST(RowMap, RowsOfSharedColumnsAreTakenOver) {
  Random random(11);
  const CpMap map = test::random_map(random, 5, 6, 9, 3);
  const RowMap whole(map);
  RowMap::Builder builder;
  builder.add_rows(whole, 3, 5);
  builder.add_rows(whole, 0, 2);
  const RowMap taken = builder.build();
  std::vector<double> v(at(map.signals()));
  for (double& value : v) value = random.uniform(-2.0, 2.0);
  const int rows[] = {3, 4, 0, 1};
  for (int row = 0; row < 4; ++row) EXPECT_EQ(taken.value(row, v), whole.value(rows[row], v));
}

}  // namespace row_map_test
}  // namespace mti
