#pragma once

#include <string>

#include "solvers/simulation/simulate.hpp"

namespace mti {

/// A run as the program makes it: asked to stop, or out of time, it gives what it has within half a second.
struct GuardedRun {
  Trajectory trajectory;
  /// The run is left in the middle of its work, in a thread of its own that cannot be ended: the process may
  /// only write what it has and end without a return from main (leave_process).
  bool abandoned = false;
};

/// simulate() with a look from outside. The run looks at its stop token and its time itself, and nearly
/// always that is all there is to it; a single large factorisation or linear programme does not, so after a
/// moment of grace what it has so far is taken from it. Throws what simulate() throws.
[[nodiscard]] GuardedRun run_guarded(const Model& model, SimulationOptions options);

/// Ends the process at once, with standard output written.
[[noreturn]] void leave_process(int status);

/// Ends the process if a model has not been read when `seconds` have passed: there are no results yet that
/// could be kept.
class ReadingLimit {
 public:
  ReadingLimit(double seconds, std::string file);
  ~ReadingLimit();
  ReadingLimit(const ReadingLimit&) = delete;
  ReadingLimit& operator=(const ReadingLimit&) = delete;
  [[nodiscard]] double seconds_left() const;  ///< never quite zero

 private:
  struct Watch;
  Watch* watch_;
};

}  // namespace mti
