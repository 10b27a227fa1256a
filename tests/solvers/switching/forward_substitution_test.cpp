// Comparators one behind the other: each is decided by those before it, however many there are.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace forward_substitution_test {

/// r_k+1 = a r_k + b [r_k > c_k] + d, r_0 = s, the input, which jumps at t = 1; y' = r_n.
struct Chain {
  int length;
  double a, b, d;
  std::vector<double> thresholds;

  Chain(std::mt19937& random, int n) : length(n) {
    std::uniform_real_distribution<double> any(-1.0, 1.0);
    a = (any(random) > 0.0 ? 1.0 : -1.0) * (0.8 + 0.9 * std::abs(any(random)));
    b = 2.0 * any(random);
    d = 0.3 * any(random);
    for (int k = 0; k < n; ++k) thresholds.push_back(0.5 * any(random));
  }

  [[nodiscard]] Source source(double before, double after) const {
    Source source;
    source.inputs = {
        {.name = "s",
         .form = TableSource{.time = {0.0, 1.0, 1.0, 2.0}, .value = {before, before, after, after}}}};
    source.states = {{"y", 0.0}};
    source.algebraic = {{"r0"}};
    source.equations = {"r0 = s"};
    source.parameters = {{"a", a}, {"b", b}, {"d", d}};
    for (int k = 0; k < length; ++k) {
      const std::string r = "r" + std::to_string(k), c = "c" + std::to_string(k),
                        next = "r" + std::to_string(k + 1);
      source.parameters.push_back({c, thresholds[static_cast<std::size_t>(k)]});
      source.algebraic.push_back({next});
      source.equations.emplace_back(next + " = a*" + r + " + d + (if " + r + " > " + c + " then b else 0)");
    }
    source.equations.emplace_back("der(y) = r" + std::to_string(length));
    source.experiment.stop = 2.0;
    return source;
  }

  [[nodiscard]] double end(double s) const {
    for (const double threshold : thresholds) s = a * s + d + (s > threshold ? b : 0.0);
    return s;
  }
};

TEST(ForwardSubstitution, DecidesChainsOfComparators) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (const int n : {3, 6, 9, 20})
    for (int trial = 0; trial < 8; ++trial) {
      const Chain chain(random, n);
      const double before = any(random), after = any(random);
      const Trajectory run = test::run(chain.source(before, after), test::with_accuracy(1e-8));
      ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
      const double y = chain.end(before) + chain.end(after),
                   size = std::abs(chain.end(before)) + std::abs(chain.end(after));
      EXPECT_NEAR(run.value(run.size() - 1, run.column("y")), y, 1e-7 * (1.0 + size)) << n << " " << trial;
    }
}

/// A pipeline of 8 stages of one bit, r_k+1 = 2 r_k − sign(r_k): the bits of the input, and all of them change.
TEST(ForwardSubstitution, ConvertsAnInputToBits) {
  Source source;
  source.inputs = {
      {.name = "u", .form = TableSource{.time = {0.0, 1.0, 1.0, 2.0}, .value = {0.7, 0.7, -0.31, -0.31}}}};
  source.states = {{"y", 0.0}};
  source.algebraic = {{"r0"}};
  source.equations = {"r0 = u"};
  std::string sum = "0";
  for (int k = 0; k < 8; ++k) {
    const std::string r = "r" + std::to_string(k);
    source.algebraic.push_back({"r" + std::to_string(k + 1)});
    source.equations.emplace_back("r" + std::to_string(k + 1) + " = 2*" + r + " - sign(" + r + ")");
    sum += " + sign(" + r + ")/" + std::to_string(2 << k);
  }
  source.algebraic.push_back({"code"});
  source.equations.emplace_back("code = " + sum);
  source.equations.emplace_back("der(y) = code");
  source.experiment.stop = 2.0;
  const Trajectory run = test::run(source);
  ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
  EXPECT_NEAR(run.value(run.size() - 1, run.column("code")), -0.31, std::ldexp(1.0, -8));
  EXPECT_NEAR(run.value(run.size() - 1, run.column("y")), 0.39, 2.0 * std::ldexp(1.0, -8));
}

/// Comparators on `signal`, which are met where it comes to 0.
void add_comparators(Source& source, int count, const std::string& signal) {
  for (int k = 0; k < count; ++k) {
    const std::string d = "d" + std::to_string(k);
    source.binaries.push_back({d});
    source.constraints.emplace_back(signal + "*(1 - " + d + ") <= 0");
  }
  source.experiment.stop = 2.0;
}

/// Comparators that have nothing to do with a slide and are met with it change nothing: x' = 1 − 3z slides on x = 0 with z = 1/3,
/// and d, which would let z = 1 leave, is in no row that is met.
TEST(ForwardSubstitution, LeavesSlidesAmongWhatIsMet) {
  for (const int others : {0, 3, 4, 8}) {
    Source source;
    source.states = {{"x", -1.0}, {"T", 0.0}};
    source.binaries = {{"z"}, {"d"}};
    source.equations = {"der(x) = 1 - 3*z", "der(T) = 1"};
    source.constraints = {"(1 - z)*x <= 0", "-z*(1 - 2*d)*x <= 0"};
    add_comparators(source, others, "(T - 1)");
    const Trajectory run = test::run(source);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_NEAR(run.value(run.size() - 1, run.column("x")), 0.0, 1e-5) << others;
    EXPECT_NEAR(run.value(run.size() - 1, run.column("z")), 1.0 / 3.0, 1e-6) << others;
  }
}

/// So it is where the row is broken by its value, and both sides press by theirs: y = u − 2c jumps from −1 to 1, c = 1/2.
TEST(ForwardSubstitution, LeavesSlidesByFeedthroughAmongWhatIsMet) {
  for (const int others : {0, 3, 4, 8}) {
    Source source;
    source.inputs = {{"u", TableSource{{0.0, 1.0, 1.0, 2.0}, {-1.0, -1.0, 1.0, 1.0}}}};
    source.states = {{"x"}, {"q"}};
    source.algebraic = {{"y"}};
    source.binaries = {{"c"}, {"w"}};
    source.equations = {"y = u - 2*c", "der(x) = c", "der(q) = w"};
    source.constraints = {"(1 - c)*y <= 0", "-c*y*(1 - w) <= 0"};
    add_comparators(source, others, "u");
    const Trajectory run = test::run(source);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    EXPECT_NEAR(run.value(run.size() - 1, run.column("x")), 0.5, 1e-5) << others;
    EXPECT_EQ(run.value(run.size() - 1, run.column("q")), 0.0) << others;
  }
}

}  // namespace forward_substitution_test
}  // namespace mti
