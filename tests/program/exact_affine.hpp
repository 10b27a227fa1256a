#pragma once

#include <Eigen/Core>

#include <functional>
#include <vector>

namespace mti::test {

/// A hybrid system that is linear in every mode, ẇ = M w, solved by the matrix exponential: the oracle for
/// models whose states are affine between switches. Constants, ramps and sines are states of w as well.
struct ExactMode {
  /// Leaves for `next` when s·w rises through zero.
  struct Exit {
    Eigen::RowVectorXd s;
    int next;
  };
  Eigen::MatrixXd M;
  std::vector<Exit> exits;
};

struct ExactSwitch {
  double time;
  int before, after;
  double slope;  ///< d(s·w)/dt at the crossing; 0 where a jump of w took it
};

/// Follows the system from (t, w, mode) to `stop`. w and mode are left as they are there.
///
/// Exits are looked for on a grid of `step` and located by bisection; two crossings of one exit inside a step
/// are not seen. An exit that is already above zero at the start is taken at once.
std::vector<ExactSwitch> follow(const std::function<ExactMode(int)>& system, double t, double stop,
                                double step, Eigen::VectorXd& w, int& mode);

}  // namespace mti::test
