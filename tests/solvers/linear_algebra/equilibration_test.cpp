// Matrices in units of their own: B = R A C, whatever the units of A.

#include "solvers/linear_algebra/equilibration.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <limits>
#include <random>

namespace mti {
namespace equilibration_test {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// Entries of size 0.5 to 2 with units of up to 2^±30 for rows and columns, about half of them present.
Triplets in_wild_units(int size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> entry(0.5, 2.0), exponent(-30.0, 30.0);
  std::vector<double> row_unit, column_unit;
  for (int i = 0; i < size; ++i) {
    row_unit.push_back(std::exp2(exponent(random)));
    column_unit.push_back(std::exp2(exponent(random)));
  }
  Triplets entries;
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j)
      if (i == j || random() % 2 == 0)
        entries.emplace_back(
            i, j,
            entry(random) * row_unit[static_cast<std::size_t>(i)] * column_unit[static_cast<std::size_t>(j)]);
  return entries;
}

TEST(Equilibration, BringsColumnsToALargestEntryOfOne) {
  constexpr int size = 12;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Triplets entries = in_wild_units(size, seed);
    Eigen::SparseMatrix<double> A(size, size);
    A.setFromTriplets(entries.begin(), entries.end());
    const Equilibration equilibrated(size, entries);
    ASSERT_TRUE(equilibrated.finite);
    const Eigen::MatrixXd B = equilibrated.B;
    const Eigen::MatrixXd RAC =
        equilibrated.row_scale.asDiagonal() * Eigen::MatrixXd(A) * equilibrated.column_scale.asDiagonal();
    EXPECT_LT((B - RAC).cwiseAbs().maxCoeff(), 1e-14) << "seed " << seed;
    for (int j = 0; j < size; ++j) EXPECT_NEAR(B.col(j).cwiseAbs().maxCoeff(), 1.0, 1e-15);
    // Entries that differ by a factor of 4 beside their units of up to 2^±60 differ by little now.
    for (const auto& entry : entries) EXPECT_GT(B(entry.row(), entry.col()), 1e-3) << "seed " << seed;
  }
}

TEST(Equilibration, NoticesWhatIsNotFinite) {
  EXPECT_FALSE(Equilibration(1, {{0, 0, std::numeric_limits<double>::infinity()}}).finite);
  EXPECT_FALSE(Equilibration(1, {{0, 0, std::numeric_limits<double>::quiet_NaN()}}).finite);
}

/// Danger: what is left of a sum that cancels is taken for an entry in small units, and blown up to 1.
TEST(Equilibration, TakesNoUnitFromWhatCancels) {
  const Triplets entries = {{0, 0, 1.0}, {0, 1, 1.0}, {1, 0, 1.0}, {1, 1, 0.1}, {1, 1, 0.2}, {1, 1, -0.3}};
  const Equilibration equilibrated(2, entries);
  EXPECT_EQ(equilibrated.B.coeff(0, 0), 1.0);
  EXPECT_NE(equilibrated.B.coeff(1, 1), 0.0);
  EXPECT_LT(std::abs(equilibrated.B.coeff(1, 1)), 1e-15);
}

}  // namespace equilibration_test
}  // namespace mti
