#include "solvers/integration/rounding_floor.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/solvers/simulation/run_queries.hpp"

/// No unknown is asked for more than rounding gives.
namespace mti {
namespace {

SimulationOptions at_tolerance(double rtol) {
  SimulationOptions options;
  options.rtol = rtol;
  options.atol = 0.01 * rtol;
  return options;
}

/// F₀ = 4 w₀ + w₁, F₁ = −2 w₁: sizes by hand.
TEST(RoundingFloor, OfRowsIsTheSizeOfWhatIsAddedUp) {
  DaeSystem system;
  system.pattern = {.rows = 2, .cols = 2, .column_start = {0, 1, 3}, .row = {0, 0, 1}};
  system.rounding = {0.0, 1.0};
  const std::vector<double> w{3.0, -5.0}, J{4.0, 1.0, -2.0};
  const std::vector<double> rounding = rounding_of_rows(system, w, J);
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  EXPECT_DOUBLE_EQ(rounding[0], 17.0 * epsilon);
  EXPECT_DOUBLE_EQ(rounding[1], 1.0 + 10.0 * epsilon);
}

/// |J⁻¹| e, not |J⁻¹ e|: J⁻¹ = ((1, −1), (0, 1)).
TEST(RoundingFloor, DoesNotCancel) {
  std::vector<double> floor, x(2);
  ASSERT_TRUE(floor_of(std::vector<double>{1.0, 1.0}, floor, [&](std::span<const double> b) {
    x = {b[0] - b[1], b[1]};
    return std::span<const double>(x);
  }));
  EXPECT_DOUBLE_EQ(floor[0], 2.0 * floor[1]);
  EXPECT_FALSE(floor_of(std::vector<double>{1.0, 1.0}, floor,
                        [&](std::span<const double>) { return std::span<const double>(); }));
}

/// 50 000 per unit of time through zero, and a signal 1000 times the difference of two others.
Source steep_table() {
  Source source;
  source.states = {{"x", 0.0}};
  source.inputs = {{.name = "u", .form = TableSource{{0.0, 1.0, 2.0}, {-50000.0, 50000.0, 0.0}}}};
  source.algebraic = {{"a"}, {"b"}};
  source.equations = {"der(x) = -x + a", "a = u + 1000*b", "b = u - x"};
  source.experiment = {.stop = 2.0};
  return source;
}

TEST(RoundingFloor, ASteepTablePassesZeroAtAnyTolerance) {
  long before = 0;
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    const Trajectory trajectory = test::run(steep_table(), at_tolerance(rtol));
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
    // x' = −1001 (x − u): the last piece falls by 50 000 per unit of time.
    EXPECT_NEAR(test::last(trajectory, "x"), 50000.0 / 1001.0, 1e3 * rtol * 5e4 + 1e-6);
    if (before > 0) {
      EXPECT_LT(trajectory.statistics.steps, 10 * before) << "rtol " << rtol;
    }
    before = trajectory.statistics.steps;
  }
}

/// Reported: 442 000 steps in a minute at rtol 1e-10 for a fifth of this.
TEST(RoundingFloor, APendulumFromTheHorizontalTakesStepsByItsAccuracy) {
  Source source;
  source.parameters = {{"g", 9.81}, {"L", 1.0}};
  source.states = {{"x", 1.0}, {"y", 0.0}, {"vx", 0.0}, {"vy", 0.0}};
  source.algebraic = {{"tension"}};
  source.equations = {"der(x) = vx", "der(y) = vy", "der(vx) = tension*x", "der(vy) = tension*y - g",
                      "x*x + y*y = L^2"};
  source.experiment = {.stop = 2.0};
  const Trajectory trajectory = test::run(source, at_tolerance(1e-10));
  ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
  EXPECT_LT(trajectory.statistics.steps, 20000);
  const double energy =
      0.5 * (std::pow(test::last(trajectory, "vx"), 2) + std::pow(test::last(trajectory, "vy"), 2)) +
      9.81 * test::last(trajectory, "y");
  EXPECT_NEAR(energy, 0.0, 1e-6);
}

/// V − v = s, −v = d, i = s·(o G + 1 − o) + d·G with o = 1 for ever: v = (V − i/G)/2, an exponential of time
/// constant 2 G L.
TEST(RoundingFloor, ASignalThatTheModeMakesANumberCancels) {
  Source source;
  source.parameters = {{"V", 60.0}, {"L", 0.025}, {"G", 1e-5}, {"E", 3.563}};
  source.states = {{"i", 6e-4}};
  source.algebraic = {{"v"}, {"s"}, {"d"}, {"o", 1.0}};
  source.equations = {"L*der(i) = v - E", "o = 1", "V - v = s", "-v = d", "i = s*(o*G + 1 - o) + d*G"};
  source.experiment = {.stop = 1e-3, .output_interval = 1e-6};
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    const Trajectory trajectory = test::run(source, at_tolerance(rtol));
    ASSERT_EQ(trajectory.outcome.kind, OutcomeKind::reached_stop) << trajectory.outcome.message;
    EXPECT_NEAR(test::recorded(trajectory, "v", 1e-6), 3.563 * (1.0 - std::exp(-2.0)),
                100.0 * rtol * 3.563 + 1e-8);
    EXPECT_NEAR(test::last(trajectory, "i"), 1e-5 * (60.0 - 2.0 * 3.563), 100.0 * rtol * 6e-4 + 1e-12);
  }
}

}  // namespace
}  // namespace mti
