#include "solvers/simulation/simulate.hpp"

#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "mti/model/delays.hpp"
#include "solvers/plan/shared_products.hpp"
#include "solvers/run_limits/user_exception.hpp"
#include "solvers/simulation/discrete_simulation.hpp"
#include "solvers/simulation/simulation.hpp"
#include "solvers/solvability/singular_modes.hpp"

namespace mti {

namespace {

Trajectory run_of(const Model& model, const SimulationOptions& options) {
  constexpr double no_limit = std::numeric_limits<double>::infinity();
  try {
    std::vector<std::string> warnings;
    if (options.warn && !model.is_discrete())
      if (std::optional<std::string> warning = warn_of_singular_modes(model)) {
        options.warn(*warning);
        warnings.push_back(*std::move(warning));
      }
    RunRecorder recorder(model, options);
    RunBudget budget(options.max_seconds, options.stop_token, options.progress);
    Trajectory trajectory;
    if (model.is_discrete()) {
      DiscreteSimulation run(model, options, recorder, budget);
      run.advance(no_limit, false);
      trajectory = recorder.take(budget.budget().seconds());
    } else {
      Simulation run(model, options, recorder, budget);
      run.begin();
      run.advance(no_limit, false);
      trajectory = recorder.take(budget.budget().seconds(), run.statistics());
    }
    trajectory.warnings.insert(trajectory.warnings.begin(), warnings.begin(), warnings.end());
    return trajectory;
  } catch (const UserException& user) {
    std::rethrow_exception(user.thrown);
  }
}

}  // namespace

Trajectory simulate(const Model& model, const SimulationOptions& options) {
  if (std::vector<Fault> faults = options.validate(model); !faults.empty())
    throw InvalidOption(std::move(faults));
  // Derivatives by parameters are those of the rows as they stand.
  const std::optional<Model> exact =
      options.sensitivities.empty() ? without_shared_products(model) : std::nullopt;
  const Model& of_run = exact ? *exact : model;
  return has_delays(of_run) ? run_of(with_own_history(of_run), options) : run_of(of_run, options);
}

}  // namespace mti
