#pragma once

#include <algorithm>
#include <vector>

#include "mti/model/model.hpp"
#include "solvers/run_options/simulation_options.hpp"

namespace mti {

/// The whole number of sample times in a duration; what is later by rounding counts as within it.
[[nodiscard]] long samples_within(double duration, double sample_time);

/// interval / Ts if that is a whole number to rounding; 0 otherwise.
[[nodiscard]] long samples_between_outputs(const Model& model, double interval);

/// k of the sample at this time of a run from `start`, start + k·Ts; −1 if there is none, to rounding.
[[nodiscard]] long sample_at(const Model& model, double start, double time);

/// The samples of which a run has rows: those at its output times, or every so many of them and the last one.
class RecordedSamples {
 public:
  /// Options that resolve() has found to be usable.
  RecordedSamples(const Model& model, const SimulationOptions& options, const ResolvedOptions& resolved);

  [[nodiscard]] bool contains(long sample) const {
    return listed_.empty() ? sample % every_ == 0 || sample == last_
                           : std::binary_search(listed_.begin(), listed_.end(), sample);
  }
  /// K, of the last sample of the run.
  [[nodiscard]] long last() const noexcept { return last_; }

 private:
  long last_, every_;
  std::vector<long> listed_;  ///< ascending; empty: none are given
};

/// The time of the last sample up to `time`, of a run from `start`; what is later by rounding counts as on
/// it.
[[nodiscard]] double last_sample_until(const Model& model, double start, double time);

}  // namespace mti
