#pragma once

#include "io/json/writer.hpp"
#include "io/runs/write_explanation.hpp"
#include "mti/model/model.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// A run as summary.json and the report have it: {"outcome", "message", "end_time", "statistics",
/// "accumulations", "warnings", "assertions", "undetermined", "absent", "options", "model", "version"}. What `options` leave
/// unset is shown as the value of the model's experiment that was used instead.
void write_summary(json::Writer& out, const Model& model, const Trajectory& trajectory,
                   const SimulationOptions& options, WithExplanation explained);

}  // namespace mti
