#pragma once

#include "solvers/restart/restart.hpp"

namespace mti {

/// No row of the mode multiplies signals (or a signal and an input) with each other.
[[nodiscard]] bool is_linear_mode(const RestartPlace& place);

/// The restart of a linear mode E ẋ + A x = b of any index, impulses of any order included: the consistency
/// projector, Π x⁻ plus what b asks for.
///
/// The Laplace transform of the solution has the series X(s) = Σ_m X_m s^(−m−1) at infinity, X_m being the
/// m-th derivative at 0⁺ for m ≥ 0, the weight of δ for m = −1, of δ' for m = −2, …; order m of the equations
/// reads
///
///     E (X_{m+1} − [m = −1] x⁻) + A X_m = b^(m),      b^(m) = 0 for m < 0
///
/// Solved stage by stage with the matrices of the plan, as all other Taylor coefficients are, only that the
/// stages begin below 0, where the first jump may be. Enters x⁺ into v and the series.
[[nodiscard]] Restart restart_linear_mode(const RestartPlace& place);

}  // namespace mti
