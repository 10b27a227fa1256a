#pragma once

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

namespace mti {

/// a comes before b as sets of flips: fewer flips, or with as many the one that holds the first binary in which they
/// differ, {0, 3} before {1, 2}. Bit i is binary i.
[[nodiscard]] constexpr bool precedes(unsigned a, unsigned b) {
  if (std::popcount(a) != std::popcount(b)) return std::popcount(a) < std::popcount(b);
  const unsigned differ = a ^ b;
  return (a & (differ & (~differ + 1U))) != 0;
}

/// All 2^binaries sets of flips in this order, the empty one first.
[[nodiscard]] inline std::vector<unsigned> sets_in_order(std::size_t binaries) {
  std::vector<unsigned> sets(std::size_t{1} << binaries);
  std::iota(sets.begin(), sets.end(), 0U);
  std::sort(sets.begin(), sets.end(), precedes);
  return sets;
}

}  // namespace mti
