#pragma once

#include <string>

#include "mti/model/model.hpp"

namespace mti {

/// The binary that follows the square wave of a clock, and so changes at each tick: "k.tick".
[[nodiscard]] std::string tick_of(const std::string& clock);

/// Its equation, k.tick = k: "k.ticks".
[[nodiscard]] std::string ticks_of(const std::string& clock);

/// The binary input k that is the clock of a binary k.tick with an equation k.ticks; −1: the binary is no tick.
[[nodiscard]] int clock_of(const Model& model, int binary);

}  // namespace mti
