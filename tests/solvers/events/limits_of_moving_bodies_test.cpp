// Impacts between bodies that move on together: where they are at the limit, and what they cross close to it. Closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace limits_of_moving_bodies_test {

constexpr double e = 0.5, gap = 0.1;
/// Carts of mass 1, the force 1 on the first: impacts with velocities v, e·v, … since the carts are met at √(2·gap).
const double met = std::sqrt(2.0 * gap), limit = met * (1.0 + 2.0 * e / (1.0 - e));

/// With `more`, a third one stands at `beyond` and is hit alike.
Source carts(double beyond = 0.0, bool more = false) {
  Source source;
  source.states = {{"a"}, {"va"}, {"b", gap}, {"vb"}};
  source.algebraic = {{"P"}};
  source.binaries = {{"p"}};
  source.equations = {"der(a) = va",
                      "der(va) = 1 - P",
                      "der(b) = vb",
                      {"second", "der(vb) = P"},
                      {"touch", "p*(a - b) + (1 - p)*P = 0"}};
  source.constraints = {{"met", "a <= b"}, "P >= 0"};
  source.transitions = {{.when = "reach(met)",
                         .replaces = {"touch"},
                         .equations = {"va - vb = -0.5*(pre(va) - pre(vb))"},
                         .emit = "impact"}};
  source.experiment.stop = 3.0;
  if (!more) return source;
  source.states.push_back({"c", beyond});
  source.states.push_back({"vc"});
  source.algebraic.push_back({"Q"});
  source.binaries.push_back({"q"});
  source.equations[3] = {"second", "der(vb) = P - Q"};
  source.equations.insert(source.equations.end(),
                          {"der(c) = vc", "der(vc) = Q", {"touch2", "q*(b - c) + (1 - q)*Q = 0"}});
  source.constraints.push_back({"met2", "b <= c"});
  source.constraints.push_back({"Q >= 0"});
  source.transitions.push_back({.when = "reach(met2)",
                                .replaces = {"touch2"},
                                .equations = {"vb - vc = -0.5*(pre(vb) - pre(vc))"},
                                .emit = "hit"});
  return source;
}

// Danger: taken by their mean rates the carts were behind where their momentum brings them, by 80 times the tolerance.
TEST(LimitsOfMovingBodies, KeepTheCentreOfMass) {
  for (const double rtol : {1e-4, 1e-5, 1e-6, 1e-8, 1e-10}) {
    const Trajectory run = test::run(carts(), test::with_accuracy(rtol));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    ASSERT_EQ(run.accumulations.size(), 1U);
    EXPECT_NEAR(run.accumulations[0].time, limit, 10.0 * rtol * 3.0);
    const double centre = gap / 2.0 + 0.25 * 9.0;
    EXPECT_NEAR(test::last(run, "a"), centre, 10.0 * rtol * centre) << rtol;
    EXPECT_NEAR(test::last(run, "b"), centre, 10.0 * rtol * centre) << rtol;
    EXPECT_NEAR(test::last(run, "va"), 1.5, 10.0 * rtol * 1.5) << rtol;
  }
}

// Danger: what is crossed on the way to the limit, or some time behind it, was taken to be met at the limit itself.
TEST(LimitsOfMovingBodies, CrossThresholdsWhenTheyComeThere) {
  for (const double t : {1.2, 1.25, 1.3, 1.32, 1.33, 1.335, 1.338, 1.34, 1.3412, 1.342, 1.345, 1.35, 1.4})
    for (const double rtol : {1e-5, 1e-6, 1e-7, 1e-8, 1e-9}) {
      SCOPED_TRACE("t = " + std::to_string(t) + ", rtol = " + std::to_string(rtol));
      Source source = carts();
      source.binaries.push_back({"s"});
      source.equations.emplace_back("s = (a + b > " + std::to_string(gap + 0.5 * t * t) + ")");
      const Trajectory run = test::run(source, test::with_accuracy(rtol));
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      const std::size_t s = run.column("s");
      EXPECT_EQ(run.value(0, s), 0.0);
      EXPECT_EQ(test::last(run, "s"), 1.0);
      for (std::size_t row = 1; row < run.size(); ++row)
        if (run.value(row, s) != run.value(row - 1, s)) {
          // to_string has six digits, of which the seventh is 5e-7/t early or late
          EXPECT_NEAR(run.time(row), t, 10.0 * rtol * 3.0 + 5e-7 / t);
        }
    }
}

// Behind the limit both carts go at t/2, hit the third by 3/4 of that, and give half of it away together.
TEST(LimitsOfMovingBodies, HitWhatStandsBehindThemByItsOwnLaw) {
  for (const double later : {0.01, 0.03, 0.1})
    for (const double rtol : {1e-5, 1e-6, 1e-7, 1e-9}) {
      SCOPED_TRACE("later = " + std::to_string(later) + ", rtol = " + std::to_string(rtol));
      const double t = limit + later;
      const Trajectory run = test::run(carts(0.5 * gap + 0.25 * t * t, true), test::with_accuracy(rtol));
      const Event* hit = nullptr;
      for (const Event& event : run.events)
        if (hit == nullptr && event.emitted == std::vector<std::string>{"hit"}) hit = &event;
      ASSERT_NE(hit, nullptr) << run.outcome.message;
      EXPECT_NEAR(hit->time, t, 10.0 * rtol * 3.0);
      // Momentum t/2·2 = 2·v + w, w − v = e·t/2 while the two stay together.
      const double v = 0.5 * t, after = (2.0 * v - e * v) / 3.0;
      bool is_told = false;
      for (const Change& jump : hit->jumps)
        if (run.rows_of_S()[run.column("vc")] == jump.row) {
          EXPECT_NEAR(jump.after, after + e * v, 10.0 * rtol);
          is_told = true;
        }
      EXPECT_TRUE(is_told);
    }
}

// Danger: turns from before an input jumps were taken for the law of those behind it.
TEST(LimitsOfMovingBodies, FollowInputsThatJumpBetweenTheTurns) {
  for (const double jump : {0.8, 1.15, 1.24, 1.28, 1.3, 1.31, 1.32, 1.33, 1.338, 1.341})
    for (const double force : {0.7, 1.5, 3.0})
      for (const double rtol : {1e-4, 1e-5, 1e-6, 1e-8, 1e-10}) {
        SCOPED_TRACE("at " + std::to_string(jump) + " to " + std::to_string(force) +
                     ", rtol = " + std::to_string(rtol));
        Source source = carts();
        const TableSource steps{.time = {0.0, jump, jump, 3.0}, .value = {1.0, 1.0, force, force}};
        source.inputs.push_back({.name = "u", .form = steps});
        source.equations[1] = {"der(va) = u - P"};
        const Trajectory run = test::run(source, test::with_accuracy(rtol));
        ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
        const double rest = 3.0 - jump;
        const double centre = gap / 2.0 + 0.25 * jump * jump + 0.5 * jump * rest + 0.25 * force * rest * rest;
        EXPECT_NEAR(0.5 * (test::last(run, "a") + test::last(run, "b")), centre, 10.0 * rtol * centre);
        EXPECT_NEAR(test::last(run, "a"), test::last(run, "b"), 10.0 * rtol * centre);
      }
}

}  // namespace limits_of_moving_bodies_test
}  // namespace mti
