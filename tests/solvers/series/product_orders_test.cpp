// Products of signals have more orders than a step of power series keeps: none may be lost with them.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "mti/build/build.hpp"
#include "solvers/simulation/simulate.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace product_orders_test {

constexpr int factors = 11;

std::string state(int i) { return "x" + std::to_string(i); }

/// Danger: y = t¹¹ has no coefficient of order 10 or less, the states are exact, and y stays zero.
TEST(ProductOrders, AnAlgebraicProductIsFollowed) {
  for (const double rtol : {1e-4, 1e-6, 1e-8}) {
    Source source;
    std::string product;
    for (int i = 1; i <= factors; ++i) {
      source.states.push_back({state(i), 0.0});
      source.equations.push_back({"der(" + state(i) + ") = 1"});
      product += (i == 1 ? "" : "*") + state(i);
    }
    source.algebraic = {{"y"}};
    source.equations.push_back({"y = " + product});
    const double stop = 2.0;
    SimulationOptions options = test::with_accuracy(rtol);
    options.stop = stop;
    options.output_times = {0.5, 1.0, 1.5};
    const Trajectory run = simulate(build(source), options);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    for (std::size_t row = 0; row < run.size(); ++row) {
      const double exact = std::pow(run.time(row), factors);
      EXPECT_NEAR(run.value(row, run.column("y")), exact, 10.0 * rtol * (1.0 + exact)) << run.time(row);
    }
  }
}

/// Danger: g = x5·x6 − c rises by order 11 alone, and its boundary is passed unseen.
TEST(ProductOrders, AConstraintOnAProductIsMet) {
  constexpr double c = 1e-3;
  for (const double rtol : {1e-4, 1e-6, 1e-8}) {
    Source source;
    for (int i = 1; i <= 6; ++i) {
      source.states.push_back({state(i), 0.0});
      source.equations.push_back({"der(" + state(i) + ") = " + (i == 1 ? std::string("1") : state(i - 1))});
    }
    source.binaries = {{"passed", 0.0}};
    source.constraints = {{"limit", "(x5*x6 - 0.001)*(1 - passed) <= 0"}};
    SimulationOptions options = test::with_accuracy(rtol);
    options.stop = 4.0;
    const Trajectory run = simulate(build(source), options);
    ASSERT_EQ(run.events.size(), 1U) << rtol;
    // t⁵/5! · t⁶/6! = c
    EXPECT_NEAR(run.events[0].time, std::pow(c * 120.0 * 720.0, 1.0 / 11.0), 10.0 * rtol * 4.0);
  }
}

}  // namespace product_orders_test
}  // namespace mti
