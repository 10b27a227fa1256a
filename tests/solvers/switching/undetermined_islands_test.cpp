// What a mode leaves open may be determined by a binary that stands in other equations.
#include <gtest/gtest.h>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace undetermined_islands_test {

/// An island, 2 V and two capacitors in a loop, that only a diode ties to the ground: without it no potential is determined, and no
/// equation of the loop holds the diode. Charges balance as the loop closes, 2Δu = Δw = q with u + w = −2: q = −4/3.
TEST(UndeterminedIslands, AreTiedToTheGroundByADiode) {
  Source source;
  source.states = {{"u", 1.0}, {"w", -1.0}};
  source.algebraic = {{"n1"}, {"n2"}, {"n3"}, {"i"}, {"b"}, {"j"}, {"k"}, {"l"}};
  source.binaries = {{"z"}};
  source.equations = {"b = n1",     "z*b + (1 - z)*i = 0", "n1 - n2 = 2", "2*der(u) = k", "u = n3 - n1",
                      "der(w) = l", "w = n2 - n3",         "j = i + k",   "l = j",        "k = l"};
  source.constraints = {"i >= 0", "b >= 0"};
  source.experiment.stop = 1.0;
  const Trajectory run = test::run(source);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  const auto last = [&](const char* name) { return run.value(run.size() - 1, run.column(name)); };
  EXPECT_EQ(last("z"), 1.0);
  EXPECT_NEAR(last("u"), 1.0 - 2.0 / 3.0, 1e-6);
  EXPECT_NEAR(last("w"), -1.0 - 4.0 / 3.0, 1e-6);
  EXPECT_NEAR(last("n1"), 0.0, 1e-6);
  EXPECT_NEAR(last("n3"), 1.0 / 3.0, 1e-6);
}

}  // namespace undetermined_islands_test
}  // namespace mti
