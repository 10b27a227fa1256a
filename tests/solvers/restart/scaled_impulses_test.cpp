// Products of impulses: one limit, whatever accuracy and units are.

#include <gtest/gtest.h>

#include <cmath>

#include "mti/build/build.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti {
namespace scaled_impulses_test {

/// Two shafts; from t = 1 on one clutch, which carries one torque in its third power, both in units of `unit`.
/// w1 alone jumps [benveniste2019, RR 9334, (188)]; from then on the torques are 0, and w = 5 e^(−t/10).
Source clutch(double unit) {
  Source source;
  source.parameters = {{"u", unit}};
  source.states = {{"w1", 1.0}, {"w2", 5.0}};
  source.inputs = {{.name = "engaged", .form = TableSource{{0.0, 1.0}, {0.0, 1.0}}, .binary = true}};
  source.algebraic = {{.name = "tau1", .nominal = unit}, {.name = "tau2", .nominal = unit}};
  source.equations = {{"shaft1", "der(w1) = -0.1*w1 + 2*(tau1/u)^3"},
                      {"shaft2", "der(w2) = -0.1*w2 + 3*tau2/u"},
                      {"clutch", "engaged*(w1 - w2) + (1 - engaged)*tau1 = 0"},
                      {"balance", "engaged*tau1 + tau2 = 0"}};
  return source;
}

void check(const Model& model, double rtol, double atol) {
  SimulationOptions options;
  options.rtol = rtol;
  options.atol = atol;
  options.stop = options.output_interval = 2.0;
  const Trajectory run = simulate(model, options);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  for (const char* const name : {"w1", "w2"})
    EXPECT_NEAR(run.value(run.size() - 1, run.column(name)), 5.0 * std::exp(-0.2), 20.0 * rtol) << name;
}

/// Danger: Newton's method comes from far away, and is believed at rest wherever it is.
TEST(ScaledImpulses, OneLimitAtEveryAccuracy) {
  const Model model = build(clutch(1.0));
  for (const double rtol : {1e-3, 1e-5, 1e-6, 1e-9})
    for (const double atol : {1e-2, 1e-5, 1e-8, 1e-12}) {
      SCOPED_TRACE(testing::Message() << "rtol " << rtol << ", atol " << atol);
      check(model, rtol, atol);
    }
}

TEST(ScaledImpulses, OneLimitInAllUnits) {
  for (const double unit : {1e-6, 1e-3, 1e3, 1e6}) {
    SCOPED_TRACE(testing::Message() << "torques of size " << unit);
    check(build(clutch(unit)), 1e-6, 1e-9);
  }
}

}  // namespace scaled_impulses_test
}  // namespace mti
