#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/solvers/sliding/sliding_queries.hpp"

/// Comparisons of signals that equations define by binaries alone are logic.
namespace mti {
namespace comparisons_of_binaries_test {

/// v_0 = 5 [x > ½], v_i = a_i + b_i [v_(i−1) > 2.5] or [v_(i−1) < 2.5] with v_i = 0 or 5: buffers and inverters.
TEST(ComparisonsOfBinaries, AChainIsLogic) {
  std::mt19937 random(3);
  const int length = 200;
  Source source;
  source.states = {{"x"}};
  source.equations = {"der(x) = 1", "v0 = 5*(x > 0.5)"};
  source.algebraic = {{"v0"}};
  std::vector<bool> inverts = {false};
  for (int i = 1; i < length; ++i) {
    const std::string before = "v" + std::to_string(i - 1), own = "v" + std::to_string(i);
    inverts.push_back(random() % 2 == 0);
    source.algebraic.push_back({own});
    source.equations.emplace_back(inverts.back() ? own + " = 5 - 5*(" + before + " > 2.5)"
                                                 : own + " = 5*(2.5 < " + before + ")");
  }
  source.experiment = {.stop = 1.0, .output_interval = Number(0.25)};
  const Model model = build(source);
  EXPECT_EQ(model.constraints(), 2) << "those of x > 0.5";
  const Trajectory run = simulate(model, test::with_accuracy(1e-8));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_EQ(run.events.size(), 1U);
  bool high = true;
  for (int i = 0; i < length; ++i) {
    high = high != inverts[at(i)];
    EXPECT_EQ(test::last(run, "v" + std::to_string(i)), high ? 5.0 : 0.0) << i;
  }
}

/// From x = ½ on x' = 0.2 − [v > 2.5] slides with the share 0.2, and v = 5 [x > ½] with it.
TEST(ComparisonsOfBinaries, GoAlongWithASlide) {
  Source source;
  source.states = {{"x", 0.4}, {"q"}, {"p"}};
  source.algebraic = {{"v"}};
  source.equations = {"v = 5*(x > 0.5)", "der(x) = 0.2 - (v > 2.5)", "der(q) = v/5", "der(p) = 0.2 - der(x)"};
  source.experiment.stop = 2.0;
  const Trajectory run = test::run(source, test::with_accuracy(1e-8));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(test::last(run, "x"), 0.5, 1e-9);
  EXPECT_NEAR(test::last(run, "q"), 0.2 * 1.5, 1e-7);
  EXPECT_NEAR(test::last(run, "p"), 0.2 * 1.5, 1e-7);
}

/// A binary that an equation sets to a named condition is an output of it.
TEST(ComparisonsOfBinaries, ABinaryMayBeSetToANamedCondition) {
  Source source;
  source.states = {{"x", -1.0}, {"q"}};
  source.algebraic = {{"above"}};
  source.binaries = {{"z"}};
  source.equations = {"above = (x > 0.7)", "z = above", "der(x) = 1.1 - 2*z", "der(q) = z"};
  source.experiment.stop = 3.0;
  const Trajectory run = test::run(source, test::with_accuracy(1e-8));
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(test::last(run, "z"), 0.55, 1e-7);
  EXPECT_NEAR(test::last(run, "q"), 0.55 * (3.0 - 1.7 / 1.1), 1e-6);
}

/// All values of three conditions, beside arithmetic; y² meets 2.25 exactly where y = ±1.5, and what it is there counts.
TEST(ComparisonsOfBinaries, HaveTheTruthTableOfArithmetic) {
  for (const bool at_equality : {false, true})
    for (int values = 0; values < 8; ++values) {
      const bool a = (values & 1) != 0, b = (values & 2) != 0, c = (values & 4) != 0;
      Source source;
      source.states = {{"x"}};
      for (const auto& [name, value] : {std::pair("u", a), {"v", b}, {"w", c}})
        source.inputs.push_back({name, Number(value ? 1.0 : -1.0)});
      source.algebraic = {{"y"}, {"r"}};
      source.equations = {"der(x) = 1", "y = 2*(u > 0) - 3*(v > 0)*(w > 0) - 0.5",
                          at_equality ? "r = (y^2 - 2.25 >= 0)" : "r = (y^2 - 2.25 > 0)"};
      source.experiment.stop = 1.0;
      const double y = 2.0 * a - 3.0 * (b && c) - 0.5, p = y * y - 2.25;
      const Trajectory run = test::run(source, test::with_accuracy(1e-8));
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      EXPECT_EQ(test::last(run, "r"), p > 0.0 || (p == 0.0 && at_equality) ? 1.0 : 0.0) << values;
    }
}

/// Negative controls: what depends on a state, or on itself, stays a comparison.
TEST(ComparisonsOfBinaries, OthersStayConstraints) {
  const auto constraints_of = [](const std::vector<std::string>& equations) {
    Source source;
    source.states = {{"x"}};
    source.algebraic = {{"v"}, {"w"}};
    for (const std::string& equation : equations) source.equations.emplace_back(equation);
    return build(source).constraints();
  };
  EXPECT_EQ(constraints_of({"der(x) = 1", "v = 5*(x > 0.5) + x", "w = (v > 2.5)"}), 4);
  EXPECT_EQ(constraints_of({"der(x) = 1", "v = 5*(v > 2.5)", "w = 1"}), 2) << "a comparison with itself";
  EXPECT_EQ(constraints_of({"der(x) = 1", "v*x = 5*(x > 0.5)", "w = (v > 2.5)"}), 4);
  EXPECT_EQ(constraints_of({"der(x) = 1", "v = 5*(x > 0.5)", "w = (v > 2.5)"}), 2);
}

}  // namespace comparisons_of_binaries_test
}  // namespace mti
