#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "solvers/mode_sets/mode_set.hpp"

namespace mti {

/// A number that depends on the mode:
///
///     p(z) = Σ_t c_t · Π_k a_tk(z_k),    a_tk(0), a_tk(1) given
///
/// As freezing a column makes it from binary factors. Sums that cancel to rounding count as zero, by the same
/// bound as in CpBuilder, so that this agrees with freezing each mode.
class ModePolynomial {
 public:
  struct Factor {
    int variable = 0;
    double at_0 = 1.0, at_1 = 1.0;
    friend auto operator<=>(const Factor&, const Factor&) = default;
  };

  /// Factors of one variable may repeat.
  void add(double coefficient, std::vector<Factor> factors);

  /// The modes with p(z) ≠ 0, and with p(z) > 0. Throws ModeSetTooLarge if more than some 10^5 different
  /// partial sums arise on the way.
  [[nodiscard]] ModeSet nonzero() const;
  [[nodiscard]] ModeSet positive() const;

 private:
  struct Term {
    double coefficient;
    std::vector<Factor> factors;  ///< ascending by variable
  };
  std::vector<Term> terms_;
};

}  // namespace mti
