#pragma once

#include <cstdint>
#include <vector>

namespace mti::text {

/// A sum of products of doubles without rounding:
///
///     ± Σ_i limb_i · 2^(32 i + exponent),    limb_i a whole number below 2^32
///
/// What a double can hold is held as one, which is the usual case and as fast. Values that are not finite go
/// through as they do in doubles.
class ExactNumber {
 public:
  ExactNumber() = default;
  ExactNumber(double value) : value_(value) {}  // NOLINT(google-explicit-constructor): nothing is lost

  [[nodiscard]] bool is_double() const { return limbs_.empty(); }
  [[nodiscard]] bool is_zero() const { return limbs_.empty() && value_ == 0.0; }
  /// The nearest double, of two the even one; infinite beyond their range.
  [[nodiscard]] double rounded() const { return limbs_.empty() ? value_ : rounded_limbs(); }

  [[nodiscard]] ExactNumber operator-() const;
  friend ExactNumber operator+(const ExactNumber& a, const ExactNumber& b);
  friend ExactNumber operator*(const ExactNumber& a, const ExactNumber& b);
  friend bool operator==(const ExactNumber& a, const ExactNumber& b) = default;

 private:
  /// In its one normal form: a double if that can hold it, otherwise the last limb is odd, the first not 0.
  ExactNumber(std::vector<std::uint32_t> limbs, int exponent, bool negative);
  /// The same number with limbs, whatever can hold it.
  [[nodiscard]] ExactNumber in_limbs() const;
  [[nodiscard]] double rounded_limbs() const;

  double value_ = 0.0;  ///< 0 where there are limbs
  std::vector<std::uint32_t> limbs_;
  int exponent_ = 0;
  bool negative_ = false;
};

}  // namespace mti::text
