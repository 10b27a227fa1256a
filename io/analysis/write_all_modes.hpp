#pragma once

#include <string>

#include "mti/model/model.hpp"
#include "solvers/multimode/multimode_analysis.hpp"

namespace mti {

/// The structure of all modes as a JSON object: numbers of modes (strings of digits), the singular ones as a
/// formula with their over- and under-determined parts, classes of modes by index and degrees of freedom,
/// offsets, incidence, conditional dependency graph, mode changes, laws and initial scenarios
/// (docs/all-modes.md).
///
/// Formulas are texts in the model's names with and, or, not; of mode changes, pre(z) is z before. Where only
/// regular modes are meant a formula says nothing of others.
[[nodiscard]] std::string all_modes_json(const Model& model, const MultimodeAnalysis& analysis);

/// The same to be read by people; lists that are long are cut, and say so.
[[nodiscard]] std::string all_modes_text(const Model& model, const MultimodeAnalysis& analysis);

}  // namespace mti
