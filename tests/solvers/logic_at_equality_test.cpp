// Comparisons of signals that equations define by binaries alone are logic: what they are at equality counts, and the
// derivatives of a run leave it as it is.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "mti/derivatives/parameter_derivative.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace logic_at_equality_test {

/// h, g, z and w are [x > 1], v is 5 times that, and x = t.
Source stairs(const std::string& y) {
  Source source;
  source.parameters = {{"p", 2.0}};
  source.states = {{"x"}, {"s"}};
  source.algebraic = {{"h"}, {"g"}, {"v"}, {"q"}, {"y"}};
  source.binaries = {{"z"}, {"w"}};
  source.equations = {"der(x) = 1",    "der(s) = y",  RelationSource("y = " + y),
                      "h = (x > 1)",   "g = (x > 1)", "v = if x > 1 then 5 else 0",
                      "q = p*(x > 1)", "z = (x > 1)", "w = (x > 1)"};
  source.experiment.stop = 3.0;
  return source;
}

struct Example {
  std::string text;
  double before, behind;  ///< of x = 1
};

const std::vector<Example> examples = {{"step(h)", 0, 1},
                                       {"step(-h)", 0, 0},
                                       {"step(h - 1)", 0, 0},
                                       {"step(1 - h)", 1, 0},
                                       {"step(2*h)", 0, 1},
                                       {"step(h + g)", 0, 1},
                                       {"step(h*g)", 0, 1},
                                       {"step(h - g)", 0, 0},
                                       {"step(v)", 0, 1},
                                       {"step(z)", 0, 1},
                                       {"step(z + w)", 0, 1},
                                       {"step(0)", 0, 0},
                                       {"sign(h)", 0, 1},
                                       {"sign(-v)", 0, -1},
                                       {"sign(z)", 0, 1},
                                       {"sign(h - 1)", -1, 0},
                                       {"sign(h - g)", 0, 0},
                                       {"sign(h)*step(v)", 0, 1},
                                       {"(h > 0)", 0, 1},
                                       {"(h >= 0)", 1, 1},
                                       {"(h < 0)", 0, 0},
                                       {"(h <= 0)", 1, 0},
                                       {"(0 < h)", 0, 1},
                                       {"(h >= 1)", 0, 1},
                                       {"(h > 1)", 0, 0},
                                       {"(h < 1)", 1, 0},
                                       {"abs(h)", 0, 1},
                                       {"max(h, 0)", 0, 1},
                                       {"(h > 0) + (h >= 0)", 1, 2},
                                       {"(h < 1) + 2*(h <= 1)", 3, 2},
                                       {"sign(h) + 2*(h >= 0) + 4*(h > 0) + 8*abs(h) + 16*step(-h)", 2, 15},
                                       {"if h > 0 and x > -1 then 1 else 0", 0, 1},
                                       {"(q >= 2)", 0, 1},
                                       {"(q < 3)", 1, 1},
                                       {"(q > 1)", 0, 1}};

TEST(LogicAtEquality, IsWhatTheComparisonSays) {
  for (const Example& example : examples) {
    const Trajectory run = test::run(stairs(example.text), test::with_accuracy(1e-8));
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << example.text << ": " << run.outcome.message;
    EXPECT_NEAR(run.value(run.size() - 1, run.column("s")), example.before + 2.0 * example.behind, 1e-6)
        << example.text;
    EXPECT_EQ(run.value(run.size() - 1, run.column("y")), example.behind) << example.text;
  }
}

/// What p multiplies a binary by is what conditions compare; at their values for p = 2 they are not equal, or equal for all p.
TEST(LogicAtEquality, IsThatOfTheRunWhereDerivativesAreAsked) {
  std::vector<Example> with_p = examples;
  for (const Example& more : std::vector<Example>{{"(q > 0)", 0, 1},
                                                  {"(q <= 0)", 1, 0},
                                                  {"(q >= p)", 0, 1},
                                                  {"(q < p)", 1, 0},
                                                  {"step(q)", 0, 1},
                                                  {"sign(q)", 0, 1},
                                                  {"if q > 2.5 then 1 else 3", 3, 3},
                                                  {"if p*z > 1 then 3 else 4", 4, 3}})
    with_p.push_back(more);
  for (const Example& example : with_p) {
    const bool is_decided = example.text == "(q >= 2)";  // by p
    Source source = stairs(example.text);
    source.experiment.rtol = source.experiment.atol = 1e-8;
    if (is_decided) {
      EXPECT_THROW(static_cast<void>(build_with_derivatives(source, {"p"})), InvalidOption);
      continue;
    }
    const DifferentiatedModel differentiated = build_with_derivatives(source, {"p"});
    SimulationOptions options;
    options.sensitivities = differentiated.derivatives;
    const Trajectory run = simulate(differentiated.model, options);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << example.text << ": " << run.outcome.message;
    EXPECT_NEAR(run.value(run.size() - 1, run.column("s")), example.before + 2.0 * example.behind, 1e-6)
        << example.text;
  }
}

}  // namespace logic_at_equality_test
}  // namespace mti
