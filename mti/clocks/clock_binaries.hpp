#pragma once

#include <string>

#include "mti/model/signature.hpp"

namespace mti {

/// The binary that follows the square wave of a clock, and so changes at each tick: "k.tick".
[[nodiscard]] std::string tick_of(const std::string& clock);

/// The binary input that is the clock of a binary z = k.tick; −1: it is none.
[[nodiscard]] int clock_of(const Signature& signature, int binary);

}  // namespace mti
