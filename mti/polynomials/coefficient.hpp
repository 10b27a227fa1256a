#pragma once

#include <cstddef>
#include <span>
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
  explicit Coefficient(double value) : only_(value), has_only_(value != 0.0) {}

  void add(const Coefficient& other, double factor = 1.0);
  void add(const ExactNumber& summand);
  void scale(double factor);
  void divide(double divisor);
  friend Coefficient operator*(const Coefficient& a, const Coefficient& b);

  [[nodiscard]] std::span<const ExactNumber> summands() const {
    return has_only_ ? std::span(&only_, 1) : std::span<const ExactNumber>(summands_);
  }
  /// The sum; 0 if it is at most 4 eps Σ |s_i|, where neither summands count that cancel to nothing, the largest
  /// first, nor those that were written as they are (mti/common/written_number.hpp).
  [[nodiscard]] ExactNumber value() const;

 private:
  [[nodiscard]] std::span<ExactNumber> own_summands() {
    return has_only_ ? std::span(&only_, 1) : std::span<ExactNumber>(summands_);
  }

  /// A summand that is the only one, as it mostly is, stands here and not in the list.
  ExactNumber only_;
  bool has_only_ = false;
  std::vector<ExactNumber> summands_;
};

}  // namespace mti::text
