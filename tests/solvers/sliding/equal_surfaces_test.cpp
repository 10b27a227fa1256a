#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/solvers/sliding/equal_surfaces.hpp"

/// Constraints on signals that equations of the mode make equal, or affine in each other, are on one surface.
namespace mti {
namespace equal_surfaces_test {

using test::expect_one_surface, test::relays;

TEST(EqualSurfaces, AnAlias) {
  expect_one_surface(relays({"y"}, {"y = x"}, {"(1 - 2*z2)*y <= 0"}), {"z1", "z2"});
}

TEST(EqualSurfaces, AFactorOfEitherSign) {
  expect_one_surface(relays({"y"}, {"y = 2*x"}, {"(1 - 2*z2)*y <= 0"}), {"z1", "z2"});
  expect_one_surface(relays({"y"}, {"y + 2*x = 0"}, {"(2*z2 - 1)*y <= 0"}), {"z1", "z2"});
}

TEST(EqualSurfaces, AShift) {
  expect_one_surface(relays({"y"}, {"y = x + 1"}, {"(1 - 2*z2)*(y - 1) <= 0"}), {"z1", "z2"});
}

TEST(EqualSurfaces, AChainInEitherOrder) {
  expect_one_surface(relays({"a", "b", "y"}, {"a - x = 0", "b = a", "y = b"}, {"(1 - 2*z2)*y <= 0"}),
                     {"z1", "z2"});
  expect_one_surface(relays({"a", "b", "y"}, {"y - b = 0", "b - a = 0", "a - x = 0"}, {"(1 - 2*z2)*y <= 0"}),
                     {"z1", "z2"});
}

/// a = 2x, b = x, y = a − x = x; the constraint is a − 2b + y = x.
TEST(EqualSurfaces, EquationsThatAreSolvedTogether) {
  expect_one_surface(
      relays({"a", "b", "y"}, {"a + b = 3*x", "a - b = x", "y = a - x"}, {"(1 - 2*z2)*(a - 2*b + y) <= 0"}),
      {"z1", "z2"});
}

TEST(EqualSurfaces, ThreeOfThem) {
  Source source = relays({"y", "w"}, {"y = x", "w = -3*y"}, {"(1 - 2*z2)*y <= 0", "(2*z3 - 1)*w <= 0"});
  source.binaries.push_back({"z3", 1.0});
  source.states.push_back({"r", 0.0});
  source.equations.emplace_back("der(r) = z1 - z3");
  expect_one_surface(source, {"z1", "z2", "z3"});
}

/// With m = 0 it is y = 2x + 5, from t = ½ on y = x.
TEST(EqualSurfaces, InOneModeOnly) {
  Source source = relays({"y"}, {"m*(y - x) + (1 - m)*(y - 2*x - 5) = 0", "der(s) = 1"},
                         {"(1 - 2*z2)*y <= 0", "(s - 0.5)*(1 - m) <= 0", "(0.5 - s)*m <= 0"});
  source.states.push_back({"s", 0.0});
  source.binaries.push_back({"m", 0.0});
  expect_one_surface(source, {"z1", "z2"});
}

/// Where x is zero y is, and has its sign, whatever z1 and z2 are.
TEST(EqualSurfaces, ByAnEquationOfTheBinariesThatSlide) {
  expect_one_surface(relays({"y"}, {"y = x*(1 + z1)"}, {"(1 - 2*z2)*y <= 0"}), {"z1", "z2"});
  expect_one_surface(relays({"y"}, {"y = x*(1 + z2) + 2*z1*x"}, {"(1 - 2*z2)*y <= 0"}), {"z1", "z2"});
  expect_one_surface(
      relays({"a", "y"}, {"a = (2 - z2)*x", "y = a*(1 + z1 - 0.5*z1*z2)"}, {"(1 - 2*z2)*y <= 0"}),
      {"z1", "z2"});
  expect_one_surface(relays({"y"}, {"y*(1 + y^2) = x*(1 + z1)"}, {"(1 - 2*z2)*y <= 0"}), {"z1", "z2"});
}

/// Negative control: with z1 = 0 it is y = 1, which is not zero where x is. So z1 slides alone with its ¾; y is ¼ then,
/// z2 stays 1, and q' = −¼ for two seconds.
TEST(EqualSurfaces, NotByAnEquationThatMakesThemEqualOnOneSideOnly) {
  const Source source = relays({"y"}, {"y = x + (1 - z1)*(1 - x)"}, {"(1 - 2*z2)*y <= 0"});
  for (const double accuracy : test::surface_accuracies) {
    const Trajectory trajectory = test::run(source, test::with_accuracy(accuracy));
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
    EXPECT_NEAR(test::last(trajectory, "z1"), 0.75, 100.0 * accuracy);
    EXPECT_EQ(test::last(trajectory, "z2"), 1.0);
    EXPECT_NEAR(test::last(trajectory, "q"), -0.5, 100.0 * accuracy);
  }
}

/// y = −x: z2 is 0 while z1 is 1, and 1 − ¾ on the surface. q' = z1 − z2 is 1, then ½: q(3) = 1 + 2·½.
TEST(EqualSurfaces, OppositeSidesAtOnce) {
  Source source = relays({"y"}, {"y = -x"}, {"(1 - 2*z2)*y <= 0"});
  source.binaries[1].start = 0.0;
  for (const double accuracy : test::surface_accuracies)
    for (const IntegratorChoice engine : test::surface_engines) {
      SimulationOptions options = test::with_accuracy(accuracy);
      options.integrator = engine;
      const Trajectory trajectory = test::run(source, options);
      ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
      EXPECT_NEAR(test::last(trajectory, "z2"), 0.25, 100.0 * accuracy);
      EXPECT_NEAR(test::last(trajectory, "q"), 2.0, 100.0 * accuracy);
    }
}

/// Negative control: y = x + 2 − 2t = 3 − 3t is zero with x at t = 1, but goes on by itself: only z1 slides.
TEST(EqualSurfaces, NotWhereSignalsMeetAndPart) {
  Source source = relays({"y"}, {"y = x + 2 - 2*s", "der(s) = 1"}, {"(1 - 2*z2)*y <= 0"});
  source.states.push_back({"s", 0.0});
  const Trajectory trajectory = test::run(source, test::with_accuracy(1e-6));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_NEAR(test::last(trajectory, "z1"), 0.75, 1e-4);
  EXPECT_NEAR(test::last(trajectory, "z2"), 0.0, 1e-12);
}

/// x' = 3 − 4 z1 + w, w = −t: z1 = (3 − t)/4 leaves the surface at t = 3, and all binaries with it.
TEST(EqualSurfaces, LeaveTogetherAndAsTheSameSignalDoes) {
  const auto leaving = [](const std::string& second) {
    Source source = relays({"y"}, {"y = 2*x", "der(w) = -1"}, {second});
    source.states.push_back({"w", 0.0});
    source.equations[2] = RelationSource("der(x) = 3 - 4*z1 + w");
    source.experiment.stop = 6.0;
    return source;
  };
  for (const double accuracy : test::surface_accuracies) {
    const SimulationOptions options = test::with_accuracy(accuracy);
    const Trajectory equated = test::run(leaving("(1 - 2*z2)*y <= 0"), options),
                     same = test::run(leaving("(1 - 2*z2)*x <= 0"), options);
    ASSERT_EQ(equated.outcome.kind, OutcomeKind::reached_stop) << equated.outcome.message;
    ASSERT_EQ(equated.events.size(), same.events.size());
    EXPECT_NEAR(equated.events.back().time, 3.0, 100.0 * accuracy);
    for (std::size_t k = 0; k < equated.events.size(); ++k) {
      EXPECT_EQ(to_string(equated.events[k].kind), to_string(same.events[k].kind));
      EXPECT_NEAR(equated.events[k].time, same.events[k].time, 100.0 * accuracy);
    }
    for (const char* name : {"x", "q", "z1", "z2"})
      EXPECT_NEAR(test::last(equated, name), test::last(same, name), 100.0 * accuracy) << name;
  }
}

/// Nothing slides: x' = −1 crosses, and both binaries switch at once.
TEST(EqualSurfaces, AreCrossedTogether) {
  Source source = relays({"y"}, {"y = -2*x"}, {"(2*z2 - 1)*y <= 0"});
  source.equations[1] = RelationSource("der(x) = -1");
  const Trajectory trajectory = test::run(source, test::with_accuracy(1e-6));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  test::expect_kinds(trajectory, 0.0, {{1.0, EventKind::switch_mode}}, 1e-4);
  EXPECT_EQ(test::last(trajectory, "z1"), 0.0);
  EXPECT_EQ(test::last(trajectory, "z2"), 0.0);
}

}  // namespace equal_surfaces_test
}  // namespace mti
