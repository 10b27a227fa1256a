#pragma once

#include <memory>

#include "python/bindings/loaded_model.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti::python {

/// What a run has found, with the model and the options it was made of. Arrays of Python look into `trajectory`, which
/// does not change any more.
struct FinishedRun {
  std::shared_ptr<const LoadedModel> model;
  SimulationOptions options;
  Trajectory trajectory;
};

}  // namespace mti::python
