#include "solvers/run_options/samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mti {
namespace {

/// Quotients of times closer than this to a whole number are one.
constexpr double off_whole_number = 1e-9;

}  // namespace

long samples_within(double duration, double sample_time) {
  const double samples = duration / sample_time;
  return static_cast<long>(std::floor(samples + std::max(off_whole_number, 1e-15 * samples)));
}

long samples_between_outputs(const Model& model, double interval) {
  const double samples = interval / model.sample_time, nearest = std::round(samples);
  const bool fits = nearest >= 1.0 && std::abs(samples - nearest) <= off_whole_number * nearest &&
                    nearest < static_cast<double>(std::numeric_limits<int>::max());
  return fits ? static_cast<long>(nearest) : 0;
}

long sample_at(const Model& model, double start, double time) {
  const double samples = (time - start) / model.sample_time, nearest = std::round(samples);
  return std::abs(samples - nearest) <= off_whole_number * std::max(nearest, 1.0) ? static_cast<long>(nearest)
                                                                                  : -1;
}

RecordedSamples::RecordedSamples(const Model& model, const SimulationOptions& options,
                                 const ResolvedOptions& resolved)
    : last_(samples_within(resolved.stop - resolved.start, model.sample_time)),
      every_(samples_between_outputs(model, resolved.output_interval)) {
  for (const double time : options.output_times) listed_.push_back(sample_at(model, resolved.start, time));
}

double last_sample_until(const Model& model, double start, double time) {
  return start + static_cast<double>(samples_within(time - start, model.sample_time)) * model.sample_time;
}

}  // namespace mti
