// Binaries that compare, and those of them over which the equations are continuous.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "solvers/admissibility/comparisons.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace comparisons_test {

/// Whether the only comparison of a model with the state x, the signal y and the binary z = [x ≥ y] is continuous.
bool is_continuous(const std::vector<std::string>& equations, std::vector<TransitionSource> laws = {},
                   bool in_one_row = false) {
  Source source;
  source.states = {{"x"}};
  source.algebraic = {{"y"}, {"w"}};
  source.binaries = {{"z"}, {"o"}};
  for (const std::string& equation : equations) source.equations.emplace_back(equation);
  source.constraints = {"(x - y)*(1 - z) <= 0", "(y - x)*z <= 0"};
  if (in_one_row) source.constraints = {"(1 - 2*z)*(x - y) <= 0"};
  source.transitions = std::move(laws);
  const Model model = build(source);
  const SignalRows rows(model);
  const std::vector<Comparison> found = comparisons_of(rows);
  EXPECT_EQ(found.size(), 1U);
  return !found.empty() && found[0].is_continuous;
}

TEST(Comparisons, AreContinuousWhereBothSidesAgreeAtTheirZero) {
  EXPECT_TRUE(is_continuous({"der(x) = 1", "y = 2", "w = z*x + (1 - z)*y", "o = 0"}));
  EXPECT_TRUE(is_continuous({"der(x) = 3*z*(x - y)", "y = 2", "z*x + (1 - z)*y = 0", "o = 0"}));
  EXPECT_TRUE(is_continuous({"der(x) = 1", "y = 2", "w = z*x + (1 - z)*y", "o = 0"}, {}, true));
  EXPECT_TRUE(is_continuous({"der(x) = 1", "y = 2", "w = z*x*(x - y)", "o = 0"}));
  EXPECT_FALSE(is_continuous({"der(x) = 1 - 2*z", "y = 2", "w = 0", "o = 0"}, {}, true));
  EXPECT_FALSE(is_continuous({"der(x) = 1 - 2*z", "y = 2", "w = 0", "o = 0"}));
  EXPECT_FALSE(is_continuous({"der(x) = 1", "y = 2", "w = z*x + 2*(1 - z)*y", "o = 0"}));
  // Danger: an observer, a memory or a law tells the sides apart, though the motion does not.
  EXPECT_FALSE(is_continuous({"der(x) = 1", "y = 2", "w = z*x + (1 - z)*y", "o = z"}));
  EXPECT_FALSE(is_continuous({"der(x) = 1", "y = 2", "w = z*x + (1 - z)*y", "o = pre(z)"}));
  EXPECT_FALSE(is_continuous({"der(x) = 1", "y = 2", "w = z*x + (1 - z)*y", "o = 0"},
                             {{.when = "rise(z)", .equations = {"x = pre(x) + 1"}}}));
}

/// Capacitors to ground that are joined by ideal diodes, i ≥ 0, w ≥ 0, i·w = 0, as a minimum or by a binary.
Source diodes_between_capacitors(unsigned seed, int diodes, bool as_minimum) {
  std::mt19937_64 random(seed);
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const int nodes = diodes - 1;
  Source source;
  std::vector<std::string> currents(static_cast<std::size_t>(nodes));
  for (int k = 0; k < diodes; ++k) {
    const auto number = std::to_string(k);
    const auto from = static_cast<std::size_t>(random() % static_cast<unsigned>(nodes));
    const auto to =
        (from + 1 + random() % static_cast<unsigned>(nodes - 1)) % static_cast<std::size_t>(nodes);
    currents[from] += " - i" + number;
    currents[to] += " + i" + number;
    source.algebraic.push_back({"i" + number});
    source.algebraic.push_back({"w" + number});
    source.equations.emplace_back("w" + number + " = V" + std::to_string(to) + " - V" + std::to_string(from));
    if (as_minimum) {
      source.equations.emplace_back("min(i" + number + ", w" + number + ") = 0");
      continue;
    }
    source.binaries.push_back({"z" + number});
    source.equations.emplace_back("z" + number + "*w" + number + " + (1 - z" + number + ")*i" + number +
                                  " = 0");
    source.constraints.emplace_back("i" + number + " >= 0");
    source.constraints.emplace_back("w" + number + " >= 0");
  }
  source.inputs = {{"u", SineSource{.amplitude = 3.0, .frequency = 0.3}}};
  for (int i = 0; i < nodes; ++i) {
    const auto number = std::to_string(i);
    source.states.push_back({"V" + number, draw(-2.0, 2.0)});
    source.equations.emplace_back(std::to_string(draw(0.5, 2.0)) + "*der(V" + number +
                                  ") = " + std::to_string(draw(0.2, 1.0)) + "*(" + (i == 0 ? "u" : "0") +
                                  " - V" + number + ")" + currents[static_cast<std::size_t>(i)]);
  }
  source.experiment.stop = 3.0;
  return source;
}

// Danger: minima were looked over for slides, 3^d motions of d diodes at each stage of the search, which took a minute for six.
TEST(Comparisons, DiodesAsMinimaAreSearchedAsThoseWithBinaries) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const int diodes = 5 + static_cast<int>(seed % 2);
    const Trajectory minima =
        test::run(diodes_between_capacitors(seed, diodes, true), test::with_accuracy(1e-8));
    const Trajectory binaries =
        test::run(diodes_between_capacitors(seed, diodes, false), test::with_accuracy(1e-8));
    ASSERT_EQ(minima.outcome.kind, OutcomeKind::reached_stop) << minima.outcome.message;
    ASSERT_EQ(binaries.outcome.kind, OutcomeKind::reached_stop) << binaries.outcome.message;
    for (int i = 0; i + 1 < diodes; ++i) {
      const std::string V = "V" + std::to_string(i);
      EXPECT_NEAR(test::last(minima, V), test::last(binaries, V), 1e-6) << V;
    }
    for (const Event& event : minima.events) EXPECT_LE(event.candidates_tried, 2L << diodes);
  }
}

}  // namespace comparisons_test
}  // namespace mti
