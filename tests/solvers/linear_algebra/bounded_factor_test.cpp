// Bounds of what a solution may be off.

#include "solvers/linear_algebra/bounded_factor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace mti {
namespace bounded_factor_test {

/// A of small integers and w⁰ of integers, every third one 0, so that b = A w⁰ is exact and w⁰ the solution.
///
/// Danger: where w⁰ is 0, elimination leaves some 10⁻¹⁴, which is taken for an impulse.
TEST(BoundedFactors, WhatIsZeroLiesWithinItsBound) {
  std::mt19937 random(7);
  for (const int size : {2, 5, 20, 60, 90, 200})
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<Eigen::Triplet<double>> entries;
      Eigen::VectorXd exact(size), b = Eigen::VectorXd::Zero(size);
      for (int j = 0; j < size; ++j)
        exact[j] = j % 3 == 0 ? 0.0 : std::ldexp(static_cast<double>(random() % 1001) - 500.0, 10);
      const auto enter = [&](int i, int j, int entry) {
        entries.emplace_back(i, j, entry);
        b[i] += entry * exact[j];
      };
      for (int i = 0; i < size; ++i) {
        enter(i, i, 7 + static_cast<int>(random() % 3));
        for (int k = 0; k < std::min(3, size - 1); ++k)
          enter(i, static_cast<int>(random() % static_cast<unsigned>(size)),
                static_cast<int>(random() % 7) - 3);
      }
      const BoundedFactor factor(size, entries);
      if (factor.singular()) continue;
      const BoundedSolution found = factor.solve(b, Eigen::VectorXd::Zero(size));
      EXPECT_LE(((found.w - exact).cwiseAbs() - found.error).maxCoeff(), 0.0) << size << ' ' << trial;
      // No more than rounding: 8 ε |A⁻¹| |A| |w|, and |A⁻¹| |A| is at most some tens here.
      EXPECT_LE(found.error.maxCoeff(), 1e-11 * std::ldexp(500.0, 10)) << size << ' ' << trial;
    }
}

}  // namespace bounded_factor_test
}  // namespace mti
