#pragma once

#include <Eigen/Core>

#include <vector>

#include "tests/program/relay_by_hand.hpp"

namespace mti::test {

/// The same as run_by_hand with SUNDIALS IDA, the variable-order BDF that the simulator uses itself: its root
/// finding for the surface and for the bounds of sgn, a restart with the formula's ẋ at every change. What
/// this achieves at given tolerances is the integrator's share of the error.
/// Throws std::runtime_error where IDA fails.
[[nodiscard]] RelayRun run_with_ida(const RelaySystem& system, const Eigen::VectorXd& x, int side,
                                    const std::vector<double>& sample_times, double rtol, double atol);

}  // namespace mti::test
