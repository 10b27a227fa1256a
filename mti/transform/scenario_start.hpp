#pragma once

#include <string_view>

#include "mti/derivatives/parameter_derivative.hpp"
#include "mti/model/model.hpp"

namespace mti {

/// The model with a scenario as what determines where a run begins:
///
///     h(v) = 0    of the scenario, in the modes it is meant for;    every start value is a guess
///
/// in the place of fixed start values and of the model's `initial` equations.
///
///     Trajectory run = simulate(with_scenario(model, "thrown"), options);
///
/// Errors: InvalidOption, id `unknown-scenario`; InvalidModel, id `initial-in-discrete-model`.
[[nodiscard]] Model with_scenario(Model model, std::string_view name);
/// With derivatives that belong to the model.
[[nodiscard]] DifferentiatedModel with_scenario(DifferentiatedModel differentiated, std::string_view name);

}  // namespace mti
