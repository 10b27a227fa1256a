#include "solvers/sampling/random_bits.hpp"

namespace mti {
namespace {

constexpr int word = 32;

std::uint32_t upper(std::uint64_t bits) { return static_cast<std::uint32_t>(bits >> word); }
std::uint32_t lower(std::uint64_t bits) { return static_cast<std::uint32_t>(bits); }

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t multiplier_0 = 0xD2511F53U, multiplier_1 = 0xCD9E8D57U;
  constexpr std::uint32_t weyl_0 = 0x9E3779B9U, weyl_1 = 0xBB67AE85U;
  constexpr int rounds = 10;
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t product_0 = multiplier_0 * counter[0], product_1 = multiplier_1 * counter[2];
    counter = {upper(product_1) ^ counter[1] ^ key[0], lower(product_1),
               upper(product_0) ^ counter[3] ^ key[1], lower(product_0)};
    key[0] += weyl_0;
    key[1] += weyl_1;
  }
  return counter;
}

std::uint64_t random_bits(std::uint64_t seed, RandomUse use, std::uint32_t dimension, std::uint64_t index) {
  const auto bits = philox({lower(index), upper(index), dimension, static_cast<std::uint32_t>(use)},
                           {lower(seed), upper(seed)});
  return std::uint64_t{bits[0]} | std::uint64_t{bits[1]} << word;
}

double unit_number(std::uint64_t bits) {
  constexpr int dropped = 12;
  constexpr double step = 0x1p-52;
  return (static_cast<double>(bits >> dropped) + 0.5) * step;
}

}  // namespace mti
