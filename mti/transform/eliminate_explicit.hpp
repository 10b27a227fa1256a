#pragma once

#include "mti/transform/elimination.hpp"
#include "mti/transform/recovery.hpp"

namespace mti {

/// Eliminates algebraic signals that an equation gives explicitly, by multiplying out:
///
///     c y + h(v without y) = 0,  c a number  →  y = −h/c,
///     (1 − |S| + S y) P = (1 − |S|) P − (S/c) Σ_l Φ_jl Q_l P      for every column with y
///
/// Of the signals that one equation would give, the one whose substitution adds the fewest columns goes; one
/// equation gives one signal. This is repeated until nothing is left to be done.
///
/// A substitution is made only if it makes f and g longer by at most options.most_new_columns columns
/// (default 0: they never grow). Counted are the products formed, before equal ones are merged, less the
/// columns with y and those of the definition alone. Left as they are, besides what `options.keep` names:
/// signals whose substitution would multiply a signal by itself (no power copies are made; a binary of a
/// sliding motion is not idempotent either), definitions that hold a derivative (there y carries the impulse
/// of a jump), equations that a transition law puts out of force, signals of laws and scenarios.
/// Errors: InvalidModel, id `unknown-name`, for a name of `options.keep`.
[[nodiscard]] Transformed eliminate_explicit(const Model& model, const EliminationOptions& options = {});

}  // namespace mti
