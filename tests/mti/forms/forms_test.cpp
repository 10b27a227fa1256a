// Explicit and linear forms in matrices become the normal form with the same values and derivatives.
#include <gtest/gtest.h>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "mti/forms/explicit_model.hpp"
#include "mti/forms/random_model.hpp"
#include "tests/mti/multilinear/random_map.hpp"

namespace mti::test {
namespace forms_test {

Eigen::MatrixXd matrix(int rows, int cols, std::vector<double> by_rows) {
  return Eigen::Map<Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(by_rows.data(), rows, cols);
}

// The CPN1 example of the MATLAB MTI toolbox: F(−1, 1, 3) = (0, 18), G = 24, and their derivatives.
TEST(Forms, StructureMatrixHasThePublishedValuesAndDerivatives) {
  const SparseColumns U = columns_of(matrix(3, 2, {.5, -.5, 1, 0, 0, 1}));
  const SparseColumns phi = columns_of(matrix(3, 2, {2, 0, 4, 6, 0, 8}));
  const Model model = build(explicit_model(U, phi, 2));
  const std::vector<double> v = {0, 0, -1, 1, 3, 0};  // ẋ, x, u, y
  const auto f = naive_value(model.f(), v);
  EXPECT_EQ(f[0], 0.0L);
  EXPECT_EQ(f[1], -18.0L);
  EXPECT_EQ(f[2], -24.0L);
  const Eigen::MatrixXd J = naive_jacobian(model.f(), v);
  EXPECT_EQ(J, matrix(3, 6, {1, 0, -1, 0, 0, 0, 0, 1, 7, 0, -6, 0, 0, 0, 12, 0, -8, 1}));
}

TEST(Forms, FactorsOfAnyScaleHaveTheValuesOfTheirProducts) {
  Random random(11);
  const int n = 2, m = 1, p = 2, R = 4;
  std::vector<Eigen::MatrixXd> U;
  for (int i = 0; i < n + m; ++i)
    U.push_back(Eigen::MatrixXd::NullaryExpr(2, R, [&] { return random.uniform(-9, 9); }));
  U[1].col(2) << 0, 0;  // a column that is 0
  U[0].col(1) << 1, 0;  // a signal that is absent
  const Eigen::VectorXd lambda = Eigen::VectorXd::NullaryExpr(R, [&] { return random.uniform(-3, 3); });
  const Eigen::MatrixXd phi = Eigen::MatrixXd::NullaryExpr(n + p, R, [&] { return random.uniform(-1, 1); });
  const Model model = build(explicit_model(U, lambda, phi, n));
  for (int sample = 0; sample < 100; ++sample) {
    const std::vector<double> v = random.point(2 * n + m + p);
    const auto f = naive_value(model.f(), v);
    for (int j = 0; j < n + p; ++j) {
      long double expected = v[static_cast<std::size_t>(j < n ? j : n + m + j)], size = std::abs(expected);
      for (int k = 0; k < R; ++k) {
        long double term = phi(j, k) * lambda[k], bound = std::abs(term);
        for (int i = 0; i < n + m; ++i) {
          const double w = v[at(n) + at(i)];
          const auto& factor = U[static_cast<std::size_t>(i)];
          term *= static_cast<long double>(factor(0, k)) + static_cast<long double>(factor(1, k)) * w;
          bound *= std::abs(factor(0, k)) + std::abs(factor(1, k) * w);
        }
        expected -= term;
        size += bound;
      }
      EXPECT_NEAR(static_cast<double>(f[static_cast<std::size_t>(j)]), static_cast<double>(expected),
                  3e-15 * static_cast<double>(size));
    }
  }
}

TEST(Forms, LinearModelHasItsMatricesAsDerivatives) {
  StateSpace s{columns_of(matrix(2, 2, {1, 2, 3, 4})), columns_of(matrix(2, 1, {5, 6})),
               columns_of(matrix(1, 2, {7, 8})), columns_of(matrix(1, 1, {9})),
               columns_of(matrix(2, 2, {10, 11, 0, 0}))};
  const std::vector<double> v(6, 0.3);
  EXPECT_EQ(Eigen::MatrixXd(naive_jacobian(build(linear_model(s)).f(), v)),
            matrix(3, 6, {10, 11, -1, -2, -5, 0, 0, 0, -3, -4, -6, 0, 0, 0, -7, -8, -9, 1}));
  s.E.reset();
  EXPECT_EQ(Eigen::MatrixXd(naive_jacobian(build(linear_model(s)).f(), v)).leftCols(2),
            matrix(3, 2, {1, 0, 0, 1, 0, 0}));
}

std::string fault_of(const Source& source) {
  try {
    static_cast<void>(build(source));
  } catch (const InvalidModel& invalid) {
    return invalid.faults().front().id + " " + invalid.faults().front().pointer;
  }
  return "none";
}

TEST(Forms, WhatDoesNotFitIsNamed) {
  const SparseColumns phi = columns_of(matrix(2, 2, {2, 1, 4, 6}));
  EXPECT_EQ(fault_of(explicit_model(columns_of(matrix(2, 1, {1, 1})), phi, 2)), "matrix-size /matrices/U");
  EXPECT_EQ(fault_of(explicit_model(columns_of(matrix(2, 2, {1, 2, 1, 1})), phi, 2)),
            "not-normalised /matrices/U/v/2");
  EXPECT_EQ(fault_of(explicit_model({matrix(2, 2, {1, 2, 3, 4}), matrix(1, 2, {1, 2})}, {},
                                    Eigen::MatrixXd(phi), 2)),
            "factor-size /matrices/factors/1");
  EXPECT_EQ(fault_of(linear_model({phi, columns_of(matrix(1, 1, {1})), {}, {}, {}})),
            "matrix-size /matrices/B");
}

// 61·u1·x1·y2·y3 with powers of y2: the value of the columns is that of the text.
TEST(Forms, PowersInTextKeepTheirValues) {
  Random random(61);
  Source source;
  source.states = {{.name = "x1"}};
  source.inputs = {{.name = "u1"}};
  source.algebraic = {{.name = "y2"}, {.name = "y3"}};
  source.equations = {"der(x1) = 61*u1*x1*y2*y3 - 2*y2^3*x1", "y3 = y2^2", "y2 = 0.5*x1"};
  const Model model = build(source);
  const Signature& signature = model.signature;
  for (int sample = 0; sample < 1000; ++sample) {
    std::vector<double> v = random.point(signature.size());
    const auto at = [&](const char* name) { return static_cast<std::size_t>(signature.find(name).value()); };
    const double y2 = v[at("y2")], x1 = v[at("x1")], u1 = v[at("u1")], y3 = v[at("y3")];
    for (int i = 0; i < signature.p(); ++i)
      if (signature.algebraic()[static_cast<std::size_t>(i)].auxiliary)
        v[static_cast<std::size_t>(signature.algebraic_row(i))] = y2;
    const auto f = naive_value(model.f(), v);
    EXPECT_NEAR(static_cast<double>(f[0]), v[0] - 61 * u1 * x1 * y2 * y3 + 2 * y2 * y2 * y2 * x1, 1e-12);
    EXPECT_NEAR(static_cast<double>(f[1]), y3 - y2 * y2, 1e-14);
  }
}

TEST(RandomModel, IsReproducibleAndDiagonallyDominant) {
  const RandomModelOptions options{
      .states = 20, .algebraic = 10, .binaries = 4, .derivatives = 0.5, .seed = 3};
  const Model a = build(random_model(options)), b = build(random_model(options));
  EXPECT_EQ(Eigen::MatrixXd(a.S), Eigen::MatrixXd(b.S));
  RandomModelOptions other = options;
  other.seed = 4;
  EXPECT_NE(build(random_model(other)).x_start, a.x_start);
  Random random(5);
  for (int sample = 0; sample < 50; ++sample) {
    std::vector<double> v = random.point(a.signature.size(), -1.0, 1.0);
    for (int i = 0; i < 20; ++i) v[static_cast<std::size_t>(i)] *= 2.0;
    const Eigen::MatrixXd J = naive_jacobian(a.f(), v);
    for (int row = 0; row < a.equations(); ++row) {
      const int own = row < 20 ? row : a.signature.algebraic_row(row - 20);
      double rest = -std::abs(J(row, own));
      for (int i = 0; i < 20; ++i) rest += std::abs(J(row, i));
      for (int i = 0; i < 10; ++i) rest += std::abs(J(row, a.signature.algebraic_row(i)));
      EXPECT_LT(rest, std::abs(J(row, own)));
    }
  }
  EXPECT_THROW((void)random_model({.states = 0, .algebraic = 0}), InvalidOption);
}

}  // namespace forms_test
}  // namespace mti::test
