#pragma once

#include <vector>

#include "solvers/restart/restart.hpp"

namespace mti {

/// No row of the mode multiplies signals (or a signal and an input) with each other.
[[nodiscard]] bool is_linear_mode(const RestartPlace& place);

/// The largest part of a mode that is linear and knows nothing of the rest: equations without products that hold
/// unknowns of such equations only. What stands beside it or comes after it changes nothing about how it jumps.
struct LinearPart {
  LinearPart() = default;  ///< none
  /// Equations that are `left_out` (by row of f; empty: none) do not belong to it.
  LinearPart(const RestartPlace& place, const std::vector<char>& left_out);

  std::vector<char> equations;  ///< by row of f
  bool whole = true;            ///< it is all of the mode
  bool has_own_stages = false;  ///< it has conditions on positions or known Dirac parts
};

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
/// stages begin below 0, where the first jump may be. Enters x⁺ into v and the series. Of a mode that is not linear it
/// is about its linear part, and all else rests.
[[nodiscard]] Restart restart_linear_mode(const RestartPlace& place, const LinearPart& part);

/// Equations outside of the linear part that its impulses ask too much of: of higher order than 1, or of any order
/// where an equation is differentiated. `found` is what restart_linear_mode gave.
[[nodiscard]] std::vector<int> beyond_linear_part(const RestartPlace& place, const LinearPart& part,
                                                  const Restart& found);

}  // namespace mti
