#pragma once

#include <array>
#include <span>
#include <vector>

#include "solvers/accumulation/accumulations.hpp"
#include "solvers/accumulation/zeno_approach.hpp"
#include "solvers/events/run_state.hpp"

namespace mti {

/// What a run skips between an event and the limit of switches that is found there.
struct WayToLimit {
  Accumulations::Found found;
  double time = 0.0;  ///< of the limit
  Approach::Point point;
  std::vector<double> weights, v;  ///< at the limit
  Accuracy accuracy;               ///< what counts as zero at the event
};

/// v on the way from the event, at time t. States that take part are no farther from the line to the limit than they are
/// uncertain there; the others go on. The line cuts through a surface that curves, as a floor that is accelerated does in
/// time: where it is beyond one of those of the limit, it is put on it.
[[nodiscard]] std::vector<double> point_on(const WayToLimit& way, const RunState& event,
                                           const Signature& signature, double t);

/// Taylor coefficients of what goes on to a limit, 0 … 8.
inline constexpr int course_degree = 8;
using Course = std::array<double, course_degree + 1>;
[[nodiscard]] Course course_of(Motion& motion, int row);
/// What its last two terms leave open at τ.
[[nodiscard]] double left_open(const Course& c, double tau);

/// Those that move, at a time of the present pieces.
void put_inputs(const Instant& here, const Signature& signature, double t, std::span<double> v);

}  // namespace mti
