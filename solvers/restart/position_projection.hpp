#pragma once

#include <vector>

#include "solvers/restart/restart.hpp"

namespace mti {

/// The stages of a plan below −1 (with sliding binaries: below 0), for given x: what they determine enters
/// the series, and x is put where their conditions on it hold.
///
/// Conditions must hold within 8 times what x may be off, by its own accuracy and by that of the event's
/// time. The move is the smallest in the metric of the mode's mass matrix, −∂f/∂(leading)⁻¹ applied to what
/// the conditions are off; with sliding binaries in the metric of ε. Equations that are `done` (by row of f; empty:
/// none) hold already, and x is given with what they have made of it.
[[nodiscard]] Restart settle_positions(const RestartPlace& place, int last_stage,
                                       const std::vector<char>& done = {});

}  // namespace mti
