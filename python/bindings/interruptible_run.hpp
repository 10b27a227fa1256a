#pragma once

#include <pybind11/pybind11.h>

#include <optional>

#include "mti/model/model.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti::python {

struct InterruptedRun {
  Trajectory trajectory;
  /// What a handler of signals has raised meanwhile, KeyboardInterrupt as a rule: the run was asked to stop then.
  std::optional<pybind11::error_already_set> raised = {};
};

/// simulate() without the lock of the interpreter, in a thread of its own: the calling thread meanwhile handles signals
/// as Python does, which only the main thread can. To be called with the lock held; throws what simulate() throws.
[[nodiscard]] InterruptedRun run_interruptibly(const Model& model, SimulationOptions options);

}  // namespace mti::python
