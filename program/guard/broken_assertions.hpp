#pragma once

#include <vector>

#include "mti/common/fault.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// One line for each assertion that the run has broken, warnings with `warning: ` before the id.
[[nodiscard]] std::vector<Fault> faults_of_assertions(const Trajectory& run);

/// One was broken that is more than a warning.
[[nodiscard]] bool has_failed_assertion(const Trajectory& run);

}  // namespace mti
