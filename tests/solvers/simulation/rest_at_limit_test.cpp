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

/// Two bodies above each other, whose contacts hold accelerations; impacts by laws.
Trajectory pile(double m0, double m1, double e, double x0, double x1, double rtol) {
  const auto text = [](double number) { return std::to_string(number); };
  SimulationOptions options;
  options.rtol = rtol;
  options.atol = 0.01 * rtol;
  options.stop = 10.0;
  return simulate(
      read_model_text(R"json({"format": "mti-model", "version": 1, "parameters": {"m0": )json" + text(m0) +
                      R"json(, "m1": )json" + text(m1) + R"json(, "e": )json" + text(e) + R"json(},
    "states": [{"name": "x0", "start": )json" +
                      text(x0) + R"json(}, {"name": "x1", "start": )json" + text(x1) +
                      R"json(}, {"name": "v0"}, {"name": "v1"}],
    "algebraic": [{"name": "F0"}, {"name": "F1"}], "binaries": [{"name": "c0"}, {"name": "c1"}],
    "equations": ["der(x0) = v0", "m0*der(v0) = F0 - F1 - m0*9.81", "der(x1) = v1", "m1*der(v1) = F1 - m1*9.81",
                  {"name": "s0", "text": "c0*der(v0) + (1 - c0)*F0 = 0"},
                  {"name": "s1", "text": "c1*(der(v1) - der(v0)) + (1 - c1)*F1 = 0"}],
    "constraints": [{"name": "g0", "text": "x0 >= 0"}, "F0 >= 0", {"name": "g1", "text": "x1 >= x0"}, "F1 >= 0"],
    "transitions": [{"when": "reach(g0)", "replaces": ["s0"], "equations": ["v0 = -e*pre(v0)"]},
                    {"when": "reach(g1)", "replaces": ["s1"], "equations": ["v1 - v0 = -e*(pre(v1) - pre(v0))"]}]})json"),
      options);
}

// In a pile the impacts turn each other's velocities round, and no weight does: these fall by another law than the time that is
// left. What a body has at the limit is none; an extrapolation of rates over half a turn threw piles up by metres.
TEST(RestAtLimit, OfAPileIsOnTheFloor) {
  std::mt19937 engine(5);
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  int at_rest = 0, runs = 0;
  for (int trial = 0; trial < 30; ++trial) {
    const double e = trial == 0 ? 0.2 : draw(0.1, 0.4), m1 = trial == 0 ? 3.0 : draw(0.5, 4.0);
    for (const double rtol : {1e-5, 1e-6, 1e-8}) {
      const Trajectory run = pile(1.0, m1, e, 1.0, 2.0, rtol);
      const std::string which = std::to_string(e) + " " + std::to_string(m1) + " " + std::to_string(rtol);
      const std::size_t last = run.size() - 1;
      EXPECT_LT(std::abs(run.value(last, run.column("x0"))), 1e-3) << which;
      EXPECT_LT(std::abs(run.value(last, run.column("x1"))), 1e-3) << which;
      const bool rests = run.outcome.kind == OutcomeKind::reached_stop &&
                         std::abs(run.value(last, run.column("x1"))) < 10.0 * rtol;
      EXPECT_TRUE(rests || trial != 0 || rtol > 1e-6) << which << " " << run.outcome.message;
      at_rest += rests ? 1 : 0;
      ++runs;
    }
  }
  EXPECT_GT(10 * at_rest, 9 * runs) << "others end with a message (docs/known-issues.md)";
}

}  // namespace rest_at_limit_test
}  // namespace mti
