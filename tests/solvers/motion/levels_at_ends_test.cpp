// Motions that enter the domain of a root, and come to rest so close behind its end that ε hides where. Closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace levels_at_ends_test {

// A vessel fills up to a weir at t = 1, and then runs over it: h tends to 1 + (q/K)², by e^(−K²t/(2q)). Danger: by what ε leaves open about
// the outflow it was open whether the motion enters the domain of the root, and the run ended.
TEST(LevelsAtEnds, ComeToRestAboveAWeir) {
  std::mt19937 engine(5);
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  for (int trial = 0; trial < 30; ++trial) {
    const double K = draw(0.5, 20.0), level = std::pow(10.0, draw(-10.0, -2.0)), q = K * std::sqrt(level);
    for (const double rtol : {1e-4, 1e-6, 1e-8}) {
      SCOPED_TRACE("trial " + std::to_string(trial) + ", rtol = " + std::to_string(rtol));
      Source source;
      source.parameters = {{"K", K}, {"q", q}};
      source.states = {{"h", 1.0 - q}, {"V"}};
      source.algebraic = {{"over"}};
      source.equations = {"der(h) = q - over", "over = K*sqrt(max(h - 1, 0))", "der(V) = over"};
      source.experiment.stop = 3.0;
      const Trajectory run = test::run(source, test::with_accuracy(rtol));
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      ASSERT_EQ(run.events.size(), 1U);
      EXPECT_NEAR(run.events.front().time * q, q, 10.0 * rtol);
      const double h = test::last(run, "h"), settled = K * K / (2.0 * q) * 2.0;
      EXPECT_NEAR(h, 1.0 + (settled > 20.0 ? level : 0.0), 10.0 * rtol + (settled > 20.0 ? 0.0 : level));
      // What has come in is there, or has run over.
      EXPECT_NEAR(h + test::last(run, "V"), 1.0 + 2.0 * q, 10.0 * rtol);
    }
  }
}

// Of two vessels the first one fills the second over a check valve; their levels come to the same.
TEST(LevelsAtEnds, MeetOverACheckValve) {
  for (const double K : {0.1, 2.0, 50.0})
    for (const double rtol : {1e-4, 1e-6, 1e-8}) {
      Source source;
      source.parameters = {{"K", K}, {"q", 0.01}};
      source.states = {{"h", 1.0}, {"l", 1.1}};
      source.algebraic = {{"flow"}};
      source.equations = {"der(h) = q - flow", "flow = K*sqrt(max(h - l, 0))", "der(l) = flow"};
      source.experiment.stop = 40.0;
      const Trajectory run = test::run(source, test::with_accuracy(rtol));
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << K << " " << run.outcome.message;
      // From t = 10 on both rise by q/2, which is flow = K√(h − l).
      const double sum = 2.1 + 0.01 * 40.0, difference = std::pow(0.005 / K, 2.0);
      EXPECT_NEAR(test::last(run, "h") + test::last(run, "l"), sum, 20.0 * rtol * sum);
      EXPECT_NEAR(test::last(run, "h") - test::last(run, "l"), difference, 20.0 * rtol * sum);
    }
}

}  // namespace levels_at_ends_test
}  // namespace mti
