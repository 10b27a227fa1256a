// Covariance, quantiles and directions that the data do not determine, against formulas by hand.

#include "solvers/fitting/estimate_statistics.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <cmath>
#include <limits>
#include <numbers>

namespace mti {
namespace estimate_statistics_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// y = a + b t with residuals r: var b = σ²/S_tt, var a = σ² (1/N + t̄²/S_tt), cov = −σ² t̄/S_tt, σ² = r^T r/(N − 2).
TEST(EstimateStatistics, OfAStraightLine) {
  VectorXd t(5), r(5);
  t << 0.0, 1.0, 3.0, 4.0, 7.0;
  r << 0.1, -0.2, 0.15, -0.1, 0.05;
  MatrixXd J(5, 2);
  J << VectorXd::Ones(5), t;
  const double mean = t.mean(), S = (t.array() - mean).square().sum(), variance = r.squaredNorm() / 3.0;
  const ResidualPoint point{.residuals = r, .jacobian = J};
  const VectorXd p = Eigen::Vector2d(1.0, 2.0);
  const EstimateStatistics found = statistics_of(p, {0, 0}, point, {});
  EXPECT_EQ(found.rank, 2);
  EXPECT_NEAR(found.covariance(1, 1), variance / S, 1e-14);
  EXPECT_NEAR(found.covariance(0, 0), variance * (0.2 + mean * mean / S), 1e-14);
  EXPECT_NEAR(found.covariance(0, 1), -variance * mean / S, 1e-14);
  EXPECT_NEAR(found.quantile, 3.182446305284263, 1e-10);  // Student, 3 degrees of freedom
  const EstimateStatistics known = statistics_of(p, {0, 0}, point, {.noise_is_known = true});
  EXPECT_NEAR(known.covariance(1, 1), 1.0 / S, 1e-14);
  EXPECT_NEAR(known.quantile, 1.959963984540054, 1e-10);
  // With a held at its bound b alone is left: σ²/Σt².
  const EstimateStatistics held = statistics_of(p, {1, 0}, point, {.noise_is_known = true});
  EXPECT_NEAR(held.covariance(1, 1), 1.0 / t.squaredNorm(), 1e-14);
  EXPECT_TRUE(std::isnan(held.covariance(0, 0)));
}

/// Of p0·p1 the product alone is known: p0 by so many per cent is p1 by as many. p2 has what it would have alone.
TEST(EstimateStatistics, AProductLeavesADirectionOpen) {
  VectorXd t(4), p(3);
  t << 1.0, 2.0, 3.0, 5.0;
  p << 4.0, -0.5, 7.0;
  MatrixXd J(4, 3);
  J << p(1) * t, p(0) * t, VectorXd::Ones(4);
  J.col(2) << 3.0, -1.5, 0.0, 0.0;  // orthogonal to t
  const ResidualPoint point{.residuals = VectorXd::Constant(4, 0.1), .jacobian = J};
  const EstimateStatistics found = statistics_of(p, {0, 0, 0}, point, {.noise_is_known = true});
  EXPECT_EQ(found.rank, 2);
  EXPECT_EQ(found.is_known, (std::vector<char>{0, 0, 1}));
  EXPECT_NEAR(found.covariance(2, 2), 1.0 / J.col(2).squaredNorm(), 1e-14);
  EXPECT_TRUE(std::isnan(found.covariance(0, 0)));
  ASSERT_EQ(found.free_directions.size(), 1U);
  EXPECT_EQ(found.free_directions[0].parameters, (std::vector<int>{0, 1}));
  // d ln p0 = −d ln p1, where p1 < 0 falls by growing towards 0.
  EXPECT_NEAR(found.free_directions[0].changes[0], 1.0, 1e-9);
  EXPECT_NEAR(found.free_directions[0].changes[1], 1.0, 1e-9);
  // Negative control: another datum that sees p0 alone.
  ResidualPoint more = point;
  more.residuals.conservativeResize(5);
  more.residuals(4) = 0.0;
  more.jacobian.conservativeResize(5, 3);
  more.jacobian.row(4) << 1.0, 0.0, 0.0;
  EXPECT_EQ(statistics_of(p, {0, 0, 0}, more, {}).rank, 3);
}

TEST(EstimateStatistics, NamesAParameterWithoutInfluence) {
  MatrixXd J(3, 2);
  J << 1.0, 0.0, 2.0, 0.0, 1.0, 0.0;
  const ResidualPoint point{.residuals = Eigen::Vector3d(0.1, 0.0, 0.1), .jacobian = J};
  const EstimateStatistics found = statistics_of(Eigen::Vector2d(1.0, 0.0), {0, 0}, point, {});
  ASSERT_EQ(found.free_directions.size(), 1U);
  EXPECT_EQ(found.free_directions[0].parameters, std::vector<int>{1});
  EXPECT_EQ(found.is_known, (std::vector<char>{1, 0}));
}

TEST(EstimateStatistics, RowsWithoutDerivativesDoNotCount) {
  MatrixXd J = MatrixXd::Ones(4, 1);
  J(2, 0) = std::numeric_limits<double>::quiet_NaN();
  const ResidualPoint point{.residuals = Eigen::Vector4d(1.0, -1.0, 50.0, 1.0), .jacobian = J};
  const EstimateStatistics found = statistics_of(VectorXd::Ones(1), {0}, point, {});
  EXPECT_EQ(found.observations, 3);
  EXPECT_NEAR(found.covariance(0, 0), 3.0 / 2.0 / 3.0, 1e-14);
}

/// Student's distribution with one degree of freedom is Cauchy's: P(|T| ≤ tan(πc/2)) = c; with two, t = c √(2/(1 − c²)).
TEST(EstimateStatistics, QuantilesOfStudent) {
  for (const double c : {0.5, 0.9, 0.95}) {
    EXPECT_NEAR(two_sided_quantile(c, 1.0), std::tan(0.5 * std::numbers::pi * c), 1e-9);
    EXPECT_NEAR(two_sided_quantile(c, 2.0), c * std::sqrt(2.0 / (1.0 - c * c)), 1e-9);
  }
  EXPECT_TRUE(std::isnan(two_sided_quantile(0.95, 0.0)));
}

}  // namespace estimate_statistics_test
}  // namespace mti
