#pragma once

#include <string>
#include <vector>

#include "mti/model/model.hpp"
#include "solvers/stepping/saved_contents.hpp"

namespace mti {

/// Pulses whose widths are a copy of the input of this name; null if `input` is none of these.
[[nodiscard]] const PulseWidthInput* pulses_of(const Input& input, const std::string& duty);

/// Puts what was set one after the other in place of input i of the model, and into pulses whose widths follow it.
void hold_input(Model& model, int i, const std::vector<HeldInput>& held, double stop);

}  // namespace mti
