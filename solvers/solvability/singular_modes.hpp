#pragma once

#include <optional>
#include <string>

#include "mti/model/model.hpp"

namespace mti {

/// A sentence on the structurally singular modes that the model's invariants and the constraints of its
/// binaries leave: how many, where, what is over- and under-determined once the rows are left out that follow
/// from others (solvers/solvability/redundant_rows.hpp). Nothing if there is none, or if
/// finding out would take more than some milliseconds for models of this size.
[[nodiscard]] std::optional<std::string> warn_of_singular_modes(const Model& model);

}  // namespace mti
