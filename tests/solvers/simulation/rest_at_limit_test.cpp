// Where impacts accumulate the body has no velocity left, whatever pushes it: neither does the time of a pulse between two of the
// last impacts leave it some. Then it stays where it is.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "io/model/read_model.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti {
namespace rest_at_limit_test {

/// A ball on a floor at a height that is a state, with an acceleration of ±0.2 beside gravity. In contact nothing but the
/// acceleration is held: what is left of the velocity stays.
Trajectory ball(double e, double height, const std::string& push, double lift, double rtol) {
  SimulationOptions options;
  options.rtol = options.atol = rtol;
  options.stop = 20.0;
  const auto text = [](double number) { return std::to_string(number); };
  return simulate(
      read_model_text(
          R"json({"format": "mti-model", "version": 1,
    "states": [{"name": "h", "start": )json" +
          text(height) + R"json(}, {"name": "v"}, {"name": "floor"}],
    "algebraic": [{"name": "F"}], "binaries": [{"name": "contact"}],
    "inputs": [{"name": "u", )json" +
          push + R"json(}],
    "equations": ["der(floor) = )json" +
          text(lift) +
          R"json(", "der(h) = v", "der(v) = F - 9.81 + 0.2*u", "contact*der(v) + (1 - contact)*F = 0"],
    "constraints": [{"name": "above", "text": "h >= floor"}, "F >= 0"],
    "transitions": [{"when": "reach(above)", "equations": ["v = )json" +
          text(lift) + " - " + text(e) + "*(pre(v) - " + text(lift) + R"json()"]}]})json"),
      options);
}

TEST(RestAtLimit, HasNoVelocityLeft) {
  std::mt19937 engine(3);
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  int limits = 0;
  for (int trial = 0; trial < 25; ++trial) {
    const double e = draw(0.2, 0.8), height = draw(0.2, 2.0), period = draw(0.3, 1.0),
                 lift = trial % 5 == 0 ? 0.01 : 0.0;
    for (const std::string& push :
         {R"("pwm": {"period": )" + std::to_string(period) + R"(, "duty": 0.5})",
          R"("sine": {"amplitude": 1, "frequency": )" + std::to_string(period) + "}"})
      for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
        const Trajectory run = ball(e, height, push, lift, rtol);
        const std::string which = std::to_string(trial) + " " + push + " " + std::to_string(rtol);
        ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << which << ": " << run.outcome.message;
        ASSERT_FALSE(run.accumulations.empty()) << which;
        const std::size_t last = run.size() - 1;
        const double floor = run.value(last, run.column("floor"));
        EXPECT_NEAR(run.value(last, run.column("v")), lift, 1e-11) << which;
        EXPECT_NEAR(run.value(last, run.column("h")), floor, 2e-10 + 20.0 * rtol * floor) << which;
        EXPECT_EQ(run.value(last, run.column("contact")), 1.0) << which;
        ++limits;
      }
  }
  EXPECT_EQ(limits, 200);
}

}  // namespace rest_at_limit_test
}  // namespace mti
