#pragma once

#include <filesystem>
#include <optional>

#include "mti/model/model.hpp"
#include "mti/source/source.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/stepping/saved_run.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// Where and how often a run is written down.
struct CheckpointPlan {
  std::filesystem::path file;
  double every;   ///< seconds, by the wall clock
  Source source;  ///< of the model that is run
};

/// simulate(), from the start or from where a run was saved, which writes a checkpoint now and then. The run goes on from
/// each as a run that is taken up from it, bit for bit. A checkpoint that cannot be written is a warning, the first of them: the run goes on. Errors: those of
/// simulate().
[[nodiscard]] Trajectory run_with_checkpoints(const Model& model, const SimulationOptions& options,
                                              const std::optional<SavedRun>& saved,
                                              const std::optional<CheckpointPlan>& plan);

}  // namespace mti
