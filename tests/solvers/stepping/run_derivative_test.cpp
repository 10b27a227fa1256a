// Rates and algebraic signals of a run that stands still, and their derivatives by states and inputs.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"
#include "solvers/stepping/run.hpp"

namespace mti {
namespace run_derivative_test {

constexpr double rtol = 1e-9;

void go_to(mti::Run& run, double t) {
  while (!run.ended() && run.advance(t) == StepEnd::event) {
  }
}

/// Two tanks with a valve that opens at a level, a pump whose flow is a product, and a square as an output:
///     ẋ₁ = u x₂ − y₁ b,    ẋ₂ = −x₂ + sin(t),    y₁ = k x₁ x₂,    y₂ = x₁².
Model tanks() {
  Source source;
  source.parameters = {{"k", 1.5}};
  source.states = {{.name = "x1", .start = 0.5}, {.name = "x2", .start = 1.0}};
  source.algebraic = {{"y1"}, {"y2"}};
  source.inputs = {
      {.name = "u", .form = Number(2.0)},
      {.name = "w", .form = SineSource{.amplitude = 1.0, .frequency = "1/(2*3.14159265358979312)"}}};
  source.binaries = {{.name = "open"}};
  source.equations = {"der(x1) = u*x2 - y1*open", "der(x2) = -x2 + w", "y1 = k*x1*x2", "y2 = x1^2"};
  source.constraints = {"(x1 - 1)*(1 - open) <= 0", "(0.2 - x1)*open <= 0"};
  source.experiment.stop = 10.0;
  return build(source);
}

std::vector<double> formula(double t, double x1, double x2, double u, double open) {
  const double y1 = 1.5 * x1 * x2;
  return {u * x2 - y1 * open, -x2 + std::sin(t), y1, x1 * x1};
}

void expect_equal(std::span<const double> found, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], tolerance * (1.0 + std::abs(expected[i]))) << i;
}

TEST(RunDerivative, IsThatOfTheModeAtAnyPoint) {
  const Model model = tanks();
  mti::Run run(model, {.rtol = rtol});
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-3.0, 3.0);
  double u = 2.0;
  for (const double t : {0.0, 0.1, 0.7, 1.3}) {
    go_to(run, t);
    const double x1 = run.v()[2], x2 = run.v()[3],
                 open = run.v()[static_cast<std::size_t>(model.signature.binary_row(0))];
    expect_equal(run.derivative(), formula(t, x1, x2, u, open), 1e-13);
    const double other_t = t + number(random);
    const std::vector<double> x = {number(random), number(random)};
    expect_equal(run.derivative(other_t, x), formula(other_t, x[0], x[1], u, open), 1e-13);
    EXPECT_EQ(run.time(), t);
    EXPECT_EQ(run.v()[2], x1) << "the run is where it was";
    const Eigen::MatrixXd jacobian = run.derivative_jacobian();
    Eigen::MatrixXd expected(4, 4);
    expected << -1.5 * x2 * open, u - 1.5 * x1 * open, x2, 0.0,  //
        0.0, -1.0, 0.0, 1.0,                                     //
        1.5 * x2, 1.5 * x1, 0.0, 0.0,                            //
        2.0 * x1, 0.0, 0.0, 0.0;
    EXPECT_LE((jacobian - expected).cwiseAbs().maxCoeff(), 1e-13 * (1.0 + expected.cwiseAbs().maxCoeff()));
    u = number(random) + 3.5;
    run.set_input(0, u);
    run.settle();
  }
  EXPECT_FALSE(run.trajectory().events.empty()) << "both modes were met";
}

/// Two runs of one model, one of which is asked, are one bit for bit.
TEST(RunDerivative, LeavesTheRunAsItIs) {
  const Model model = tanks();
  mti::Run one(model, {.rtol = rtol}), other(model, {.rtol = rtol});
  for (int k = 1; k <= 100; ++k) {
    go_to(one, 0.1 * k);
    go_to(other, 0.1 * k);
    static_cast<void>(other.derivative());
    static_cast<void>(other.derivative(0.0, std::vector<double>{1.0, 2.0}));
    static_cast<void>(other.linearize());
    const auto a = one.v(), b = other.v();
    ASSERT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << k;
  }
}

/// A relay that slides: the equivalent control holds ẋ₁ on the surface x₁ = 0, where ẋ₁ = −x₂ + 2 − 4ζ = 0.
TEST(RunDerivative, IsThatOfTheSlidingMotion) {
  Source source;
  source.states = {{.name = "x1", .start = 0.2}, {.name = "x2", .start = 1.0}};
  source.binaries = {{.name = "z"}};
  source.algebraic = {{"force"}};
  source.equations = {"der(x1) = -x2 + force", "der(x2) = -x2", "force = 2 - 4*z"};
  source.constraints = {"x1*(1 - z) <= 0", "-x1*z <= 0"};
  source.experiment.stop = 2.0;
  const Model model = build(source);
  mti::Run run(model, {.rtol = rtol});
  go_to(run, 1.0);
  ASSERT_FALSE(run.mode().slides.empty());
  const double x2 = std::exp(-1.0);
  expect_equal(run.derivative(), {0.0, -x2, x2}, 100.0 * rtol);
}

/// A pendulum in Cartesian coordinates, index 3: what is asked for beside the circle is put on it.
TEST(RunDerivative, PutsStatesOfHigherIndexOnTheirConstraints) {
  Source source;
  source.states = {{.name = "x", .start = 0.6}, {.name = "y", .start = -0.8}, {.name = "vx"}, {.name = "vy"}};
  source.algebraic = {{"T"}};
  source.equations = {"der(x) = vx", "der(y) = vy", "der(vx) = -T*x", "der(vy) = -T*y - 1", "x^2 + y^2 = 1"};
  source.experiment.stop = 2.0;
  const Model model = build(source);
  mti::Run run(model, {.rtol = rtol});
  // T = v² − y on the unit circle.
  const auto rates = run.derivative();
  ASSERT_EQ(rates.size(), 5U);
  EXPECT_NEAR(rates[4], 0.8, 1e-12);
  EXPECT_NEAR(rates[2], -0.8 * 0.6, 1e-12);
  EXPECT_THROW(static_cast<void>(run.derivative_jacobian()), InvalidModel);
}

/// At each point of a run with coarse tolerances its states are as far beside the circle as these allow, not those of the model.
TEST(RunDerivative, HoldsToTheTolerancesOfTheRun) {
  Source source;
  source.states = {{.name = "x", .start = 0.6}, {.name = "y", .start = -0.8}, {.name = "vx"}, {.name = "vy"}};
  source.algebraic = {{"T"}};
  source.equations = {"der(x) = vx", "der(y) = vy", "der(vx) = -T*x", "der(vy) = -T*y - 1", "x^2 + y^2 = 1"};
  source.experiment.stop = 10.0;
  source.experiment.rtol = 1e-6;
  const Model model = build(source);
  constexpr double coarse = 1e-2;
  SimulationOptions options{.rtol = coarse, .atol = coarse};
  options.integrator = IntegratorChoice::ida;
  mti::Run run(model, options);
  for (int k = 1; k <= 100; ++k) {
    go_to(run, 0.1 * k);
    const auto rates = run.derivative();
    ASSERT_EQ(rates.size(), 5U);
    const auto v = run.v();
    EXPECT_NEAR(rates[0], v[6], 10.0 * coarse) << k;
    EXPECT_NEAR(rates[1], v[7], 10.0 * coarse) << k;
  }
}

TEST(RunDerivative, RefusesWhatIsNoPoint) {
  const Model model = tanks();
  mti::Run run(model);
  EXPECT_THROW(static_cast<void>(run.derivative(0.0, std::vector<double>{1.0})), InvalidOption);
  EXPECT_THROW(static_cast<void>(run.derivative(0.0, std::vector<double>{1.0, std::nan("")})), InvalidOption);
  EXPECT_THROW(static_cast<void>(run.derivative(std::nan(""), std::vector<double>{1.0, 1.0})), InvalidOption);

  Source source;
  source.sample_time = Number(0.1);
  source.states = {{.name = "x", .start = 1.0}};
  source.equations = {"next(x) = 0.5*x"};
  const Model discrete = build(source);
  mti::Run samples(discrete, {.stop = 1.0});
  EXPECT_THROW(static_cast<void>(samples.derivative()), InvalidOption);
}

}  // namespace run_derivative_test
}  // namespace mti
