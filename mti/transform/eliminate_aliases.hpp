#pragma once

#include "mti/transform/elimination.hpp"
#include "mti/transform/recovery.hpp"

namespace mti {

/// Eliminates algebraic signals that an equation binds to one other signal, or to a number:
///
///     α a + β b + γ = 0  →  a = −(β b + γ)/α        α a + γ = 0  →  a = −γ/α
///
/// with numbers α, β, γ; a = b, a = −b, a = const among them. The equation goes with the signal; a's factors
/// become factors of b, so that no column is added. Chains a = b, b = c are followed to their end.
///
/// Which one stays: a state before an input, a binary or pre(z), an algebraic signal of `options.keep`,
/// another algebraic signal, a copy made for a power; of two of a kind the one declared first. Only algebraic
/// signals are ever eliminated. Binaries stay because the distance of modes counts them.
///
/// Left as they are: equations that a transition law puts out of force; pairs that stand in one column, whose
/// product would be a power (so a copy x̂ that serves a power stays); signals of laws that would become
/// binaries there, or algebraic signals with a constant beside them, for impulses have weights without it.
/// Start guess, nominal value and unit are those of the signal that stays; a guess of 0 gives way to one of
/// a signal that goes.
/// Errors: InvalidModel, id `unknown-name`, for a name of `options.keep`. Cost: O(N log N) non-zeros.
[[nodiscard]] Transformed eliminate_aliases(const Model& model, const EliminationOptions& options = {});

}  // namespace mti
