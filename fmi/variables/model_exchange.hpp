#pragma once

#include <optional>
#include <string>

#include "mti/model/model.hpp"
#include "solvers/multimode/all_modes.hpp"

namespace mti::fmi {

/// Why a model has no FMU for Model Exchange; nothing if it has one: that is if every mode that is considered is regular, with
/// the derivative of every state following from states and inputs, so that states are free and the index is at most 1. By
/// structure, for all modes at once (solvers/multimode).
[[nodiscard]] std::optional<std::string> why_no_model_exchange(const Model& model);

/// The analysis of all modes takes no more nodes of diagrams than so many.
inline constexpr long long most_nodes_looked_at = 30'000'000;
/// Why the considered modes are not all regular, if they are not.
[[nodiscard]] std::optional<std::string> why_singular(const Model& model, const AllModes& all);
/// "", or " in the modes where z1 and not z2".
[[nodiscard]] std::string modes_text(const ModeSpace& space, const ModeSet& set);

}  // namespace mti::fmi
