#include "solvers/flow/flow_ladder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/flow/chebyshev_grid.hpp"

/// Exponentials against closed forms: M = T Λ T⁻¹ with integers throughout is exact in double.
namespace mti {
namespace flow_ladder_test {

using Matrix = FlowLadder::Matrix<double>;
using Long = FlowLadder::Matrix<long double>;

/// All columns of E up to h = 2 are within what `rounding` claims, and that is no more than `claimed`.
void expect_exponential(const Matrix& M, const std::function<Long(long double)>& less_identity,
                        double claimed) {
  const Eigen::Index size = M.rows();
  FlowLadder ladder(M.cast<long double>(), M, static_cast<int>(size), 1.0);
  for (int level = 0; ladder.h(level) <= 2.0; ++level) {
    ASSERT_TRUE(ladder.rung(level).is_good);
    const Long F = less_identity(static_cast<long double>(ladder.h(level)));
    const double size_of_E = 1.0 + static_cast<double>(F.cwiseAbs().maxCoeff());
    for (Eigen::Index k = 0; k < size; ++k) {
      std::vector<double> unit(at(size), 0.0), advanced(at(size)), rounding(at(size));
      unit[at(k)] = 1.0;
      ladder.advance(level, unit, advanced);
      ladder.rounding(level, unit, rounding);
      double off = 0.0, allowed = machine_epsilon * size_of_E;
      for (Eigen::Index i = 0; i < size; ++i) {
        const double expected = static_cast<double>(F(i, k) + (i == k ? 1.0L : 0.0L));
        off = std::max(off, std::abs(advanced[at(i)] - expected));
        allowed = std::max(allowed, rounding[at(i)]);
        EXPECT_LE(rounding[at(i)], claimed * size_of_E);
      }
      EXPECT_LE(off, allowed) << "h = " << ladder.h(level);
    }
  }
}

TEST(FlowLadder, DefectiveMatrix) {
  Matrix M(3, 3);
  M << -3.0, 1.0, 0.0, 0.0, -3.0, 1.0, 0.0, 0.0, -3.0;
  const auto exact = [](long double h) {
    const long double e = std::exp(-3.0L * h);
    Long F(3, 3);
    F << e - 1.0L, h * e, 0.5L * h * h * e, 0.0L, e - 1.0L, h * e, 0.0L, 0.0L, e - 1.0L;
    return F;
  };
  expect_exponential(M, exact, 1e-14);
}

TEST(FlowLadder, ImaginarySpectrum) {
  Matrix M(2, 2);
  M << 0.0, 50.0, -50.0, 0.0;
  const auto exact = [](long double h) {
    Long F(2, 2);
    const long double c = std::cos(50.0L * h) - 1.0L, s = std::sin(50.0L * h);
    F << c, s, -s, c;
    return F;
  };
  expect_exponential(M, exact, 1e-13);
}

TEST(FlowLadder, SingularMatrices) {
  Matrix M(3, 3);
  M << 0.0, 4.0, 0.0, 0.0, 0.0, 1e6, 0.0, 0.0, 0.0;
  const auto exact = [](long double h) {
    Long F = Long::Zero(3, 3);
    F(0, 1) = 4.0L * h;
    F(1, 2) = 1e6L * h;
    F(0, 2) = 2e6L * h * h;
    return F;
  };
  expect_exponential(M, exact, 1e-14);
  expect_exponential(
      Matrix::Zero(2, 2), [](long double) -> Long { return Long::Zero(2, 2); }, 1e-15);
}

/// Eigenvalues from −1 to −10⁸ in random bases of determinant 1: the slow motions depend on the last digits of M.
TEST(FlowLadder, StiffMatricesKeepToTheRoundingTheyClaim) {
  std::mt19937 random(20'251'101);
  std::uniform_int_distribution<int> entry(-1, 1);
  for (int trial = 0; trial < 20; ++trial) {
    constexpr Eigen::Index size = 5;
    Matrix L = Matrix::Identity(size, size), U = L;
    for (Eigen::Index i = 0; i < size; ++i)
      for (Eigen::Index k = 0; k < i; ++k) {
        L(i, k) = entry(random);
        U(k, i) = entry(random);
      }
    // Substitution in integers gives the inverse of L U.
    const Matrix inverse = U.triangularView<Eigen::Upper>().solve(
        L.triangularView<Eigen::Lower>().solve(Matrix::Identity(size, size)));
    Eigen::VectorXd lambda(size);
    lambda << -1.0, -37.0, -1e4, -2e6, -1e8;
    const Matrix T = L * U, M = T * lambda.asDiagonal() * inverse;
    const auto exact = [&](long double h) -> Long {
      Eigen::Matrix<long double, Eigen::Dynamic, 1> less(size);
      for (Eigen::Index i = 0; i < size; ++i) less[i] = std::expm1(static_cast<long double>(lambda[i]) * h);
      return T.cast<long double>() * less.asDiagonal() * inverse.cast<long double>();
    };
    // Of the digits of a long double, 10⁸ takes eight: 1e-19·1e8·(entries of T and its inverse)·(the factor of 8).
    expect_exponential(M, exact, 1e-8);
  }
}

/// Polynomials of degree 16 are met exactly, those of degree 17 are not.
TEST(ChebyshevGrid, MeetsPolynomialsAndTheirDerivatives) {
  const ChebyshevGrid grid;
  for (const int degree : {0, 1, 7, 16, 17}) {
    Eigen::RowVectorXd nodes(17), others(16);
    Eigen::Index node = 0, other = 0;
    for (const ChebyshevGrid::Point& point : grid.points()) {
      const double tau = point.position / 512.0;
      (point.is_node ? nodes[node++] : others[other++]) = std::pow(2.0 * tau - 1.0, degree);
    }
    const double off = (nodes * grid.between() - others).cwiseAbs().maxCoeff();
    if (degree > 16) {
      EXPECT_GT(off, 1e-6);
      continue;
    }
    EXPECT_LT(off, 1e-13);
    const Eigen::RowVectorXd c = nodes * grid.coefficients();
    for (const double tau : {0.0, 0.3, 1.0})
      for (int k = 0; k <= 3; ++k) {
        double factor = std::exp2(k);
        for (int i = 0; i < k; ++i) factor *= degree - i;
        const double expected = degree < k ? 0.0 : factor * std::pow(2.0 * tau - 1.0, degree - k);
        EXPECT_NEAR(c.dot(ChebyshevGrid::basis(tau, k)), expected, 1e-9 * (1.0 + std::abs(factor)));
      }
  }
}

}  // namespace flow_ladder_test
}  // namespace mti
