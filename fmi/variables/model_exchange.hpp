#pragma once

#include <optional>
#include <string>

#include "mti/model/model.hpp"

namespace mti::fmi {

/// Why a model has no FMU for Model Exchange; nothing if it has one: that is if every mode that is considered is regular, with
/// the derivative of every state following from states and inputs, so that states are free and the index is at most 1. By
/// structure, for all modes at once (solvers/multimode).
[[nodiscard]] std::optional<std::string> why_no_model_exchange(const Model& model);

}  // namespace mti::fmi
