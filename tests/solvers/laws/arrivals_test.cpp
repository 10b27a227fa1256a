// Conditions that become true where the motion arrives at their threshold, and something else holds it there.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "solvers/stepping/run.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti::arrivals_test {

constexpr double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10};

Trajectory to_the_end(const Source& source, double rtol) {
  Trajectory run = test::run(source, test::with_accuracy(rtol));
  EXPECT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  return run;
}

std::vector<double> times_of(const Trajectory& run, const std::string& name) {
  std::vector<double> times;
  for (const Event& event : run.events)
    for (const std::string& emitted : event.emitted)
      if (emitted == name) times.push_back(event.time);
  return times;
}

// h rises by 1 in 1, and what comes then runs over. Danger: the overflow alone was taken to answer for h = 1.
TEST(Arrivals, AVesselThatOverflowsIsFull) {
  for (const char* condition : {"h >= 1", "h > 1", "h >= 1 and over < 5", "not h < 1"})
    for (const double rtol : tolerances) {
      Source source;
      source.states = {{"h"}, {"n"}};
      source.algebraic = {{"over"}};
      source.equations = {"der(h) = 1 - over", "min(1 - h, over) = 0", "der(n) = 0"};
      source.whens = {{.condition = condition, .set = {{"n", "n + 1"}}, .emit = "full"}};
      source.experiment.stop = 2.0;
      const Trajectory run = to_the_end(source, rtol);
      EXPECT_EQ(test::last(run, "n"), 1.0) << condition;
      EXPECT_NEAR(test::last(run, "h"), 1.0, 10.0 * rtol);
      ASSERT_EQ(times_of(run, "full").size(), 1U) << condition;
      EXPECT_NEAR(times_of(run, "full").front(), 1.0, 10.0 * rtol);
    }
}

// A cylinder runs against its end stop, where a limit switch sends it back: x = a(t − (1 − e^(−bt))/b) with a = 1/2, b = 4 up to 0.3, and
// behind that from rest with −a.
TEST(Arrivals, ALimitSwitchAtAnEndStopIsPressed) {
  const auto way = [](double t) { return 0.5 * (t - (1.0 - std::exp(-4.0 * t)) / 4.0); };
  double low = 0.0, high = 2.0;
  for (int k = 0; k < 60; ++k) (way((low + high) / 2.0) < 0.3 ? low : high) = (low + high) / 2.0;
  for (const double rtol : tolerances) {
    Source source;
    source.states = {{"x"}, {"v"}, {"step", 1.0}};
    source.algebraic = {{"N"}, {"F"}};
    source.equations = {"der(x) = v", "0.5*der(v) = F - 2*v - N", "min(0.3 - x, N) = 0",
                        "F = if step < 1.5 then 1 else -1", "der(step) = 0"};
    source.whens = {{.condition = "x >= 0.3", .set = {{"step", "2"}}, .emit = "pressed"}};
    source.experiment.stop = 2.0;
    const Trajectory run = to_the_end(source, rtol);
    ASSERT_EQ(times_of(run, "pressed").size(), 1U);
    EXPECT_NEAR(times_of(run, "pressed").front(), low, 20.0 * rtol);
    EXPECT_NEAR(test::last(run, "x"), 0.3 - way(2.0 - low), 50.0 * rtol);
  }
}

// An input comes to 1 at t = 1, and stays, or turns back. Danger: from there on nothing leads beyond 1.
TEST(Arrivals, AnInputThatStopsAtAThresholdHasArrived) {
  for (const double behind : {1.0, 0.0, 0.5})
    for (const double rtol : tolerances) {
      Source source;
      source.states = {{"n"}};
      source.inputs = {
          {.name = "u", .form = TableSource{.time = {0.0, 1.0, 2.0}, .value = {0.0, 1.0, behind}}}};
      source.equations = {"der(n) = 0"};
      source.whens = {{.condition = "u >= 1", .set = {{"n", "n + 1"}}, .emit = "there"}};
      source.experiment.stop = 2.0;
      const Trajectory run = to_the_end(source, rtol);
      EXPECT_EQ(test::last(run, "n"), 1.0) << behind;
      EXPECT_EQ(times_of(run, "there"), std::vector<double>{1.0}) << behind;
    }
}

// A ball whose bounces a when makes, and whose rest a contact. It hits the floor at t₁ = √(2h/g), and again after 2 e^k t₁.
TEST(Arrivals, ABallWithAContactBounces) {
  for (const double e : {0.3, 0.5, 0.7})
    for (const double rtol : tolerances) {
      Source source;
      source.parameters = {{"e", e}};
      source.states = {{"h", 1.0}, {"v"}};
      source.algebraic = {{"N"}};
      source.binaries = {{"rests"}};
      source.equations = {"der(h) = v", "der(v) = N - 9.81", "rests*h + (1 - rests)*N = 0"};
      source.constraints = {"h >= 0", "N >= 0"};
      source.whens = {{.condition = "h <= 0 and v < 0", .set = {{"v", "-e*v"}}, .emit = "hit"}};
      source.experiment.stop = 3.0;
      const Trajectory run = to_the_end(source, rtol);
      const std::vector<double> hits = times_of(run, "hit");
      ASSERT_GE(hits.size(), 4U) << e << " " << rtol;
      const double first = std::sqrt(2.0 / 9.81);
      double time = first, factor = 1.0;
      for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_NEAR(hits[k], time, 10.0 * rtol * 3.0) << k;
        factor *= e;
        time += 2.0 * first * factor;
      }
      EXPECT_NEAR(test::last(run, "h"), 0.0, 10.0 * rtol);
      EXPECT_EQ(test::last(run, "rests"), 1.0);
    }
}

// The source would lift y to 10, but a diode holds it at 0.7: y has jumped, and never was at 5.
TEST(Arrivals, WhatAnotherSwitchKeepsFromAThresholdDoesNotArrive) {
  for (const double rtol : tolerances) {
    Source source;
    source.states = {{"n"}};
    source.inputs = {
        {.name = "on", .form = TableSource{.time = {0.0, 1.0}, .value = {0.0, 1.0}}, .binary = true}};
    source.algebraic = {{"y"}, {"i"}};
    source.equations = {"y = 10*on - i", "min(0.7 - y, i) = 0", "der(n) = 0"};
    source.whens = {{.condition = "y >= 5", .set = {{"n", "n + 1"}}, .emit = "high"}};
    source.experiment.stop = 2.0;
    const Trajectory run = to_the_end(source, rtol);
    EXPECT_EQ(test::last(run, "n"), 0.0);
    EXPECT_NEAR(test::last(run, "y"), 0.7, 10.0 * rtol);
  }
}

// x stands at its threshold; an input jumps that would lift it, and at the same instant something else keeps it there, or leads it away.
// Danger: what x would do behind the jump was taken for where it came from.
TEST(Arrivals, WhatStandsAtAThresholdDoesNotArrive) {
  for (const char* rate : {"(u - x)*(1 - (u > 5))", "u - 20*(u > 5)"})
    for (const double rtol : tolerances) {
      Source source;
      source.states = {{"x"}, {"n"}};
      source.inputs = {
          {.name = "u", .form = TableSource{.time = {0.0, 1.0, 1.0, 2.0}, .value = {0.0, 0.0, 10.0, 10.0}}}};
      source.equations = {std::string("der(x) = ") + rate, "der(n) = 0"};
      source.whens = {{.condition = "x > 0", .set = {{"n", "n + 1"}}}};
      source.experiment.stop = 2.0;
      const Trajectory run = to_the_end(source, rtol);
      EXPECT_EQ(test::last(run, "n"), 0.0) << rate;
    }
}

TEST(Arrivals, ASmoothTouchDoesNot) {
  for (const double rtol : tolerances) {
    Source source;
    source.states = {{"n"}};
    source.inputs = {{.name = "u", .form = SineSource{.amplitude = 1.0, .frequency = 0.2}}};
    source.equations = {"der(n) = 0"};
    source.whens = {{.condition = "u > 1", .set = {{"n", "n + 1"}}}};
    source.experiment.stop = 30.0;
    EXPECT_EQ(test::last(to_the_end(source, rtol), "n"), 0.0);
  }
}

// x falls to 0 and is set to 1 there, by which something else changes at that instant. Danger: behind that x had arrived at 0 once more.
TEST(Arrivals, WhatIsSetBackHasArrivedOnce) {
  for (const bool by_memory : {false, true})
    for (const char* condition : {"x < 0", "not (x > 0)", "x <= 0"})
      for (const double rtol : tolerances) {
        Source source;
        source.states = {{"x", 1.0}, {"n"}, {"m"}};
        source.equations = {"der(x) = -1", "der(n) = 0", "der(m) = 0"};
        source.whens = {{.condition = condition, .set = {{"x", "x + 1"}, {"n", "n + 1"}}, .emit = "set"}};
        if (by_memory) {
          source.binaries = {{"q"}, {"b", 1.0}};
          source.equations.emplace_back("b = (x > 0.5)");
          source.equations.emplace_back("q = pre(q) + (1 - 2*pre(q))*b*(1 - pre(b))");
        } else {
          source.whens.push_back({.condition = "x > 0.5", .set = {{"m", "m + 1"}}});
        }
        source.experiment.stop = 3.2;
        const Trajectory run = to_the_end(source, rtol);
        EXPECT_NEAR(test::last(run, "x"), 0.8, 40.0 * rtol) << condition;
        EXPECT_EQ(test::last(run, "n"), 3.0) << condition;
        EXPECT_EQ(test::last(run, "m"), by_memory ? 0.0 : 3.0) << condition;
        EXPECT_EQ(times_of(run, "set").size(), 3U) << condition;
      }
}

// What is set from outside where h has just come to 1 does not undo that.
TEST(Arrivals, UpToWhereAnInputIsSet) {
  for (const double rtol : tolerances)
    for (const double behind : {0.0, 1.0, -1.0}) {
      Source source;
      source.states = {{"h"}, {"n"}};
      source.inputs = {{.name = "u", .form = Number(1.0)}};
      source.equations = {"der(h) = u", "der(n) = 0"};
      source.whens = {{.condition = "h >= 1", .set = {{"n", "n + 1"}}}};
      source.experiment.stop = 1.5;
      mti::Run run(build(source), test::with_accuracy(rtol));
      while (run.advance(1.0) == StepEnd::event) {
      }
      run.set_input(0, behind);
      while (run.advance(1.5) == StepEnd::event) {
      }
      EXPECT_EQ(test::last(run.finish(), "n"), 1.0) << behind;
    }
}

}  // namespace mti::arrivals_test
