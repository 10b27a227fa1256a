#pragma once

#include <vector>

#include "solvers/events/run_snapshot.hpp"
#include "solvers/stepping/saved_run.hpp"

namespace mti {

/// An input that was taken over from outside: u(t) = value + slope·(t − from).
struct HeldInput {
  int input = -1;  ///< 0 … m − 1
  double from = 0.0, value = 0.0, slope = 0.0;
};

struct SavedRun::Contents {
  RunSnapshot snapshot;
  /// Ascending by input; of one input the last one counts, others where pulses follow them.
  std::vector<HeldInput> inputs;
};

}  // namespace mti
