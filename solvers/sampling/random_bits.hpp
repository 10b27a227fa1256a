#pragma once

#include <array>
#include <cstdint>

namespace mti {

/// Philox4x32-10: 128 random bits as a function of a counter and a key,
///
///     (c_0 … c_3), (k_0, k_1)  →  ten rounds of  c ← (hi(M_1 c_2) ⊕ c_1 ⊕ k_0, lo(M_1 c_2), hi(M_0 c_0) ⊕ c_3 ⊕ k_1, lo(M_0 c_0)),
///     k ← k + W after each.
///
/// A number of run i is had without those of the runs before it. Source: Salmon, Moraes, Dror, Shaw, "Parallel random
/// numbers: as easy as 1, 2, 3", SC'11 (10.1145/2063384.2063405).
[[nodiscard]] std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                                  std::array<std::uint32_t, 2> key);

/// What a random number is for: numbers for different uses are independent.
enum class RandomUse : std::uint32_t { value, permutation, shift };

/// 64 bits that depend on nothing but these four.
[[nodiscard]] std::uint64_t random_bits(std::uint64_t seed, RandomUse use, std::uint32_t dimension,
                                        std::uint64_t index);

/// (k + 1/2) 2⁻⁵² with the upper 52 bits k of 64: in the open interval (0, 1), without rounding.
[[nodiscard]] double unit_number(std::uint64_t bits);

}  // namespace mti
