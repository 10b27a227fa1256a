// Levenberg and Marquardt's method with bounds against linear least squares, certified values and closed forms.

#include "solvers/fitting/bounded_least_squares.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <cmath>
#include <limits>
#include <random>

#include "solvers/fitting/estimate_statistics.hpp"

namespace mti {
namespace bounded_least_squares_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Line {
  MatrixXd A;
  VectorXd b;
  ResidualEvaluation operator()(const VectorXd& p) const {
    return {.point = {.residuals = A * p - b, .jacobian = A}};
  }
};

Line random_line(Index rows, Index columns, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const auto entry = [&] { return normal(random); };
  return {MatrixXd::NullaryExpr(rows, columns, entry), VectorXd::NullaryExpr(rows, entry)};
}

LeastSquaresResult minimum(const std::function<ResidualEvaluation(const VectorXd&)>& residuals,
                           const VectorXd& start, const LeastSquaresOptions& options = {}) {
  const VectorXd bound = VectorXd::Constant(start.size(), infinity);
  return minimise_squares(residuals, start, -bound, bound, options);
}

TEST(BoundedLeastSquares, OfALinearModelIsLinearLeastSquares) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Line line = random_line(20, 4, seed);
    const LeastSquaresResult found = minimum(line, VectorXd::Constant(4, 100.0));
    EXPECT_EQ(found.end, LeastSquaresEnd::converged);
    const VectorXd exact = line.A.colPivHouseholderQr().solve(line.b);
    EXPECT_LT((found.p - exact).norm(), 1e-5 * exact.norm());  // the cost is quadratic in the distance
    EXPECT_NEAR(found.cost, 0.5 * (line.A * exact - line.b).squaredNorm(), 1e-10);
  }
}

/// All ways of holding some of the parameters at one of their bounds; the lowest admissible minimum of them is the minimum.
TEST(BoundedLeastSquares, FindsTheMinimumWithinBoundsOfALinearModel) {
  constexpr Index n = 3;
  int held = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Line line = random_line(8, n, seed);
    const VectorXd lower = VectorXd::Constant(n, -0.1), upper = VectorXd::Constant(n, 0.2);
    const LeastSquaresResult found = minimise_squares(line, VectorXd::Zero(n), lower, upper);
    ASSERT_EQ(found.end, LeastSquaresEnd::converged);
    double least = infinity;
    for (int way = 0; way < 27; ++way) {
      std::vector<Index> open;
      VectorXd p = VectorXd::Zero(n);
      for (Index j = 0, rest = way; j < n; ++j, rest /= 3) {
        if (rest % 3 == 0) open.push_back(j);
        if (rest % 3 != 0) p(j) = rest % 3 == 1 ? lower(j) : upper(j);
      }
      if (!open.empty())
        p(open) = line.A(Eigen::all, open).colPivHouseholderQr().solve(line.b - line.A * p).eval();
      if ((p - lower).minCoeff() >= -1e-12 && (upper - p).minCoeff() >= -1e-12)
        least = std::min(least, 0.5 * (line.A * p - line.b).squaredNorm());
    }
    EXPECT_NEAR(found.cost, least, 1e-9 * least) << seed;
    for (Index j = 0; j < n; ++j) held += found.p(j) == lower(j) || found.p(j) == upper(j) ? 1 : 0;
  }
  EXPECT_GT(held, 10) << "bounds do matter here";
}

/// NIST's Misra1a, y = b1 (1 − exp(−b2 x)), from its first start, with certified estimates and deviations.
TEST(BoundedLeastSquares, Misra1aHasItsCertifiedValues) {
  const std::vector<double> y = {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02,
                                 44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78},
                            x = {77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
                                 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0};
  const auto residuals = [&](const VectorXd& b) {
    ResidualEvaluation result{.point = {.residuals = VectorXd(14), .jacobian = MatrixXd(14, 2)}};
    for (Index i = 0; i < 14; ++i) {
      const double t = x[static_cast<std::size_t>(i)], decay = std::exp(-b(1) * t);
      result.point.residuals(i) = b(0) * (1.0 - decay) - y[static_cast<std::size_t>(i)];
      result.point.jacobian.row(i) << 1.0 - decay, b(0) * t * decay;
    }
    return result;
  };
  for (const auto& [b1, b2] : {std::pair(500.0, 1e-4), std::pair(250.0, 5e-4)}) {
    const LeastSquaresResult found = minimum(residuals, Eigen::Vector2d(b1, b2), {.cost_tolerance = 1e-18});
    EXPECT_EQ(found.end, LeastSquaresEnd::converged);
    EXPECT_NEAR(found.p(0), 2.3894212918E+02, 1e-7 * 238.9);
    EXPECT_NEAR(found.p(1), 5.5015643181E-04, 1e-7 * 5.5e-4);
    EXPECT_NEAR(2.0 * found.cost, 1.2455138894E-01, 1e-10);
    const EstimateStatistics statistics = statistics_of(found.p, {0, 0}, found.point, {});
    EXPECT_NEAR(std::sqrt(statistics.covariance(0, 0)), 2.7070075241E+00, 1e-6 * 2.7);
    EXPECT_NEAR(std::sqrt(statistics.covariance(1, 1)), 7.2668688436E-06, 1e-6 * 7.3e-6);
    EXPECT_NEAR(statistics.noise, 1.0187876330E-01, 1e-8);
  }
}

/// ln p = 1 from p = 40: the first step leads to negative p, where there is no logarithm.
TEST(BoundedLeastSquares, APointThatIsRefusedIsAStepTooLong) {
  const auto residuals = [](const VectorXd& p) -> ResidualEvaluation {
    if (p(0) <= 0.0) return {.kind = ResidualEvaluation::Kind::refused, .message = "no logarithm"};
    return {.point = {.residuals = VectorXd::Constant(1, std::log(p(0)) - 1.0),
                      .jacobian = MatrixXd::Constant(1, 1, 1.0 / p(0))}};
  };
  const LeastSquaresResult found = minimum(residuals, VectorXd::Constant(1, 40.0));
  EXPECT_EQ(found.end, LeastSquaresEnd::converged);
  EXPECT_GT(found.refused, 0);
  EXPECT_NEAR(found.p(0), std::exp(1.0), 1e-6);
  const LeastSquaresResult nowhere = minimum(residuals, VectorXd::Constant(1, -1.0));
  EXPECT_EQ(nowhere.end, LeastSquaresEnd::no_start);
  EXPECT_EQ(nowhere.message, "no logarithm");
}

/// Beyond p = 1 nothing can be computed, and the minimum lies at 2.
TEST(BoundedLeastSquares, StallsWhereEveryShortStepIsRefused) {
  const auto residuals = [](const VectorXd& p) -> ResidualEvaluation {
    if (p(0) > 1.0) return {.kind = ResidualEvaluation::Kind::refused, .message = "a wall"};
    return {.point = {.residuals = p.array() - 2.0, .jacobian = MatrixXd::Identity(1, 1)}};
  };
  const LeastSquaresResult found = minimum(residuals, VectorXd::Constant(1, 0.0));
  EXPECT_EQ(found.end, LeastSquaresEnd::stalled);
  EXPECT_EQ(found.message, "a wall");
  EXPECT_NEAR(found.p(0), 1.0, 1e-6);
}

/// p minimises (p − 1)² + (p − 1.2)², and derivatives of a third residual are unknown: it matters how much of the cost that is.
TEST(BoundedLeastSquares, WhatIsUnknownOfMostOfTheCostIsNoMinimum) {
  for (const auto& [unknown, end] :
       {std::pair(0.01, LeastSquaresEnd::converged), {0.3, LeastSquaresEnd::stalled}}) {
    const auto residuals = [&, rest = unknown](const VectorXd& p) -> ResidualEvaluation {
      MatrixXd jacobian = MatrixXd::Ones(3, 1);
      jacobian(2, 0) = std::nan("");
      return {.point = {.residuals = Eigen::Vector3d(p(0) - 1.0, p(0) - 1.2, rest), .jacobian = jacobian}};
    };
    const LeastSquaresResult found = minimum(residuals, VectorXd::Constant(1, 5.0));
    EXPECT_EQ(found.end, end) << unknown;
    EXPECT_NEAR(found.p(0), 1.1, 1e-6);
    EXPECT_EQ(found.message.find("1 of 3") != std::string::npos, end == LeastSquaresEnd::stalled)
        << found.message;
  }
}

// Negative control: derivatives of the wrong sign are no minimum.
TEST(BoundedLeastSquares, WrongDerivativesAreNoMinimum) {
  Line line = random_line(20, 4, 1);
  const auto wrong = [&](const VectorXd& p) {
    ResidualEvaluation result = line(p);
    result.point.jacobian *= -1.0;
    return result;
  };
  const LeastSquaresResult found = minimum(wrong, VectorXd::Constant(4, 100.0));
  EXPECT_EQ(found.end, LeastSquaresEnd::stalled);
  EXPECT_EQ(found.p, VectorXd::Constant(4, 100.0));
}

/// The place m of 0, 0, 0, 0 and 10: ρ' of Huber pulls with k at most, 4 m = k. Squares take the mean, 2.
TEST(BoundedLeastSquares, LossesLimitThePullOfAnOutlier) {
  const auto residuals = [](const VectorXd& m) -> ResidualEvaluation {
    VectorXd r = VectorXd::Constant(5, m(0));
    r(4) -= 10.0;
    return {.point = {.residuals = r, .jacobian = MatrixXd::Ones(5, 1)}};
  };
  const auto place = [&](Loss loss) { return minimum(residuals, VectorXd::Ones(1), {.loss = loss}).p(0); };
  EXPECT_NEAR(place({}), 2.0, 1e-5);
  EXPECT_NEAR(place({Loss::Kind::huber, 1.0}), 0.25, 1e-5);
  // 4 m w(m) = (10 − m) w(10 − m)
  for (const Loss loss : {Loss{Loss::Kind::soft_l1, 0.5}, Loss{Loss::Kind::cauchy, 0.5}}) {
    const double m = place(loss);
    EXPECT_NEAR(4.0 * m * loss.weight(m), (10.0 - m) * loss.weight(10.0 - m), 1e-4);
    EXPECT_LT(m, 0.3);
  }
}

TEST(Loss, WeightAndSlopeAreDerivatives) {
  constexpr double h = 1e-6;
  for (const auto kind : {Loss::Kind::squares, Loss::Kind::huber, Loss::Kind::soft_l1, Loss::Kind::cauchy})
    for (const double r : {-7.0, -0.3, 0.0, 0.5, 3.0}) {
      const Loss loss{kind, 1.3};
      const auto pull = [&](double at) { return at * loss.weight(at); };
      EXPECT_NEAR(pull(r), (loss.value(r + h) - loss.value(r - h)) / (4.0 * h), 1e-8);
      EXPECT_NEAR(loss.slope(r), (pull(r + h) - pull(r - h)) / (2.0 * h), 1e-8);
    }
}

}  // namespace bounded_least_squares_test
}  // namespace mti
