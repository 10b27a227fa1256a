#pragma once

#include <string>

#include "mti/model.hpp"
#include "solvers/linearize.hpp"

namespace mti {

/// E, A, B, C, D as sparse triplets (as in the matrices form of a model), the names of their rows and
/// columns, the point, and the eigenvalues as pairs [real, imaginary], as a JSON object. Where there are no
/// eigenvalues, "eigenvalues" is null and "eigenvalues_note" says why.
[[nodiscard]] std::string linearization_json(const Model& model, const Linearization& linearization);

/// The same to be read by people: small matrices as tables, large ones as lists of their entries.
[[nodiscard]] std::string linearization_text(const Model& model, const Linearization& linearization);

}  // namespace mti
