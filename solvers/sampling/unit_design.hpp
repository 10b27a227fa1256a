#pragma once

#include <cstdint>
#include <vector>

namespace mti {

/// How points are spread over the unit cube.
enum class Spread {
  random,           ///< independent and equally distributed
  latin_hypercube,  ///< of N points each interval [k/N, (k + 1)/N) of each dimension has one
  sobol,            ///< Sobol's sequence with a random digital shift
};

/// N points of (0, 1)^d. Point i depends on i, N (Latin hypercube only) and the seed alone.
///
///     Latin hypercube   u_ij = (π_j(i) + r_ij)/N with random permutations π_j
///     Sobol             u_ij = (⊕_k γ_k(i) V_kj) ⊕ s_j with the digits γ of i in Gray's code, direction numbers V_kj of
///                       Joe and Kuo (10.1137/070709359), and one random s_j for each dimension
///
/// Sobol's points are a good choice of N = 2^m: then each interval of length 2^−m has one in each dimension.
class UnitDesign {
 public:
  static constexpr int most_dimensions = 3667;  ///< of Sobol's sequence

  UnitDesign(Spread spread, long points, int dimensions, std::uint64_t seed);

  /// 0 ≤ i < N, 0 ≤ j < d. Threads may share a design.
  [[nodiscard]] double coordinate(long i, int j) const;

 private:
  Spread spread_;
  long points_;
  int dimensions_;
  std::uint64_t seed_;
  std::vector<std::vector<std::int32_t>> permutations_;  ///< of a Latin hypercube: π_j
  std::vector<std::uint64_t> directions_;                ///< V_kj at k·d + j
};

/// The direction numbers V_kj at k·dimensions + j, k < 32, as binary fractions of 64 digits.
[[nodiscard]] std::vector<std::uint64_t> sobol_directions(int dimensions);

/// Sobol's point of index i without a shift, as a binary fraction of 64 digits; point 0 is 0.
[[nodiscard]] std::uint64_t sobol_coordinate(const std::vector<std::uint64_t>& directions, int dimensions,
                                             long i, int j);

}  // namespace mti
