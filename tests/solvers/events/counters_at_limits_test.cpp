// What impacts count has no limit where they accumulate; what they add up in decreasing parts has one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace counters_at_limits_test {

constexpr double g = 9.81;

/// A ball that falls from 1 at rest; c counts impacts, s changes its sign at each, p is the sum of |Δv|.
Source counted_ball(double e) {
  Source source;
  source.parameters = {{"e", e}};
  source.states = {{"h", 1.0}, {"v"}, {"c"}, {"s", 1.0}, {"p"}};
  source.algebraic = {{"force"}};
  source.binaries = {{"rests"}};
  source.equations = {"der(h) = v",
                      "der(v) = -9.81 + force",
                      {"support", "rests*h + (1 - rests)*force = 0"},
                      {"count", "der(c) = 0"},
                      {"sign", "der(s) = 0"},
                      {"sum", "der(p) = 0"}};
  source.constraints = {{"floor", "-h <= 0"}, "force >= 0"};
  source.transitions = {
      {.when = "reach(floor)",
       .replaces = {"support", "count", "sign", "sum"},
       .equations = {"v = -e*pre(v)", "c = pre(c) + 1", "s = -pre(s)", "p = pre(p) - (1 + e)*pre(v)"},
       .emit = "impact"}};
  source.experiment.stop = 6.0;
  return source;
}

// Danger: states at a limit were taken by their mean rates, and so a counter went on by a fraction, against its der(c) = 0.
TEST(CountersAtLimits, CountWhatIsSeenAndSumsHaveTheirLimit) {
  for (const double e : {0.5, 0.7, 0.8})
    for (const double rtol : {1e-4, 1e-6, 1e-9}) {
      SCOPED_TRACE("e = " + std::to_string(e) + ", rtol = " + std::to_string(rtol));
      const Trajectory run = test::run(counted_ball(e), test::with_accuracy(rtol));
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      const auto impacts =
          std::ranges::count_if(run.events, [](const Event& event) { return !event.emitted.empty(); });
      EXPECT_GE(impacts, 4);
      EXPECT_EQ(test::last(run, "c"), static_cast<double>(impacts));
      EXPECT_EQ(test::last(run, "s"), impacts % 2 == 0 ? 1.0 : -1.0);
      const double sum = (1.0 + e) * std::sqrt(2.0 * g) / (1.0 - e);
      EXPECT_NEAR(test::last(run, "p"), sum, 1e3 * rtol * sum);
      const auto names = [&](const char* signal) {
        return std::ranges::count_if(run.warnings, [&](const std::string& warning) {
          return warning.starts_with(std::string(signal) + " has no limit");
        });
      };
      EXPECT_EQ(names("c"), 1);
      EXPECT_EQ(names("s"), 1);
      EXPECT_EQ(run.warnings.size(), 2U);
    }
}

/// m under `laws` at each impact of a ball with e = 1/2, by itself der(m) = `rate`.
Trajectory with_laws(const std::vector<const char*>& laws, double rate = 0.0) {
  Source source = counted_ball(0.5);
  source.states.erase(source.states.begin() + 2, source.states.end());
  source.equations.erase(source.equations.begin() + 3, source.equations.end());
  source.transitions[0].replaces = {"support"};
  source.transitions[0].equations = {"v = -e*pre(v)"};
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const std::string m = "m" + std::to_string(i);
    source.states.push_back({m, i == 0 ? 1.0 : 0.0});
    source.equations.emplace_back(m + "_rate", "der(" + m + ") = " + std::to_string(rate));
    source.transitions[0].replaces.push_back(m + "_rate");
    source.transitions[0].equations.emplace_back(laws[i]);
  }
  source.experiment.stop = 3.0;
  return test::run(source, test::with_accuracy(1e-8));
}

bool says_no_limit(const Trajectory& run, const std::string& signal) {
  return std::ranges::any_of(run.warnings, [&](const std::string& warning) {
    return warning.starts_with(signal + " has no limit");
  });
}

TEST(CountersAtLimits, LawsThatContractComeToTheirRest) {
  const std::pair<const char*, double> laws[] = {{"m0 = 0.95*pre(m0) + 1", 20.0},
                                                 {"m0 = 0.45*pre(m0) + 1", 1.0 / 0.55},
                                                 {"m0 = 0.55*pre(m0) + 1", 1.0 / 0.45},
                                                 {"m0 = -0.5*pre(m0) + 1", 2.0 / 3.0},
                                                 {"m0 = -0.999*pre(m0)", 0.0}};
  for (const auto& [law, rest] : laws) {
    const Trajectory run = with_laws({law});
    EXPECT_NEAR(test::last(run, "m0"), rest, 1e-5 * (1.0 + rest)) << law;
    EXPECT_FALSE(says_no_limit(run, "m0")) << law;
  }
}

// Danger: a point on a circle was taken six radii away.
TEST(CountersAtLimits, WhatOnlyTurnsHasNoLimitAndStaysWhereItCanBe) {
  const Trajectory turned = with_laws({"m0 = 0.6*pre(m0) - 0.8*pre(m1)", "m1 = 0.8*pre(m0) + 0.6*pre(m1)"});
  EXPECT_NEAR(std::hypot(test::last(turned, "m0"), test::last(turned, "m1")), 1.0, 1e-9);
  EXPECT_TRUE(says_no_limit(turned, "m0") && says_no_limit(turned, "m1"));
  const Trajectory flipped = with_laws({"m0 = -pre(m0) + pre(v)"});
  EXPECT_TRUE(says_no_limit(flipped, "m0"));
  EXPECT_LE(std::abs(test::last(flipped, "m0")), 1.0 + std::sqrt(2.0 * g) * 2.0);
  // Three impacts to a turn, one of them nothing to some of the three.
  const Trajectory cycle = with_laws({"m0 = pre(m1)", "m1 = pre(m2)", "m2 = pre(m0)"});
  EXPECT_NEAR(test::last(cycle, "m0") + test::last(cycle, "m1") + test::last(cycle, "m2"), 1.0, 1e-12);
  for (const char* signal : {"m0", "m1", "m2"}) EXPECT_TRUE(says_no_limit(cycle, signal)) << signal;
}

TEST(CountersAtLimits, ACounterGoesOnAsItMovesByItself) {
  const Trajectory run = with_laws({"m0 = pre(m0) + 1"}, 0.1);
  const auto impacts =
      std::ranges::count_if(run.events, [](const Event& event) { return !event.emitted.empty(); });
  EXPECT_NEAR(test::last(run, "m0"), 1.0 + static_cast<double>(impacts) + 0.3, 1e-12);
  EXPECT_TRUE(says_no_limit(run, "m0"));
}

/// x' = u, and each impact of the ball multiplies u by k: flights of 2eⁿV/g, V = √(2g), with kⁿ. Danger: (t∞ − t)^(1 + ln k/ln e) is no
/// polynomial, and was extrapolated as one where k is close to 1.
TEST(CountersAtLimits, WhatEachImpactSlowsDownComesToItsOwnLimit) {
  for (const double e : {0.3, 0.5, 0.7})
    for (const double k : {0.8, 0.9, 0.95, 0.99})
      for (const double rtol : {1e-6, 1e-8, 1e-10}) {
        Source source = counted_ball(e);
        source.states.resize(2);
        source.states.push_back({"u", 1.0});
        source.states.push_back({"x"});
        source.equations.erase(source.equations.begin() + 3, source.equations.end());
        source.equations.push_back({"slow", "der(u) = 0"});
        source.equations.emplace_back("der(x) = u");
        source.transitions[0].replaces = {"support", "slow"};
        source.transitions[0].equations = {"v = -e*pre(v)", "u = " + std::to_string(k) + "*pre(u)"};
        const Trajectory run = test::run(source, test::with_accuracy(rtol));
        ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
        const double t1 = std::sqrt(2.0 / g), expected = t1 + 2.0 * t1 * k * e / (1.0 - k * e);
        EXPECT_NEAR(test::last(run, "x"), expected, 10.0 * rtol * expected) << e << " " << k << " " << rtol;
        EXPECT_NEAR(test::last(run, "u"), 0.0, 10.0 * rtol) << e << " " << k << " " << rtol;
      }
}

/// v' = −5 sign(x) − 3 sign(v): the speed is halved from one zero of x to the next. What is added at those where s rises, or falls,
/// is a geometric series.
Trajectory twisting(bool in_one_row, const std::string& law) {
  Source source;
  source.states = {{"x"}, {"v", 1.0}, {"m"}};
  source.binaries = {{"s", 1.0}, {"r", 1.0}};
  source.equations = {"der(x) = v", "der(v) = -5*(2*s - 1) - 3*(2*r - 1)", {"kept", "der(m) = 0"}};
  if (in_one_row)
    source.constraints = {"(1 - 2*s)*x <= 0", "(1 - 2*r)*v <= 0"};
  else
    source.constraints = {"(1 - s)*x <= 0", "s*x >= 0", "(1 - r)*v <= 0", "r*v >= 0"};
  source.transitions = {{.when = law, .replaces = {"kept"}, .equations = {"m = pre(m) + pre(v)"}}};
  source.experiment.stop = 3.0;
  return test::run(source, test::with_accuracy(1e-9));
}

// Danger: a relay in one row is met by both of its changes, and half a turn was taken for one.
TEST(CountersAtLimits, ATurnIsOverWhereTheSameChangeComes) {
  for (const bool in_one_row : {false, true}) {
    const Trajectory rises = twisting(in_one_row, "rise(s)"), falls = twisting(in_one_row, "fall(s)");
    EXPECT_NEAR(test::last(rises, "m"), 1.0 / 3.0, 1e-6);
    EXPECT_NEAR(test::last(falls, "m"), -2.0 / 3.0, 1e-6);
    EXPECT_TRUE(rises.warnings.empty() && falls.warnings.empty());
  }
}

// Danger: the share of another relay that slides meanwhile changes at each event, and no two turns were taken to be alike.
TEST(CountersAtLimits, OfTwistingBesideASlideHaveTheirLimit) {
  Source source;
  source.states = {{"x", 1.0}, {"v"}, {"m", 1.0}, {"q", 1.0}};
  source.binaries = {{"s", 1.0}, {"r"}, {"z"}};
  source.equations = {"der(x) = v", "der(v) = -3*(2*s - 1) - (2*r - 1)", "der(m) = 0",
                      "der(q) = 1 - 2*z + 0.3*v"};
  source.constraints = {{"(1 - 2*s)*x <= 0"}, {"(1 - 2*r)*v <= 0"}, {"(1 - 2*z)*q <= 0"}};
  source.transitions = {{.when = "rise(s)", .equations = {"m = 0.3*pre(m) + 1"}}};
  source.experiment.stop = 12.0;
  for (const double rtol : {1e-6, 1e-8, 1e-9}) {
    const Trajectory run = test::run(source, test::with_accuracy(rtol));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    ASSERT_EQ(run.accumulations.size(), 1U);
    EXPECT_NEAR(test::last(run, "m"), 1.0 / 0.7, 10.0 * rtol / 0.7) << rtol;
  }
}

// Danger: where two bodies of a pile impact in turns of changing order, what their impacts toggle came to a value between (1.67 for ±1).
TEST(CountersAtLimits, TogglesOfAPileHaveOneOfTheirValues) {
  std::mt19937 engine(17);
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  int limits = 0;
  for (int trial = 0; trial < 40; ++trial) {
    Source source;
    source.parameters = {{"e0", draw(0.3, 0.6)}, {"e1", draw(0.2, 0.6)}, {"a", draw(3.0, 12.0)}};
    source.states = {
        {"h0", draw(0.5, 1.5)}, {"v0"}, {"h1", draw(2.0, 3.0)}, {"v1"}, {"m0", 1.0}, {"m1", 1.0}};
    source.algebraic = {{"F0"}, {"F1"}};
    source.binaries = {{"c0"}, {"c1"}};
    source.equations = {"der(h0) = v0",
                        "der(v0) = F0 - F1 - a",
                        "der(h1) = v1",
                        "der(v1) = F1 - 9.81",
                        {"rest0", "c0*h0 + (1 - c0)*F0 = 0"},
                        {"rest1", "c1*(h1 - h0) + (1 - c1)*F1 = 0"},
                        {"keep0", "der(m0) = 0"},
                        {"keep1", "der(m1) = 0"}};
    source.constraints = {{"floor", "h0 >= 0"}, "F0 >= 0", {"gap", "h1 >= h0"}, "F1 >= 0"};
    source.transitions = {{.when = "reach(floor)",
                           .replaces = {"rest0", "keep0"},
                           .equations = {"v0 = -e0*pre(v0)", "m0 = -pre(m0)"}},
                          {.when = "reach(gap)",
                           .replaces = {"rest1", "keep1"},
                           .equations = {"v1 - v0 = -e1*(pre(v1) - pre(v0))", "m1 = -pre(m1)"}}};
    source.experiment.stop = 3.0;
    for (const double rtol : {1e-4, 1e-6, 1e-8}) {
      SCOPED_TRACE("trial " + std::to_string(trial) + ", rtol = " + std::to_string(rtol));
      const Trajectory run = test::run(source, test::with_accuracy(rtol));
      limits += static_cast<int>(run.accumulations.size());
      EXPECT_EQ(std::abs(test::last(run, "m0")), 1.0);
      EXPECT_EQ(std::abs(test::last(run, "m1")), 1.0);
    }
  }
  EXPECT_GT(limits, 60);
}

}  // namespace counters_at_limits_test
}  // namespace mti
