// Newton's method on r(w) = w² − a: where it arrives, and what its failures are called.

#include "solvers/blocks/newton.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace mti {
namespace newton_test {

struct Found {
  NewtonSolution solution;
  double w = 0.0;
};

Found solve_square(double a, double start, int most_iterations) {
  Found found{{}, start};
  const NewtonProblem problem{[&] { return Eigen::VectorXd::Constant(1, found.w); },
                              [&] { return Eigen::VectorXd::Constant(1, found.w * found.w - a); },
                              [&] {
                                return LuFactor(1, {{0, 0, 2.0 * found.w}});
                              },
                              [&](const Eigen::VectorXd& w) { found.w = w[0]; }};
  const auto at_rest = [](const Eigen::VectorXd& step, const Eigen::VectorXd& w) {
    return relative_size(step, w, Eigen::VectorXd::Constant(1, 1e-300)) < 1e-14;
  };
  found.solution = newton(problem, most_iterations,
                          [&](const NewtonStep& from) { return take_full_step(problem, from, at_rest); });
  return found;
}

TEST(Newton, FindsARootToRounding) {
  const Found found = solve_square(2.0, 1.0, 10);
  EXPECT_TRUE(found.solution.solved());
  EXPECT_NEAR(found.w, std::sqrt(2.0), 4e-16);
}

/// Danger: errors are magnified by the Jacobian of another point than the one that was solved at.
TEST(Newton, HandsOutTheLastJacobian) {
  const Found found = solve_square(2.0, 1.0, 10);
  const double magnified = found.solution.factor.magnify(Eigen::VectorXd::Ones(1))[0];
  EXPECT_NEAR(magnified, 1.0 / (2.0 * std::sqrt(2.0)), 1e-12);
}

TEST(Newton, StopsAtAJacobianWithoutFullRank) {
  EXPECT_EQ(solve_square(1.0, 0.0, 10).solution.failure, SolveFailure::Kind::singular);
}

TEST(Newton, DoesNotConvergeWithoutARootOrWithTooFewSteps) {
  EXPECT_EQ(solve_square(-1.0, 2.0, 100).solution.failure, SolveFailure::Kind::no_convergence);
  EXPECT_EQ(solve_square(2.0, 1.0, 2).solution.failure, SolveFailure::Kind::no_convergence);
}

/// Danger: a step that is not finite is entered.
TEST(Newton, TakesNoStepThatIsNotFinite) {
  const Found found = solve_square(INFINITY, 1.0, 10);
  EXPECT_EQ(found.solution.failure, SolveFailure::Kind::no_convergence);
  EXPECT_EQ(found.w, 1.0);
}

}  // namespace newton_test
}  // namespace mti
