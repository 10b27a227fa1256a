#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "mti/common/at.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

/// Many relays that begin to slide at one instant, x' = M s + d, s_i = 1 − 2 z_i, z_i = [x_i ≥ 0], from x =
/// 0.
///
/// With M strictly diagonally dominant exactly one motion stays: −1 < s_i < 1 and x_i' = 0, or s_i = 1 and
/// x_i' ≤ 0, or s_i = −1 and x_i' ≥ 0; projected Gauss–Seidel converges to it.
namespace mti {
namespace {

struct Relays {
  std::vector<std::vector<double>> M;
  std::vector<double> d;

  [[nodiscard]] std::size_t size() const { return d.size(); }
  [[nodiscard]] std::vector<double> rates(const std::vector<double>& s) const {
    std::vector<double> rates = d;
    for (std::size_t i = 0; i < size(); ++i)
      for (std::size_t j = 0; j < size(); ++j) rates[i] += M[i][j] * s[j];
    return rates;
  }
  [[nodiscard]] std::vector<double> solution() const {
    std::vector<double> s(size(), 0.0);
    for (int sweep = 0; sweep < 2000; ++sweep)
      for (std::size_t i = 0; i < size(); ++i) {
        double others = d[i];
        for (std::size_t j = 0; j < size(); ++j)
          if (j != i) others += M[i][j] * s[j];
        s[i] = std::clamp(-others / M[i][i], -1.0, 1.0);
      }
    return rates(s);
  }
  [[nodiscard]] Source source() const {
    Source source;
    const auto text = [](double value) {
      char digits[40];
      std::snprintf(digits, sizeof digits, "(%.17g)", value);
      return std::string(digits);
    };
    for (std::size_t i = 0; i < size(); ++i) {
      const std::string number = std::to_string(i);
      source.states.push_back({"x" + number, 0.0});
      source.binaries.push_back({"z" + number, 0.0});
      std::string rate = text(d[i]);
      for (std::size_t j = 0; j < size(); ++j)
        if (M[i][j] != 0.0) rate += " + " + text(M[i][j]) + "*(1 - 2*z" + std::to_string(j) + ")";
      source.equations.emplace_back("der(x" + number + ") = " + rate);
      source.constraints.emplace_back("(1 - 2*z" + number + ")*x" + number + " <= 0");
    }
    source.experiment = {.stop = 1.0};
    return source;
  }
};

void expect_solution(const Relays& relays) {
  const Trajectory trajectory = test::run(relays.source(), test::with_accuracy(1e-8));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  const std::vector<double> expected = relays.solution();
  for (std::size_t i = 0; i < relays.size(); ++i)
    EXPECT_NEAR(test::last(trajectory, "x" + std::to_string(i)), expected[i], 1e-6) << "x" << i;
}

class CoupledRelays : public testing::TestWithParam<int> {};

/// Neighbours coupled by 0.1; all |d| small, so that all slide.
TEST_P(CoupledRelays, AllSlide) {
  const auto n = at(GetParam());
  Relays relays{{n, std::vector<double>(n, 0.0)}, {}};
  for (std::size_t i = 0; i < n; ++i) {
    relays.d.push_back(0.05 * static_cast<double>(i + 1) / static_cast<double>(n));
    relays.M[i][i] = 1.0;
    if (i > 0) relays.M[i][i - 1] = relays.M[i - 1][i] = 0.1;
  }
  expect_solution(relays);
}

/// All coupled with all; some slide, some leave up or down.
TEST_P(CoupledRelays, SomeSlide) {
  const auto n = at(GetParam());
  std::mt19937 random(GetParam());
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  Relays relays{{n, std::vector<double>(n, 0.0)}, {}};
  for (std::size_t i = 0; i < n; ++i) {
    relays.d.push_back(1.3 * unit(random));
    for (std::size_t j = 0; j < n; ++j)
      relays.M[i][j] = i == j ? 1.0 : 0.9 * unit(random) / static_cast<double>(n);
  }
  expect_solution(relays);
}

INSTANTIATE_TEST_SUITE_P(Numbers, CoupledRelays, testing::Values(2, 5, 7, 11, 20, 40),
                         [](const auto& instance) { return std::to_string(instance.param); });

/// Twisting, x'' = −r1 sgn x − r2 sgn x', at its limit: on both surfaces at once only r1 s1 + r2 s2 = 0 is
/// asked of the weights, and the motion rests whatever they are.
class Twisting : public testing::TestWithParam<std::pair<double, double>> {};

TEST_P(Twisting, RestsAtItsLimit) {
  const auto [r1, r2] = GetParam();
  for (const double z1 : {0.0, 1.0})
    for (const double z2 : {0.0, 1.0}) {
      Source source;
      source.parameters = {{"r1", r1}, {"r2", r2}};
      source.states = {{"x", 0.0}, {"v", 0.0}};
      source.binaries = {{"z1", z1}, {"z2", z2}};
      source.equations = {"der(x) = v", "der(v) = -r1*(2*z1 - 1) - r2*(2*z2 - 1)"};
      source.constraints = {"(1 - 2*z1)*x <= 0", "(1 - 2*z2)*v <= 0"};
      source.experiment = {.stop = 2.0};
      const Trajectory trajectory = test::run(source, test::with_accuracy(1e-8));
      ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
      EXPECT_NEAR(test::last(trajectory, "x"), 0.0, 1e-8);
      EXPECT_NEAR(test::last(trajectory, "v"), 0.0, 1e-8);
      const double s1 = 2.0 * test::last(trajectory, "z1") - 1.0,
                   s2 = 2.0 * test::last(trajectory, "z2") - 1.0;
      EXPECT_NEAR(r1 * s1 + r2 * s2, 0.0, 1e-8);
      EXPECT_EQ(trajectory.undetermined.size(), 1U) << "the other weight follows from it";
    }
}
INSTANTIATE_TEST_SUITE_P(Gains, Twisting,
                         testing::Values(std::pair{2.0, 1.0}, std::pair{1.5, 0.3}, std::pair{5.0, 4.0}));

/// Negative control: with r2 < 0 the motion spirals outwards, and the rest is none that both sides press on.
TEST(TwistingOutwards, DoesNotRestWhereItSpiralsOutwards) {
  Source source;
  source.states = {{"x", 0.0}, {"v", 0.0}};
  source.binaries = {{"z1", 0.0}, {"z2", 0.0}};
  source.equations = {"der(x) = v", "der(v) = -2*(2*z1 - 1) + (2*z2 - 1)"};
  source.constraints = {"(1 - 2*z1)*x <= 0", "(1 - 2*z2)*v <= 0"};
  source.experiment = {.stop = 2.0};
  const Trajectory trajectory = test::run(source, test::with_accuracy(1e-8));
  EXPECT_NE(trajectory.outcome.kind, OutcomeKind::reached_stop);
}

}  // namespace
}  // namespace mti
