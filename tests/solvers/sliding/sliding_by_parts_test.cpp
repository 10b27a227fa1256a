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

}  // namespace sliding_by_parts_test
}  // namespace mti
