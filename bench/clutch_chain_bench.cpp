// What one restart costs in a chain of N bodies whose clutches close one after the other, and how it grows:
//
//     clutch_chain_bench [largest N, default 1000] [seconds per run, default 60]
//
// Half of the clutches are closed from the start. Columns, in processor time:
//
//     start    a run that stops at once: consistent start, structure, first mode
//     event    (a run to its 12th closing − the same to its 2nd)/10: search for the successor, restart,
//              start of the integrator, and the few steps up to the next closing
//     steps    steps of the integrator per event, which are in it
//     step     a step of the same chain while nothing closes: (a long quiet run − start)/its steps
//     restart  event − steps · step
//     by hand  momentum balance and impulses from body to body for one closing, O(k)
//     error    largest deviation from the balance by hand after the 12th closing: speeds, relative; momentum,
//              relative to its decay over all; impulses of the last closing, relative
//
// A last row of each variant: a whole run in which all N − 1 clutches of 200 bodies close.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/clutch_chain.hpp"
#include "bench/timing.hpp"
#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/simulation/simulate.hpp"

namespace {

using mti::bench::Closing;
using mti::bench::ClutchChain;
using mti::bench::ClutchChainByHand;
using mti::bench::thread_seconds;

constexpr double accuracy = 1e-8;

class Runs {
 public:
  Runs(const ClutchChain& chain, double budget) : model_(mti::build(chain.source())) {
    options_.rtol = options_.atol = accuracy;
    options_.max_seconds = budget;
  }
  [[nodiscard]] mti::Trajectory to(double stop) const {
    mti::SimulationOptions options = options_;
    options.stop = options.output_interval = stop;
    return mti::simulate(model_, options);
  }
  /// Median of as many runs as fit into a second, at least one.
  [[nodiscard]] double time_to(double stop) const {
    std::vector<double> seconds;
    const double begun = thread_seconds();
    do {
      const double before = thread_seconds();
      static_cast<void>(to(stop));
      seconds.push_back(thread_seconds() - before);
    } while (thread_seconds() - begun < 1.0 && seconds.size() < 21);
    return mti::bench::median(seconds);
  }
  [[nodiscard]] const mti::Model& model() const { return model_; }

 private:
  mti::Model model_;
  mti::SimulationOptions options_;
};

struct Errors {
  double speed = 0.0, momentum = 0.0, impulse = 0.0;
};

/// The run's last row and last event against the balance by hand at the last closing, speeds carried on to
/// the time of the row.
Errors errors_of(const mti::Trajectory& run, const mti::Signature& signature, const ClutchChain& chain,
                 int closings) {
  ClutchChainByHand by_hand(chain);
  for (int k = 0; k < closings; ++k) by_hand.close_next();
  const std::size_t row = run.size() - 1;
  const double decay = std::exp(-chain.rate() * (run.time(row) - by_hand.state().time));
  Errors errors;
  double momentum = 0.0, mass = 0.0;
  for (int i = 1; i <= chain.bodies; ++i) {
    const double w = run.value(row, run.column("w" + std::to_string(i)));
    const double expected = decay * by_hand.state().speeds[mti::at(i - 1)];
    errors.speed = std::max(errors.speed, std::abs(w - expected) / 10.0);
    momentum += chain.inertia(i) * w;
    mass += chain.inertia(i);
  }
  const double mean_speed = decay * by_hand.momentum() / mass;
  errors.momentum = std::abs(momentum / mass - mean_speed) / mean_speed;
  double largest = 0.0;
  for (const double impulse : by_hand.state().impulses) largest = std::max(largest, std::abs(impulse));
  std::vector<double> weights(by_hand.state().impulses.size(), 0.0);
  if (!run.events.empty())
    for (const mti::Impulse& impulse : run.events.back().impulses)
      weights.at(mti::at(impulse.row - signature.algebraic_row(0))) = impulse.weight;
  for (std::size_t i = 0; i < weights.size(); ++i)
    errors.impulse = std::max(errors.impulse, std::abs(weights[i] - by_hand.state().impulses[i]) / largest);
  return errors;
}

double exponent(const std::vector<std::pair<int, double>>& points) {
  double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, count = 0.0;
  for (const auto& [N, cost] : points) {
    if (N < 30 || !(cost > 0.0)) continue;
    const double a = std::log(N), b = std::log(cost);
    count += 1.0, x += a, y += b, xx += a * a, xy += a * b;
  }
  return count < 2.0 ? NAN : (count * xy - x * y) / (count * xx - x * x);
}

double time_by_hand(const ClutchChain& chain) {
  ClutchChainByHand by_hand(chain);
  const int closings = std::min(10, chain.bodies - 1 - chain.closed);
  const double before = thread_seconds();
  for (int k = 0; k < closings; ++k) by_hand.close_next();
  return (thread_seconds() - before) / closings;
}

}  // namespace

int main(int argc, char** argv) {
  const int largest = argc > 1 ? std::max(10, std::atoi(argv[1])) : 1000;
  const double budget = argc > 2 ? std::max(1.0, std::atof(argv[2])) : 60.0;
  std::printf("Processor time at rtol = atol = %.0e\n\n", accuracy);
  for (const Closing closing : {Closing::by_input, Closing::by_constraint}) {
    std::printf(
        "clutches closed by %s\n\nN | start ms | event ms | steps | step ms | restart ms | by hand us | "
        "error of speed | of momentum | of impulses\n--|--|--|--|--|--|--|--|--|--\n",
        closing == Closing::by_input ? "inputs" : "contact");
    std::vector<std::pair<int, double>> events, restarts, starts;
    for (const int N : {10, 30, 100, 300, 1000, 3000}) {
      if (N > largest) break;
      ClutchChain chain{.bodies = N, .closed = N / 2, .closing = closing};
      const int few = N > 20 ? 2 : 1, many = N > 24 ? 12 : 4;
      const Runs runs(chain, budget);
      const double start = runs.time_to(1e-9 * chain.interval);
      const double after_few = (few + 0.5) * chain.interval, after_many = (many + 0.5) * chain.interval;
      const mti::Trajectory first = runs.to(after_few), last = runs.to(after_many);
      if (last.outcome.kind != mti::OutcomeKind::reached_stop) {
        std::printf("%d | %.3f | ended: %s at t = %g after %zu events\n", N, 1e3 * start,
                    last.outcome.message.substr(0, 300).c_str(), last.outcome.end_time, last.events.size());
        continue;
      }
      const double event = (runs.time_to(after_many) - runs.time_to(after_few)) / (many - few);
      const double steps = static_cast<double>(last.statistics.steps - first.statistics.steps) / (many - few);
      ClutchChain quiet = chain;
      quiet.interval = 1e3;
      const Runs quiet_runs(quiet, budget);
      const auto quiet_steps = static_cast<double>(quiet_runs.to(10.0).statistics.steps);
      const double step = (quiet_runs.time_to(10.0) - start) / quiet_steps;
      const Errors errors = errors_of(last, runs.model().signature, chain, many);
      std::printf("%d | %.3f | %.3f | %.1f | %.4f | %.3f | %.2f | %.1e | %.1e | %.1e\n", N, 1e3 * start,
                  1e3 * event, steps, 1e3 * step, 1e3 * (event - steps * step), 1e6 * time_by_hand(chain),
                  errors.speed, errors.momentum, errors.impulse);
      std::fflush(stdout);
      starts.emplace_back(N, start);
      events.emplace_back(N, event);
      restarts.emplace_back(N, event - steps * step);
    }
    std::printf("exponent | %.2f | %.2f | | | %.2f\n\n", exponent(starts), exponent(events),
                exponent(restarts));
    const ClutchChain whole{.bodies = std::min(largest, 200), .closing = closing};
    const Runs runs(whole, budget);
    const double before = thread_seconds();
    const mti::Trajectory run = runs.to(whole.closing_time(whole.bodies));
    const double seconds = thread_seconds() - before;
    const Errors errors = errors_of(run, runs.model().signature, whole, whole.bodies - 1);
    std::printf(
        "all %d clutches: %s, %.2f s, %zu events; error of speed %.1e, of momentum %.1e, of impulses "
        "%.1e\n\n",
        whole.bodies - 1, mti::to_string(run.outcome.kind).c_str(), seconds, run.events.size(), errors.speed,
        errors.momentum, errors.impulse);
  }
  return 0;
}
