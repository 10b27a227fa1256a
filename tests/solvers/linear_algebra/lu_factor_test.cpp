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

}  // namespace lu_factor_test
}  // namespace mti
