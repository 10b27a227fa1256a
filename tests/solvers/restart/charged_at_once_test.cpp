// A diode that carries a charge at one instant and blocks behind it: its impulse passes, the motion of its mode does not, and
// another mode follows from where the impulse has led. Oracles are closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace charged_at_once_test {

double last(const Trajectory& run, const std::string& name) {
  return run.value(run.size() - 1, run.column(name));
}

/// A peak rectifier behind a source that jumps to `peak` at t = 1 and then changes at `slope`.
void add_rectifier(Source& source, const std::string& name, double peak, double slope, double leak) {
  source.states.push_back({"v" + name});
  for (const char* signal : {"i", "w"}) source.algebraic.push_back({signal + name});
  source.binaries.push_back({"z" + name});
  source.inputs.push_back({"e" + name, TableSource{.time = {0.0, 1.0, 1.0, 3.0},
                                                   .value = {-1.0, -1.0, peak, peak + 2.0 * slope}}});
  source.equations.emplace_back("der(v" + name + ") = i" + name + " - " + std::to_string(leak) + "*v" + name);
  source.equations.emplace_back("w" + name + " = v" + name + " - e" + name);
  source.equations.emplace_back("z" + name + "*w" + name + " + (1 - z" + name + ")*i" + name + " = 0");
  source.constraints.emplace_back("w" + name + " >= 0");
  source.constraints.emplace_back("i" + name + " >= 0");
  source.experiment.stop = 3.0;
}

TEST(ChargedAtOnce, BlocksWhereTheSourceFallsFasterThanTheCharge) {
  for (const double tolerance : {1e-4, 1e-6, 1e-9})
    for (const IntegratorChoice integrator : {IntegratorChoice::automatic, IntegratorChoice::ida}) {
      Source source;
      add_rectifier(source, "", 1.0, -1.0, 0.1);
      SimulationOptions options = test::with_accuracy(tolerance);
      options.integrator = integrator;
      const Trajectory run = test::run(source, options);
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      EXPECT_NEAR(last(run, "v"), std::exp(-0.2), 30.0 * tolerance);
      EXPECT_EQ(last(run, "z"), 0.0);
      ASSERT_EQ(test::event_times(run).size(), 1U);
      const Event& event = run.events.back();
      EXPECT_EQ(event.time, 1.0);
      ASSERT_EQ(event.jumps.size(), 1U);
      EXPECT_NEAR(event.jumps[0].after, 1.0, 1e-12);
      ASSERT_EQ(event.impulses.size(), 1U);
      EXPECT_NEAR(event.impulses[0].weight, 1.0, 1e-12);
      EXPECT_EQ(event.steps.size(), 2U);
    }
}

/// One of them goes on conducting, the other one blocks; they know nothing of each other.
TEST(ChargedAtOnce, GoesOnWithEachDiodeAsItsSourceSays) {
  Source source;
  add_rectifier(source, "a", 1.0, -1.0, 0.1);
  add_rectifier(source, "b", 2.0, 0.5, 0.1);
  add_rectifier(source, "c", 0.5, -2.0, 0.2);
  const Trajectory run = test::run(source, test::with_accuracy(1e-8));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(last(run, "va"), std::exp(-0.2), 1e-6);
  EXPECT_NEAR(last(run, "vb"), 3.0, 1e-6);
  EXPECT_NEAR(last(run, "vc"), 0.5 * std::exp(-0.4), 1e-6);
}

/// Two capacitors behind one source: the second diode's charge comes by way of the first capacitor, and all of it at one instant. Both
/// block behind it.
TEST(ChargedAtOnce, PassesThroughALadder) {
  Source source;
  source.states = {{"v"}, {"u"}};
  source.algebraic = {{"i"}, {"w"}, {"j"}, {"s"}};
  source.binaries = {{"z"}, {"y"}};
  source.inputs = {{"e", TableSource{.time = {0.0, 1.0, 1.0, 3.0}, .value = {-1.0, -1.0, 1.0, -1.0}}}};
  source.equations = {"der(v) = i - j - 0.1*v", "2*der(u) = j - 0.1*u", "w = v - e", "s = u - v",
                      "z*w + (1 - z)*i = 0",    "y*s + (1 - y)*j = 0"};
  source.constraints = {"w >= 0", "i >= 0", "s >= 0", "j >= 0"};
  source.experiment.stop = 3.0;
  const Trajectory run = test::run(source, test::with_accuracy(1e-8));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  // v falls faster than u, and is below it: both diodes block.
  EXPECT_NEAR(last(run, "v"), std::exp(-0.2), 1e-6);
  EXPECT_NEAR(last(run, "u"), std::exp(-0.1), 1e-6);
}

/// At the start the same: the capacitor begins below the source, which falls.
TEST(ChargedAtOnce, WhereTheRunBegins) {
  Source source;
  add_rectifier(source, "", 1.0, -1.0, 0.1);
  source.experiment.start = 1.0;
  const Trajectory run = test::run(source, test::with_accuracy(1e-8));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(last(run, "v"), std::exp(-0.2), 1e-6);
}

/// A diode the other way round, with i <= 0, does not pass the charge, and nothing follows.
TEST(ChargedAtOnce, NotAgainstTheDiode) {
  Source source;
  add_rectifier(source, "", 1.0, -1.0, 0.1);
  source.constraints.back() = RelationSource("i <= 0");
  const Trajectory run = test::run(source, test::with_accuracy(1e-6));
  EXPECT_EQ(run.outcome.kind, OutcomeKind::dead_end) << run.outcome.message;
  EXPECT_NEAR(run.outcome.end_time, 1.0, 1e-9);
}

}  // namespace charged_at_once_test
}  // namespace mti
