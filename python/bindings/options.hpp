#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "solvers/simulation/simulate.hpp"

namespace mti::python {

/// The options of a run by the names that mti.simulate has for them; what is missing or None is left unset. Warnings stay
/// in the trajectory. Errors: InvalidOption for a word that is none.
[[nodiscard]] SimulationOptions options_of(const pybind11::dict& words);

/// The word "sensitivities": names of what a run is differentiated by.
[[nodiscard]] std::vector<std::string> sensitivities_of(const pybind11::dict& words);

}  // namespace mti::python
