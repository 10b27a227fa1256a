#pragma once

#include <vector>

#include "solvers/admissibility/admissibility.hpp"

namespace mti {

/// The impulses with which a motion begins against its constraints, into the verdict: with v + Σ weight·δ^order put in, the
/// highest power of δ that is left in g outweighs all others, so its sign decides. Where that power is a product of different
/// weights there is no sign: it depends on how the pulses overlap that the model idealises.
/// States that equations move, and no impulse, have one in ẋ (solvers/motion/algebraic_jumps.hpp).
/// Returns the constraints that let impulses pass.
std::vector<int> check_impulses(const Motion& motion, const Instant& here, const Signature& signature,
                                Admissibility& verdict);

/// A restart is refused since an impulse is multiplied by what jumps itself. That leaves open what the refused equations determine,
/// and whatever follows from it; other weights are what they are, and where a constraint forbids one of them no motion begins,
/// whatever the rest comes to: the verdict is that then. `states`: n of the model.
void turn_down_by_impulses(const Motion& motion, int states, Admissibility& verdict);

}  // namespace mti
