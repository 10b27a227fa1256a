// Rank reduction: errors against brute force over all coefficients, ranks against how the maps were made.
#include "mti/reduction/cp_rank.hpp"

#include <gtest/gtest.h>

#include "mti/common/fault.hpp"
#include "tests/mti/multilinear/random_map.hpp"

namespace mti::test {
namespace cp_rank_test {

/// All 2^N coefficients of every row after multiplying out.
Eigen::MatrixXd coefficients(const CpMap& map) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(map.rows(), 1 << map.signals());
  for (int k = 0; k < map.columns(); ++k)
    for (int monomial = 0; monomial < result.cols(); ++monomial) {
      double product = 1.0;
      for (int i = 0; i < map.signals(); ++i) {
        const double S = map.S().coeff(i, k);
        product *= (monomial >> i & 1) != 0 ? S : 1.0 - std::abs(S);
      }
      result.col(monomial) += product * Eigen::VectorXd(map.Phi().col(k));
    }
  return result;
}

/// Columns with every signal and every row.
CpMap dense_map(Random& random, int signals, int rows, int columns) {
  const auto S =
      Eigen::MatrixXd::NullaryExpr(signals, columns, [&] { return random.uniform(-0.9, 0.9); }).eval();
  const auto Phi =
      Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return random.uniform(0.5, 2.0); }).eval();
  return {columns_of(S), columns_of(Phi)};
}

/// The same function with each column multiplied out in some of its signals.
CpMap split(const CpMap& map, int signals) {
  CpBuilder builder(map.signals(), map.rows());
  for (int k = 0; k < map.columns(); ++k)
    for (int part = 0; part < 1 << signals; ++part) {
      double scale = 1.0;
      std::vector<std::pair<int, double>> factors;
      for (SparseColumns::InnerIterator factor(map.S(), k); factor; ++factor) {
        const int i = static_cast<int>(factor.row());
        if (i >= signals) {
          factors.emplace_back(i, factor.value());
        } else if ((part >> i & 1) != 0) {
          scale *= factor.value();
          factors.emplace_back(i, 1.0);
        } else {
          scale *= 1.0 - std::abs(factor.value());
        }
      }
      for (SparseColumns::InnerIterator weight(map.Phi(), k); weight; ++weight)
        builder.add_normalised(static_cast<int>(weight.row()), scale * weight.value(), factors);
    }
  return builder.build();
}

TEST(CpRank, NormIsThatOfAllCoefficients) {
  Random random(1);
  for (int sample = 0; sample < 50; ++sample) {
    const CpMap a = random_map(random, 7, 4, 20, 5), b = random_map(random, 7, 4, 20, 5);
    EXPECT_NEAR(frobenius_norm(a), coefficients(a).norm(), 1e-13 * coefficients(a).norm());
    const double expected = (coefficients(a) - coefficients(b)).norm();
    EXPECT_NEAR(frobenius_distance(a, b), expected, 1e-13 * expected);
  }
  const CpMap many = random_map(random, 8, 1, 300, 5);  // by Gram matrices
  EXPECT_NEAR(frobenius_norm(many), coefficients(many).norm(), 1e-9 * coefficients(many).norm());
}

/// A tolerance of 0 changes coefficients by rounding only, each relative to itself: 1 + 1e-17 v became 1, 1 + 1e17 v became
/// v, and weights whose squares underflow became nothing.
TEST(CpRank, NoToleranceKeepsSmallCoefficients) {
  Random random(3);
  for (int sample = 0; sample < 200; ++sample) {
    const int signals = 4, rows = 2;
    const double size = std::pow(10.0, random.uniform(-200.0, 200.0));
    CpBuilder builder(signals, rows);
    for (int k = 0; k < 8; ++k) {
      std::vector<std::pair<int, double>> factors;
      for (int i = 0; i < signals; ++i) {
        const double small = std::pow(10.0, random.uniform(-15.5, 0.0));
        const double choices[6] = {0.0, 0.0, 1.0, small, 1.0 - small, -0.5};
        if (const double S = choices[random.index(6)]; S != 0.0) factors.emplace_back(i, S);
      }
      for (int row = 0; row < rows; ++row)
        if (random.index(3) > 0)
          builder.add_normalised(row, size * std::pow(10.0, random.uniform(-18.0, 0.0)), factors);
    }
    const CpMap map = builder.build();
    const CpMap reduced = reduce_rank(map, {.tolerance = 0.0}).map;
    const Eigen::MatrixXd before = coefficients(map), after = coefficients(reduced);
    // All parts of a coefficient are positive but for −1/2: what they are rounded to is relative to their sizes.
    const CpMap sizes(map.S().cwiseAbs(), map.Phi().cwiseAbs());
    const Eigen::MatrixXd scale = coefficients(sizes);
    for (int j = 0; j < rows; ++j)
      for (int i = 0; i < before.cols(); ++i)
        ASSERT_LE(std::abs(after(j, i) - before(j, i)), 1e-13 * scale(j, i))
            << sample << " " << j << " " << i;
  }
}

TEST(CpRank, SplitColumnsMergeExactlyAgain) {
  Random random(2);
  for (int sample = 0; sample < 20; ++sample) {
    const CpMap map = dense_map(random, 6, 3, 5), blown_up = split(map, 1);
    const RankReduction merged = reduce_rank(split(dense_map(random, 6, 3, 1), 6), {.tolerance = 0.0});
    EXPECT_EQ(merged.columns_before, 64);
    EXPECT_EQ(merged.map.columns(), 1);
    const RankReduction reduced = reduce_rank(blown_up, {.tolerance = 0.0});
    EXPECT_EQ(blown_up.columns(), 10);
    EXPECT_EQ(reduced.map.columns(), 5);
    EXPECT_LT((coefficients(reduced.map) - coefficients(map)).norm(), 1e-13 * coefficients(map).norm());
  }
}

// Multiplied out in two common signals, columns of different terms share their monomials.
TEST(CpRank, MultipliedOutTermsAreFittedAgain) {
  Random random(3);
  int reached = 0;
  for (int sample = 0; sample < 10; ++sample) {
    const CpMap map = dense_map(random, 4, 1, 2), blown_up = split(map, 4);
    ASSERT_EQ(blown_up.columns(), 16);
    const RankReduction reduced = reduce_rank(blown_up, {.tolerance = 1e-9});
    const double error = (coefficients(reduced.map) - coefficients(map)).norm() / coefficients(map).norm();
    EXPECT_LE(error, 1e-9);
    EXPECT_NEAR(reduced.relative_error, error, 1e-13);
    reached += reduced.map.columns() == 2 ? 1 : 0;
  }
  EXPECT_EQ(reached, 10);
}

TEST(CpRank, AMapOfItsRankStays) {
  Random random(4);
  for (int sample = 0; sample < 10; ++sample) {
    // Unfolded into three and three signals, four columns are linearly independent: the rank is 4.
    const CpMap map = dense_map(random, 6, 2, 4);
    const RankReduction reduced = reduce_rank(map, {.tolerance = 1e-8});
    EXPECT_EQ(reduced.map.columns(), 4);
    EXPECT_LE(reduced.relative_error, 1e-13);
  }
}

TEST(CpRank, ErrorIsNeverAboveTheToleranceAndRowsGetNoSignals) {
  Random random(5);
  for (const double tolerance : {0.5, 1e-1, 1e-3, 1e-6, 0.0})
    for (int sample = 0; sample < 5; ++sample) {
      const CpMap map = random_map(random, 6, 3, 25, 4);
      const RankReduction reduced = reduce_rank(map, {.tolerance = tolerance});
      const double error = (coefficients(reduced.map) - coefficients(map)).norm() / coefficients(map).norm();
      EXPECT_LE(error, std::max(tolerance, 1e-13));
      EXPECT_NEAR(reduced.relative_error, error, 1e-12);
      EXPECT_LE(reduced.map.columns(), map.columns());
      const Eigen::MatrixXd before =
          Eigen::MatrixXd(map.Phi()).cwiseAbs() * Eigen::MatrixXd(map.S()).cwiseAbs().transpose();
      const Eigen::MatrixXd after = Eigen::MatrixXd(reduced.map.Phi()).cwiseAbs() *
                                    Eigen::MatrixXd(reduced.map.S()).cwiseAbs().transpose();
      EXPECT_TRUE(((before.array() > 0.0) || !(after.array() > 0.0)).all());
    }
  EXPECT_THROW(static_cast<void>(reduce_rank(CpMap(), {.tolerance = -1.0})), InvalidOption);
}

}  // namespace cp_rank_test
}  // namespace mti::test
