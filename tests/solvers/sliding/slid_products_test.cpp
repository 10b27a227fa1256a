#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "tests/solvers/sliding/sliding_queries.hpp"

/// A speed that slides on zero multiplies signals that follow from others: then its own equation does not determine these.
namespace mti {
namespace slid_products_test {

struct Relation {
  std::vector<std::string> signals, equations;
};

/// Friction F·th at a speed w·(…): θ = 0.5 − 0.2 cos t comes to rest at t = π, where 0.5/0.7 of the friction holds it.
Source held_by_friction(const Relation& relation, const std::vector<std::size_t>& order) {
  Source source;
  source.states = {{"th", 0.3}, {"w", 0.0}};
  source.algebraic = {{"vs"}, {"F"}};
  for (const std::string& signal : relation.signals) source.algebraic.push_back({signal});
  std::vector<std::string> equations = relation.equations;
  equations.insert(equations.end(), {"F = -sign(vs)", "der(th) = w", "der(w) = 0.5 - F*th"});
  for (const std::size_t i : order) source.equations.emplace_back(equations[i]);
  source.experiment.stop = 6.0;
  return source;
}

TEST(SlidProducts, RestWhicheverEquationDeterminesTheOtherFactor) {
  const std::vector<Relation> relations = {
      {{"a"}, {"vs = -w*(1 + a)", "a*(1 + 0.1*th) = 0.3*th"}},
      {{"a"}, {"vs = -w*(1 + a)", "a*th = 0.3"}},
      {{"a"}, {"vs = -w*(1 + a)", "a*(2 + w) = 0.3*th*th"}},
      {{"a", "b"}, {"vs = -w*(1 + a + b)", "a*th = 0.3 + 0.1*b*th", "b*(th - 2) = a*(1 + w)"}},
      {{"a", "b"}, {"vs = -w*(1 + a)*(2 + b)", "a*(1 + b*b) = th", "b*(3 + a) = 1"}}};
  for (const Relation& relation : relations) {
    std::vector<std::size_t> order(relation.equations.size() + 3);
    std::iota(order.begin(), order.end(), 0U);
    do {
      const Trajectory run = test::run(held_by_friction(relation, order), test::with_accuracy(1e-8));
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << relation.equations[1] << run.outcome.message;
      ASSERT_NEAR(test::last(run, "th"), 0.7, 1e-7) << relation.equations[1];
      ASSERT_NEAR(test::last(run, "F"), 0.5 / 0.7, 1e-6) << relation.equations[1];
    } while (std::next_permutation(order.begin(), order.end() - 2));
  }
}

}  // namespace slid_products_test
}  // namespace mti
