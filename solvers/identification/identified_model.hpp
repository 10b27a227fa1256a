#pragma once

#include "solvers/identification/identification.hpp"

namespace mti {

/// The model of identified functions in the matrix form: factors of S and, where there are modes, one more factor z or 1 − z
/// for each binary that tells a mode from the others,
///
///     0 = −ẋ + Σ_modes Σ_k Φ_jk Π_b [z_b or 1 − z_b] Π_i (1 − |S_ik| + S_ik w_i)
///
/// A mode column with values 0 and 1 is a binary input of its name, one with other values c, d, … has a binary input
/// NAME_is_c for each. It begins where the first experiment that lasts does, inputs are tables of its samples, and it stops
/// where that ends: linear between samples, held in discrete time.
[[nodiscard]] Source identified_model(const IdentificationData& data, const Identification& found,
                                      bool discrete);

/// The names of the binary inputs of mode columns.
[[nodiscard]] std::vector<std::string> mode_inputs(const IdentificationData& data);

}  // namespace mti
