// Constraints that are zero for a while and leave zero so slowly that all numbers that are looked at vanish.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "solvers/simulation/simulate.hpp"

namespace mti {
namespace slow_departure_test {

struct Departure {
  std::string row;  ///< what q' is a function of, by the functions below
  double q;         ///< at t = 2
};

/// x'' = u − x with u = τ from t = 1 on, τ = t − 1: x = τ − sin τ, v = 1 − cos τ, so that x·v is of order τ⁵/12 and
/// q = ∫ x v = x²/2; of ∫ v³ = ∫ (1 − cos τ)³ the order is τ⁷.
class SlowDeparture : public testing::TestWithParam<Departure> {};
TEST_P(SlowDeparture, IsLeftBehind) {
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10})
    for (const IntegratorChoice integrator :
         {IntegratorChoice::automatic, IntegratorChoice::series, IntegratorChoice::ida}) {
      Source source;
      source.states = {{.name = "x"}, {.name = "v"}, {.name = "q"}};
      source.inputs = {{.name = "u", .form = TableSource{{0.0, 1.0, 2.0}, {0.0, 0.0, 1.0}, {}}}};
      source.equations = {"der(x) = v", "der(v) = u - x", "der(q) = " + GetParam().row};
      source.experiment.stop = 2.0;
      const Model model = build(source);
      const Trajectory run =
          simulate(model, {.rtol = rtol, .atol = rtol, .max_seconds = 20.0, .integrator = integrator});
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << rtol << ": " << run.outcome.message;
      EXPECT_NEAR(run.end_point[at(model.signature.state_row(0))], 1.0 - std::sin(1.0), 20.0 * rtol);
      EXPECT_NEAR(run.end_point[at(model.signature.state_row(2))], GetParam().q, 20.0 * rtol);
      EXPECT_LT(run.statistics.candidates, 500);
    }
}
INSTANTIATE_TEST_SUITE_P(Rows, SlowDeparture,
                         testing::Values(Departure{"abs(x*v)", 0.5 * std::pow(1.0 - std::sin(1.0), 2)},
                                         Departure{"max(x*v, 0)", 0.5 * std::pow(1.0 - std::sin(1.0), 2)},
                                         // 5/2 − 4 sin 1 + 3/4 sin 2 + (sin 1)³/3
                                         Departure{"max(v^3, 0)", 2.5 - 4.0 * std::sin(1.0) +
                                                                      0.75 * std::sin(2.0) +
                                                                      std::pow(std::sin(1.0), 3) / 3.0}));

}  // namespace slow_departure_test
}  // namespace mti
