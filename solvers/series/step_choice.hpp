#pragma once

#include <span>

namespace mti {

/// The norms ‖v_k‖ of the coefficients of one step, weighted by the tolerances: max_i |v_{i,k}| / ε_i.
using CoefficientNorms = std::span<const double>;

/// Order of the series for a relative tolerance: about −ln(rtol)/2, where work per unit of time is least for
/// functions that are analytic, and some more (Jorba and Zou 2005, prop. 3.1), within 8 … 24.
[[nodiscard]] int order_for(double rtol);

/// The longest step, in units of τ, whose last two coefficients are below a hundredth of the tolerance:
///
///     h = min_{k = p−1, p} (1 / (100 ‖v_k‖))^{1/k} .
///
/// Infinite if both vanish: the motion is a polynomial.
[[nodiscard]] double step_for(CoefficientNorms norms, int order);

/// The norm at order k that allows for the same step as `norm` at order m.
[[nodiscard]] double norm_at_order(int k, int m, double norm);

/// What limits the step is no larger than the tolerance: with λ = p ‖v_p‖/‖v_{p−1}‖, the rate of what dominates at high
/// order, its amplitude
///
///     A = ‖v_p‖ p! / λ^p < 10 .
///
/// Of an oscillation A is its amplitude over the tolerance, and it is as large near a pole; of a fast motion that has
/// decayed it is what truncation and rounding have left of it.
[[nodiscard]] bool looks_stiff(CoefficientNorms norms, int order);

}  // namespace mti
