// Polynomials of the mode against freezing, mode by mode.

#include "solvers/mode_sets/mode_polynomial.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "mti/model/freeze.hpp"
#include "mti/multilinear/cp_map.hpp"
#include "solvers/mode_sets/mode_count.hpp"

namespace mti {
namespace mode_polynomial_test {

/// Terms of one row over binaries, and the same as a polynomial whose variables are numbered the other way.
class Pair {
 public:
  explicit Pair(int binaries) : binaries_(binaries), builder_(binaries, 1) {}

  void add(double coefficient, const std::vector<std::pair<int, double>>& factors) {
    builder_.add_normalised(0, coefficient, factors);
  }

  void compare() const {
    const CpMap map = builder_.build();
    ModePolynomial polynomial;
    for (int k = 0; k < map.columns(); ++k) {
      std::vector<ModePolynomial::Factor> factors;
      for (SparseColumns::InnerIterator factor(map.S(), k); factor; ++factor) {
        const double at_0 = 1.0 - std::abs(factor.value());
        factors.push_back({binaries_ - 1 - static_cast<int>(factor.row()), at_0, at_0 + factor.value()});
      }
      for (SparseColumns::InnerIterator weight(map.Phi(), k); weight; ++weight)
        polynomial.add(weight.value(), factors);
    }
    const ModeSet nonzero = polynomial.nonzero(), positive = polynomial.positive();
    for (unsigned bits = 0; bits < 1U << unsigned(binaries_); ++bits) {
      const auto value = [&](int row) { return (bits >> unsigned(row) & 1U) != 0; };
      std::vector<FixedSignal> fixed;
      for (int row = 0; row < binaries_; ++row) fixed.push_back({row, value(row) ? 1.0 : 0.0});
      const CpMap frozen = freeze(map, fixed);
      const double expected = frozen.Phi().nonZeros() == 0 ? 0.0 : frozen.Phi().coeff(0, 0);
      const auto in_mode = [&](int variable) { return value(binaries_ - 1 - variable); };
      EXPECT_EQ(nonzero.contains(in_mode), expected != 0.0) << bits << ": " << expected;
      EXPECT_EQ(positive.contains(in_mode), expected > 0.0) << bits << ": " << expected;
    }
  }

 private:
  int binaries_;
  CpBuilder builder_;
};

/// 1000 z₁ (1 − z₂) + 1e-12, multiplied out: where z₁ = z₂ = 1 only 1e-12 is left.
TEST(ModePolynomial, KeepsWhatIsLeftOfTermsThatCancelToNothing) {
  Pair pair(2);
  pair.add(1e3, {{0, 1.0}});
  pair.add(-1e3, {{0, 1.0}, {1, 1.0}});
  pair.add(1e-12, {});
  pair.compare();
}

TEST(ModePolynomial, AgreesWithFreezingToTheBit) {
  const std::vector<std::vector<double>> coefficients = {
      {1.0, -1.0, 2.0, -3.0},
      {0.1, 0.2, -0.3, 0.7, -0.1},
      {1e3, -1e3, 1e-12, -1e-12, 1e-300},
      {1.0, -1.0, 1.0 + 1e-15, -1.0 - 4e-16, 3e-16},
      {0.1, 1e8, -1e8, 1.0 / 3.0, -0.1, 1e-9},
  };
  const std::vector<std::vector<double>> factors = {
      {1.0, -1.0}, {1.0, -1.0, 0.5, -0.5}, {1.0, -1.0, 0.3, -0.7, -2.0 / 3.0}};
  std::mt19937 generator(7);
  const auto one_of = [&](const std::vector<double>& values) { return values[generator() % values.size()]; };
  constexpr int models = 3000, binaries = 5;
  for (int model = 0; model < models; ++model) {
    const auto& weights = coefficients[generator() % coefficients.size()];
    const auto& S = factors[generator() % factors.size()];
    Pair pair(binaries);
    for (unsigned terms = 1 + generator() % 8; terms > 0; --terms) {
      std::vector<std::pair<int, double>> column;
      for (int row = 0; row < binaries; ++row)
        if (generator() % 2 == 0) column.emplace_back(row, one_of(S));
      pair.add(one_of(weights), column);
    }
    pair.compare();
    if (HasFailure()) break;
  }
}

/// Σ i·0.1 z_i = 10.5 of 60 binaries: partial sums come together, though no coefficient is a multiple of
/// another in floating point. By counting the subsets of 1, …, 60 with the sum 105.
TEST(ModePolynomial, AddsMultiplesOfADecimal) {
  constexpr int binaries = 60, sum = 105;
  ModePolynomial polynomial;
  for (int i = 0; i < binaries; ++i) polynomial.add((i + 1) / 10.0, {{i, 0.0, 1.0}});
  polynomial.add(-sum / 10.0, {});
  const ModeSet zero = !polynomial.nonzero();
  std::vector<double> ways(sum + 1, 0.0);
  ways[0] = 1.0;
  for (int i = 1; i <= binaries; ++i)
    for (int total = sum; total >= i; --total) ways[at(total)] += ways[at(total - i)];
  EXPECT_EQ(count_modes(std::vector{zero}, binaries), std::to_string(static_cast<long long>(ways[sum])));
}

}  // namespace mode_polynomial_test
}  // namespace mti
