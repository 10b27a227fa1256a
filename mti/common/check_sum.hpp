#pragma once

#include <cstdint>
#include <string_view>

namespace mti {

/// FNV-1a of 64 bits, that of text after text where `hash` is that of what came before: tells apart what is not made to be
/// confused.
[[nodiscard]] constexpr std::uint64_t check_sum(std::string_view text,
                                                std::uint64_t hash = 0xCBF29CE484222325U) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

}  // namespace mti
