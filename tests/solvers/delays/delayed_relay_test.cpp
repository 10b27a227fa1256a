// A relay with hysteresis that acts 50 ms late: each switch hands what it is off on to the next one. Against the closed form,
// x = 3u + (x₀ − 3u) e^(−t) piece by piece.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace delayed_relay_test {

constexpr double delay = 0.05, stop = 10.0, lower = 0.9, upper = 1.1;

struct End {
  double x = 0.0;
  std::size_t switches = 0;
};

End exact() {
  double t = 0.0, x = 1.0, u = 0.0;
  bool on = true;
  End end;
  std::deque<std::pair<double, bool>> due{{delay, true}};  // delay(h, T, 0) of h = 1 from the start
  for (;;) {
    const double target = 3.0 * u, threshold = on ? upper : lower;
    const double ratio = (target - threshold) / (target - x);
    const bool leads_there = on ? target > threshold : target < threshold;
    const double crossing = leads_there && ratio > 0.0 && ratio < 1.0 ? t - std::log(ratio) : stop;
    const double next = std::min({due.empty() ? stop : due.front().first, crossing, stop});
    x = target + (x - target) * std::exp(t - next);
    t = next;
    if (t == stop) break;
    if (t == crossing) {
      on = !on;
      x = threshold;
      due.emplace_back(t + delay, on);
      ++end.switches;
    } else {
      u = due.front().second ? 1.0 : 0.0;
      due.pop_front();
    }
  }
  end.x = x;
  return end;
}

TEST(DelayedRelay, ErrorsOfItsSwitchesDoNotAddUp) {
  Source source;
  source.states = {{"x", 1.0}};
  source.algebraic = {{"h"}};
  source.equations = {"der(x) = -x + 3*delay(h, 0.05, 0)", "h = 1 - hysteresis(x, 0.9, 1.1)"};
  const End end = exact();
  for (const double rtol : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
    SimulationOptions options = test::with_accuracy(rtol);
    options.stop = stop;
    const Trajectory run = simulate(build(source), options);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    // Slopes change by 3 at each of the switches, each of which is off by that of the one before and its own.
    EXPECT_NEAR(run.value(run.size() - 1, run.column("x")), end.x,
                3.0 * static_cast<double>(end.switches) * rtol)
        << rtol;
  }
}

}  // namespace delayed_relay_test
}  // namespace mti
