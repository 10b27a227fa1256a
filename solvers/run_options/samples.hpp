#pragma once

#include "mti/model/model.hpp"

namespace mti {

/// The whole number of sample times in a duration; what is later by rounding counts as within it.
[[nodiscard]] long samples_within(double duration, double sample_time);

/// interval / Ts if that is a whole number to rounding; 0 otherwise.
[[nodiscard]] long samples_between_outputs(const Model& model, double interval);

/// The time of the last sample up to `time`, of a run from `start`; what is later by rounding counts as on
/// it.
[[nodiscard]] double last_sample_until(const Model& model, double start, double time);

}  // namespace mti
