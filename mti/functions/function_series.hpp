#pragma once

#include <span>
#include <vector>

#include "mti/functions/elementary_function.hpp"

namespace mti {

/// Coefficients of r = φ(a) along a power series a(τ) = Σ_k a_k τ^k, with those of the slope s = φ'(a). For every φ
///
///     r' = s·a',    so    k r_k = Σ_{j=1}^{k} j a_j s_{k−j} ,
///
/// and s follows from one of five rules, with a base w = a, c ± a² or a²:
///
///     exp                                    s = r
///     sin, cos, sinh, cosh                   s' = ∓ r a'
///     tan, tanh                              s = 1 ± r²
///     log, powers, inverse functions         s = φ'(a) ∝ w^q,    w s' = q s w'
///     erf                                    s' = − s w',        w = a²
///     abs                                    s = sign of the first a_k that is not 0: r holds on one side of the kink
///
/// Coefficient k takes O(k) operations, and is affine in a_k, of abs where a_0 is not 0. Source: [griewank2008], ch. 13.
struct FunctionSeries {
  const double* a;
  double *r, *s, *w;  ///< w is written only where the base is not a itself

  /// What coefficient k of r, s and w is for a_k = 0; k ≥ 1, lower ones are there.
  struct Interior {
    double r = 0.0, s = 0.0, w = 0.0;
  };
  [[nodiscard]] Interior interior(const ElementaryFunction& phi, int k) const;
  /// Coefficients k from that and from a_k; for k = 0 the values.
  void finish(const ElementaryFunction& phi, int k, const Interior& interior) const;
};

/// Coefficients 0 … k of φ(a) and φ'(a) from those of a.
struct FunctionExpansion {
  std::vector<double> r, s;
};
[[nodiscard]] FunctionExpansion expand(const ElementaryFunction& phi, std::span<const double> a);

}  // namespace mti
