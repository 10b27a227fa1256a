#pragma once

#include <vector>

#include "solvers/simulation/run_snapshot.hpp"

namespace mti {

/// An input that was taken over from outside: u(t) = value + slope·(t − from).
struct HeldInput {
  int input = -1;  ///< 0 … m − 1
  double from = 0.0, value = 0.0, slope = 0.0;
};

/// A run that Run::save has written down, and a Run of the same model takes up (io/runs/saved_run_text.hpp writes it as
/// text).
struct SavedRun {
  RunSnapshot snapshot;
  std::vector<HeldInput>
      inputs;  ///< ascending by input; of one input the last one counts, others where pulses follow them
};

}  // namespace mti
