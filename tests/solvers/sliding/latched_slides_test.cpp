#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/solvers/simulation/run_queries.hpp"
#include "tests/solvers/sliding/sliding_queries.hpp"

/// Latches behind surfaces that are slid on. The oracle is what chattering in an ever narrower band does: every side is
/// visited, so a latch that one of them sets is set at the instant the slide begins, and stays.
namespace mti {
namespace latched_slides_test {

constexpr double accuracy = 1e-8, error = 1e-6;

const std::string latched_by_z1 = "z2 = z1 + pre(z2) - z1*pre(z2)";

/// x' = `slope` from `start`, z1 = [x ≥ 0], y' = `rate` from 0, with z2, z3, … by `logic`, to t = 3.
Source one_relay(double start, const std::string& slope, const std::vector<std::string>& logic,
                 const std::string& rate) {
  Source source;
  source.states = {{"x", start}, {"y", 0.0}};
  source.binaries = {{"z1", start > 0.0 ? 1.0 : 0.0}};
  for (std::size_t i = 0; i < logic.size(); ++i)
    source.binaries.push_back({"z" + std::to_string(i + 2), start > 0.0 ? 1.0 : 0.0});
  source.equations = {"der(x) = " + slope, "der(y) = " + rate};
  for (const std::string& text : logic) source.equations.emplace_back(text);
  source.constraints = {"(1 - 2*z1)*x <= 0"};
  source.experiment = {.stop = 3.0};
  return source;
}

struct OneRelay {
  const char* name;
  double start;
  const char* slope;
  std::vector<std::string> logic;
  const char* rate;
  double x, y, z2;  ///< at t = 3
};

class LatchedSlides : public testing::TestWithParam<OneRelay> {};

TEST_P(LatchedSlides, HaveOneValueOfALatch) {
  const OneRelay& expected = GetParam();
  const Trajectory trajectory =
      test::run(one_relay(expected.start, expected.slope, expected.logic, expected.rate),
                test::with_accuracy(accuracy));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_NEAR(test::last(trajectory, "x"), expected.x, error);
  EXPECT_NEAR(test::last(trajectory, "y"), expected.y, error);
  EXPECT_NEAR(test::last(trajectory, "z2"), expected.z2, error);
}

// From −1 the surface is met at t = 1 and slid on with θ = 1/3; from 1 at t = ½.
INSTANTIATE_TEST_SUITE_P(
    OneRelay, LatchedSlides,
    testing::Values(
        OneRelay{"set_by_the_relay", -1.0, "1 - 3*z1", {latched_by_z1}, "z2", 0.0, 2.0, 1.0},
        OneRelay{"set_by_what_was",
                 -1.0,
                 "1 - 3*z1",
                 {"z2 = pre(z1) + pre(z2) - pre(z1)*pre(z2)"},
                 "z2",
                 0.0,
                 2.0,
                 1.0},
        OneRelay{"set_by_what_was_before_that",
                 -1.0,
                 "1 - 3*z1",
                 {"z2 = pre(z3) + pre(z2) - pre(z3)*pre(z2)", "z3 = pre(z4)", "z4 = pre(z1)"},
                 "z2",
                 0.0,
                 2.0,
                 1.0},
        // No latch: on every side pre(z) = z, so that z2 goes along.
        OneRelay{"that_only_follows", -1.0, "1 - 3*z1", {"z2 = pre(z1)"}, "z2", 0.0, 2.0 / 3.0, 1.0 / 3.0},
        OneRelay{"that_only_follows_from_afar",
                 -1.0,
                 "1 - 3*z1",
                 {"z2 = 1 - pre(z3)", "z3 = pre(z1)"},
                 "z2",
                 0.0,
                 1.0 + 4.0 / 3.0,
                 2.0 / 3.0},
        OneRelay{"reset_by_the_relay", 1.0, "1 - 3*z1", {"z2 = pre(z2)*z1"}, "z2", 0.0, 0.5, 0.0},
        OneRelay{"in_a_chain",
                 -1.0,
                 "1 - 3*z1",
                 {latched_by_z1, "z3 = z2 + pre(z3) - z2*pre(z3)"},
                 "z3",
                 0.0,
                 2.0,
                 1.0},
        OneRelay{"beside_an_output",
                 -1.0,
                 "1 - 3*z1",
                 {latched_by_z1, "z3 = 1 - z1"},
                 "z2*z3",
                 0.0,
                 4.0 / 3.0,
                 1.0},
        OneRelay{"with_an_output_of_both",
                 -1.0,
                 "1 - 3*z1",
                 {latched_by_z1, "z3 = z1*z2"},
                 "z3",
                 0.0,
                 2.0 / 3.0,
                 1.0},
        // x' = 1 − 3 θ + z2 = 0 at θ = 2/3 as soon as the latch is set.
        OneRelay{"that_moves_the_weight", -1.0, "1 - 3*z1 + z2", {latched_by_z1}, "z1", 0.0, 4.0 / 3.0, 1.0},
        // The latch ends the slide in the instant it begins: x' = 1 − 5 from t = 1 on.
        OneRelay{"that_leaves_the_surface", -1.0, "1 - 3*z1 - 5*z2", {latched_by_z1}, "z2", -8.0, 2.0, 1.0},
        // It takes the relay up with it: x' = 1 − 3 + 7.
        OneRelay{"that_crosses_the_surface", -1.0, "1 - 3*z1 + 7*z2", {latched_by_z1}, "z1", 10.0, 2.0, 1.0}),
    [](const auto& relay) { return std::string(relay.param.name); });

/// a' = 1 − 3 p from −1 slides from t = 1 on, b' = 1 − 2 r from −2 from t = 2 on.
Source two_relays(const std::string& logic) {
  Source source;
  source.states = {{"a", -1.0}, {"b", -2.0}, {"y", 0.0}};
  source.binaries = {{"p", 0.0}, {"r", 0.0}, {"q", 0.0}};
  source.equations = {"der(a) = 1 - 3*p", "der(b) = 1 - 2*r", "der(y) = q", logic};
  source.constraints = {"(1 - 2*p)*a <= 0", "(1 - 2*r)*b <= 0"};
  source.experiment = {.stop = 4.0};
  return source;
}

/// Both relays are on at once only where both surfaces are visited from above: from t = 2 on.
TEST(LatchedSlides, AConjunctionOfTwoSurfacesSetsALatch) {
  const Trajectory trajectory =
      test::run(two_relays("q = p*r + pre(q) - p*r*pre(q)"), test::with_accuracy(accuracy));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_NEAR(test::last(trajectory, "y"), 2.0, error);
  EXPECT_EQ(test::last(trajectory, "q"), 1.0);
}

/// One of them is enough: from t = 1 on, and nothing changes when the other begins to slide.
TEST(LatchedSlides, ADisjunctionSetsItAtTheFirst) {
  const Trajectory trajectory =
      test::run(two_relays("q = p + r - p*r + pre(q)*(1 - p)*(1 - r)"), test::with_accuracy(accuracy));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_NEAR(test::last(trajectory, "y"), 3.0, error);
  EXPECT_EQ(test::last(trajectory, "q"), 1.0);
}

/// Set by one relay and reset by the other it has no value while both slide: refused, never guessed.
TEST(LatchedSlides, AFlipFlopOfTwoSurfacesHasNoValue) {
  const Trajectory trajectory =
      test::run(two_relays("q = p + pre(q)*(1 - r) - p*pre(q)*(1 - r)"), test::with_accuracy(accuracy));
  EXPECT_NE(trajectory.outcome.kind, OutcomeKind::reached_stop);
  EXPECT_NE(trajectory.outcome.message.find("a latch would follow several surfaces"), std::string::npos)
      << trajectory.outcome.message;
  EXPECT_NEAR(trajectory.outcome.end_time, 2.0, error);
}

/// A relay with the band ±h around its surface meets both thresholds again and again, which is what sliding is the limit
/// of: y at t = 3 within the time 2h that the first way through the band takes.
TEST(LatchedSlides, AreTheLimitOfNarrowBands) {
  constexpr double h = 1e-3;
  for (const char* slope : {"1 - 3*z1", "1 - 3*z1 + z2", "1 - 3*z1 - 5*z2", "1 - 3*z1 + 7*z2"}) {
    const Source ideal = one_relay(-1.0, slope, {latched_by_z1}, "z2");
    Source banded = ideal;
    banded.constraints = {"(x - 0.001)*(1 - z1) <= 0", "(-0.001 - x)*z1 <= 0"};
    const Trajectory limit = test::run(ideal, test::with_accuracy(accuracy));
    const Trajectory twin = test::run(banded, test::with_accuracy(accuracy));
    ASSERT_EQ(limit.outcome.kind, OutcomeKind::reached_stop) << slope << limit.outcome.message;
    ASSERT_EQ(twin.outcome.kind, OutcomeKind::reached_stop) << slope << twin.outcome.message;
    EXPECT_NEAR(test::last(limit, "y"), test::last(twin, "y"), 2.0 * h) << slope;
    // Slopes of at most 6 while the instants differ by h, and the band itself.
    EXPECT_NEAR(test::last(limit, "x"), test::last(twin, "x"), 8.0 * h) << slope;
  }
}

/// What only looks on changes no motion, whatever it remembers: relays that slide at different times, and gates, latches
/// and followers of what was over them in random order.
TEST(LatchedSlides, ObserversWithMemoryChangeNoMotion) {
  std::mt19937_64 random(20261123);
  const auto draw = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  int slid = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int relays = draw(1, 3);
    Source plain;
    for (int i = 0; i < relays; ++i) {
      const std::string number = std::to_string(i);
      plain.states.push_back({"x" + number, -0.1 * draw(1, 9)});
      plain.binaries.push_back({"z" + number, 0.0});
      plain.equations.emplace_back("der(x" + number + ") = " + std::to_string(0.1 * draw(2, 9)) + " - " +
                                   std::to_string(0.1 * draw(11, 25)) + "*z" + number);
      plain.constraints.emplace_back("(1 - 2*z" + number + ")*x" + number + " <= 0");
    }
    plain.experiment = {.stop = 6.0};
    Source observed = plain;
    int binaries = relays;
    for (int gates = draw(1, 5); gates > 0; --gates) {
      const auto one_before = [&] { return "z" + std::to_string(draw(0, binaries - 1)); };
      const std::string a = one_before(), b = one_before(), c = "z" + std::to_string(binaries++);
      observed.binaries.push_back({c, 0.0});
      const std::string gate[] = {a + "*" + b,
                                  a + " + " + b + " - 2*" + a + "*" + b,
                                  "1 - " + a,
                                  "pre(" + a + ")",
                                  a + " + pre(" + c + ") - " + a + "*pre(" + c + ")",
                                  "pre(" + c + ")*" + a};
      observed.equations.emplace_back(c + " = " + gate[draw(0, 5)]);
    }
    const Trajectory one = test::run(plain, test::with_accuracy(accuracy)),
                     other = test::run(observed, test::with_accuracy(accuracy));
    ASSERT_EQ(one.outcome.kind, OutcomeKind::reached_stop) << trial << " " << one.outcome.message;
    ASSERT_EQ(other.outcome.kind, OutcomeKind::reached_stop) << trial << " " << other.outcome.message;
    for (int i = 0; i < relays; ++i) {
      const std::string number = std::to_string(i);
      ASSERT_NEAR(test::last(one, "x" + number), test::last(other, "x" + number), error) << trial;
      const double zeta = test::last(one, "z" + number);
      ASSERT_NEAR(zeta, test::last(other, "z" + number), error) << trial;
      slid += zeta > 0.01 && zeta < 0.99 ? 1 : 0;
    }
  }
  EXPECT_GT(slid, 60);
}

}  // namespace latched_slides_test
}  // namespace mti
