#pragma once

#include <string>

#include "mti/model/model.hpp"
#include "solvers/simulation/trajectory.hpp"

namespace mti {

/// g(v) at every row of a run, as JSON:
///
///     {"names": […], "values": [[g_1 at row 0, …], …], "unknown": [[name, why], …], "left_out": count,
///      "most_values": M}
///
/// "unknown" names constraints that hold what a trajectory does not record (derivatives; pre(z) in discrete
/// time). Constraints beyond M values in all are left out, and counted.
[[nodiscard]] std::string report_constraints(const Model& model, const Trajectory& trajectory);

}  // namespace mti
