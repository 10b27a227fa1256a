#pragma once

#include <Eigen/SparseCore>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "mti/multilinear/cp_map.hpp"

/// Random maps, and their values and Jacobians by the definition (6) to (8), one product after the other.
namespace mti::test {

/// The same numbers on every machine: the distributions of the standard library are not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}
  [[nodiscard]] double uniform(double low, double high) {
    return low + (high - low) * std::ldexp(static_cast<double>(bits_() >> 11U), -53);
  }
  /// 0 … count − 1.
  [[nodiscard]] int index(int count) { return static_cast<int>(bits_() % static_cast<std::uint64_t>(count)); }
  [[nodiscard]] std::vector<double> point(int size, double low = -2.0, double high = 2.0) {
    std::vector<double> v(static_cast<std::size_t>(size));
    for (double& entry : v) entry = uniform(low, high);
    return v;
  }

 private:
  std::mt19937_64 bits_;
};

/// Sorts of factors that a column can have: v, −v, and affine ones that vanish at v = 1, −1 or anywhere.
inline double random_S(Random& random) {
  switch (random.index(5)) {
    case 0:
      return 1.0;
    case 1:
      return -1.0;
    case 2:
      return 0.5;
    case 3:
      return -0.5;
    default:
      return random.uniform(-1.0, 1.0);
  }
}

/// Columns of 0 to `longest` factors, each in 1 to 3 rows.
inline CpMap random_map(Random& random, int signals, int rows, int columns, int longest) {
  const auto last = [](double, double newest) { return newest; };
  std::vector<Eigen::Triplet<double>> factors, weights;
  for (int k = 0; k < columns; ++k) {
    for (int i = random.index(longest + 1); i > 0; --i)
      factors.emplace_back(random.index(signals), k, random_S(random));
    for (int j = 1 + random.index(3); j > 0; --j)
      weights.emplace_back(random.index(rows), k, random.uniform(-5.0, 5.0));
  }
  SparseColumns S(signals, columns), Phi(rows, columns);
  S.setFromTriplets(factors.begin(), factors.end(), last);
  Phi.setFromTriplets(weights.begin(), weights.end(), last);
  return {S, Phi};
}

inline SparseColumns columns_of(const Eigen::MatrixXd& dense) { return dense.sparseView(); }

/// Π (1 − |S_ik| + S_ik v_i) over the factors of column k, without the signal `omitted`.
inline long double product_of(const CpMap& map, int k, const std::vector<double>& v, int omitted = -1) {
  long double product = 1.0L;
  for (SparseColumns::InnerIterator factor(map.S(), k); factor; ++factor)
    if (const long double S = factor.value(); factor.row() != omitted)
      product *= 1.0L - std::abs(S) + S * v[static_cast<std::size_t>(factor.row())];
  return product;
}

/// f(v) by (6), (7).
inline std::vector<long double> naive_value(const CpMap& map, const std::vector<double>& v) {
  std::vector<long double> f(static_cast<std::size_t>(map.rows()), 0.0L);
  for (int k = 0; k < map.columns(); ++k)
    for (SparseColumns::InnerIterator weight(map.Phi(), k); weight; ++weight)
      f[static_cast<std::size_t>(weight.row())] += weight.value() * product_of(map, k, v);
  return f;
}

/// ∂f/∂v by (8), every product formed anew; entries that are 0 by chance are kept.
inline SparseColumns naive_jacobian(const CpMap& map, const std::vector<double>& v) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int k = 0; k < map.columns(); ++k)
    for (SparseColumns::InnerIterator factor(map.S(), k); factor; ++factor) {
      const long double partial = factor.value() * product_of(map, k, v, static_cast<int>(factor.row()));
      for (SparseColumns::InnerIterator weight(map.Phi(), k); weight; ++weight)
        entries.emplace_back(static_cast<int>(weight.row()), static_cast<int>(factor.row()),
                             static_cast<double>(weight.value() * partial));
    }
  SparseColumns J(map.rows(), map.signals());
  J.setFromTriplets(entries.begin(), entries.end());
  return J;
}

/// |S|, |Φ| and |v|: the value of this map there bounds every partial sum of the map at v.
inline CpMap absolute(const CpMap& map) { return {map.S().cwiseAbs(), map.Phi().cwiseAbs()}; }
inline std::vector<double> absolute(std::vector<double> v) {
  for (double& entry : v) entry = std::abs(entry);
  return v;
}

/// Rounding of f and J relative to the value of absolute(map): at most 4 operations for each factor of the
/// longest column and one addition for each term of the longest row.
inline double rounding(const CpMap& map) {
  Eigen::VectorXi terms = Eigen::VectorXi::Ones(map.rows());
  int longest = 1;
  for (int k = 0; k < map.columns(); ++k) {
    longest = std::max(longest, static_cast<int>(map.S().col(k).nonZeros()));
    for (SparseColumns::InnerIterator weight(map.Phi(), k); weight; ++weight) ++terms[weight.row()];
  }
  const int operations = 4 * longest + (map.rows() > 0 ? terms.maxCoeff() : 0);
  return operations * std::numeric_limits<double>::epsilon();
}

}  // namespace mti::test
