#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/solvers/sliding/equal_surfaces.hpp"

/// Constraints on signals that nonlinear equations of the mode make vanish together are on one surface.
namespace mti {
namespace nonlinear_surfaces_test {

using test::expect_one_surface, test::relays;

const std::vector<std::string> both = {"z1", "z2"};

/// What was a known issue: z2 stayed 1, and q fell.
TEST(NonlinearSurfaces, AFactorThatDependsOnTheSignal) {
  expect_one_surface(relays({"y"}, {"y*(1 + x^2) = x"}, {"(1 - 2*z2)*y <= 0"}), both);
}

TEST(NonlinearSurfaces, TheOppositeSign) {
  expect_one_surface(relays({"y"}, {"y*(1 + x^2) = -x"}, {"(2*z2 - 1)*y <= 0"}), both);
}

TEST(NonlinearSurfaces, AChainOfProductsInEitherOrder) {
  expect_one_surface(relays({"y", "w"}, {"y = x*w", "w = 1 + x*x"}, {"(1 - 2*z2)*y <= 0"}), both);
  expect_one_surface(relays({"w", "y"}, {"w - 1 - x*x = 0", "3*y = w*x"}, {"(1 - 2*z2)*y <= 0"}), both);
}

TEST(NonlinearSurfaces, TwoEquations) {
  expect_one_surface(relays({"a", "y"}, {"a*(1 + x^2) = x", "y*(2 + a^2) = a"}, {"(1 - 2*z2)*y <= 0"}), both);
}

/// y (1 + w²) = x and w (2 + y²) = 3 y, solved together, and the sum as the surface: y + w = 0 where x = 0 only, since
/// both have the sign of x.
TEST(NonlinearSurfaces, EquationsThatAreSolvedTogether) {
  expect_one_surface(
      relays({"w", "y"}, {"y*(1 + w^2) = x", "w*(2 + y^2) = 3*y"}, {"(1 - 2*z2)*(y + w) <= 0"}), both);
}

/// The factor is a state, or holds an input: 2 + sin(2πt) > 0.
TEST(NonlinearSurfaces, AFactorThatGoesItsOwnWay) {
  Source source = relays({"y"}, {"y = x*w", "der(w) = 1"}, {"(1 - 2*z2)*y <= 0"});
  source.states.push_back({"w", 1.0});
  expect_one_surface(source, both);
  source = relays({"y", "m"}, {"y = x*m", "m = exp(w)", "der(w) = 1"}, {"(1 - 2*z2)*y <= 0"});
  source.states.push_back({"w", 0.0});
  expect_one_surface(source, both);
  source = relays({"y"}, {"y = x*(2 + u)"}, {"(1 - 2*z2)*y <= 0"});
  source.inputs = {{"u", SineSource{1.0, 1.0, 0.0, 0.0}}};
  expect_one_surface(source, both);
}

TEST(NonlinearSurfaces, FunctionsOfTheSignal) {
  expect_one_surface(relays({"y"}, {"y = sin(x)"}, {"(1 - 2*z2)*y <= 0"}), both);
  expect_one_surface(relays({"y"}, {"y = exp(x)"}, {"(1 - 2*z2)*(y - 1) <= 0"}), both);
  Source source = relays({}, {"y = sqrt(1 + x)"}, {"(1 - 2*z2)*(y - 1) <= 0"});
  source.algebraic.push_back({"y", 1.4});
  expect_one_surface(source, both);
}

TEST(NonlinearSurfaces, ThreeOfThem) {
  Source source =
      relays({"y", "w"}, {"y*(1 + x^2) = x", "w = -y*(2 + x)"}, {"(1 - 2*z2)*y <= 0", "(2*z3 - 1)*w <= 0"});
  source.binaries.push_back({"z3", 1.0});
  source.states.push_back({"r", 0.0});
  source.equations.emplace_back("der(r) = z1 - z3");
  expect_one_surface(source, {"z1", "z2", "z3"});
}

/// (y − x)(y − x − 5) = 0 has two branches: on y = x both vanish together, on y = x + 5 they do not, and z2 stays 1.
TEST(NonlinearSurfaces, OnOneBranchOnly) {
  Source source = relays({}, {"(y - x)*(y - x - 5) = 0"}, {"(1 - 2*z2)*y <= 0"});
  source.algebraic.push_back({"y", 1.0});
  expect_one_surface(source, both);
  source.algebraic[0].start = 6.0;
  for (const double accuracy : test::surface_accuracies) {
    const Trajectory trajectory = test::run(source, test::with_accuracy(accuracy));
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
    EXPECT_NEAR(test::last(trajectory, "y"), 5.0, 100.0 * accuracy);
    EXPECT_NEAR(test::last(trajectory, "z1"), 0.75, 100.0 * accuracy);
    EXPECT_EQ(test::last(trajectory, "z2"), 1.0);
  }
}

/// Both surfaces move with an input: x slides on u = t/2 from t = 2/3 on, where 1 − t = t/2, with 3 − 4 z1 = 1/2.
TEST(NonlinearSurfaces, ThatMoveWithAnInput) {
  Source source = relays({"y"}, {"y*(1 + x^2) = x - u"}, {"(1 - 2*z2)*y <= 0"});
  source.inputs = {{"u", TableSource{{0.0, 3.0}, {0.0, 1.5}}}};
  source.constraints[0] = RelationSource("(1 - 2*z1)*(x - u) <= 0");
  for (const double accuracy : test::surface_accuracies)
    for (const IntegratorChoice engine : test::surface_engines) {
      SimulationOptions options = test::with_accuracy(accuracy);
      options.integrator = engine;
      const Trajectory trajectory = test::run(source, options);
      ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
      EXPECT_NEAR(test::last(trajectory, "z1"), 0.625, 100.0 * accuracy);
      EXPECT_NEAR(test::last(trajectory, "z2"), 0.625, 100.0 * accuracy);
      test::expect_course(
          trajectory, "q", [](double) { return 0.0; }, 100.0 * accuracy);
      test::expect_course(
          trajectory, "x", [](double t) { return t < 2.0 / 3.0 ? 1.0 - t : 0.5 * t; }, 100.0 * accuracy);
    }
}

/// Negative control: where x = 0 and w = t − 1 = 0, y = x + w² vanishes too, with the same slope in x. But it is zero for
/// one instant only, and positive before and after: z2 stays 1, z1 goes to ¾, and q' = −¼ from t = 1 on.
TEST(NonlinearSurfaces, NotWhereTheyOnlyTouch) {
  Source by_equation = relays({"y"}, {"y = x + w^2", "der(w) = 1"}, {"(1 - 2*z2)*y <= 0"}),
         as_written = relays({}, {"der(w) = 1"}, {"(1 - 2*z2)*(x + w^2) <= 0"});
  for (Source* source : {&by_equation, &as_written}) {
    source->states.push_back({"w", -1.0});
    for (const double accuracy : test::surface_accuracies)
      for (const IntegratorChoice engine : test::surface_engines) {
        SCOPED_TRACE(accuracy);
        SimulationOptions options = test::with_accuracy(accuracy);
        options.integrator = engine;
        const Trajectory trajectory = test::run(*source, options);
        ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
        EXPECT_NEAR(test::last(trajectory, "z1"), 0.75, 100.0 * accuracy);
        EXPECT_EQ(test::last(trajectory, "z2"), 1.0);
        EXPECT_NEAR(test::last(trajectory, "q"), -0.5, 100.0 * accuracy);
      }
  }
}

/// x' = 3 − 4 z1 + w, w = −t: z1 = (3 − t)/4 leaves the surface at t = 3, and all binaries with it.
TEST(NonlinearSurfaces, LeaveTogetherAsTheSameSignalDoes) {
  const auto leaving = [](const std::string& second) {
    Source source = relays({"y"}, {"y*(1 + x^2) = x", "der(w) = -1"}, {second});
    source.states.push_back({"w", 0.0});
    source.equations[2] = RelationSource("der(x) = 3 - 4*z1 + w");
    source.experiment.stop = 6.0;
    return source;
  };
  for (const double accuracy : test::surface_accuracies) {
    const SimulationOptions options = test::with_accuracy(accuracy);
    const Trajectory joined = test::run(leaving("(1 - 2*z2)*y <= 0"), options),
                     same = test::run(leaving("(1 - 2*z2)*x <= 0"), options);
    ASSERT_EQ(joined.outcome.kind, OutcomeKind::reached_stop) << joined.outcome.message;
    ASSERT_EQ(joined.events.size(), same.events.size());
    EXPECT_NEAR(joined.events.back().time, 3.0, 100.0 * accuracy);
    for (std::size_t k = 0; k < joined.events.size(); ++k) {
      EXPECT_EQ(to_string(joined.events[k].kind), to_string(same.events[k].kind));
      EXPECT_NEAR(joined.events[k].time, same.events[k].time, 100.0 * accuracy);
    }
    for (const char* name : {"x", "q", "z1", "z2"})
      EXPECT_NEAR(test::last(joined, name), test::last(same, name), 100.0 * accuracy) << name;
  }
}

}  // namespace nonlinear_surfaces_test
}  // namespace mti
