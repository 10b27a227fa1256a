// The general simulator against a program written by hand for one model, called in turn:
//
//     three_tank_bench [rounds]
//
// Prints one table: processor time, ratio, steps, and the largest error of the 37 switching times.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <vector>

#include "bench/three_tank_exact.hpp"
#include "bench/three_tank_ida.hpp"
#include "bench/timing.hpp"
#include "io/model/read_model.hpp"
#include "solvers/simulation/simulate.hpp"

namespace {

using mti::bench::ExactSwitch;

/// Valve 0, 1, 2 of a binary z1, z3, z5 of the model, -1 of their counterparts.
int valve_of(const mti::Model& model, int row) {
  constexpr std::array<const char*, 3> valves{"z1", "z3", "z5"};
  const auto found = std::find(valves.begin(), valves.end(), model.signature.row_name(row));
  return found == valves.end() ? -1 : static_cast<int>(found - valves.begin());
}

std::vector<ExactSwitch> switches_of(const mti::Model& model, const mti::Trajectory& trajectory) {
  std::vector<ExactSwitch> switches;
  for (const mti::Event& event : trajectory.events)
    for (const mti::Change& change : event.changed)
      if (const int valve = valve_of(model, change.row); valve >= 0) switches.push_back({event.time, valve});
  return switches;
}

std::vector<ExactSwitch> switches_of(const mti::bench::IdaRun& run) {
  std::vector<ExactSwitch> switches;
  for (const mti::bench::IdaSwitch& found : run.switches) switches.push_back({found.time, found.valve});
  return switches;
}

/// Largest distance to the exact switching times; infinite if the sequence of valves is another.
double largest_error(const std::vector<ExactSwitch>& switches) {
  const auto& exact = mti::bench::exact_switches;
  const auto same_valve = [](const ExactSwitch& a, const ExactSwitch& b) { return a.valve == b.valve; };
  if (!std::equal(switches.begin(), switches.end(), exact.begin(), exact.end(), same_valve))
    return std::numeric_limits<double>::infinity();
  double error = 0.0;
  for (std::size_t i = 0; i < exact.size(); ++i)
    error = std::max(error, std::abs(switches[i].time - exact[i].time));
  return error;
}

void print_row(double tolerance, const char* program, const mti::bench::InTurn& time, long steps,
               const std::vector<ExactSwitch>& switches) {
  std::printf("%9.0e  %-22s %9.3f %10.2f %8ld %9zu %13.1e\n", tolerance, program, 1e3 * time.seconds,
              time.first_to_this, steps, switches.size(), largest_error(switches));
}

void compare(const mti::Model& model, double tolerance, int rounds) {
  mti::SimulationOptions options;
  options.rtol = options.atol = tolerance;
  options.output_interval = 1.0;
  mti::bench::IdaOptions plain;
  plain.rtol = plain.atol = tolerance;
  mti::bench::IdaOptions with_step = plain;
  with_step.first_step_from_curvature = true;

  mti::Trajectory trajectory;
  mti::bench::IdaRun plain_run, run_with_step;
  const auto times =
      mti::bench::time_in_turn(rounds, {[&] { trajectory = mti::simulate(model, options); },
                                        [&] { plain_run = mti::bench::run_three_tanks({}, plain); },
                                        [&] { run_with_step = mti::bench::run_three_tanks({}, with_step); }});
  print_row(tolerance, "mti", times[0], trajectory.statistics.steps, switches_of(model, trajectory));
  print_row(tolerance, "IDA", times[1], plain_run.steps, switches_of(plain_run));
  print_row(tolerance, "IDA, first step given", times[2], run_with_step.steps, switches_of(run_with_step));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 101;
    const mti::Model model = mti::read_model(MTI_SOURCE_DIR "/examples/three_tank/model.json");
    std::printf(
        "Three tanks to t = 1000, output every 1; medians of processor time over %d rounds in turn\n\n",
        rounds);
    std::printf("%9s  %-22s %9s %10s %8s %9s %13s\n", "rtol=atol", "program", "ms", "mti/this", "steps",
                "switches", "largest error");
    for (const double tolerance : {1e-6, 1e-8, 1e-10}) compare(model, tolerance, rounds);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
