#pragma once

#include <optional>
#include <string>

#include "mti/model/mode.hpp"
#include "mti/model/model.hpp"
#include "solvers/motion/system_jacobian_rank.hpp"
#include "solvers/structure/mode_structure.hpp"
#include "solvers/structure/sub_problems.hpp"

namespace mti {

/// Sizes, sub-sets, sub-problems and numbers of combinations as a JSON object, in the model's names.
///
/// n, m, p, q: states, inputs, algebraic signals, binaries. Numbers of combinations are exact: "all" is a
/// string, the others are whole numbers of any size.
[[nodiscard]] std::string structure_json(const Model& model, const Structure& structure);

/// The same to be read by people, with the picture of the block lower triangular form.
[[nodiscard]] std::string structure_text(const Model& model, const Structure& structure);

/// One mode as a JSON object: regular or not, offsets, index, degrees of freedom, blocks, the rank of the
/// system Jacobian with what is wrong if it is not full, and for a singular mode its over- and
/// under-determined parts. What a mode does not have is null.
[[nodiscard]] std::string mode_json(const Model& model, const Mode& mode, const ModeStructure& structure,
                                    const std::optional<SystemJacobianRank>& rank);

/// The same to be read by people, with the latent equations: those that are differentiated, and what that
/// gives.
[[nodiscard]] std::string mode_text(const Model& model, const Mode& mode, const ModeStructure& structure,
                                    const std::optional<SystemJacobianRank>& rank);

}  // namespace mti
