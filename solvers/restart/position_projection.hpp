#pragma once

#include <vector>

#include "solvers/restart/restart.hpp"

namespace mti {

/// How positions are moved onto their conditions.
enum class Metric {
  of_reactions,  ///< that of the mode's mass matrix, −∂f/∂(leading)⁻¹ applied to what the conditions are off
  of_accuracy,  ///< that of ε, where binaries slide
};

/// The stages of a plan up to `last_stage`, −2 or for what is connected with surfaces −1, for given x: what they determine enters
/// the series, and x is put where their conditions on it hold.
///
/// Conditions must hold within 8 times what x may be off, by its own accuracy and by that of the event's
/// time. The move is the smallest in the metric. Equations that are `done` (by row of f; empty:
/// none) hold already, and x is given with what they have made of it.
[[nodiscard]] Restart settle_positions(const RestartPlace& place, int last_stage, Metric metric,
                                       const std::vector<char>& done = {});

}  // namespace mti
