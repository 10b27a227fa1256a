#pragma once

#include <optional>

#include "mti/model/model.hpp"
#include "solvers/events/run_snapshot.hpp"
#include "solvers/run_options/simulation_options.hpp"

namespace mti {

/// Where a run stands at t that has come from `behind_event` on its way to a limit of switches: with each of them, instead of what the
/// limit tells of that way. For what comes from outside at t, with which there may be no such limit. Nothing of it is recorded. Nothing if
/// they are more than can be followed.
[[nodiscard]] std::optional<RunSnapshot> followed_impacts(const Model& model,
                                                          const SimulationOptions& options,
                                                          const RunSnapshot& behind_event, double t);

}  // namespace mti
