#pragma once

#include <string>

#include "mti/model/model.hpp"

namespace mti {

/// The matrices of a model for the report, as JSON:
///
///     {"signals": [names of the rows of S], "rows": [names of the rows of Φ], "equations": n, "columns": R,
///      "S": {"i", "k", "v"}, "Phi": {"i", "k", "v"}}
///
/// The rows of Φ are those of f, then those of g. A model with more than 300,000 non-zeros has "left_out",
/// their number, in the place of S and Phi.
[[nodiscard]] std::string report_matrices(const Model& model);

}  // namespace mti
