#pragma once

#include <vector>

#include "mti/model/model.hpp"
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
  /// Inputs that were set to what the model says of them: with other parameters it may say something else, and they stay.
  std::vector<HeldInput> kept = {};
  /// All that happens at the time of the snapshot is decided: no clock ticks there by another period.
  bool clocks_go_on = true;
};

/// Throws InvalidOption (id `bad-saved-run`) if a run of `model` from `start` to `stop` cannot go on from there.
void require_fit(const SavedRun::Contents& saved, const Model& model, double start, double stop);

/// Signals of the same names and kinds; units and nominal values may be others.
[[nodiscard]] bool have_same_signals(const Signature& of, const Signature& to);

/// Throws InvalidOption if a run of `model` cannot go on in `other` because signals, constraints, the form of time, or the
/// signals whose values before a step it remembers are others.
void require_same_signals(const Model& model, const Model& other);

}  // namespace mti
