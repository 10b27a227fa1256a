#include "solvers/simulation/simulate.hpp"

#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "solvers/simulation/discrete_simulation.hpp"
#include "solvers/simulation/simulation.hpp"
#include "solvers/simulation/user_exception.hpp"
#include "solvers/solvability/singular_modes.hpp"

namespace mti {

Trajectory simulate(const Model& model, const SimulationOptions& options) {
  if (std::vector<Fault> faults = options.validate(model); !faults.empty())
    throw InvalidOption(std::move(faults));
  try {
    if (model.is_discrete()) return DiscreteSimulation(model, options).run();
    std::vector<std::string> warnings;
    if (options.warn)
      if (std::optional<std::string> warning = warn_of_singular_modes(model)) {
        options.warn(*warning);
        warnings.push_back(*std::move(warning));
      }
    Trajectory trajectory = Simulation(model, options).run();
    trajectory.warnings.insert(trajectory.warnings.begin(), warnings.begin(), warnings.end());
    return trajectory;
  } catch (const UserException& user) {
    std::rethrow_exception(user.thrown);
  }
}

}  // namespace mti
