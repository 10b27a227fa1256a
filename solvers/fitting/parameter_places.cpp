#include "solvers/fitting/parameter_places.hpp"

#include <algorithm>

namespace mti {

ParameterPlaces::ParameterPlaces(const FitProblem& problem, std::size_t experiment) {
  const std::string& name = problem.experiments[experiment].name;
  for (std::size_t j = 0; j < problem.parameters.size(); ++j) {
    const FitParameter& parameter = problem.parameters[j];
    if (!parameter.experiments.empty() && std::ranges::count(parameter.experiments, name) == 0) continue;
    positions.push_back(static_cast<int>(j));
    quantities.push_back(parameter.quantity.empty() ? parameter.name : parameter.quantity);
  }
}

}  // namespace mti
