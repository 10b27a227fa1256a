// How cost grows with the size of a model, for the families of bench/families.hpp:
//
//     scaling_bench [largest N, default 10000] [seconds per run, default 20]
//
// One table per family, a row per N = 10, 100, …, each measured in a process of its own (peak memory), and
// exponents fitted over the last two decades.
//
// Each cost is a difference of runs, medians of processor time, called in turn:
//
//     start    a run that stops at once: consistent start, structure, first mode
//     step     (a run in which nothing switches − start)/its steps
//     restart  (that run with an input that jumps ten times, changing no mode − that run without)/10
//     event    (a run to its 12th event − the same to its 2nd)/10: search for the successor, restart, and the
//              steps in between
//
// `steps/event` says how many steps lie between two events.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/families.hpp"
#include "bench/timing.hpp"
#include "io/model/read_model.hpp"
#include "mti/build/build.hpp"
#include "mti/model/input.hpp"
#include "solvers/simulation/simulate.hpp"
#include "solvers/structure/sub_problems.hpp"

namespace {

using mti::Source;
using mti::bench::thread_seconds;

struct Family {
  std::string name;
  std::function<Source(int)> active;  ///< with events
  std::function<Source(int)> quiet;   ///< nothing switches
  double stop, quiet_stop;
  double jump_from, jump_to;  ///< values of the first input between which it jumps
};

std::vector<Family> families() {
  const auto tanks = [] { return mti::read_source_file(MTI_SOURCE_DIR "/examples/three_tank/model.json"); };
  const auto brakes_under_small_waves = [](int cars) {
    Source source = mti::bench::train_brake_line(cars);
    source.inputs.at(0).form = mti::SineSource{0.5, 0.5, 0.0, -5.0};
    return source;
  };
  const auto tanks_without_limits = [tanks](int copies) {
    Source source = tanks();
    mti::override_values(source,
                         {{"u3", -1e4}, {"u5", -1e4}, {"u7", -1e4}, {"u4", 1e4}, {"u6", 1e4}, {"u8", 1e4}});
    return mti::bench::copies_of(source, copies, 2.0);
  };
  return {{"ring of N tanks", [](int N) { return mti::bench::tank_ring(N); },
           [](int N) { return mti::bench::tank_ring(N, 1e4); }, 1e4, 100.0, 0.0, 1.0},
          {"brake line of N cars", [](int N) { return mti::bench::train_brake_line(N, 200.0); },
           brakes_under_small_waves, 200.0, 5.0, -5.0, -5.1},
          {"N copies of the three tanks", [tanks](int N) { return mti::bench::copies_of(tanks(), N, 2.0); },
           tanks_without_limits, 1e4, 100.0, 0.0, 1.0}};
}

/// The source with a first input that jumps at tenths of the time up to `stop`.
Source with_jumps(Source source, const Family& family, int jumps) {
  mti::TableSource table;
  table.interpolation = mti::Interpolation::previous;
  for (int k = 0; k <= jumps; ++k) {
    table.time.emplace_back((k == 0 ? 0.0 : k - 0.5) * family.quiet_stop / jumps);
    table.value.emplace_back(k % 2 == 0 ? family.jump_from : family.jump_to);
  }
  source.inputs.at(0).form = table;
  return source;
}

/// What one size costs, in seconds; what could not be measured in time is NaN.
struct Costs {
  int N = 0;
  double build = NAN, structure = NAN, start = NAN, step = NAN, restart = NAN, event = NAN;
  double steps_per_event = NAN, megabytes = NAN;
};

constexpr double accuracy = 1e-6;
constexpr double at_once = 1e-9;

double time_of(const std::function<void()>& function) { return mti::bench::time_of(function, 0.2, 51); }

/// Runs of one model to some time, without output in between.
class Runs {
 public:
  Runs(const Source& source, double budget) : model_(mti::build(source)) {
    options_.rtol = options_.atol = accuracy;
    options_.max_seconds = budget;
  }
  [[nodiscard]] mti::Trajectory to(double stop, long most_events = 1'000'000) const {
    mti::SimulationOptions options = options_;
    options.stop = options.output_interval = stop;
    options.max_events = most_events;
    return mti::simulate(model_, options);
  }
  [[nodiscard]] double time_to(double stop) const {
    return time_of([&] { static_cast<void>(to(stop)); });
  }
  [[nodiscard]] const mti::Model& model() const { return model_; }

 private:
  mti::Model model_;
  mti::SimulationOptions options_;
};

bool arrived(const mti::Trajectory& run) { return run.outcome.kind == mti::OutcomeKind::reached_stop; }

void measure_quiet(const Family& family, double budget, Costs& costs) {
  const Runs quiet(family.quiet(costs.N), budget);
  costs.start = quiet.time_to(at_once);
  const mti::Trajectory run = quiet.to(family.quiet_stop);
  if (!arrived(run) || run.statistics.steps < 1) return;
  const auto steps = static_cast<double>(run.statistics.steps);
  const double without = quiet.time_to(family.quiet_stop);
  costs.step = (without - costs.start) / steps;

  const int jumps = 10;
  const Runs jumping(with_jumps(family.quiet(costs.N), family, jumps), budget);
  if (!arrived(jumping.to(family.quiet_stop))) return;
  costs.restart = (jumping.time_to(family.quiet_stop) - without) / jumps;
}

void measure_event(const Family& family, double budget, Costs& costs) {
  const Runs active(family.active(costs.N), budget);
  const long few = 2, many = 12;
  mti::Trajectory first, last;
  first = active.to(family.stop, few);
  if (first.statistics.events < few) return;
  const double begun = thread_seconds();
  last = active.to(family.stop, many);
  if (last.statistics.events < many) return;
  const int rounds = static_cast<int>(std::clamp(1.0 / (thread_seconds() - begun), 1.0, 101.0));
  const auto times = mti::bench::time_in_turn(
      rounds, {[&] { first = active.to(family.stop, few); }, [&] { last = active.to(family.stop, many); }});
  const auto events = static_cast<double>(many - few);
  costs.steps_per_event = static_cast<double>(last.statistics.steps - first.statistics.steps) / events;
  costs.event = (times[1].seconds - times[0].seconds) / events;
}

/// Measures in the order of importance and hands over what there is after each part.
void measure(const Family& family, int N, double budget, const std::function<void(const Costs&)>& hand_over) {
  Costs costs;
  costs.N = N;
  const Source source = family.active(N);
  costs.build = time_of([&] { static_cast<void>(mti::build(source)); });
  const mti::Model model = mti::build(source);
  costs.structure = time_of([&] { static_cast<void>(mti::analyze_structure(model)); });
  hand_over(costs);
  measure_quiet(family, budget, costs);
  hand_over(costs);
  measure_event(family, budget, costs);
  hand_over(costs);
}

/// In a process of its own, which is ended when it takes eight times the budget of a run.
Costs measure_apart(const Family& family, int N, double budget) {
  std::fflush(stdout);
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    alarm(static_cast<unsigned>(8.0 * budget + 1.0));
    measure(family, N, budget, [&](const Costs& costs) {
      if (write(ends[1], &costs, sizeof costs) != static_cast<ssize_t>(sizeof costs)) _exit(1);
    });
    _exit(0);
  }
  close(ends[1]);
  Costs costs, received;
  costs.N = N;
  while (read(ends[0], &received, sizeof received) == static_cast<ssize_t>(sizeof received)) costs = received;
  close(ends[0]);
  rusage usage{};
  int status = 0;
  if (child > 0 && wait4(child, &status, 0, &usage) == child)
    costs.megabytes = static_cast<double>(usage.ru_maxrss) / 1024.0;
  return costs;
}

void print_exponents(const std::vector<Costs>& rows, int least) {
  std::printf("exponent");
  for (const auto cost : {&Costs::build, &Costs::structure, &Costs::start, &Costs::step, &Costs::restart,
                          &Costs::event, &Costs::steps_per_event, &Costs::megabytes}) {
    const std::optional<double> p =
        cost == &Costs::steps_per_event ? std::nullopt : mti::bench::growth_exponent(rows, cost, least);
    std::printf(p ? " | %.2f" : " |", p.value_or(0.0));
  }
  std::printf("\n\n");
}

void print_family(const Family& family, int largest, double budget) {
  std::printf(
      "%s\n\nN | build ms | structure ms | start ms | step us | restart us | event us | steps/event | MB\n"
      "--|--|--|--|--|--|--|--|--\n",
      family.name.c_str());
  std::vector<Costs> rows;
  for (int N = 10; N <= largest; N *= 10) {
    const Costs row = measure_apart(family, N, budget);
    rows.push_back(row);
    std::printf("%d | %.3f | %.3f | %.3f | %.2f | %.1f | %.1f | %.1f | %.0f\n", N, 1e3 * row.build,
                1e3 * row.structure, 1e3 * row.start, 1e6 * row.step, 1e6 * row.restart, 1e6 * row.event,
                row.steps_per_event, row.megabytes);
  }
  print_exponents(rows, std::max(10, largest / 100));
}

}  // namespace

int main(int argc, char** argv) {
  const int largest = argc > 1 ? std::max(10, std::atoi(argv[1])) : 10000;
  const double budget = argc > 2 ? std::max(0.1, std::atof(argv[2])) : 20.0;
  std::printf(
      "Processor time at rtol = atol = %.0e; exponents over the last two decades; nan: not within %.0f s\n\n",
      accuracy, budget);
  for (const Family& family : families()) print_family(family, largest, budget);
  return 0;
}
