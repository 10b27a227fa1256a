#pragma once

#include <cmath>
#include <numeric>

#include "mti/common/rounding.hpp"

namespace mti {

/// A quantity that takes whole multiples of 1/q alone, such as n/2 of a counter n, is never equal to one of them and a half of
/// 1/q more. 0 stands for a quantity that is not known to be such; so does a q beyond this one.
constexpr int largest_denominator = 1000;

/// The smallest q of a number.
[[nodiscard]] inline int denominator_of(double value) {
  constexpr double largest_value = 1e9;
  if (!(std::abs(value) < largest_value)) return 0;
  for (int q = 1; q <= largest_denominator; ++q) {
    const double multiple = value * q;
    if (std::abs(multiple - std::round(multiple)) <= 2.0 * machine_epsilon * std::abs(multiple)) return q;
  }
  return 0;
}

/// Of a sum.
[[nodiscard]] inline int denominator_of_sum(int a, int b) {
  if (a == 0 || b == 0) return 0;
  const int q = a / std::gcd(a, b) * b;  // both are small
  return q <= largest_denominator ? q : 0;
}

/// Of a product.
[[nodiscard]] inline int denominator_of_product(int a, int b) {
  return a * b <= largest_denominator ? a * b : 0;
}

}  // namespace mti
