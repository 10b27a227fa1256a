// A run of discrete time that is advanced from outside.

#include <gtest/gtest.h>

#include "mti/build/build.hpp"
#include "solvers/stepping/run.hpp"

namespace mti {
namespace discrete_run_test {

double x_of(mti::Run& run) { return run.v()[static_cast<std::size_t>(run.model().signature.state_row(0))]; }

TEST(DiscreteRun, AdvancesFromSampleToSample) {
  Source source;
  source.states = {{.name = "x", .start = 8.0}};
  source.inputs = {{.name = "u"}};
  source.equations = {"next(x) = 0.5*x + u"};
  source.sample_time = Number(0.5);
  source.experiment.stop = 5.0;
  const Model model = build(source);
  mti::Run run(model);
  EXPECT_EQ(x_of(run), 8.0);
  EXPECT_EQ(run.advance(0.9), StepEnd::reached);
  EXPECT_EQ(run.time(), 0.9);
  EXPECT_EQ(x_of(run), 4.0);
  run.set_input(0, 1.0);
  run.advance(1.0);
  EXPECT_EQ(x_of(run), 2.0) << "what was decided at the sample before";
  run.advance(1.5);
  EXPECT_EQ(x_of(run), 2.0);
  mti::Run other(model, {}, run.save());
  EXPECT_EQ(run.advance(9.0), StepEnd::ended);
  EXPECT_EQ(other.advance(9.0), StepEnd::ended);
  EXPECT_EQ(x_of(run), x_of(other));
  EXPECT_EQ(run.finish().outcome.kind, OutcomeKind::reached_stop);
}

// x_k = (-1)^k, with an event at each sample: 3·0.1 lies beyond 0.3 by its rounding, and the run stands where it was asked to.
TEST(DiscreteRun, StandsWhereSamplesMissTheirTimesByRounding) {
  Source source;
  source.states = {{.name = "x", .start = 1.0}};
  source.binaries = {{.name = "z", .start = 1.0}};
  source.equations = {"next(x) = -x"};
  source.constraints = {"(1 - 2*z)*x <= 0"};
  source.sample_time = 0.1;
  source.experiment.stop = 3.0;
  ASSERT_GT(3 * 0.1, 0.3);
  for (const int parts : {1, 2, 3}) {
    mti::Run run(build(source));
    for (int k = 1; k <= 30 * parts; ++k) {
      const double t = k / (10.0 * parts);
      while (!run.ended() && run.advance(t) == StepEnd::event) EXPECT_LE(run.time(), t);
      EXPECT_EQ(run.time(), t);
      EXPECT_EQ(x_of(run), (k / parts) % 2 == 0 ? 1.0 : -1.0) << t;
    }
  }
}

}  // namespace discrete_run_test
}  // namespace mti
