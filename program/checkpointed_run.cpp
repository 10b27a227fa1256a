#include "program/checkpointed_run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "io/files/files.hpp"
#include "io/runs/checkpoint.hpp"
#include "io/runs/saved_run_text.hpp"
#include "solvers/stepping/run.hpp"

namespace mti {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_from(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

/// How far the run goes from one look at the clock to the next: looks cost nothing, but the steps between them should be
/// few against `every`.
class Stretch {
 public:
  Stretch(double start, double stop, double every) : length_((stop - start) / 1000.0), every_(every) {}

  [[nodiscard]] double end(double t) const {
    return std::max(t + length_, std::nextafter(t, std::numeric_limits<double>::infinity()));
  }
  void took(double seconds) {
    constexpr double most_of_every = 0.1, least_of_every = 0.01;
    if (seconds > most_of_every * every_) length_ *= 0.5;
    if (seconds < least_of_every * every_) length_ *= 2.0;
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
  const double every = plan ? plan->every : std::numeric_limits<double>::infinity();
  Stretch stretch(resolved.start, resolved.stop, every);
  Clock::time_point written = Clock::now();
  while (!run.ended()) {
    const Clock::time_point begun = Clock::now();
    run.advance(plan ? stretch.end(run.time()) : resolved.stop);
    stretch.took(seconds_from(begun));
    if (run.ended() || seconds_from(written) < every) continue;
    write_file(plan->file, write_checkpoint({plan->source, options, write_saved_run(model, run.save())}));
    written = Clock::now();
  }
  return run.finish();
}

}  // namespace mti
