#pragma once

#include <cstddef>
#include <vector>

#include "mti/derivatives/input_derivative.hpp"
#include "mti/model/model.hpp"
#include "mti/reading/reading.hpp"
#include "mti/source/source.hpp"

namespace mti {

/// The derivatives of all inputs of a model by directions, from the texts of their numbers: result[direction][input].
/// Faults: `parameter-decides` (of binary inputs), `not-differentiable`, `delayed-signals`.
[[nodiscard]] std::vector<std::vector<InputDerivative>> input_derivatives(
    const std::vector<InputSource>& sources, const Model& model, const building::Numbers& numbers,
    std::size_t directions, building::Faults& faults);

}  // namespace mti
