#pragma once

#include <span>

#include "solvers/blocks/instant.hpp"
#include "solvers/series/series_coefficients.hpp"

namespace mti {

/// A step τ, and the rate in τ of what limits it; 0 where nothing does.
struct StepOfGrowth {
  double tau = 0.0, rate = 0.0;
};

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
[[nodiscard]] StepOfGrowth within_growth(std::span<const double> c, int order, double tau, double remaining,
                                         double rtol, double allowed);

/// Whether such growth is a matter of what feeds it. Ahead of a front, as of heat in a rod, each state is far below the one
/// before it and grows, t^i/i!, because that one does: what it is off by within its tolerance fades. Two disturbances of all
/// states within ±ε_i and of those that grow tell, δ_i(0) = ±ε_i with the sign of x_i, or of its growth out of zero, and δ(0) in
/// proportion to x and no larger. With δ(τ) from the series of x + δ and x, growth is fed where over a step on which the last
/// terms of δ are below a hundredth of ε
///
///     max_i |δ_i(τ)|/ε_i ≤ e^(λτ/2) ,    λτ ≥ 1/100 ,
///
/// λ being the smallest of the rates of growth. What grows by itself has e^(λτ) there. Only where nothing is differentiated:
/// false otherwise. `values` as of solve_stage_0(), `grows` by states of the program.
[[nodiscard]] bool is_fed(const SeriesCoefficients& series, const Accuracy& accuracy,
                          std::span<const double> values, std::span<const char> grows, int order,
                          StepOfGrowth step);

}  // namespace mti
