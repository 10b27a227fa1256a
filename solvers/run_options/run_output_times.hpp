#pragma once

#include "solvers/run_options/output_times.hpp"
#include "solvers/run_options/simulation_options.hpp"

namespace mti {

/// The times at which a run in continuous time has rows of side 0.
[[nodiscard]] inline OutputTimes output_times(const SimulationOptions& options,
                                              const ResolvedOptions& resolved) {
  if (!options.output_times.empty()) return {resolved.output_interval, options.output_times};
  return {resolved.start, resolved.stop, resolved.output_interval};
}

}  // namespace mti
