#include "program/guard/checkpointed_run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "io/files/files.hpp"
#include "io/runs/checkpoint.hpp"
#include "io/runs/saved_run_text.hpp"
#include "mti/common/fault.hpp"
#include "solvers/stepping/run.hpp"

namespace mti {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_from(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

/// When a checkpoint is due, and how far the run goes from one look at the clock to the next: looks cost nothing, but the
/// steps between them should be few against what is left until then.
class Pace {
 public:
  Pace(double start, double stop, double every) : length_((stop - start) / 1000.0), every_(every) {}

  /// Where the run is to be looked at next.
  [[nodiscard]] double end(double t) const {
    return std::max(t + length_, std::nextafter(t, std::numeric_limits<double>::infinity()));
  }
  void advanced(double seconds) {
    constexpr double most_of_every = 0.1, least_of_every = 0.01;
    if (seconds > most_of_every * every_) length_ *= 0.5;
    if (seconds < least_of_every * every_) length_ *= 2.0;
  }
  [[nodiscard]] bool is_due(double seconds) const { return seconds >= every_; }
  /// Checkpoints take a twentieth of the time at most, however often they are asked for: a run goes on between them.
  void wrote(double seconds) {
    constexpr double share = 20.0;
    every_ = std::max(every_, share * seconds);
  }

 private:
  double length_, every_;
};

}  // namespace

Trajectory run_with_checkpoints(const Model& model, const SimulationOptions& options,
                                const std::optional<SavedRun>& saved,
                                const std::optional<CheckpointPlan>& plan) {
  Run run = saved ? Run(model, options, *saved) : Run(model, options);
  const ResolvedOptions resolved = resolve(model, options);
  Pace pace(resolved.start, resolved.stop, plan ? plan->every : std::numeric_limits<double>::infinity());
  Clock::time_point written = Clock::now();
  std::vector<std::string> warnings;
  while (!run.ended()) {
    const Clock::time_point begun = Clock::now();
    run.advance(plan ? pace.end(run.time()) : resolved.stop);
    pace.advanced(seconds_from(begun));
    if (run.ended() || !pace.is_due(seconds_from(written))) continue;
    const Clock::time_point due = Clock::now();
    const std::string checkpoint =
        write_checkpoint({plan->source, options, write_saved_run(model, run.save())});
    // The run is worth more than its checkpoint: it goes on, and tries again when the next one is due.
    try {
      write_file(plan->file, checkpoint);
    } catch (const UnusableFile& unusable) {
      if (warnings.empty()) {
        warnings.push_back("no checkpoint is written, and the run goes on: " +
                           unusable.faults().front().message);
        if (options.warn) options.warn(warnings.front());
      }
    }
    pace.wrote(seconds_from(due));
    written = Clock::now();
  }
  Trajectory trajectory = run.finish();
  trajectory.warnings.insert(trajectory.warnings.end(), warnings.begin(), warnings.end());
  return trajectory;
}

}  // namespace mti
