// What counts as singular: numbers that cancel, not numbers that are small.

#include "solvers/linear_algebra/lu_factor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mti/common/at.hpp"
#include "solvers/linear_algebra/repeated_lu.hpp"

namespace mti {
namespace lu_factor_test {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// Four diodes between nodes a, b, p and ground, two currents being given: unknowns s1 … s4, a, b, p. A diode that
/// conducts has the voltage Ron·s and the current s, one that blocks s and G·s.
Triplets bridge(double Ron, double G, int conducting) {
  enum Node { a = 4, b, p };
  Triplets entries = {{0, a, 1.0}, {0, p, -1.0}, {1, b, 1.0}, {1, p, -1.0}, {2, a, -1.0}, {3, b, -1.0}};
  const auto current = [&](int row, int diode, double sign) {
    entries.emplace_back(row, diode, (conducting >> diode) % 2 != 0 ? sign : sign * G);
  };
  for (int diode = 0; diode < 4; ++diode)
    entries.emplace_back(diode, diode, (conducting >> diode) % 2 != 0 ? -Ron : -1.0);
  current(4, 0, 1.0);
  current(4, 2, -1.0);
  current(5, 3, 1.0);
  current(5, 1, -1.0);
  current(6, 0, 1.0);
  current(6, 1, 1.0);
  return entries;
}

struct Residual {
  Eigen::VectorXd left, size;
};

/// A w − b, and the sums of the sizes of what is added up.
Residual residual(const Triplets& entries, const Eigen::VectorXd& w, const Eigen::VectorXd& b) {
  Residual r{-b, b.cwiseAbs()};
  for (const auto& entry : entries) {
    const double part = entry.value() * w[entry.col()];
    r.left[entry.row()] += part;
    r.size[entry.row()] += std::abs(part);
  }
  return r;
}

/// Danger: leakages of 10⁻¹⁵ beside resistances of 10⁻⁹ are taken for rounding, and the mode for singular.
TEST(LuFactors, SmallNumbersThatDecideAreNotRounding) {
  for (const double Ron : {1e-3, 1e-6, 1e-9, 1e-12})
    for (const double G : {1e-5, 1e-10, 1e-15, 1e-18})
      for (int conducting = 0; conducting < 16; ++conducting) {
        const Triplets entries = bridge(Ron, G, conducting);
        const LuFactor factor(7, entries);
        ASSERT_FALSE(factor.singular()) << Ron << ' ' << G << ' ' << conducting;
        RepeatedLu repeated;
        ASSERT_TRUE(repeated.factorise(7, entries)) << Ron << ' ' << G << ' ' << conducting;
        // A w = b with two refinements, as blocks are solved; products of 10⁻¹⁸ and 10⁻¹² are no rounding beside what
        // they decide.
        const Eigen::VectorXd b = (Eigen::VectorXd(7) << 1, 2, 3, 4, 5, 6, 7).finished();
        Eigen::VectorXd by_first = factor.solve(b), by_second = b;
        repeated.solve(std::span(by_second.data(), 7));
        for (int refinement = 0; refinement < 2; ++refinement) {
          by_first -= factor.solve(residual(entries, by_first, b).left);
          Eigen::VectorXd change = residual(entries, by_second, b).left;
          repeated.solve(std::span(change.data(), 7));
          by_second -= change;
        }
        for (const Eigen::VectorXd& w : {by_first, by_second}) {
          const Residual r = residual(entries, w, b);
          EXPECT_LE((r.left.cwiseAbs() - 1e-13 * r.size).maxCoeff(), 0.0)
              << Ron << ' ' << G << ' ' << conducting;
        }
      }
}

/// Rows that are sums of others in exact numbers and only nearly so in rounded ones, in wild units, for dense and sparse
/// factors: still singular.
TEST(LuFactors, NumbersThatCancelAreSingularInAnyUnits) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> entry(0.5, 2.0), exponent(-40.0, 40.0);
  for (const int size : {3, 7, 12, 100})
    for (int trial = 0; trial < 10; ++trial) {
      Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
      for (int i = 0; i + 1 < size; ++i)
        for (int j = 0; j < size; ++j)
          if (i == j || i + 1 == j || random() % 3 == 0) A(i, j) = entry(random);
      for (int i = 0; i + 1 < size; ++i) A.row(size - 1) += entry(random) * A.row(i);
      Triplets entries;
      std::vector<double> unit;
      for (int j = 0; j < size; ++j) unit.push_back(std::exp2(exponent(random)));
      for (int i = 0; i < size; ++i) {
        const double own = std::exp2(exponent(random));
        for (int j = 0; j < size; ++j)
          if (A(i, j) != 0.0) entries.emplace_back(i, j, A(i, j) * own * unit[at(j)]);
      }
      EXPECT_TRUE(LuFactor(size, entries).singular()) << size << ' ' << trial;
      RepeatedLu repeated;
      EXPECT_FALSE(repeated.factorise(size, entries)) << size << ' ' << trial;
    }
}

/// A remainder 0.1 + 0.2 − 0.3 is no small number that decides.
TEST(LuFactors, ARemainderOfASumDecidesNothing) {
  const Triplets entries = {{0, 0, 1.0}, {0, 1, 1.0},  {1, 0, 1.0}, {1, 1, 1.0}, {1, 2, 0.1},
                            {1, 2, 0.2}, {1, 2, -0.3}, {2, 1, 1.0}, {2, 2, 1.0}};
  EXPECT_TRUE(LuFactor(3, entries).singular());
  RepeatedLu repeated;
  EXPECT_FALSE(repeated.factorise(3, entries));
}

TEST(LuFactors, WithoutAPerfectMatchingAMatrixIsSingular) {
  const Triplets entries = {{0, 0, 1.0}, {1, 0, 1e-20}, {2, 1, 1.0}, {2, 2, 1.0}, {0, 2, 0.0}};
  EXPECT_TRUE(LuFactor(3, entries).singular());
  RepeatedLu repeated;
  EXPECT_FALSE(repeated.factorise(3, entries));
}

/// The Laplacian of a connected random graph: its rows add up to 0 where all signs are +1, and 1 … 1 spans its kernel.
/// Conductances and units are powers of 2, so that nothing of it is rounded. `leak` is added to the first diagonal entry.
struct Laplacian {
  Laplacian(int size, double leak, int units, std::mt19937& random)
      : A(Eigen::MatrixXd::Zero(size, size)), column_unit(size) {
    const auto exponent = [&random](int most) {
      return std::exp2(static_cast<int>(random() % at(2 * most + 1)) - most);
    };
    const auto join = [&](int i, int j) {
      const double g = exponent(2);
      A(i, i) += g;
      A(j, j) += g;
      A(i, j) -= g;
      A(j, i) -= g;
    };
    for (int i = 1; i < size; ++i) join(i, static_cast<int>(random() % at(i)));
    for (int k = 0; k < size / 2; ++k) {
      const int i = static_cast<int>(random() % at(size)), j = static_cast<int>(random() % at(size));
      if (i != j) join(i, j);
    }
    A(0, 0) += leak;
    for (int i = 0; i < size; ++i) A.row(i) *= (random() % 2 != 0 ? -1.0 : 1.0) * exponent(units);
    for (int j = 0; j < size; ++j) {
      column_unit[j] = exponent(units);
      A.col(j) *= column_unit[j];
    }
  }

  [[nodiscard]] Triplets entries() const {
    Triplets found;
    for (int i = 0; i < static_cast<int>(A.rows()); ++i)
      for (int j = 0; j < static_cast<int>(A.cols()); ++j)
        if (A(i, j) != 0.0) found.emplace_back(i, j, A(i, j));
    return found;
  }

  Eigen::MatrixXd A;
  Eigen::VectorXd column_unit;
};

/// Danger: rows of changing sign hide a null vector from a right-hand side of ones, and the network without a ground gets
/// potentials out of rounding. Oracle: the construction; a ground makes the same network regular.
TEST(LuFactors, LaplaciansAreSingularWhateverTheSignsOfTheirRows) {
  std::mt19937 random(11);
  for (const int size : {50, 81, 100, 170, 300})
    for (int trial = 0; trial < 12; ++trial)
      for (const int units : {0, 30}) {
        EXPECT_TRUE(LuFactor(size, Laplacian(size, 0.0, units, random).entries()).singular())
            << size << ' ' << trial << ' ' << units;
        const Laplacian grounded(size, 1.0, units, random);
        const LuFactor factor(size, grounded.entries());
        ASSERT_FALSE(factor.singular()) << size << ' ' << trial << ' ' << units;
        Eigen::VectorXd w(size);
        for (double& entry : w) entry = static_cast<double>(random() % 1000) - 500.0;
        // In units of the columns; what is asked of w is what rounding of b and the condition, at most size², allow.
        const Eigen::VectorXd& column = grounded.column_unit;
        const Eigen::VectorXd b = grounded.A * w.cwiseQuotient(column);
        const Eigen::VectorXd off = factor.solve(b).cwiseProduct(column) - w;
        EXPECT_LE(off.cwiseAbs().maxCoeff(), 1e-13 * size * size * 500.0) << size << ' ' << trial;
      }
}

/// A ring of equal resistors with every second row multiplied by −1, as 1 … 1 is orthogonal to its left null vector.
TEST(LuFactors, ARingWithRowsOfChangingSignIsSingular) {
  for (const int size : {82, 100, 1000, 20000}) {
    Triplets entries;
    for (int i = 0; i < size; ++i) {
      const double sign = i % 2 != 0 ? -1.0 : 1.0;
      entries.emplace_back(i, i, 2.0 * sign);
      entries.emplace_back(i, (i + 1) % size, -sign);
      entries.emplace_back(i, (i + size - 1) % size, -sign);
    }
    EXPECT_TRUE(LuFactor(size, entries).singular()) << size;
    entries.emplace_back(0, 0, 1.0);
    EXPECT_FALSE(LuFactor(size, entries).singular()) << size;
  }
}

/// Bridges side by side, each with other diodes conducting: of more than 80 unknowns they are as regular as each alone.
TEST(LuFactors, SmallNumbersThatDecideAreNotRoundingInLargeBlocks) {
  constexpr int bridges = 16, size = 7 * bridges;
  for (const double Ron : {1e-3, 1e-6, 1e-9, 1e-12})
    for (const double G : {1e-5, 1e-10, 1e-15, 1e-18}) {
      Triplets entries;
      for (int k = 0; k < bridges; ++k)
        for (const auto& entry : bridge(Ron, G, k))
          entries.emplace_back(7 * k + entry.row(), 7 * k + entry.col(), entry.value());
      EXPECT_FALSE(LuFactor(size, entries).singular()) << Ron << ' ' << G;
    }
}

/// |A⁻¹| e of a large block is an estimate, but none that a pattern of e or of A⁻¹ brings to nothing: here each part of the
/// solution is a difference of two errors, of rows as far apart as any period.
TEST(LuFactors, WhatErrorsCanDoIsNotHiddenByPatterns) {
  constexpr int size = 360, half = size / 2;
  for (const int distance : {1, 2, 3, 6, 12, 60}) {
    Triplets entries;
    for (int i = 0; i < half; ++i) {
      entries.emplace_back(i, i, 1.0);
      entries.emplace_back(half + i, half + i, 1.0);
      entries.emplace_back(i, half + i, 1.0);
      entries.emplace_back(i, half + (i + distance) % half, -1.0);
    }
    const Eigen::VectorXd bound = LuFactor(size, entries).magnify(Eigen::VectorXd::Ones(size));
    // w_i = b_i − b_(half+i) + b_(half+i+distance): |A⁻¹| 1 = 3.
    EXPECT_GE(bound.head(half).minCoeff(), 1.0) << distance;
    EXPECT_LE(bound.head(half).maxCoeff(), 6.0) << distance;
  }
}

}  // namespace lu_factor_test
}  // namespace mti
