#pragma once

#include "solvers/motion/motion.hpp"

namespace mti {

/// A constraint with a law, or one that a `when` waits for, that is within ε of zero at the instant, and rises by its slope, is met at a time of its own: below zero, it
/// does not come there within the τ that counts as the same instant,
///
///     g + Σ_(k≥1) max(g_k, 0) τ^k < 0
///
/// with the Taylor coefficients g_k along the motion. What a law sets, as the speed of an impact, is set when it is due: a body within
/// ε of its floor may be longer on its way there than many impacts of another take.
[[nodiscard]] bool is_met_later(const Model& model, const Instant& instant, Motion& motion, int row);

}  // namespace mti
