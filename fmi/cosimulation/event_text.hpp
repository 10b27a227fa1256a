#pragma once

#include <string>

#include "mti/model/model.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti::fmi {

/// "t = 1.5: switch; z1: 0 -> 1; x: 2 -> -1", as log messages have it.
[[nodiscard]] std::string text_of(const Event& event, const Model& model);

/// "dead_end: at t = 1.5 …".
[[nodiscard]] std::string text_of(const Outcome& outcome);

}  // namespace mti::fmi
