#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mti/source/source.hpp"

namespace mti::modelica {

/// `u = …` of a known function of time that is no constant: if-expressions of time, sin(…), mod(…) where it comes again.
/// Errors: InvalidModel, id `modelica-unwritable`, for pulses whose duty is one of `inputs`.
[[nodiscard]] std::string input_text(const InputSource& input, const std::vector<InputSource>& inputs,
                                     const std::function<std::string(const Number&)>& number);

}  // namespace mti::modelica
