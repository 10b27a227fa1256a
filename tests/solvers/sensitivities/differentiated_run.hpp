#pragma once

#include <string>
#include <vector>

#include "mti/derivatives/parameter_derivative.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti::test {

/// A run of a source, differentiated by the quantities `names`.
Trajectory differentiated_run(const Source& source, const std::vector<std::string>& names,
                              SimulationOptions options = {});
/// ∂(signal)/∂(parameter) in a row; the last one by default.
double derivative(const Trajectory& run, const std::string& signal, const std::string& parameter);
double derivative(const Trajectory& run, std::size_t row, const std::string& signal,
                  const std::string& parameter);
/// ∂t/∂(parameter) of an event.
double time_derivative(const Trajectory& run, std::size_t event, const std::string& parameter);

}  // namespace mti::test
