#pragma once

#include <algorithm>
#include <cmath>

#include "mti/common/rounding.hpp"
#include "mti/model/model.hpp"

namespace mti {

/// The time up to which inputs have jumped at t. Samples stand at start + k·Ts: a table jumps at t_k where its time is t_k
/// to rounding. In continuous time t itself.
[[nodiscard]] inline double sample_reach(const Model& model, double t, double start) {
  constexpr double few_roundings = 8.0 * machine_epsilon;
  return model.is_discrete() ? t + few_roundings * std::max(std::abs(t), std::abs(start)) : t;
}

}  // namespace mti
