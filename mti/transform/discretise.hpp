#pragma once

#include <span>

#include "mti/model/model.hpp"

namespace mti {

/// Replaces time derivatives by differences over one sample time, or the other way round: θ = 0, ½, 1.
enum class DifferenceMethod { forward_euler, trapezoidal, backward_euler };

/// θ of the method.
[[nodiscard]] double weight_of_next(DifferenceMethod method);

/// A continuous model at the samples t_k = start + k·Ts, with states ξ:
///
///     x_k = (1 − θ) ξ_k + θ ξ_{k+1},    ẋ_k = (ξ_{k+1} − ξ_k)/Ts,
///     f(ẋ_k, x_k, u_k, y_k, z_k) = 0,   g(ẋ_k, x_k, u_k, y_k, z_k) ≤ 0,     u_k = u(t_k)
///
/// All equations and constraints hold at t_k. For θ = ½ this is the trapezoidal rule,
/// x_{k+1} − x_k = Ts/2 (ẋ_k + ẋ_{k+1}), for θ = 0 and θ = 1 the forward and backward Euler methods; the
/// error between mode changes is of order Ts² and Ts. For θ = 0, ξ = x keeps its names; otherwise ξ is named
/// "x.held", and x is an algebraic signal "x" with an equation "x.at_sample". Where a column would hold the
/// square of a signal, an auxiliary signal "x.rate" = ẋ_k keeps it multilinear.
///
/// `start`: a consistent point of the model at its start time, one entry per row of S; ξ_0 = x_0 − θ Ts ẋ_0
/// gives x_0 at the first sample. pre(z) of the result is the value at the sample before. Scenarios are left
/// out, and so is an output interval that is no multiple of Ts.
/// Errors: InvalidModel, ids `already-discrete`, `transition-in-discrete-model`, `not-finite`; InvalidOption,
/// ids `bad-sample-time`, `matrix-size` (of `start`).
[[nodiscard]] Model discretise(const Model& model, double sample_time, DifferenceMethod method,
                               std::span<const double> start);

/// The inverse: ξ = x − θ Ts ẋ and ξ⁺ = x + (1 − θ) Ts ẋ in a model of discrete time give one of continuous
/// time. For θ > 0 an algebraic signal that equals (1 − θ) ξ + θ ξ⁺ by an equation of its own becomes the
/// state and gives it its name; other states keep theirs.
///
/// `start`: the first sample of the model, one entry per row of S; x starts from (1 − θ) ξ_0 + θ ξ_1.
/// Errors: InvalidModel, ids `not-discrete`, `not-finite`; InvalidOption, id `matrix-size` (of `start`).
[[nodiscard]] Model make_continuous(const Model& model, DifferenceMethod method,
                                    std::span<const double> start);

}  // namespace mti
