#pragma once

#include "mti/mode.hpp"
#include "solvers/outputs.hpp"

namespace mti {

/// The slide that a binary takes part in; nothing if it does not.
[[nodiscard]] const Slide* slide_of(const Mode& mode, int binary);

/// Puts the outputs of logic to what the deciders make them: in z, and in each slide those that differ
/// between its two sides. False if some equation leaves its output without a value.
bool settle_outputs(const Outputs& outputs, Mode& mode);

/// Chattering would meet each side of a surface with the other side's values for pre(z): outputs that slide
/// come to rest on their side even so, again and again with pre(z) := z. (A latch does not.)
[[nodiscard]] bool may_chatter(const Signature& signature, const Outputs& outputs, const Mode& mode);

}  // namespace mti
