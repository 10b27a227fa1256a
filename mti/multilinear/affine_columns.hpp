#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "mti/multilinear/cp_map.hpp"

namespace mti {

/// A product of doubles whose parts may leave their range, m · 2^e:  1e-200 · 1e-200 · 1e300 is 1e-100.
/// Rounded as the product of the doubles is, where no part leaves the range.
class WideProduct {
 public:
  explicit WideProduct(double value = 1.0) { times(value); }
  void times(double factor);
  void times(const WideProduct& factor);
  /// Rounded; infinite or 0 beyond the range of doubles.
  [[nodiscard]] double value() const;

 private:
  double mantissa_ = 1.0;
  int exponent_ = 0;
};

/// scale · Π (1 − |S| + S v_i), (signal, S) with S ≠ 0.
struct ScaledColumn {
  WideProduct scale;
  std::vector<std::pair<int, double>> factors;
};

/// Columns whose sum is a product of affine factors, to the last digits of every a and b:
///
///     Π_i (a_i + b_i v_i) = Σ_c scale_c Π_i (1 − |S_ci| + S_ci v_i)
///
/// One column holds a + b·v if a = scale (1 − |S|) and b = scale S come back within 4 eps, which they do wherever
/// |b| ≤ |a|. For |b| ≫ |a| the number 1 − |S| has lost the digits of a, and all of it from |a| < eps |b| on: such a
/// factor becomes the two columns a and b·v. A factor of a signal of `binaries`, ascending, must come back at v = 1, too;
/// otherwise it becomes a·(1 − v) and (a + b)·v. Factors that lose most come first; where more than 10 of one product
/// lose digits, the others stay one column if they lose less than 2^10 eps. Nothing if one of them loses more.
[[nodiscard]] std::optional<std::vector<ScaledColumn>> columns_of_product(
    std::span<const AffineFactor> factors, std::span<const int> binaries = {});

/// The same; what is nothing is an InvalidModel, id `too-many-terms`.
[[nodiscard]] std::vector<ScaledColumn> required_columns(std::span<const AffineFactor> factors);

/// Whether one column holds the factor, a and b (and a + b of a binary) relative to themselves within `share`.
[[nodiscard]] bool fits_one_column(const AffineFactor& factor, bool binary, double share);

}  // namespace mti
