#include <gtest/gtest.h>

#include <string>

#include "tests/solvers/simulation/run_queries.hpp"
#include "tests/solvers/sliding/sliding_queries.hpp"

/// Many surfaces that begin to hold at one instant: parts that have nothing to do with each other are decided
/// each by itself.
namespace mti {
namespace sliding_by_parts_test {

/// Blocks at rest under friction of 1, block i pulled by (i + 1)·t/2 and, if `spring` > 0, by springs to its
/// neighbours: v_i' = (i + 1) t/2 − sgn(v_i) + spring·(x_{i−1} − 2 x_i + x_{i+1}).
Source blocks(int number, double spring) {
  Source source;
  source.parameters = {{"k", spring}};
  const auto name = [](const std::string& letter, int i) { return letter + std::to_string(i); };
  for (int i = 0; i < number; ++i) source.states.push_back({name("x", i), 0.0});
  for (int i = 0; i < number; ++i) source.states.push_back({name("v", i), 0.0});
  for (int i = 0; i < number; ++i) {
    std::string force = std::to_string(i + 1) + "*time/2 - (2*" + name("z", i) + " - 1)";
    if (i > 0) force += " + k*(" + name("x", i - 1) + " - " + name("x", i) + ")";
    if (i + 1 < number) force += " + k*(" + name("x", i + 1) + " - " + name("x", i) + ")";
    source.equations.emplace_back("der(" + name("x", i) + ") = " + name("v", i));
    source.equations.emplace_back("der(" + name("v", i) + ") = " + force);
    source.binaries.push_back({name("z", i), 0.0});
    test::add_relay(source, name("z", i), name("v", i));
  }
  source.experiment = {.stop = 3.0};
  return source;
}

/// Relays that begin on their thresholds, the slope of each decided by the next one alone, of the last by itself or by the
/// first one: x_i' = 1 − 2 z_{i+1}.
Source followers(int number, bool in_a_ring) {
  Source source;
  const auto name = [](const std::string& letter, int i) { return letter + std::to_string(i); };
  for (int i = 0; i < number; ++i) {
    const int next = i + 1 < number ? i + 1 : in_a_ring ? 0 : i;
    source.states.push_back({name("x", i), 0.0});
    source.binaries.push_back({name("z", i), 0.0});
    source.equations.emplace_back("der(" + name("x", i) + ") = 1 - 2*" + name("z", next));
    test::add_relay(source, name("z", i), name("x", i));
  }
  source.experiment = {.stop = 1.0};
  return source;
}

/// Danger: 2^12 sides and every choice out of 12 surfaces are looked at, or only so many surfaces are.
/// Block i sticks with weight ½ + (i + 1) t/4 until (i + 1) t/2 = 1 and moves from then on.
TEST(SlidingParts, TwelveBlocksAtRestBeginToMoveOneAfterTheOther) {
  constexpr int number = 12;
  for (const double accuracy : {1e-6, 1e-8}) {
    const Trajectory trajectory = test::run(blocks(number, 0.0), test::with_accuracy(accuracy));
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
    test::Kinds expected;
    for (int i = number; i >= 1; --i)
      if (2.0 / i < 3.0) expected.emplace_back(2.0 / i, EventKind::slide_end);
    test::expect_kinds(trajectory, 0.0, expected, 100.0 * accuracy);
    ASSERT_FALSE(trajectory.events.empty());
    EXPECT_EQ(trajectory.events[0].changed.size(), 12U);
    EXPECT_LT(trajectory.events[0].candidates_tried, 50);
    for (int i = 0; i < number; ++i) {
      const double rate = 0.5 * (i + 1), begins = 1.0 / rate;
      const auto speed = [&](double t) {
        return t < begins ? 0.0 : 0.5 * rate * (t * t - begins * begins) - (t - begins);
      };
      test::expect_course(trajectory, "v" + std::to_string(i), speed, 500.0 * accuracy);
    }
  }
}

/// Springs couple the blocks' positions, not the slopes that press on the surfaces: the same start.
TEST(SlidingParts, CoupledBlocksStickTogether) {
  constexpr int number = 8;
  const Trajectory trajectory = test::run(blocks(number, 4.0), test::with_accuracy(1e-8));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  ASSERT_GE(trajectory.events.size(), 2U);
  EXPECT_EQ(trajectory.events[0].changed.size(), 8U);
  EXPECT_NEAR(trajectory.events[1].time, 2.0 / number, 1e-6) << "the last block is pulled most";
}

/// The last one slides with a weight of ½, so that the one before it rests, and of the others every second one rises.
TEST(SlidingParts, AChainIsDecidedFromItsEnd) {
  for (const int number : {3, 10, 40}) {
    const Trajectory trajectory = test::run(followers(number, false), test::with_accuracy(1e-8));
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
    ASSERT_EQ(trajectory.events.size(), 1U);
    EXPECT_LT(trajectory.events[0].candidates_tried, 200 + 10 * number) << "of " << number;
    test::expect_course(
        trajectory, "z" + std::to_string(number - 1), [](double) { return 0.5; }, 1e-8);
    for (int i = 0; i < number; ++i) {
      const double slope = i >= number - 2 ? 0.0 : (number - i) % 2 != 0 ? 1.0 : -1.0;
      test::expect_course(
          trajectory, "x" + std::to_string(i), [&](double t) { return slope * t; }, 1e-8);
    }
  }
}

/// In a ring of even length every second one rises. In one of odd length no assignment is without contradiction, and
/// nothing slides: each surface is left at a rate of 1 unless the next one slides, which makes all of them slide, and no side
/// of a surface presses on it.
TEST(SlidingParts, ARingTakesWeightsThatReachItsSlopes) {
  for (const int number : {6, 7, 9}) {
    const Trajectory trajectory = test::run(followers(number, true), test::with_accuracy(1e-8));
    if (number % 2 == 0) {
      ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
      for (int i = 0; i < number; ++i) {
        const double slope = test::last(trajectory, "z" + std::to_string(i)) == 1.0 ? 1.0 : -1.0;
        test::expect_course(
            trajectory, "x" + std::to_string(i), [&](double t) { return slope * t; }, 1e-8);
      }
    } else {
      EXPECT_EQ(trajectory.outcome.kind, OutcomeKind::no_consistent_start) << trajectory.outcome.message;
      EXPECT_LT(trajectory.statistics.candidates, 4L << number)
          << "3^" << number << " motions are not judged";
    }
  }
}

}  // namespace sliding_by_parts_test
}  // namespace mti
