#pragma once

namespace mti {

/// ρ(r²) in place of the square r² of a residual, so that a few wrong measurements do not decide about a fit:
///
///     squares   ρ(s) = s
///     huber     ρ(s) = s for s ≤ k²,  2k √s − k² beyond
///     soft_l1   ρ(s) = 2k² (√(1 + s/k²) − 1)
///     cauchy    ρ(s) = k² ln(1 + s/k²)
///
/// r is in units of its standard deviation, and so is the scale k > 0. Source: [huber1981].
struct Loss {
  enum class Kind { squares, huber, soft_l1, cauchy };
  Kind kind = Kind::squares;
  double scale = 1.0;

  [[nodiscard]] double value(double r) const;  ///< ρ(r²)
  /// w = ρ'(r²) > 0: with the pull ψ(r) = w r = ½ dρ/dr.
  [[nodiscard]] double weight(double r) const;
  [[nodiscard]] double slope(double r) const;  ///< dψ/dr
};

}  // namespace mti
