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
/// Infinite if both vanish, as of a polynomial, or of a series with gaps (is_polynomial()).
[[nodiscard]] double step_for(CoefficientNorms norms, int order);

/// The norm at order k that allows for the same step as `norm` at order m.
[[nodiscard]] double norm_at_order(int k, int m, double norm);

/// How far a signal's series reaches at most, by its last coefficients, two orders at a time:
///
///     R = (max(|c_{p−3}|, |c_{p−2}|) / max(|c_{p−1}|, |c_p|))^{1/2} ,
///
/// an estimate of the distance to the closest singularity. A step that is longer passes a pole near the time axis, and
/// with it a pulse that the tolerance does not see from afar. `tau` itself where it is no
/// longer; infinite where the last terms are within rounding of the largest, so that nothing is known.
[[nodiscard]] double reach_of(std::span<const double> c, int order, double tau);

/// What a step of τ leaves out, and rounds, in the norm above. Two orders at a time, a_k = max(‖v_{k−1}‖τ^{k−1}, ‖v_k‖τ^k),
/// what is left out is continued as a geometric series of ratio q = a_p/a_{p−2} < 1, and sums of terms round:
///
///     2 a_p q/(1 − q)  +  4ε (1/rtol + Σ_k ‖v_k‖ τ^k) .
///
/// Last terms within rounding count once. Others that do not fall, q ≥ 1, tell nothing: infinite.
[[nodiscard]] double truncation_of(CoefficientNorms norms, int order, double tau, double rtol);

/// What limits the step is no larger than the tolerance: with λ = p ‖v_p‖/‖v_{p−1}‖, the rate of what dominates at high
/// order, its amplitude
///
///     A = ‖v_p‖ p! / λ^p < 10 .
///
/// Of an oscillation A is its amplitude over the tolerance, and it is as large near a pole; of a fast motion that has
/// decayed it is what truncation and rounding have left of it.
[[nodiscard]] bool looks_stiff(CoefficientNorms norms, int order);

}  // namespace mti
