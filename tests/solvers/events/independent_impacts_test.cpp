// Bodies that impact by themselves, and come to rest at about the same time: each by its own speeds. Closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace independent_impacts_test {

constexpr double g = 9.81, stop = 4.0;

struct Ball {
  double height, e;
};

/// It falls at rest, and is at rest again at t = √(2·height/g)·(1 + e)/(1 − e).
Ball resting_at(double t, double e) { return {0.5 * g * std::pow(t * (1.0 - e) / (1.0 + e), 2.0), e}; }

/// s adds up |Δv|.
Source balls(const std::vector<Ball>& bodies) {
  Source source;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const std::string i = std::to_string(k);
    source.parameters.push_back({"e" + i, bodies[k].e});
    source.states.push_back({"h" + i, bodies[k].height});
    source.states.push_back({"v" + i});
    source.states.push_back({"s" + i});
    source.algebraic.push_back({"F" + i});
    source.binaries.push_back({"c" + i});
    source.equations.emplace_back("der(h" + i + ") = v" + i);
    source.equations.emplace_back("der(v" + i + ") = F" + i + " - 9.81");
    source.equations.push_back({"rest" + i, "c" + i + "*h" + i + " + (1 - c" + i + ")*F" + i + " = 0"});
    source.equations.push_back({"sum" + i, "der(s" + i + ") = 0"});
    source.constraints.push_back({"floor" + i, "h" + i + " >= 0"});
    source.constraints.push_back({"push" + i, "F" + i + " >= 0"});
    source.transitions.push_back(
        {.when = "reach(floor" + i + ")",
         .replaces = {"rest" + i, "sum" + i},
         .equations = {"v" + i + " = -e" + i + "*pre(v" + i + ")",
                       "s" + i + " = pre(s" + i + ") - (1 + e" + i + ")*pre(v" + i + ")"}});
  }
  source.experiment.stop = stop;
  return source;
}

double sum_of(const Ball& ball) { return (1.0 + ball.e) * std::sqrt(2.0 * g * ball.height) / (1.0 - ball.e); }

/// Impacts within δ/10 = rtol·stop/10 are one: each takes g·δ/10 of a speed, which the sum has (1 + e)/(1 − e)-fold; ten of them may be.
/// And a sum counts as going on where it jumps by less than 10 rtol of what is before and behind, which leaves out e/(1 − e) of that.
/// `sum` is what the state comes to.
double allowed(const Ball& ball, double rtol, double sum) {
  constexpr double several = 10.0;
  const double merged = 0.1 * rtol * stop * g, e = ball.e;
  return several * (2.0 * rtol * sum * e / (1.0 - e) + merged * (1.0 + e) / (1.0 - e));
}
double allowed(const Ball& ball, double rtol) { return allowed(ball, rtol, sum_of(ball)); }

// Danger: whatever was within ε of its floor as another one hit its own was taken to be there, and be it at the top of its flight; and
// limits whose times the errors of single impacts leave open were taken for one. Sums were off by 3·10⁻⁴ at every tolerance.
TEST(IndependentImpacts, TakeTheirOwnSpeeds) {
  std::mt19937 engine(11);
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  const std::vector<double> restitutions = {0.3, 0.5, 0.6, 0.7};
  for (int trial = 0; trial < 60; ++trial) {
    const double apart = std::pow(10.0, draw(-6.0, -2.0));
    std::vector<Ball> bodies;
    for (int k = 0; k < (trial % 3 == 0 ? 3 : 2); ++k)
      bodies.push_back(resting_at(1.2 + k * apart, restitutions[engine() % restitutions.size()]));
    for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
      SCOPED_TRACE("trial " + std::to_string(trial) + ", rtol = " + std::to_string(rtol));
      const Trajectory run = test::run(balls(bodies), test::with_accuracy(rtol));
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      for (std::size_t k = 0; k < bodies.size(); ++k) {
        const std::string i = std::to_string(k);
        EXPECT_NEAR(test::last(run, "s" + i), sum_of(bodies[k]), allowed(bodies[k], rtol));
        EXPECT_NEAR(test::last(run, "h" + i), 0.0, 1e-8);
        EXPECT_EQ(test::last(run, "c" + i), 1.0);
      }
    }
  }
}

// What is met at the very same time is met by both: the laws of bodies that do not know of each other.
TEST(IndependentImpacts, AtOneTimeAreOneEvent) {
  const Ball ball = resting_at(1.2, 0.5);
  for (const double rtol : {1e-4, 1e-6, 1e-9}) {
    const Trajectory run = test::run(balls({ball, ball}), test::with_accuracy(rtol));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    for (const Event& event : run.events) EXPECT_EQ(event.constraints.size(), 2U) << event.time;
    ASSERT_EQ(run.accumulations.size(), 1U);
    EXPECT_NEAR(run.accumulations[0].time, 1.2, 10.0 * rtol * stop);
    EXPECT_EQ(test::last(run, "s0"), test::last(run, "s1"));
  }
}

// An impact without rebound is one, and no flight of the height of a rounding is left for a second one.
TEST(IndependentImpacts, WithoutReboundAreOne) {
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const Trajectory run =
        test::run(balls({{0.7, 0.0}, {1.3, 0.0}, resting_at(1.2, 0.6)}), test::with_accuracy(rtol));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    for (const int floor : {0, 2}) {
      const auto met = std::ranges::count_if(run.events, [&](const Event& event) {
        return std::ranges::find(event.constraints, floor) != event.constraints.end();
      });
      EXPECT_EQ(met, 1) << floor << " at " << rtol;
    }
    EXPECT_NEAR(test::last(run, "s0"), std::sqrt(2.0 * g * 0.7), 10.0 * rtol * std::sqrt(2.0 * g * 0.7));
  }
}

// Danger: beside a state that only the exact flow integrates, what a ball adds up counted as moved by the impacts of the other one.
TEST(IndependentImpacts, AreIndependentBesideAStiffState) {
  const std::vector<Ball> bodies = {{1.0104, 0.5}, {1.0, 0.5}};
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    Source source = balls(bodies);
    source.states.push_back({"w", 1.0});
    source.equations.emplace_back("der(w) = -20000*(w - h0)");
    const Trajectory run = test::run(source, test::with_accuracy(rtol));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_NEAR(test::last(run, "s0"), sum_of(bodies[0]), allowed(bodies[0], rtol)) << rtol;
    EXPECT_NEAR(test::last(run, "s1"), sum_of(bodies[1]), allowed(bodies[1], rtol)) << rtol;
  }
}

// Danger: what the other ball added between the last turns of one was extrapolated with them. (Where both are at their floors at the same
// instant, as at 10⁻⁴ they may be, their laws contradict each other, and the run is refused.)
TEST(IndependentImpacts, MayShareTheirSum) {
  for (const double apart : {0.2, 0.05, 0.01, 1e-3})
    for (const double rtol : {1e-6, 1e-8, 1e-10}) {
      SCOPED_TRACE(std::to_string(apart) + " s apart, rtol = " + std::to_string(rtol));
      const std::vector<Ball> bodies = {resting_at(1.2, 0.6), resting_at(1.2 + apart, 0.3)};
      Source source = balls(bodies);
      source.states.push_back({"both"});
      source.equations.push_back({"all", "der(both) = 0"});
      for (std::size_t k = 0; k < 2; ++k) {
        const std::string i = std::to_string(k);
        source.transitions[k].replaces.push_back("all");
        source.transitions[k].equations.push_back("both = pre(both) - (1 + e" + i + ")*pre(v" + i + ")");
      }
      const Trajectory run = test::run(source, test::with_accuracy(rtol));
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      const double sum = sum_of(bodies[0]) + sum_of(bodies[1]);
      EXPECT_NEAR(test::last(run, "both"), sum,
                  allowed(bodies[0], rtol, sum) + allowed(bodies[1], rtol, sum));
    }
}

// Danger: of several that impact in ever other groups, what one adds up counted as without a limit.
TEST(IndependentImpacts, MayNearlyFallTogether) {
  for (const double apart : {3e-8, 1e-9, 5e-11, 1e-12})
    for (const double rtol : {1e-6, 1e-8, 1e-10}) {
      SCOPED_TRACE(std::to_string(apart) + ", rtol = " + std::to_string(rtol));
      const std::vector<Ball> bodies = {{1.0, 0.5}, {1.0 + apart, 0.5}, {1.0 + 2.0 * apart, 0.5}};
      const Trajectory run = test::run(balls(bodies), test::with_accuracy(rtol));
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      EXPECT_TRUE(run.warnings.empty()) << run.warnings.front();
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_NEAR(test::last(run, "s" + std::to_string(k)), sum_of(bodies[k]), allowed(bodies[k], rtol));
    }
}

// Danger: what counted as the same instant was left over from the limit, and a law due exactly at the stop time was none.
TEST(IndependentImpacts, LeaveLawsAtTheStopTimeDue) {
  for (const double rate : {0.29, 0.37, 0.41, 0.53})
    for (const double rtol : {1e-4, 1e-6, 1e-8}) {
      Source source = balls({{0.1, 0.5}});
      source.states.push_back({"x", 1.0 - rate * stop});
      source.states.push_back({"n"});
      source.equations.push_back({"fill", "der(x) = " + std::to_string(rate)});
      source.equations.push_back({"count", "der(n) = 0"});
      source.constraints.push_back({"full", "x <= 1"});
      source.transitions.push_back(
          {.when = "reach(full)", .replaces = {"fill", "count"}, .equations = {"x = 0", "n = pre(n) + 1"}});
      const Trajectory run = test::run(source, test::with_accuracy(rtol));
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      EXPECT_EQ(test::last(run, "n"), 1.0) << rate << " at " << rtol;
    }
}

}  // namespace independent_impacts_test
}  // namespace mti
