#include "solvers/integration/newton_convergence.hpp"

#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <numbers>
#include <string>

#include "tests/solvers/simulation/run_queries.hpp"

namespace mti::test {
namespace newton_convergence_test {

using Verdict = NewtonConvergence::Verdict;

TEST(NewtonConvergence, IsMeasuredInEachStepAnew) {
  NewtonConvergence convergence;
  EXPECT_EQ(convergence.judge(0, 1.0, 0.33), Verdict::goes_on);
  EXPECT_EQ(convergence.judge(1, 1e-12, 0.33), Verdict::converged);
  // A step that converged in all digits says nothing of the next one.
  EXPECT_EQ(convergence.judge(0, 0.3, 0.33), Verdict::goes_on);
  EXPECT_EQ(convergence.judge(0, 0.003, 0.33), Verdict::converged);
  EXPECT_EQ(convergence.judge(0, 0.0, 0.33), Verdict::converged);
}

TEST(NewtonConvergence, FollowsFromTheRate) {
  NewtonConvergence convergence;
  // ρ = 1/2, S = 1.
  EXPECT_EQ(convergence.judge(0, 1.0, 0.33), Verdict::goes_on);
  EXPECT_EQ(convergence.judge(1, 0.5, 0.33), Verdict::goes_on);
  EXPECT_EQ(convergence.judge(2, 0.25, 0.33), Verdict::converged);
  EXPECT_EQ(convergence.judge(0, 1.0, 0.33), Verdict::goes_on);
  EXPECT_EQ(convergence.judge(1, 0.95, 0.33), Verdict::diverges);
  EXPECT_EQ(convergence.judge(0, 1.0, 0.33), Verdict::goes_on);
  EXPECT_EQ(convergence.judge(1, std::nan(""), 0.33), Verdict::diverges);
  // Changes that are rounding do not fall any more.
  EXPECT_EQ(convergence.judge(0, 0.015, 0.33), Verdict::goes_on);
  EXPECT_EQ(convergence.judge(1, 0.015, 0.33), Verdict::converged);
}

/// x' = atan(a e^(γt)) − 0.46 x with x(0) = −1.75, beside what is stiff: the function's argument grows by ten decades while
/// its value rests.
double saturating_at(double t, double a, double gamma) {
  const auto integrand = [&](double s) {
    return std::exp(-0.46 * (t - s)) * std::atan(a * std::exp(gamma * s));
  };
  return -1.75 * std::exp(-0.46 * t) +
         boost::math::quadrature::gauss_kronrod<double, 61>::integrate(integrand, 0.0, t, 15, 1e-13);
}

TEST(NewtonConvergence, HoldsForFunctionsOfWhatGrows) {
  for (const double gamma : {1.0, 3.0})
    for (const double a : {0.05, 0.3, 0.72, 1.9})
      for (const double rtol : {1e-4, 1e-5, 1e-6, 1e-7, 5.6e-8, 1e-9})
        for (const IntegratorChoice integrator : {IntegratorChoice::automatic, IntegratorChoice::ida}) {
          Source source;
          source.states = {
              {.name = "x", .start = -1.75}, {.name = "y", .start = a}, {.name = "q", .start = 1.0}};
          source.algebraic = {{.name = "w"}};
          source.equations.emplace_back("w = atan(y)");
          source.equations.emplace_back("der(x) = w - 0.46*x");
          source.equations.emplace_back("der(y) = " + std::to_string(gamma) + "*y");
          source.equations.emplace_back("der(q) = 1e6*(sin(x) - q)");
          source.experiment.stop = 8.0;
          SimulationOptions options = with_accuracy(rtol);
          options.integrator = integrator;
          const Trajectory trajectory = run(source, options);
          ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
          const std::string what =
              "rtol " + std::to_string(std::log10(rtol)) + ", y(0) = " + std::to_string(a);
          const double x = saturating_at(8.0, a, gamma);
          EXPECT_NEAR(recorded(trajectory, "x", 8.0), x, 10.0 * rtol * (1.0 + std::abs(x))) << what;
          const std::size_t w = trajectory.column("w"), y = trajectory.column("y");
          constexpr double most_w = std::numbers::pi / 2.0;
          for (std::size_t row = 0; row < trajectory.size(); ++row)
            ASSERT_NEAR(trajectory.value(row, w), std::atan(trajectory.value(row, y)),
                        10.0 * rtol * (1.0 + most_w))
                << what << ", t = " << trajectory.time(row);
        }
}

}  // namespace newton_convergence_test
}  // namespace mti::test
