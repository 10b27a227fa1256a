#pragma once

#include <string>
#include <vector>

#include "io/json/value.hpp"
#include "mti/common/fault.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti::json {

/// The member "simulation" of a plan: what its runs are asked for,
///
///     {"start", "stop", "rtol", "atol", "output_interval", "max_seconds", "max_events", "sliding", "integrator"}
///
/// each as in SimulationOptions. Faults: `bad-option` for another integrator, those of ObjectReader.
[[nodiscard]] SimulationOptions read_simulation(const Value& value, const std::string& pointer,
                                                std::vector<Fault>& faults);

}  // namespace mti::json
