// Where accumulating switches end: closed forms of t_∞ and of the ratio, and of what no accumulation is.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "solvers/accumulation/zeno.hpp"
#include "tests/solvers/simulation/run_queries.hpp"

namespace mti {
namespace zeno_limit_test {

constexpr double g = 9.81;

/// A ball dropped from h = 1, of restitution e, that may rest.
Source resting_ball(double e) {
  Source source;
  source.parameters = {{"e", e}};
  source.states = {{"h", 1.0}, {"v", 0.0}};
  source.algebraic = {{"F"}};
  source.binaries = {{"c", 0.0}};
  source.equations = {"der(h) = v", "der(v) = -9.81 + F", "c*v + (1 - c)*F = 0"};
  source.constraints = {{"floor", "-h <= 0"}, "-F <= 0"};
  source.transitions = {{"reach(floor)", {}, {"v = -e*pre(v)"}}};
  source.experiment.stop = 1.2 * std::sqrt(2.0 / g) * (1.0 + e) / (1.0 - e);
  return source;
}

class RestingBall : public testing::TestWithParam<double> {};

// t_∞ = sqrt(2h/g) (1 + e)/(1 − e). Danger: the last intervals are the errors of their times, and close to e
// = 1 t_∞ hangs on 1/(1 − e)².
TEST_P(RestingBall, LimitAndRatioAreTheClosedForm) {
  const double e = GetParam(), limit = std::sqrt(2.0 / g) * (1.0 + e) / (1.0 - e);
  for (const double rtol : {1e-6, 1e-9}) {
    SimulationOptions options = test::with_accuracy(rtol);
    options.atol = 1e-2 * rtol;
    const Trajectory run = test::run(resting_ball(e), options);
    ASSERT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
    ASSERT_EQ(run.accumulations.size(), 1U);
    const Accumulation& found = run.accumulations.front();
    EXPECT_NEAR(found.time, limit, 10.0 * rtol * limit);
    EXPECT_NEAR(found.ratio, e, 1e-4);
    EXPECT_TRUE(found.followed);
    EXPECT_EQ(found.constraints, std::vector<int>{0});
    // The last impact within the errors may bring rest already; then nothing changes at the limit itself.
    EXPECT_EQ(run.events.back().changed.size(), 1U);
    EXPECT_LE(run.events.back().time, found.time);
    EXPECT_NEAR(run.events.back().time, found.time, 10.0 * rtol * limit);
    EXPECT_NEAR(test::last(run, "h"), 0.0, 1e3 * rtol);
    EXPECT_NEAR(test::last(run, "v"), 0.0, 1e3 * rtol);
    test::expect_ordered(run);
  }
}
INSTANTIATE_TEST_SUITE_P(Restitution, RestingBall, testing::Values(0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.98, 0.99),
                         [](const auto& instance) { return "case" + std::to_string(instance.index); });

/// x'' = −r1 sgn x − r2 sgn v from (0.1, 0): half-turns last ever shorter by sqrt((r1 − r2)/(r1 + r2)).
struct Twisting {
  double r1 = 2.0, r2 = 1.0;

  [[nodiscard]] double ratio() const { return std::sqrt((r1 - r2) / (r1 + r2)); }
  /// Down from x with r1 − r2 to speed V = sqrt(2 (r1 − r2) x), then up with r1 + r2 until v = 0.
  [[nodiscard]] double limit() const {
    const double speed = std::sqrt(2.0 * (r1 - r2) * 0.1);
    return (speed / (r1 - r2) + speed / (r1 + r2)) / (1.0 - ratio());
  }
  [[nodiscard]] Source source() const {
    Source source;
    source.parameters = {{"r1", r1}, {"r2", r2}};
    source.states = {{"x", 0.1}, {"v", 0.0}};
    source.binaries = {{"z1", 1.0}, {"z2", 0.0}};
    source.equations = {"der(x) = v", "der(v) = -r1*(2*z1 - 1) - r2*(2*z2 - 1)"};
    source.constraints = {"(1 - 2*z1)*x <= 0", "(1 - 2*z2)*v <= 0"};
    source.experiment.stop = 2.0 * limit();
    return source;
  }
};

// Danger: after the event at the limit, in the mode that came before it, the run went on from an earlier
// time.
TEST(Twisting, AccumulatesAtItsClosedFormAndTimeNeverRunsBack) {
  for (const double r2 : {0.3, 0.5, 1.0, 1.5})
    for (const double rtol : {1e-6, 1e-8}) {
      const Twisting twisting{2.0, r2};
      SCOPED_TRACE("r2 = " + std::to_string(r2) + ", rtol = " + std::to_string(rtol));
      const Trajectory run = test::run(twisting.source(), test::with_accuracy(rtol));
      ASSERT_GE(run.accumulations.size(), 1U) << run.outcome.message;
      // Errors of x, which is of the order of the square of the time that is left.
      EXPECT_NEAR(run.accumulations.front().time, twisting.limit(),
                  20.0 * std::sqrt(rtol) * twisting.limit());
      EXPECT_NEAR(run.accumulations.front().ratio, twisting.ratio(), 20.0 * std::sqrt(rtol));
      EXPECT_EQ(run.accumulations.front().constraints, (std::vector<int>{0, 1}));
      EXPECT_TRUE(run.outcome.kind == OutcomeKind::zeno || run.outcome.kind == OutcomeKind::reached_stop)
          << run.outcome.message;
      test::expect_ordered(run);
      EXPECT_NEAR(test::last(run, "x"), 0.0, 1e3 * rtol);
      EXPECT_NEAR(test::last(run, "v"), 0.0, 1e3 * std::sqrt(rtol));
    }
}

/// Each surface by a row for either side of it, as those of a sign, and something that counts the turns and moves nothing.
TEST(Twisting, HasItsLimitHoweverItIsWrittenAndWatched) {
  for (const auto& [r1, r2] : {std::pair(2.0, 1.0), std::pair(10.0, 0.3), std::pair(8.0, 0.5)})
    for (const double rtol : {1e-4, 1e-6, 1e-9})
      for (const auto& [two_rows, counted] :
           {std::pair(true, false), std::pair(false, true), std::pair(true, true)}) {
        const Twisting twisting{r1, r2};
        Source source = twisting.source();
        if (two_rows) source.constraints = {"(1 - z1)*x <= 0", "-z1*x <= 0", "(1 - z2)*v <= 0", "-z2*v <= 0"};
        if (counted) {
          source.states.push_back({"c", 0.0});
          source.equations.emplace_back("der(c) = 0");
          source.whens = {{.condition = "x > 0", .set = {{"c", "c + 1"}}}};
        }
        SCOPED_TRACE("r1 = " + std::to_string(r1) + ", log10 rtol = " + std::to_string(std::log10(rtol)) +
                     (two_rows ? ", two rows" : "") + (counted ? ", counted" : ""));
        const Trajectory run = test::run(source, test::with_accuracy(rtol));
        ASSERT_GE(run.accumulations.size(), 1U) << run.outcome.message;
        EXPECT_NEAR(run.accumulations.front().time, twisting.limit(), 20.0 * rtol * twisting.limit());
        EXPECT_EQ(run.outcome.kind, OutcomeKind::reached_stop) << run.outcome.message;
        test::expect_ordered(run);
      }
}

/// Feeds t_k = limit·(1 − r^k), each off by `noise` up and down in turn, until a limit is reported.
std::optional<ZenoDetector::Limit> detected(double r, double limit, double noise, double resolution) {
  ZenoDetector detector;
  for (int k = 0; k < 20'000; ++k) {
    const double off = (k * 7919 % 13 - 6.0) / 6.0 * noise;
    if (const auto found = detector.add(limit * (1.0 - std::pow(r, k)) + off, resolution, resolution))
      return found;
  }
  return std::nullopt;
}

TEST(ZenoDetector, GeometricTimesWithErrors) {
  for (const double r : {0.2, 0.5, 0.8, 0.95, 0.99, 0.998}) {
    const auto found = detected(r, 3.0, 1e-10, 1e-9);
    ASSERT_TRUE(found) << r;
    EXPECT_NEAR(found->time, 3.0, 2e-8) << r;
    EXPECT_NEAR(std::pow(found->ratio, 1.0 / static_cast<double>(found->period)), r, 1e-4) << r;
    EXPECT_LT(found->uncertainty, 1e-7) << r;
  }
}

// Negative controls: equal intervals, growing ones, and those that shrink towards a positive one.
TEST(ZenoDetector, OtherTimesHaveNoLimit) {
  ZenoDetector equal, growing, settling;
  double t_growing = 0.0, t_settling = 0.0;
  for (int k = 0; k < 3000; ++k) {
    t_growing += 1e-8 * std::pow(1.01, k % 1000);
    t_settling += 1e-8 * (1.0 + std::pow(0.99, k));
    EXPECT_FALSE(equal.add(1e-8 * k, 1e-6, 1e-6)) << k;
    EXPECT_FALSE(growing.add(t_growing, 1e-6, 1e-6)) << k;
    EXPECT_FALSE(settling.add(t_settling, 1e-6, 1e-6)) << k;
  }
}

}  // namespace zeno_limit_test
}  // namespace mti
