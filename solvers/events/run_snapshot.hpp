#pragma once

#include <deque>
#include <limits>
#include <vector>

#include "mti/model/mode.hpp"
#include "solvers/accumulation/accumulations.hpp"
#include "solvers/accumulation/zeno_approach.hpp"

namespace mti {

/// Where a run stands, and what it remembers that decides how it goes on. What only saves time, the equations of modes
/// that were met, is not here.
struct RunSnapshot {
  double time = 0.0;
  double inputs_until =
      0.0;  ///< inputs are as they are behind their breakpoints up to here; roundings may hold this from `time`
  int constraints = 0;  ///< of the model: slides and accumulations name them by their number
  Mode mode = {};
  std::vector<double> v = {},
                      guess = {};  ///< one entry per row of S: right limits; a second guess for ẋ and y
  bool has_past = false;           ///< ẋ and y of v are limits of the motion, not mere guesses

  bool accumulates = false;  ///< switches have accumulated at `time`, or the motion slides where they did
  std::vector<Slide> gathered = {};
  Accumulations accumulations = {};
  std::deque<Approach::Event> approach = {};

  bool slid = false;               ///< some segment of the run has slid
  double accumulated_error = 0.0;  ///< see SegmentIntegration
  long ida_steps = 0;              ///< in the mode, since it was entered
  double failed_at = -std::numeric_limits<double>::infinity();
  int failures_here = 0, tiny_steps = 0;

  long sample = 0;  ///< in discrete time: the next one to be solved
};

}  // namespace mti
