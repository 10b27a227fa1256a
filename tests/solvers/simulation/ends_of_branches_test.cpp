// A loop whose solution ends at a fold: the run ends there, with whatever integrator. Folds by their closed form.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace ends_of_branches_test {

struct Loop {
  std::string function;  ///< x = φ(y)
  double start, fold;    ///< y at x = 0, and x where φ′ = 0
};

TEST(EndsOfBranches, AFoldIsNotJumpedFrom) {
  const double y = -std::acosh(std::sqrt(3.0));
  for (const Loop& loop :
       {Loop{"y^3 - 3*y", -std::sqrt(3.0), 2.0}, Loop{"y - 3*tanh(y)", -2.9847045, y - 3.0 * std::tanh(y)}})
    for (const bool stiff : {false, true})
      for (const IntegratorChoice engine : {IntegratorChoice::automatic, IntegratorChoice::ida})
        for (const double rtol : {1e-5, 1e-7, 1e-9}) {
          Source source;
          source.states = {{"x"}};
          source.algebraic = {{"y", loop.start}};
          source.equations = {"der(x) = 1", RelationSource("x = " + loop.function)};
          if (stiff) {
            source.states.push_back({"w", loop.start});
            source.equations.emplace_back("der(w) = -1e5*(w - y) - 1e3*w^3");
          }
          SimulationOptions options = test::with_accuracy(rtol);
          options.stop = 4.0;
          options.integrator = engine;
          const Trajectory run = simulate(build(source), options);
          EXPECT_EQ(run.outcome.kind, OutcomeKind::solver_failure)
              << loop.function << " " << stiff << " " << rtol;
          EXPECT_NEAR(run.outcome.end_time, loop.fold, 1e-3) << loop.function << " " << stiff << " " << rtol;
          for (std::size_t row = 0; row < run.size(); ++row)
            ASSERT_LT(run.value(row, run.column("y")), -0.9) << loop.function << " " << stiff << " " << rtol;
        }
}

}  // namespace ends_of_branches_test
}  // namespace mti
