#include "tests/solvers/sensitivities/differentiated_run.hpp"

#include <algorithm>
#include <stdexcept>

namespace mti::test {

Trajectory differentiated_run(const Source& source, const std::vector<std::string>& names,
                              SimulationOptions options) {
  DifferentiatedModel differentiated = build_with_derivatives(source, names);
  options.sensitivities = std::move(differentiated.derivatives);
  return simulate(differentiated.model, options);
}

double derivative(const Trajectory& run, std::size_t row, const std::string& signal,
                  const std::string& parameter) {
  return run.sensitivities.row(row)[run.sensitivities.column(signal, parameter)];
}

double derivative(const Trajectory& run, const std::string& signal, const std::string& parameter) {
  return derivative(run, run.size() - 1, signal, parameter);
}

double time_derivative(const Trajectory& run, std::size_t event, const std::string& parameter) {
  const std::vector<std::string>& names = run.sensitivities.parameters();
  const auto found = std::ranges::find(names, parameter);
  if (found == names.end()) throw std::out_of_range(parameter);
  return run.events.at(event).sensitivity.at(static_cast<std::size_t>(found - names.begin()));
}

}  // namespace mti::test
