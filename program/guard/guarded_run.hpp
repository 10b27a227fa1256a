#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "solvers/simulation/simulate.hpp"

namespace mti {

/// How long work is waited for: no longer than a moment of grace after a stop was requested, or after `seconds` have
/// passed since the construction.
class Patience {
 public:
  Patience(std::stop_token stop, double seconds) : stop_(std::move(stop)), seconds_(seconds) {}

  /// Waits for the result; false if it did not come within `grace` after the end was asked for.
  template <class Result>
  [[nodiscard]] bool awaits(const std::future<Result>& result, std::chrono::milliseconds grace) {
    while (result.wait_for(between_looks) != std::future_status::ready)
      if (asked_for(grace)) return false;
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds between_looks{20};

  /// The end was asked for more than `grace` ago.
  [[nodiscard]] bool asked_for(std::chrono::milliseconds grace);

  std::stop_token stop_;
  double seconds_;
  Clock::time_point begun_ = Clock::now();
  std::optional<Clock::time_point> asked_ = {};
};

/// A run as the program makes it: asked to stop, or out of time, it gives what it has within half a second.
struct GuardedRun {
  Trajectory trajectory;
  /// The run is left in the middle of its work, in a thread of its own that cannot be ended: the process may
  /// only write what it has and end without a return from main (leave_process).
  bool abandoned = false;
};

/// What makes a run of a model: simulate(), or something like it that looks at the options as that does.
using RunWork = std::function<Trajectory(const Model& model, const SimulationOptions& options)>;

/// A run with a look from outside. The run looks at its stop token and its time itself, and nearly
/// always that is all there is to it; a single large factorisation or linear programme does not, so after a
/// moment of grace what it has so far is taken from it. `patience` has the stop token of the options and their seconds.
/// Throws what `work` throws.
[[nodiscard]] GuardedRun run_guarded(const Model& model, SimulationOptions options, Patience& patience,
                                     const RunWork& work = simulate);

/// What `work` makes, done in a thread of its own; nothing if the run has to end before. Then the thread is left in the
/// middle of it, as an abandoned run is. Throws what `work` throws.
[[nodiscard]] std::optional<std::string> make_in_time(const std::function<std::string()>& work,
                                                      Patience& patience);

/// Ends the process at once, with standard output written unless another thread is writing to it.
[[noreturn]] void leave_process(int status);

/// What main returns; where a library would crash at the end of the process, it ends here.
[[nodiscard]] int status_of_process(int status);

}  // namespace mti
