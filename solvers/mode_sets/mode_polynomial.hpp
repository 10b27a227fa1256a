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
/// As freezing a column makes it from binary factors, with merged_sum() of the terms that are not zero: in
/// every mode this agrees with freezing to the bit.
class ModePolynomial {
 public:
  struct Factor {
    int variable = 0;
    double at_0 = 1.0, at_1 = 1.0;
    friend auto operator<=>(const Factor&, const Factor&) = default;
  };

  /// Factors as freezing multiplies them, from the first to the last; those of one variable may repeat.
  void add(double coefficient, std::vector<Factor> factors);

  /// The modes with p(z) ≠ 0, and with p(z) > 0. Throws ModeSetTooLarge if more than some 10^5 different
  /// partial sums arise on the way.
  [[nodiscard]] ModeSet nonzero() const;
  [[nodiscard]] ModeSet positive() const;

 private:
  struct Term {
    double coefficient;
    std::vector<Factor> factors;  ///< as they came, or ascending by variable where products round nothing
  };
  std::vector<Term> terms_;
};

}  // namespace mti
