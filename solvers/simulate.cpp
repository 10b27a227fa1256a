#include "solvers/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solvers/discrete_simulation.hpp"
#include "solvers/modes/singular_modes.hpp"
#include "solvers/simulation.hpp"

namespace mti {

std::vector<Fault> SimulationOptions::validate(const Model& model) const {
  std::vector<Fault> faults;
  const auto require = [&](bool holds, const char* pointer, const std::string& expected, double found) {
    if (!holds)
      faults.push_back({"bad-option", pointer, "expected " + expected + ", found " + number(found)});
  };
  const double t0 = start.value_or(model.experiment.start), t1 = stop.value_or(model.experiment.stop);
  const double relative = rtol.value_or(model.experiment.rtol),
               absolute = atol.value_or(model.experiment.atol);
  require(std::isfinite(t0), "/experiment/start", "a finite start time", t0);
  require(std::isfinite(t1) && t1 >= t0, "/experiment/stop", "a stop time not before the start", t1);
  require(relative > 0.0 && relative < 1.0, "/experiment/rtol", "0 < rtol < 1", relative);
  require(std::isfinite(absolute) && absolute >= 0.0, "/experiment/atol", "atol >= 0", absolute);
  if (const auto interval = output_interval ? output_interval : model.experiment.output_interval)
    require(std::isfinite(*interval) && *interval > 0.0, "/experiment/output_interval", "a positive interval",
            *interval);
  const auto interval = output_interval ? output_interval : model.experiment.output_interval;
  if (model.is_discrete() && interval && faults.empty())
    require(samples_between_outputs(model, *interval) > 0, "/experiment/output_interval",
            "a whole number of sample times " + number(model.sample_time), *interval);
  if (!output_times.empty()) {
    require(std::is_sorted(output_times.begin(), output_times.end()), "/experiment/output_times",
            "ascending times", output_times.front());
    require(output_times.front() >= t0, "/experiment/output_times", "times not before the start",
            output_times.front());
    require(output_times.back() <= t1, "/experiment/output_times", "times not after the stop time",
            output_times.back());
  }
  require(max_seconds > 0.0, "/experiment/max_seconds", "a positive number of seconds", max_seconds);
  return faults;
}

Trajectory simulate(const Model& model, const SimulationOptions& options) {
  if (std::vector<Fault> faults = options.validate(model); !faults.empty())
    throw InvalidModel(std::move(faults));
  if (model.is_discrete()) return DiscreteSimulation(model, options).run();
  std::vector<std::string> warnings;
  if (options.warn)
    if (std::optional<std::string> warning = warn_of_singular_modes(model)) {
      options.warn(*warning);
      warnings.push_back(*std::move(warning));
    }
  Trajectory trajectory = Simulation(model, options).run();
  trajectory.warnings = std::move(warnings);
  return trajectory;
}

}  // namespace mti
