#pragma once

#include <cmath>

namespace mti {

/// Whether a double is taken for a number that was written as it is, not for a rounded one:
///
///     whole and |value| ≤ 2^53,  or of at most 32 significant bits, as 0.5
///
/// Results of rounding have all 53 bits: 21 zeros at their end come about once in two millions. Where they come, or where a
/// rounded number is whole, the harm is a coefficient of the size of rounding that stays.
[[nodiscard]] inline bool is_written_exactly(double value) {
  constexpr double most = 9007199254740992.0;  // 2^53: above it a whole number may be rounded to another one
  constexpr int bits = 32;
  if (!std::isfinite(value)) return false;
  if (std::abs(value) <= most && value == std::trunc(value)) return true;
  int exponent = 0;
  const double mantissa = std::ldexp(std::frexp(value, &exponent), bits);
  return mantissa == std::trunc(mantissa);
}

}  // namespace mti
