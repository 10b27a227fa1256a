#pragma once

#include "mti/model/mode.hpp"
#include "solvers/logic/outputs.hpp"

namespace mti {

/// The slide that a binary takes part in; nothing if it does not.
[[nodiscard]] const Slide* slide_of(const Mode& mode, int binary);

/// Puts the outputs of logic to what the deciders make them: in z, and where the mode slides in its slides
/// and among what is blended (solvers/mode/surface_columns.hpp). False if some equation leaves its output without
/// a value.
bool settle_outputs(const Outputs& outputs, Mode& mode);

}  // namespace mti
