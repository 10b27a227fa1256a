#pragma once

#include <vector>

#include "solvers/restart/restart.hpp"

namespace mti {

/// The early stages of the plan, with other equations as conditions on x where those leave the unknowns w much less open:
///
///     |Δw| ≤ |J⁻¹| Δf ,    Δf_i = Σ_k |∂f_i/∂x_k| ε_k + rounding .
///
/// Structure does not tell which equation determines an unknown at x⁻, and which one is a condition on x: of v = w·(1 + a) and
/// a·b = c the second has to determine a where w vanishes. Equations are chosen by QR with pivots of their gradients in units of Δf,
/// among all that are not `done`. Empty where the plan's own choice is as good, and where a stage is too large for dense matrices.
[[nodiscard]] std::vector<SolutionPlan::Stage> stages_with_other_conditions(const RestartPlace& place,
                                                                            const std::vector<char>& done);

}  // namespace mti
