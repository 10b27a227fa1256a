#pragma once

#include <cstdint>

namespace mti {

/// In [−1, 1), the same in every run, and without a pattern: of points at sin(a·point + b·signal) the differences of two pairs of
/// signals a + d = b + c are proportional, so that v_a − v_d and v_b − v_c looked like multiples of each other. By splitmix64
/// (Steele, Lea, Flood, Fast splittable pseudorandom number generators, OOPSLA 2014).
[[nodiscard]] constexpr double scattered(int point, int signal) noexcept {
  std::uint64_t bits = (static_cast<std::uint64_t>(point) << 32U) + static_cast<std::uint64_t>(signal);
  bits = (bits + 1U) * 0x9e3779b97f4a7c15U;
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  bits ^= bits >> 31U;
  constexpr double unit = 1.0 / static_cast<double>(1ULL << 52U);
  return static_cast<double>(bits >> 11U) * unit - 1.0;
}

}  // namespace mti
