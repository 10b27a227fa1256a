#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "tests/solvers/simulation/run_queries.hpp"

/// Motions that are polynomials of time: chains of integrators whose first state has known roots. Events are those
/// roots at every tolerance, since series leave nothing of such a motion out.
namespace mti {
namespace polynomial_motions_test {

struct Polynomial {
  std::vector<long double> c;

  void multiply(long double root) {
    c.push_back(0.0L);
    for (std::size_t k = c.size(); k-- > 0;) c[k] = (k > 0 ? c[k - 1] : 0.0L) - root * c[k];
  }
  [[nodiscard]] long double at(long double t) const {
    long double sum = 0.0L;
    for (std::size_t k = c.size(); k-- > 0;) sum = sum * t + c[k];
    return sum;
  }
  [[nodiscard]] long double slope(long double t) const {
    long double sum = 0.0L;
    for (std::size_t k = c.size(); k-- > 1;) sum = sum * t + static_cast<long double>(k) * c[k];
    return sum;
  }
  /// Σ |c_k| t^k, of which rounding is a part.
  [[nodiscard]] long double size(long double t) const {
    long double sum = 0.0L;
    for (std::size_t k = c.size(); k-- > 0;) sum = sum * t + std::abs(c[k]);
    return sum;
  }
};

/// x1 = p(t) by x1' = x2, x2' = x3, … and a binary that says whether it is positive.
Source chain(const Polynomial& p) {
  Source source;
  long double factorial = 1.0L;
  const std::size_t degree = p.c.size() - 1;
  for (std::size_t k = 0; k < degree; ++k) {
    factorial *= k > 0 ? static_cast<long double>(k) : 1.0L;
    source.states.push_back({"x" + std::to_string(k + 1), static_cast<double>(factorial * p.c[k])});
  }
  factorial *= static_cast<long double>(degree);
  source.parameters = {{"top", static_cast<double>(factorial * p.c[degree])}};
  for (std::size_t k = 0; k < degree; ++k)
    source.equations.push_back("der(x" + std::to_string(k + 1) +
                               ") = " + (k + 1 < degree ? "x" + std::to_string(k + 2) : std::string("top")));
  source.binaries = {{.name = "positive", .start = p.c[0] > 0.0L ? 1.0 : 0.0}};
  source.constraints = {"x1*(1 - positive) <= 0", "-x1*positive <= 0"};
  source.experiment = {.stop = 1.0};
  return source;
}

TEST(PolynomialMotions, EventsAreTheirRootsAtEveryTolerance) {
  std::mt19937 random(15);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  int compared = 0, close = 0;
  for (const double gap : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7})
    for (int trial = 0; trial < 12; ++trial) {
      // A pair, and up to three more roots, far from each other.
      const int others = trial % 4;
      Polynomial p{{trial % 2 == 0 ? 1.0L : -1.0L}};
      std::vector<double> roots;
      const double first = 0.02 + 0.1 * unit(random);
      for (const double root : {first, first + gap}) roots.push_back(root);
      for (int i = 0; i < others; ++i) roots.push_back(0.3 + 0.2 * i + 0.1 * unit(random));
      for (const double root : roots) p.multiply(root);
      for (long double& c : p.c) c = static_cast<double>(c);
      // Whether a hump within rounding is seen is not promised.
      const auto rounding = [&](double t) {
        return 64.0L * std::numeric_limits<double>::epsilon() * (p.size(t) + 1.0L);
      };
      const bool visible = std::abs(p.at(first + 0.5 * gap)) > rounding(1.0);
      close += visible ? 1 : 0;
      for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
        const std::vector<double> times =
            test::event_times(test::run(chain(p), test::with_accuracy(tolerance)));
        const bool without_pair = !visible && times.size() + 2 == roots.size();
        ASSERT_TRUE(times.size() == roots.size() || without_pair)
            << "gap " << gap << " trial " << trial << " tolerance " << tolerance << ": " << times.size();
        for (std::size_t i = 0; i < times.size(); ++i) {
          const double root = roots[i + (without_pair ? 2 : 0)];
          const auto slope = std::abs(p.slope(root));
          if (visible || i + others >= times.size()) {
            EXPECT_NEAR(times[i], root, static_cast<double>(rounding(root) / slope))
                << gap << " " << tolerance;
          }
        }
        ++compared;
      }
    }
  EXPECT_GT(compared, 200);
  EXPECT_GT(close, 36);
}

/// A maximum on the threshold: 1 − (t − ½)² touches 1 and switches nothing.
TEST(PolynomialMotions, TouchingIsNoEvent) {
  Source source;
  source.states = {{"x", 0.75}, {"v", 1.0}};
  source.binaries = {{"high"}};
  source.equations = {"der(x) = v", "der(v) = -2"};
  source.constraints = {"(x - 1)*(1 - high) <= 0", "(1 - x)*high <= 0"};
  source.experiment = {.stop = 1.0};
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12})
    EXPECT_TRUE(test::event_times(test::run(source, test::with_accuracy(tolerance))).empty()) << tolerance;
}

/// sin t touches 1 again and again, with what its steps leave out: no event.
TEST(PolynomialMotions, TouchingOfAnOscillationIsNoEvent) {
  Source source;
  source.states = {{"x", 0.0}, {"v", 1.0}};
  source.binaries = {{"high"}};
  source.equations = {"der(x) = v", "der(v) = -x"};
  source.constraints = {"(x - 1)*(1 - high) <= 0", "(1 - x)*high <= 0"};
  source.experiment = {.stop = 40.0};
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10})
    EXPECT_TRUE(test::event_times(test::run(source, test::with_accuracy(tolerance))).empty()) << tolerance;
}

/// Two thresholds met at one time are one event.
TEST(PolynomialMotions, SeveralRowsAtOneTimeAreOneEvent) {
  Source source;
  source.states = {{"x", -0.3}, {"y", -0.6}};
  source.binaries = {{"a"}, {"b"}};
  source.equations = {"der(x) = 1", "der(y) = 2"};
  source.constraints = {"x*(1 - a) <= 0", "y*(1 - b) <= 0"};
  source.experiment = {.stop = 1.0};
  for (const double tolerance : {1e-4, 1e-8, 1e-12}) {
    const Trajectory trajectory = test::run(source, test::with_accuracy(tolerance));
    ASSERT_EQ(test::event_times(trajectory).size(), 1U) << tolerance;
    EXPECT_NEAR(test::event_times(trajectory)[0], 0.3, 1e-14);
    EXPECT_EQ(trajectory.events[0].changed.size(), 2U);
  }
}

/// p (1 + 10¹² x²) = 1 exceeds ½ for two millionths of a second, and leaves no trace of that in absolute terms elsewhere.
TEST(PolynomialMotions, APulseBetweenTwoStepsIsSeen) {
  Source source;
  source.states = {{"x", -0.5}};
  source.algebraic = {{"p"}};
  source.binaries = {{"high"}};
  source.equations = {"der(x) = 1", "p*(1 + 1e12*x^2) = 1"};
  source.constraints = {"(p - 0.5)*(1 - high) <= 0", "(0.5 - p)*high <= 0"};
  source.experiment = {.stop = 1.0};
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const Trajectory trajectory = test::run(source, test::with_accuracy(tolerance));
    const std::vector<double> times = test::event_times(trajectory);
    ASSERT_EQ(times.size(), 2U) << tolerance;
    // ∂p/∂x is 5·10⁵ there, p is known to some tolerances, and x and t to rounding.
    EXPECT_NEAR(times[0], 0.5 - 1e-6, 2e-5 * tolerance + 1e-14);
    EXPECT_NEAR(times[1], 0.5 + 1e-6, 2e-5 * tolerance + 1e-14);
    EXPECT_LT(trajectory.statistics.steps, 150);
  }
}

}  // namespace polynomial_motions_test
}  // namespace mti
