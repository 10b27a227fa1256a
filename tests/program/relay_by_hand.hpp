#pragma once

#include <Eigen/Core>

#include <vector>

namespace mti::test {

/// A linear system under a relay, ẋ = A x − b sgn(c·x).
struct RelaySystem {
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
  Eigen::RowVectorXd c;
};

/// What an engineer's own event-driven program achieves at given tolerances, where a problem
/// amplifies errors.
///
/// Dormand–Prince 5(4) with local errors below rtol·|x_i| + atol and its dense output of fourth order. On a
/// side (±1) the run goes on to a zero of c·x, found by bisection. There it slides (side 0) if both fields
/// point to the surface, with Filippov's sgn = c·A x / c·b, until that value leaves [−1, 1]; else it passes.
struct RelayRun {
  struct Change {
    double time;
    int before, after;  ///< −1, 0, 1
  };
  std::vector<Change> changes;
  std::vector<Eigen::VectorXd> samples;  ///< one per sample time
};

/// Runs from x at time 0, on side `side`, to the last sample time. `sample_times` ascend, all above 0.
[[nodiscard]] RelayRun run_by_hand(const RelaySystem& system, Eigen::VectorXd x, int side,
                                   const std::vector<double>& sample_times, double rtol, double atol);

}  // namespace mti::test
