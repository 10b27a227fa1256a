#pragma once

#include <cstddef>
#include <vector>

#include "mti/polynomials/exact_number.hpp"

namespace mti::text {

/// The coefficient of a monomial while a relation is multiplied out: a sum that is not added up yet,
///
///     c = Σ_i s_i ,    s_i products of the numbers in the text, exact (quotients are rounded)
///
/// Equal summands of opposite sign are gone. So what cancels by the form of the text leaves nothing behind,
/// and is told from what cancels to rounding: 1 − 1 + 1e-300 is 1e-300, 0.1 + 0.2 − 0.3 is nothing.
class Coefficient {
 public:
  Coefficient() = default;
  explicit Coefficient(double value) {
    if (value != 0.0) summands_.emplace_back(value);
  }

  void add(const Coefficient& other, double factor = 1.0);
  void add(const ExactNumber& summand);
  void scale(double factor);
  void divide(double divisor);
  friend Coefficient operator*(const Coefficient& a, const Coefficient& b);

  [[nodiscard]] const std::vector<ExactNumber>& summands() const { return summands_; }
  /// The sum; 0 if it is at most 4 eps Σ |s_i|, where neither summands count that cancel to nothing, the largest
  /// first, nor those that were written as they are (mti/common/written_number.hpp).
  [[nodiscard]] ExactNumber value() const;

 private:
  std::vector<ExactNumber> summands_;
};

}  // namespace mti::text
