#pragma once

#include <vector>

#include "solvers/impulses/impulsive_part.hpp"
#include "solvers/motion/motion.hpp"

namespace mti {

/// States whose derivatives do not occur in the mode, as x of x = u, that begin elsewhere than they were: no impulse of an
/// equation moves them, and ẋ has one all the same,
///
///     ẋ = (x⁺ − x⁻)·δ .
///
/// Only what is more than the errors on both sides counts, and than what x does while t itself is uncertain. By rows of ẋ.
[[nodiscard]] std::vector<ImpulsivePart> algebraic_jumps(const Motion& motion, const Instant& here,
                                                         const Signature& signature);

/// These, and the impulses of the equations. By rows.
[[nodiscard]] std::vector<ImpulsivePart> impulses_at_beginning(const Motion& motion, const Instant& here,
                                                               const Signature& signature);

}  // namespace mti
