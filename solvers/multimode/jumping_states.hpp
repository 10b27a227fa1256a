#pragma once

#include <string>
#include <vector>

#include "mti/model/model.hpp"

namespace mti {

/// For each state why its value may jump while a model runs; an empty text: it does not, in any run.
///
/// A state keeps its value at every event where each mode that is considered is regular, of index at most 1, and gives the
/// derivative of every state: restarts have nothing to move then. What is left are the states that transition laws hold. A
/// model that has one mode, no laws and smooth inputs moves continuously whatever its index is. By structure, for all modes
/// at once. In discrete time every state jumps.
[[nodiscard]] std::vector<std::string> jumping_states(const Model& model);

}  // namespace mti
