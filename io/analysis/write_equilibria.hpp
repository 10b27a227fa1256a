#pragma once

#include <string>

#include "mti/model/model.hpp"
#include "solvers/equilibria/equilibrium.hpp"

namespace mti {

/// {"outcome": "found" or "none", "message", "modes_tried", "equilibria": [{"stability", "open", "rests", "leaves",
/// "values": {signal: value}, "slides": {constraint: {binary: weight}}, "linearization": {…}}]}, the linearization as
/// linearization_json() has it; "open" is null where it was not examined.
[[nodiscard]] std::string equilibria_json(const Model& model, const EquilibriumSearch& search);

/// The same to be read by people, with the values of states, algebraic signals and binaries, and the eigenvalues.
[[nodiscard]] std::string equilibria_text(const Model& model, const EquilibriumSearch& search);

}  // namespace mti
