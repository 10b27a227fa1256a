// Thresholds that have nothing to do with impacts that accumulate have times of their own. Closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace foreign_thresholds_test {

double at_end(const Trajectory& run, const char* signal) {
  return run.value(run.size() - 1, run.column(signal));
}

/// A ball on a floor at `place`, beside x = sin ωt with a threshold at c that drives nothing.
TEST(ForeignThresholds, AreNoPartOfALimitOfImpacts) {
  for (const double e : {0.8, 0.9})
    for (const double omega : {5.6, 27.6})
      for (const double c : {-0.5, 0.3})
        for (const double rtol : {1e-5, 1e-6}) {
          Source source;
          source.states = {{"h", 101.0}, {"v", 0.0}, {"x", 0.0}, {"y", 1.0}};
          source.algebraic = {{"N"}, {"above"}};
          source.binaries = {{"rests"}};
          source.equations = {"der(h) = v",
                              "der(v) = N - 9.81",
                              {"support", "rests*(h - 100) + (1 - rests)*N = 0"},
                              "der(x) = " + std::to_string(omega) + "*y",
                              "der(y) = -" + std::to_string(omega) + "*x",
                              "above = (x > " + std::to_string(c) + ")"};
          source.constraints = {{"floor", "100 - h <= 0"}, "N >= 0"};
          source.transitions = {{.when = "reach(floor)",
                                 .replaces = {"support"},
                                 .equations = {"v = -" + std::to_string(e) + "*pre(v)"}}};
          SimulationOptions options = test::with_accuracy(rtol);
          options.stop = 10.0;
          const Trajectory run = simulate(build(source), options);
          const std::string what =
              "e " + std::to_string(e) + ", ω " + std::to_string(omega) + ", c " + std::to_string(c);
          ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << what << run.outcome.message;
          const double turned = 10.0 * omega;  // an error of rtol in each radian
          EXPECT_NEAR(at_end(run, "x"), std::sin(turned), 10.0 * rtol * turned) << what;
          EXPECT_NEAR(at_end(run, "h"), 100.0, 1000.0 * rtol) << what;
        }
}

}  // namespace foreign_thresholds_test
}  // namespace mti
