// Linear blocks whose unknowns, or some of them, are zero, from start values that are not.

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <cmath>
#include <random>
#include <string>

#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace zero_solutions_test {

/// A x = b by equations alone, with small whole numbers, b = 0 or sparse: x is the solution of the matrix, whatever the states
/// start at, and where it is zero it is exactly that or the rounding of the others.
TEST(ZeroSolutions, AreFoundFromAnyStart) {
  std::mt19937 random(4711);
  std::uniform_int_distribution<int> entry(-5, 5), size(2, 6);
  std::uniform_real_distribution<double> number(-3.0, 3.0);
  int examined = 0;
  for (int model = 0; model < 300; ++model) {
    const int n = size(random);
    const Eigen::MatrixXd A =
        Eigen::MatrixXd::NullaryExpr(n, n, [&] { return static_cast<double>(entry(random)); });
    const Eigen::VectorXd b = Eigen::VectorXd::NullaryExpr(
        n, [&] { return model % 2 == 0 ? 0.0 : std::trunc(entry(random) / 4.0); });
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(A);
    if (!lu.isInvertible() || lu.rcond() < 1e-3) continue;
    ++examined;
    const Eigen::VectorXd x = lu.solve(b);
    Source source;
    for (int i = 0; i < n; ++i) {
      source.states.push_back({"x" + std::to_string(i), number(random)});
      std::string row;
      for (int j = 0; j < n; ++j)
        row += (j > 0 ? " + (" : "(") + std::to_string(A(i, j)) + ")*x" + std::to_string(j);
      source.equations.emplace_back(row + " = " + std::to_string(b[i]));
    }
    source.experiment.stop = 0.5;
    const Trajectory run = test::run(source, test::with_accuracy(1e-8));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop)
        << "model " << model << ": " << run.outcome.message;
    for (int i = 0; i < n; ++i)
      for (const double t : {0.0, 0.5})
        EXPECT_NEAR(test::recorded(run, "x" + std::to_string(i), t), x[i], 1e-12) << "model " << model;
  }
  EXPECT_GT(examined, 200);
}

}  // namespace zero_solutions_test
}  // namespace mti
