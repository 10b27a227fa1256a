// Slides are sought among binaries that no row decides: beside many comparisons far from their limits, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "mti/build/build.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace decided_binaries_test {

constexpr int comparisons = 16;  // 2^16 sides, and as many motions again on each of 16 surfaces

double last(const Trajectory& run, const std::string& name) {
  return run.value(run.size() - 1, run.column(name));
}

/// A valve between c = 0 and v = 0 that opens as the run begins, beside T' = Σ (a_i + T/100), a_i + T/100 > 0.
TEST(DecidedBinaries, AValveThatOpensBesideManyComparisonsAtTheStart) {
  Source source;
  source.states = {{"c", 0.0}, {"T", 30.0}};
  source.algebraic = {{"v"}};
  source.binaries = {{"open"}};
  std::string sum;
  double constant = 0.0;
  for (int i = 0; i < comparisons; ++i) {
    const std::string a = "a" + std::to_string(i), offset = std::to_string(1 + i) + "/10";
    source.algebraic.push_back({a});
    source.equations.emplace_back(a + " = " + offset + " + T/100");
    sum += (i > 0 ? " + " : "") + ("pos(" + a + ")*(1 + neg(" + a + ")*T)");
    constant += (1 + i) / 10.0;
  }
  source.equations.emplace_back("der(c) = 0.5 - c + v");
  source.equations.emplace_back("open*v + (1 - open)*c = 0");
  source.equations.emplace_back("der(T) = " + sum + " + neg(c)");
  source.constraints = {{"c >= 0"}, {"v >= 0"}};
  SimulationOptions options = test::with_accuracy(1e-8);
  options.stop = 1.0;
  const Trajectory run = simulate(build(source), options);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(last(run, "c"), 0.5 * (1.0 - std::exp(-1.0)), 1e-7);
  const double slope = comparisons / 100.0;
  EXPECT_NEAR(last(run, "T"), (30.0 + constant / slope) * std::exp(slope) - constant / slope, 1e-5);
}

/// x slides on 0 with weight 1/2 up to t = 1, when `on` lets go of it, and with it n states are set that as many comparisons look
/// at: x' = 1/2 and y' = n from there on. Sides with the slide kept have no motion any more.
TEST(DecidedBinaries, ASlideThatEndsAsManyComparisonsChange) {
  constexpr int n = 12;
  Source source;
  source.states = {{"x", 0.0}, {"y", 0.0}, {"t", 0.0}, {"on", 0.0}};
  source.equations = {"der(t) = 1", "der(on) = 0", "der(x) = (if on > 0.5 or x < 0 then 1 else 0) - 0.5"};
  source.whens = {{.condition = "t > 1", .set = {{"on", Number("1")}}}};
  std::string sum;
  for (int i = 0; i < n; ++i) {
    const std::string r = "r" + std::to_string(i);
    source.states.push_back({r, 0.0});
    source.equations.emplace_back("der(" + r + ") = 0");
    source.whens.front().set.emplace_back(r, Number("1"));
    sum += (i > 0 ? " + " : "") + ("(if " + r + " > 0.5 then 1 else 0)");
  }
  source.equations.emplace_back("der(y) = " + sum);
  SimulationOptions options = test::with_accuracy(1e-8);
  options.stop = 2.0;
  const Trajectory run = simulate(build(source), options);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(last(run, "x"), 0.5, 1e-7);
  EXPECT_NEAR(last(run, "y"), n, 1e-6);
}

}  // namespace decided_binaries_test
}  // namespace mti
