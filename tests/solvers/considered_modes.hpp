#pragma once

#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"

namespace mti::test {

/// Whether a row of Φ holds binaries, binary inputs and pre(z), and no other signal.
[[nodiscard]] bool holds_binaries_only(const Model& model, const SparseColumns& Phi, int row);

/// Whether a mode fulfils the invariants and every equation and constraint that holds binaries only, by
/// putting the values into them one by one.
[[nodiscard]] bool is_considered(const Model& model, const Mode& mode);

}  // namespace mti::test
