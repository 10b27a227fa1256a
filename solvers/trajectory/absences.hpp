#pragma once

#include <vector>

#include "solvers/mode/mode_system.hpp"
#include "solvers/trajectory/trajectory.hpp"

namespace mti {

/// Rows of S that keep their last value in a mode, and algebraic signals that only follow from such (a and b in
/// a + b = 1, whichever of them is kept).
[[nodiscard]] std::vector<int> open_signals(const ModeSystem& system, const Signature& signature);

/// Keeps account of which signals are absent while a run goes from mode to mode.
///
/// A signal is absent in a mode where it occurs in no equation. It keeps its value there; a state comes back
/// with that value as its left limit.
class Absences {
 public:
  /// The mode from the event on: enters into the event what left and what returned, and into the trajectory
  /// the times that have ended.
  void enter(const ModeSystem& system, const Signature& signature, Event& event, Trajectory& trajectory);
  /// The run ends: what is absent still is so until `time`.
  void finish(double time, Trajectory& trajectory);

 private:
  std::vector<Absence> open_;  ///< ascending by row
};

}  // namespace mti
