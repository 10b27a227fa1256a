#pragma once

#include <span>

#include "mti/common/dual.hpp"
#include "mti/text/functions.hpp"

namespace mti::text {

/// f(a_1, a_2, …) of numbers with derivatives, f with a value (Function::value):
///
///     f + Σ_d (Σ_i ∂f/∂a_i a_i,d) ε_d
///
/// min, max, abs, pos, neg, clamp and deadzone have the derivative of the piece that the arguments are in. Slopes are NaN
/// where there is no derivative: at an end of a piece that the arguments leave, and wherever arguments of sign and step
/// vary, whose values decide.
[[nodiscard]] Dual apply_dual(const Function& function, std::span<const Dual> arguments);

}  // namespace mti::text
