#pragma once

#include <string>

#include "mti/model.hpp"
#include "solvers/structure.hpp"

namespace mti {

/// Sizes, sub-sets, sub-problems and numbers of combinations as a JSON object, in the model's names.
///
/// n, m, p, q: states, inputs, algebraic signals, binaries. Numbers of combinations are exact: "all" is a
/// string, the others are whole numbers of any size.
[[nodiscard]] std::string structure_json(const Model& model, const Structure& structure);

/// The same to be read by people, with the picture of the block lower triangular form.
[[nodiscard]] std::string structure_text(const Model& model, const Structure& structure);

}  // namespace mti
