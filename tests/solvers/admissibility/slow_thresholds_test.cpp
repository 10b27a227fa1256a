// Thresholds of slow signals, which are within ε of them for long, have times of their own beside the events of others. Closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace slow_thresholds_test {

constexpr double stop = 100.0;

std::string digits(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", number);
  return text;
}

/// Parts that have nothing to do with each other, each with a threshold.
struct Parts {
  Source source;
  std::vector<double> times;  ///< at which each of them is met

  Parts() { source.experiment.stop = stop; }

  void meets(const std::string& signal, double threshold, double time) {
    const std::string z = "z" + std::to_string(times.size());
    source.binaries.push_back({z});
    source.constraints.emplace_back("(1 - 2*" + z + ")*(" + signal + " - " + digits(threshold) + ") <= 0");
    times.push_back(time);
  }
  /// x' = rate.
  void ramp(double start, double rate, double time) {
    const std::string x = name();
    source.states.push_back({x, start});
    source.equations.emplace_back("der(" + x + ") = " + digits(rate));
    const double threshold = start + rate * time;
    meets(x, threshold, (threshold - start) / rate);
  }
  /// x' = k·(end − x).
  void relaxation(double start, double end, double k, double time) {
    const std::string x = name();
    source.states.push_back({x, start});
    source.equations.emplace_back("der(" + x + ") = " + digits(k) + "*(" + digits(end) + " - " + x + ")");
    const double threshold = end - (end - start) * std::exp(-k * time);
    meets(x, threshold, std::log((end - start) / (end - threshold)) / k);
  }
  /// x'' = a, from rest.
  void fall(double start, double a, double time) {
    const std::string x = name(), v = "v" + x;
    source.states.push_back({x, start});
    source.states.push_back({v});
    source.equations.emplace_back("der(" + x + ") = " + v);
    source.equations.emplace_back("der(" + v + ") = " + digits(a));
    const double threshold = start + a * time * time / 2.0;
    meets(x, threshold, std::sqrt(2.0 * (threshold - start) / a));
  }

 private:
  [[nodiscard]] std::string name() const { return "x" + std::to_string(times.size()); }
};

/// Times at which z0, z1, … become 1 for the first time, NaN of those that never do.
std::vector<double> met(const Trajectory& run, const Signature& signature, std::size_t count) {
  std::vector<double> times(count, std::nan(""));
  for (const Event& event : run.events)
    for (const Change& change : event.changed)
      for (std::size_t i = 0; i < count; ++i)
        if (std::isnan(times[i]) && signature.row_name(change.row) == "z" + std::to_string(i))
          times[i] = event.time;
  return times;
}

void expect_own_times(const Parts& parts, const std::string& what) {
  const Model model = build(parts.source);
  for (const double rtol : {1e-3, 1e-4, 1e-5, 1e-6, 1e-8}) {
    SimulationOptions options;
    options.rtol = rtol;
    const Trajectory run = simulate(model, options);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << what << ": " << run.outcome.message;
    const std::vector<double> times = met(run, model.signature, parts.times.size());
    for (std::size_t i = 0; i < times.size(); ++i)
      EXPECT_NEAR(times[i], parts.times[i], 10.0 * rtol * stop) << what << ", rtol " << rtol << ", z" << i;
  }
}

// 299.95 + t/1000 is within ε = 0.03 of 300 from t = 20 on at rtol = 1e-4. Danger: it was said to be there at the event of the other part.
TEST(SlowThresholds, ARoomIsWarmWhenItIsAndNotWhenATimerRings) {
  Parts parts;
  parts.ramp(299.95, 0.001, 50.0);
  parts.ramp(0.0, 1.0, 30.0);
  expect_own_times(parts, "room and timer");
}

// Danger: at the start, too, where ε of 1,000 is 1 at rtol = 1e-3.
TEST(SlowThresholds, RandomPartsDoNotMeetEachOthers) {
  std::mt19937 random(20261130);
  const auto between = [&](double a, double b) { return std::uniform_real_distribution<>(a, b)(random); };
  const double starts[] = {0.0, 1.0, 10.0, 300.0, 1000.0};
  for (int model = 0; model < 30; ++model) {
    Parts parts;
    const int count = std::uniform_int_distribution<>(2, 6)(random);
    for (int i = 0; i < count; ++i) {
      const double start = starts[std::uniform_int_distribution<>(0, 4)(random)], time = between(5.0, 95.0);
      const int kind = std::uniform_int_distribution<>(0, 3)(random);
      if (kind < 2) {
        parts.ramp(start, std::pow(10.0, between(-4.0, 0.5)), time);
      } else if (kind == 2) {
        // A third of the way is left beyond the threshold, far more than ε: what rises above it by less touches it.
        const double k = std::pow(10.0, between(-2.0, -0.5)), way = std::pow(10.0, between(1.5, 2.5));
        parts.relaxation(start, start + way, k, std::min(time, 1.0 / k));
      } else {
        parts.fall(start, std::pow(10.0, between(-4.0, 0.0)), time);
      }
    }
    expect_own_times(parts, "model " + std::to_string(model));
  }
}

// A step of the timer changes what the room rises by; its temperature is what it was. x passes 300 at 30 + 0.02/0.002.
TEST(SlowThresholds, AreNotMetByAnEventThatTurnsTheirSlope) {
  Parts parts;
  parts.ramp(0.0, 1.0, 30.0);
  parts.source.states.push_back({"x", 299.95});
  parts.source.equations.emplace_back("der(x) = 0.001*(1 + z0)");
  parts.meets("x", 300.0, 40.0);
  expect_own_times(parts, "heater");
}

}  // namespace slow_thresholds_test
}  // namespace mti
