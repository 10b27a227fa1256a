#pragma once

#include <vector>

#include "mti/polynomials/polynomial.hpp"

namespace mti::text {

/// coefficient · Π symbol^exponent · Π (1 − z), the z of `complements` ascending.
struct BasisTerm {
  double coefficient = 0.0;
  std::vector<Power> powers;
  std::vector<Symbol> complements;
  friend bool operator==(const BasisTerm&, const BasisTerm&) = default;
};

/// A polynomial with coefficients rounded to doubles, in a form in which that loses nothing of its value in
/// any mode, as far as the number of terms allows.
///
/// Terms with the same powers of signals that are not binary belong together: what stands before those powers
/// is a function c(z) of binaries. It stays a sum of monomials Σ_A c_A Π_{i∈A} z_i where rounding them does
/// no harm: where no c(z) other than 0 comes near the rounding of the sum, where each c_A is one double, so
/// that the sum is exact, or where no rounded c_A holds what may cancel something of another. Otherwise, as
/// in G·z + 1 − z with G = 1e-15, it is taken apart at one binary after the other,
///
///     c(z) = z_i · c(z; z_i = 1) + (1 − z_i) · c(z; z_i = 0)
///
/// each coefficient being added up before it is rounded. Sums of functions of different binaries are taken
/// apart each by itself. A function that would need more than 64 + 4·(its monomials) terms stays as it is,
/// rounded.
[[nodiscard]] std::vector<BasisTerm> in_binary_basis(const Polynomial& polynomial);

}  // namespace mti::text
