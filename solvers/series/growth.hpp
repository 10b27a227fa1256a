#pragma once

#include <span>

namespace mti {

/// As much of a step tau as follows a state that grows out of what the tolerance sees. Its last coefficients are those of
/// A·e^(λτ) where they agree on one rate
///
///     λ = k c_k/c_{k−1} > 0,    k = p − 2, p − 1, p,    A = c_p p!/λ^p .
///
/// x' = x(1 − x) from 1e-30 has such a series: all of it is below the tolerance, and the sum of what is known of it would be so at the
/// end of any step. Where A·e^(λ·remaining) is not, and λ·tau > 2, so that the end of the step is no matter of the first terms, the
/// step is that on which the last term is a hundredth of the tolerance relative to A:
///
///     (λh)^p/p! = rtol/100 .
///
/// A decaying motion, λ < 0, and what may be rounding of larger coefficients are left as they are.
[[nodiscard]] double within_growth(std::span<const double> c, int order, double tau, double remaining,
                                   double rtol, double allowed);

}  // namespace mti
