#pragma once

namespace mti {

/// Which linear solver the integrator uses; `automatic`: KLU from a size on where it is faster.
enum class LinearSolver { automatic, dense, klu };

}  // namespace mti
