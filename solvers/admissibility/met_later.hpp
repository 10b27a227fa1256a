#pragma once

#include "solvers/motion/motion.hpp"

namespace mti {

/// A constraint that is within ε of zero at the instant, and rises, is met at a time of its own: below zero, it does not come there
/// within the τ that counts as the same instant,
///
///     g + Σ_(k≥1) max(g_k, 0) τ^k < 0
///
/// with the Taylor coefficients g_k along the motion. For a threshold τ = 10·δ, by which any event may be early: a level that rises
/// slowly is within ε of it for longer than that. For one with a law, or that a `when` waits for, τ = δ/10: what a law sets, as the
/// speed of an impact, is set when it is due, and a body within ε of its floor may be longer on its way there than many impacts of another take.
[[nodiscard]] bool is_met_later(const Model& model, const Instant& instant, Motion& motion, int row);

}  // namespace mti
