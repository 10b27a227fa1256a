// Orders of magnitude against brute force over a grid of rational orders.

#include "solvers/impulses/impulse_orders.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace mti {
namespace impulse_orders_test {

/// Do the orders fulfil what OrderProblem says? Written from the definition.
bool fulfils(const OrderProblem& problem, const std::vector<double>& orders) {
  bool jumps = false;
  for (int j = 0; j < problem.signals; ++j) {
    const auto at = static_cast<std::size_t>(j);
    if (orders[at] < 0.0) return false;
    if (problem.is_slope[at] == 0) continue;
    if (orders[at] > 1.0 + 1e-9) return false;
    jumps = jumps || std::abs(orders[at] - 1.0) < 1e-9;
  }
  for (const auto& row : problem.rows) {
    double largest = 0.0;
    std::vector<double> sums;
    for (const auto& term : row) {
      double sum = 0.0;
      for (const int signal : term) sum += orders[static_cast<std::size_t>(signal)];
      sums.push_back(sum);
      largest = std::max(largest, sum);
    }
    if (largest > 1e-9 &&
        std::count_if(sums.begin(), sums.end(), [&](double sum) { return sum > largest - 1e-9; }) < 2)
      return false;
  }
  return jumps;
}

// w1' = b1 τ³, w2' = b2 τ2, τ + τ2 = 0 (RR 9334 (188)): τ of order 1/3, w2 does not jump.
TEST(ImpulseOrders, NonlinearClutch) {
  const OrderProblem problem{4, {1, 1, 0, 0}, {{{0}, {2, 2, 2}, {}}, {{1}, {3}, {}}, {{2}, {3}}}};
  const auto found = find_orders(problem);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0][0], 1.0, 1e-12);
  EXPECT_NEAR(found[0][1], 1.0 / 3.0, 1e-12);
  EXPECT_NEAR(found[0][2], 1.0 / 3.0, 1e-12);
  EXPECT_NEAR(found[0][3], 1.0 / 3.0, 1e-12);
}

TEST(ImpulseOrders, AffineBalanceHasOrderOne) {
  const OrderProblem problem{3, {1, 1, 0}, {{{0}, {2}}, {{1}, {2}}}};
  EXPECT_EQ(find_orders(problem), (std::vector<std::vector<double>>{{1.0, 1.0, 1.0}}));
}

TEST(ImpulseOrders, ATermThatStandsAloneHasNone) {
  EXPECT_TRUE(find_orders({2, {1, 0}, {{{0}}, {{0}, {1}}}}).empty());
}

// Every grid point that fulfils the definition, if it is isolated among its neighbours, must be found, and
// whatever is found must fulfil it.
TEST(ImpulseOrders, AgreeWithTheGrid) {
  std::mt19937 random(7);
  const std::vector<double> grid = {0.0, 1.0 / 6, 0.25, 1.0 / 3, 0.5, 2.0 / 3, 0.75, 1.0, 1.5, 2.0, 3.0};
  int with_solution = 0;
  for (int trial = 0; trial < 300; ++trial) {
    OrderProblem problem{4, {1, 1, 0, 0}, {}};
    for (int row = 0; row < 3; ++row) {
      auto& terms = problem.rows.emplace_back();
      for (int term = 0; term < 2 + static_cast<int>(random() % 2); ++term) {
        OrderProblem::Term product(1 + random() % 3);
        for (int& signal : product) signal = static_cast<int>(random() % 4);
        std::sort(product.begin(), product.end());
        if (std::find(terms.begin(), terms.end(), product) == terms.end()) terms.push_back(product);
      }
    }
    const auto found = find_orders(problem);
    for (const auto& orders : found) EXPECT_TRUE(fulfils(problem, orders));
    std::vector<std::vector<double>> on_grid;
    for (const double a : grid)
      for (const double b : grid)
        for (const double c : grid)
          for (const double d : grid)
            if (a <= 1.0 && b <= 1.0 && fulfils(problem, {a, b, c, d})) on_grid.push_back({a, b, c, d});
    if (on_grid.size() != 1) continue;
    // A single grid point may still lie on a ray between grid values; then the small move along it holds too.
    bool isolated = true;
    for (int direction = 0; direction < 2000 && isolated; ++direction) {
      std::vector<double> moved = on_grid[0];
      for (double& order : moved)
        order = std::max(0.0, order + 0.01 * (static_cast<int>(random() % 7) - 3) / 3.0);
      isolated = moved == on_grid[0] || !fulfils(problem, moved);
    }
    if (!isolated) continue;
    ++with_solution;
    const bool is_found = std::any_of(found.begin(), found.end(), [&](const std::vector<double>& orders) {
      for (std::size_t i = 0; i < orders.size(); ++i)
        if (std::abs(orders[i] - on_grid[0][i]) > 1e-9) return false;
      return true;
    });
    EXPECT_TRUE(is_found) << "trial " << trial << ": " << testing::PrintToString(problem.rows) << " has "
                          << testing::PrintToString(on_grid[0]);
  }
  EXPECT_GT(with_solution, 20);
}

}  // namespace impulse_orders_test
}  // namespace mti
