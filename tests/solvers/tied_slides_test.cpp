#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/solvers/simulation/run_queries.hpp"
#include "tests/solvers/sliding/sliding_queries.hpp"

/// Binaries that go along with a surface: columns run affinely between its two sides, and products of
/// different surfaces multiply. All motions have constant slopes, so errors stay at those of the integrator.
namespace mti {
namespace {

constexpr double accuracy = 1e-8, error = 1e-6;

/// x' = 1 − 3 z1 from −1, z1 = [x ≥ 0]: slides from t = 1 on with θ = 1/3. y' = `rate`, z2, z3, … by `logic`.
Source one_surface(const std::vector<std::string>& logic, const std::string& rate) {
  Source source;
  source.states = {{"x", -1.0}, {"y", 0.0}};
  source.binaries = {{"z1", 0.0}};
  for (std::size_t i = 0; i < logic.size(); ++i)
    source.binaries.push_back({"z" + std::to_string(i + 2), 0.0});
  source.equations = {"der(x) = 1 - 3*z1", "der(y) = " + rate};
  for (const std::string& text : logic) source.equations.emplace_back(text);
  source.constraints = {"(1 - 2*z1)*x <= 0"};
  source.experiment = {.stop = 3.0};
  return source;
}

struct OneSurface {
  const char* name;
  std::vector<std::string> logic;
  const char* rate;
  double below, above;  ///< y' on the two sides
};

class TiedSlides : public testing::TestWithParam<OneSurface> {};

/// y(3) = below·1 + 2·(θ·above + (1 − θ)·below).
TEST_P(TiedSlides, RunBetweenTheSides) {
  const OneSurface& expected = GetParam();
  const Trajectory trajectory =
      test::run(one_surface(expected.logic, expected.rate), test::with_accuracy(accuracy));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_NEAR(test::last(trajectory, "x"), 0.0, error);
  const double theta = 1.0 / 3.0;
  EXPECT_NEAR(test::last(trajectory, "y"),
              expected.below + 2.0 * (theta * expected.above + (1.0 - theta) * expected.below), error);
  EXPECT_NEAR(test::last(trajectory, "z1"), theta, error);
}

INSTANTIATE_TEST_SUITE_P(
    OneSurface, TiedSlides,
    testing::Values(OneSurface{"product_of_two", {"z2 = z1"}, "z1*z2", 0.0, 1.0},
                    OneSurface{"product_of_three", {"z2 = z1", "z3 = z2"}, "z1*z2*z3", 0.0, 1.0},
                    OneSurface{"never_both", {"z2 = 1 - z1"}, "z1*z2", 0.0, 0.0},
                    OneSurface{"always_one", {"z2 = 1 - z1"}, "z1 + z2", 1.0, 1.0},
                    OneSurface{"exclusive_or", {"z2 = z1", "z3 = z1 + z2 - 2*z1*z2"}, "z3 + z1", 0.0, 1.0},
                    OneSurface{"or_and_products",
                               {"z2 = 1 - z1", "z3 = z1 + z2 - z1*z2"},
                               "z3*z2*(1 + z1) - 2*z1*z3",
                               1.0,
                               -2.0},
                    OneSurface{
                        "times_a_state", {"z2 = z1"}, "z1*z2*(1 + x) + 2*(1 - z1)*(1 - z2)", 2.0, 1.0}),
    [](const auto& instance) { return std::string(instance.param.name); });

/// Two surfaces met together at t = 1, θ1 = 0.4, θ2 = 0.25; y' by products across them.
struct TwoSurfaces {
  const char* name;
  std::vector<std::string> logic;
  const char* rate;
  double (*value)(double, double);  ///< y' for independent z1, z2 of these means
};

class TiedAcross : public testing::TestWithParam<TwoSurfaces> {};

TEST_P(TiedAcross, AreTheMultilinearExtension) {
  const TwoSurfaces& expected = GetParam();
  Source source;
  source.states = {{"x", -1.0}, {"w", -1.0}, {"y", 0.0}};
  source.binaries = {{"z1", 0.0}, {"z2", 0.0}};
  for (std::size_t i = 0; i < expected.logic.size(); ++i)
    source.binaries.push_back({"z" + std::to_string(i + 3), 0.0});
  source.equations = {"der(x) = 1 - 2.5*z1", "der(w) = 1 - 4*z2", "der(y) = " + std::string(expected.rate)};
  for (const std::string& text : expected.logic) source.equations.emplace_back(text);
  source.constraints = {"(1 - 2*z1)*x <= 0", "(1 - 2*z2)*w <= 0"};
  source.experiment = {.stop = 3.0};
  const Trajectory trajectory = test::run(source, test::with_accuracy(accuracy));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_NEAR(test::last(trajectory, "x"), 0.0, error);
  EXPECT_NEAR(test::last(trajectory, "w"), 0.0, error);
  EXPECT_NEAR(test::last(trajectory, "y"), expected.value(0.0, 0.0) + 2.0 * expected.value(0.4, 0.25), error);
}

INSTANTIATE_TEST_SUITE_P(
    TwoSurfaces, TiedAcross,
    testing::Values(
        TwoSurfaces{"partner_of_one", {"z3 = z1"}, "z1*z2*z3", [](double a, double b) { return a * b; }},
        TwoSurfaces{
            "conjunction", {"z3 = z1*z2"}, "z3*z1 + z3", [](double a, double b) { return 2.0 * a * b; }},
        TwoSurfaces{"disjunction",
                    {"z3 = z1 + z2 - z1*z2"},
                    "z3*(1 - z1)",
                    [](double a, double b) { return (1.0 - a) * b; }},
        TwoSurfaces{"complement",
                    {"z3 = z1 + z2 - 2*z1*z2", "z4 = 1 - z3"},
                    "z3*z4 + z4",
                    [](double a, double b) { return 1.0 - (a + b - 2.0 * a * b); }},
        TwoSurfaces{"outputs_of_outputs",
                    {"z3 = z1 + z2 - z1*z2", "z4 = z3*z1", "z5 = z4*z3"},
                    "z5",
                    [](double a, double) { return a; }},
        TwoSurfaces{"absorption",
                    {"z3 = z1*z2", "z4 = z3 + z1 - z3*z1"},
                    "z4 + z3",
                    [](double a, double b) { return a + a * b; }}),
    [](const auto& instance) { return std::string(instance.param.name); });

/// y = x − z1 z2 with z2 = z1 and z1 = [y ≥ 0]: y = 0 gives θ = x, where θ² = x would give √x.
TEST(TiedBinaries, FeedthroughOfAProduct) {
  Source source;
  source.states = {{"x", -0.5}};
  source.algebraic = {{"y", 0.0}};
  source.binaries = {{"z1", 0.0}, {"z2", 0.0}};
  source.equations = {"der(x) = 1 + y", "y = x - z1*z2", "z2 = z1"};
  test::add_relay(source, "z1", "y");
  source.experiment = {.stop = 1.2};
  const Trajectory trajectory = test::run(source, test::with_accuracy(accuracy));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  const double x = 1.2 - std::log(2.0);  // x = −1 + ½ eᵗ up to 0, then slope 1
  EXPECT_NEAR(test::last(trajectory, "x"), x, error);
  EXPECT_NEAR(test::last(trajectory, "z1"), x, error);
  EXPECT_NEAR(test::last(trajectory, "z2"), x, error);
}

/// A latch whose threshold is far away keeps its value; the xor behind both goes along with the relay.
TEST(TiedBinaries, ALatchElsewhereIsNotDraggedAlong) {
  Source source;
  source.states = {{"x", -1.0}, {"y", 0.0}, {"w", -5.0}};
  source.binaries = {{"latch", 0.0}, {"z", 0.0}, {"differ", 0.0}};
  source.equations = {"der(x) = 1 - 2*z", "der(y) = differ", "der(w) = 0",
                      "differ - z - latch + 2*z*latch = 0"};
  source.constraints = {"w*(1 - latch) <= 0", "pre(latch) - latch <= 0", "(1 - 2*z)*x <= 0"};
  source.experiment = {.stop = 3.0};
  const Trajectory trajectory = test::run(source, test::with_accuracy(accuracy));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_EQ(test::last(trajectory, "latch"), 0.0);
  EXPECT_NEAR(test::last(trajectory, "y"), 1.0, error);
}

/// An edge detector is 0 but at instants: it neither goes along with the slide nor stands in its way.
TEST(TiedBinaries, AnEdgeDetectorStaysZero) {
  Source source = one_surface({"z2 = z1*(1 - pre(z1))"}, "1 + z2");
  const Trajectory trajectory = test::run(source, test::with_accuracy(accuracy));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_NEAR(test::last(trajectory, "x"), 0.0, error);
  EXPECT_NEAR(test::last(trajectory, "y"), 3.0, error);
}

/// Relays with random coupling, and the same with outputs that are used nowhere: nothing else may differ.
TEST(TiedBinaries, ObserversChangeNoMotion) {
  std::mt19937 random(13);
  const auto draw = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  int slid = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int relays = draw(1, 4);
    Source plain;
    for (int i = 0; i < relays; ++i) {
      const std::string number = std::to_string(i);
      plain.states.push_back({"x" + number, -0.1 * draw(1, 9)});
      plain.binaries.push_back({"z" + number, 0.0});
      std::string rate =
          std::to_string(0.1 * draw(2, 9)) + " - " + std::to_string(0.1 * draw(11, 25)) + "*z" + number;
      for (int j = 0; j < relays; ++j)
        if (j != i) rate += " + " + std::to_string(0.05 * draw(-2, 2)) + "*z" + std::to_string(j);
      plain.equations.emplace_back("der(x" + number + ") = " + rate);
      plain.constraints.emplace_back("(1 - 2*z" + number + ")*x" + number + " <= 0");
    }
    plain.experiment = {.stop = 6.0};
    Source observed = plain;
    int binaries = relays;
    for (int gates = draw(1, 4); gates > 0; --gates) {
      const std::string a = "z" + std::to_string(draw(0, binaries - 1)),
                        b = "z" + std::to_string(draw(0, binaries - 1)), c = "z" + std::to_string(binaries++);
      observed.binaries.push_back({c, 0.0});
      const std::string gate[] = {a + "*" + b, a + " + " + b + " - " + a + "*" + b,
                                  a + " + " + b + " - 2*" + a + "*" + b, "1 - " + a};
      observed.equations.emplace_back(c + " = " + gate[draw(0, 3)]);
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

/// z2 = z1 is no output, since a constraint holds z2; it goes along all the same. y' = z2 = ⅓ from t = 1 on.
TEST(TiedSlides, ADeciderThatLogicDeterminesGoesAlong) {
  for (const char* constraint : {"(z2 - 2)*y <= 0", "z2 - 1 <= 0", "(z3 - 2)*y <= 0"}) {
    Source source = one_surface({"z2 = z1", "z3 = 1 - z2"}, "z2");
    source.constraints.emplace_back(constraint);
    const Trajectory trajectory = test::run(source, test::with_accuracy(accuracy));
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << constraint << trajectory.outcome.message;
    EXPECT_NEAR(test::last(trajectory, "y"), 2.0 / 3.0, error) << constraint;
    EXPECT_NEAR(test::last(trajectory, "z3"), 2.0 / 3.0, error) << constraint;
  }
}

}  // namespace
}  // namespace mti
