// Reasons from the numbers of an instant: no assignment that keeps to one is admissible; networks at rest begin at once.

#include "solvers/switching/reasons_at_an_instant.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/at.hpp"
#include "tests/solvers/motion/motion_oracle.hpp"
#include "tests/solvers/motion/random_hybrid_model.hpp"
#include "tests/solvers/simulation/run_queries.hpp"
#include "tests/solvers/switching/assignments_of_reason.hpp"

namespace mti::test {
namespace reasons_at_an_instant_test {

struct Tally {
  int reasons = 0, short_ones = 0;
};

void expect_sound(const Model& model, const Instant& instant, const Mode& mode, double tolerance,
                  Tally& tally) {
  const PosedProblem posed(model, instant, tolerance);
  for (const std::vector<int>& reason : reasons_at_an_instant(posed.problem, posed.problem.check(mode))) {
    ++tally.reasons;
    if (std::ssize(reason) < model.signature.q()) ++tally.short_ones;
    expect_to_exclude(posed.problem, mode, reason);
  }
}

/// Pipes between junctions without volume (index 2), or with (index 1): L q' = Δp − friction. `friction(k)` is a text in q_k.
template <class Friction>
Source network(int junctions, bool with_volume, Friction friction) {
  Source source;
  std::vector<std::string> sums(static_cast<std::size_t>(junctions));
  int k = 0;
  const auto pressure = [&](int j) {
    if (j == 0) return std::string("10");
    return j == junctions ? std::string("0") : "p" + std::to_string(j);
  };
  for (int j = 0; j < junctions; ++j)
    for (int far = j + 1; far <= std::min(j + 2, junctions); ++far, ++k) {
      const std::string q = "q" + std::to_string(k);
      source.states.push_back({q, 0.0});
      source.equations.emplace_back(std::to_string(1.0 + 0.1 * k) + "*der(" + q + ") = " + pressure(j) +
                                    " - " + pressure(far) + " - (" + friction(k) + ")");
      if (j > 0) sums[at(j)] += " - " + q;
      if (far < junctions) sums[at(far)] += " + " + q;
    }
  for (int j = 1; j < junctions; ++j) {
    const std::string p = "p" + std::to_string(j);
    if (with_volume)
      source.states.push_back({p, 1.0});
    else
      source.algebraic.push_back({p, 1.0});
    source.equations.emplace_back((with_volume ? "0.1*der(" + p + ")" : std::string("0")) + " = 0" +
                                  sums[at(j)]);
  }
  source.experiment.stop = 5.0;
  return source;
}

/// Flows that are zero and some that are not (of a cycle, so that junctions hold), with frictions whose sign a binary says, with
/// friction of first order, and with a term that a binary adds beside no flow at all.
TEST(ReasonsAtAnInstant, HoldForAllAssignmentsOfANetwork) {
  std::mt19937 random(5);
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
  Tally tally;
  for (int trial = 0; trial < 150; ++trial) {
    Source source = network(3, trial % 2 == 0, [&](int k) {
      const std::string q = "q" + std::to_string(k);
      switch (below(4)) {
        case 0:
          return "0.5*" + q + "*abs(" + q + ")";
        case 1:
          return "abs(" + q + ")";
        case 2:
          return "if " + q + " > 0 then " + std::to_string(below(5)) + " else -2";
        default:
          return "(if " + q + " > 0 then 0.5 else 2)*" + q + "*" + q;
      }
    });
    if (below(2) == 0) {  // a state that is put to 0 where w is 1, and is watched
      source.states.push_back({"s", 0.0});
      source.binaries = {{"w"}, {"high"}};
      source.equations.emplace_back(below(2) == 0 ? "w*s + (1 - w)*(der(s) - q0) = 0"
                                                  : "w*q1*s + der(s) = q0");
      source.constraints = {"(s + q1 - 0.2)*(1 - high) <= 0", "(q0 - s - 0.1)*(1 - w)*high <= 0"};
    }
    const Model model = build(source);
    ASSERT_LE(model.signature.q(), 8);
    std::vector<double> x = model.x_start;
    if (below(2) == 0) x[0] = x[2] = 0.3;  // 0 → 1 → 2 → …: q0 into junction 1, q2 out of it
    if (below(2) == 0) x[2] = x[4] = x[0];
    if (source.states.back().name == "s") x.back() = 0.4 * below(2);
    Mode mode{.z = std::vector<char>(at(model.signature.q())), .pre = {}, .binary_inputs = {}};
    for (char& z : mode.z) z = static_cast<char>(below(2));
    expect_sound(model, instant_of(model, 0.0, x), mode, 1e-8, tally);
    ASSERT_FALSE(testing::Test::HasFailure()) << "trial " << trial;
  }
  EXPECT_GT(tally.short_ones, 100);
  EXPECT_GT(tally.reasons, tally.short_ones);
}

TEST(ReasonsAtAnInstant, HoldForAllAssignmentsOfRandomModels) {
  Tally tally;
  unsigned number = 0;
  for (unsigned seed = 0; seed < 60; ++seed)
    for (const Shape shape : all_shapes) {
      const RandomHybridModel random(shape, ++number);
      if (random.model.signature.q() > 9) continue;
      expect_sound(random.model, random.instant, random.before, 1e-10, tally);
      ASSERT_FALSE(testing::Test::HasFailure()) << random.text();
    }
  EXPECT_GT(tally.reasons, 100);
}

/// Danger: of all 2^39 signs of flows the right ones were looked for one after the other, since each depends on all by structure.
/// Without binaries, smooth(0, abs(q)), the motion is the same.
TEST(ReasonsAtAnInstant, LetNetworksBeginAtRest) {
  for (const bool with_volume : {false, true}) {
    const auto ending = [&](const std::string& size) {
      const Trajectory run = test::run(
          network(20, with_volume,
                  [&](int k) {
                    const std::string q = "q" + std::to_string(k);
                    return "0.5*" + q + "*" + (size.empty() ? "abs(" + q + ")" : "smooth(0, abs(" + q + "))");
                  }),
          with_accuracy(1e-8));
      EXPECT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      std::vector<double> flows;
      for (int k = 0; k < 39; ++k)
        flows.push_back(run.value(run.size() - 1, run.column("q" + std::to_string(k))));
      return flows;
    };
    const std::vector<double> switched = ending(""), smooth = ending("smooth");
    for (std::size_t k = 0; k < switched.size(); ++k) EXPECT_NEAR(switched[k], smooth[k], 1e-6);
  }
}

// Danger: orders that are needed grew without end, since offsets are those of the frozen rows and what was followed were all.
TEST(ReasonsAtAnInstant, EndWhereOtherModesHaveOtherIndices) {
  Source diodes;  // five ideal ones on capacitors, which open together at t = 1: c = 2 e^-(t − 1)
  diodes.inputs = {{"u", TableSource{{0.0, 1.0, 2.0}, {1.0, 2.0, -1.0}}}};
  Source bodies;  // five on a floor, which gravity leaves at t = 1: h = 5 (t − 1)²
  bodies.inputs = {{"g", TableSource{{0.0, 1.0, 1.0, 2.0}, {10.0, 10.0, -10.0, -10.0}}}};
  for (int k = 0; k < 5; ++k) {
    const std::string n = std::to_string(k);
    diodes.states.push_back({"c" + n, 1.0});
    diodes.algebraic.push_back({"i" + n});
    diodes.binaries.push_back({"z" + n, 1.0});
    diodes.equations.emplace_back("der(c" + n + ") = i" + n + " - c" + n);
    diodes.equations.emplace_back("z" + n + "*(c" + n + " - u) + (1 - z" + n + ")*i" + n + " = 0");
    diodes.constraints.emplace_back("-i" + n + " <= 0");
    diodes.constraints.emplace_back("u - c" + n + " <= 0");
    bodies.states.push_back({"h" + n});
    bodies.states.push_back({"v" + n});
    bodies.algebraic.push_back({"F" + n});
    bodies.binaries.push_back({"z" + n, 1.0});
    bodies.equations.emplace_back("der(h" + n + ") = v" + n);
    bodies.equations.emplace_back("der(v" + n + ") = -g + F" + n);
    bodies.equations.emplace_back("z" + n + "*h" + n + " + (1 - z" + n + ")*F" + n + " = 0");
    bodies.constraints.emplace_back("-h" + n + " <= 0");
    bodies.constraints.emplace_back("-F" + n + " <= 0");
  }
  diodes.experiment.stop = bodies.experiment.stop = 2.0;
  for (const double tolerance : {1e-5, 1e-8}) {
    SimulationOptions options = with_accuracy(tolerance);
    options.max_seconds = 20.0;
    const Trajectory opened = test::run(diodes, options), left = test::run(bodies, options);
    ASSERT_EQ(opened.outcome.kind, OutcomeKind::reached_stop) << opened.outcome.message;
    ASSERT_EQ(left.outcome.kind, OutcomeKind::reached_stop) << left.outcome.message;
    for (const char* name : {"c0", "c4"})
      EXPECT_NEAR(opened.value(opened.size() - 1, opened.column(name)), 2.0 * std::exp(-1.0),
                  100.0 * tolerance);
    for (const char* name : {"h0", "h4"})
      EXPECT_NEAR(left.value(left.size() - 1, left.column(name)), 5.0, 100.0 * tolerance);
  }
}

/// A switch that puts x to 2 cures a row by one flip, w1 and w2 together by two; beside it there are others that are met.
TEST(ReasonsAtAnInstant, HoldWhatMovesStates) {
  for (const bool differentiated : {false, true})
    for (const int others : {1, 3, 8}) {
      Source source;
      source.states = {{"x"}};
      source.algebraic = {{"i"}};
      source.inputs = {{"u", TableSource{{0.0, 1.0, 1.0, 2.0}, {-1.0, -1.0, 1.0, 1.0}}}};
      source.binaries = {{"z"}, {"w1"}, {"w2"}, {"c"}};
      source.equations = {"der(x) = i - 0.1*x", "z*(x - 2) + (1 - z)*i = 0"};
      source.constraints = {"u*(1 - c)*(1 + z + w1 + w2) <= 0", "c*(1.5 - x)*(1 - w1*w2) <= 0"};
      if (differentiated) {
        source.states.push_back({"a"});
        source.states.push_back({"b"});
        source.algebraic.push_back({"G"});
        for (const char* row : {"der(a) = G", "der(b) = 1 - G", "a = b"}) source.equations.emplace_back(row);
      }
      for (int k = 0; k < others; ++k) {
        source.binaries.push_back({"d" + std::to_string(k)});
        source.constraints.emplace_back("u*(1 - d" + std::to_string(k) + ") <= 0");
      }
      source.experiment.stop = 2.0;
      const Trajectory run = test::run(source);
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      EXPECT_NEAR(run.value(run.size() - 1, run.column("x")), 2.0, 1e-5) << others;
      EXPECT_EQ(run.value(run.size() - 1, run.column("z")), 1.0) << others;
      EXPECT_EQ(run.value(run.size() - 1, run.column("w1")), 0.0) << others;
    }
}

}  // namespace reasons_at_an_instant_test
}  // namespace mti::test
