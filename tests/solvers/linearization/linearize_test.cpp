#include "solvers/linearization/linearize.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "mti/build/build.hpp"

namespace mti {
namespace linearize_test {

using Eigenvalues = std::vector<std::complex<double>>;

void expect_near(const Eigenvalues& found, const Eigenvalues& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_LE(std::abs(found[i] - expected[i]), tolerance) << "eigenvalue " << i << ": " << found[i];
}

/// x1' = x1·x2² − 4, x2' = x2 − 2 at (1, 2): triangular with x2² = 4 and 1 on the diagonal.
TEST(Linearize, EigenvaluesOfATriangularModel) {
  Source source;
  source.states = {{"x1", 1.0}, {"x2", 2.0}};
  source.equations = {"der(x1) = x1*x2^2 - 4", "der(x2) = x2 - 2"};
  const Model model = build(source);
  ASSERT_EQ(model.signature.p(), 1);
  const Linearization result = linearize(model, std::vector<double>{0.0, 0.0, 1.0, 2.0, 2.0});
  ASSERT_TRUE(result.eigenvalues_computed) << result.eigenvalues_note;
  expect_near(result.eigenvalues, {1.0, 4.0}, 1e-13);
  EXPECT_TRUE(result.outputs.empty()) << "the signal of the power is no output";
}

/// Where z is 0 nothing is said of y, and of w: they keep their values.
TEST(Linearize, AbsentSignalsAreNoFreedom) {
  Source source;
  source.states = {{"x", 2.0}, {"w", 5.0}};
  source.algebraic = {{"y", 3.0}};
  source.binaries = {{.name = "z"}};
  source.equations = {"der(x) = 1 - x", "z*(y - 2*x) = 0", "z*(der(w) + 3*w) = 0"};
  const Model model = build(source);
  LinearizationOptions options;
  options.state_space = true;
  const std::vector<double> off = {-1.0, 0.0, 2.0, 5.0, 3.0, 0.0}, on = {-1.0, -15.0, 2.0, 5.0, 4.0, 1.0};
  const Linearization absent = linearize(model, off, options), present = linearize(model, on, options);
  expect_near(absent.eigenvalues, {-1.0, 0.0}, 1e-13);
  expect_near(present.eigenvalues, {-3.0, -1.0}, 1e-13);
  EXPECT_EQ(absent.equations, (std::vector<std::string>{"eq1", "w keeps its value", "y keeps its value"}));
  ASSERT_TRUE(absent.state_space.has_value());
  EXPECT_EQ(absent.residual, 0.0);
}

/// The same with samples: w stays, which is an eigenvalue of 1.
TEST(Linearize, AbsentSignalsOfDiscreteTimeStay) {
  Source source;
  source.sample_time = 0.5;
  source.states = {{"x", 2.0}, {"w", 5.0}};
  source.binaries = {{.name = "z"}};
  source.equations = {"next(x) = 0.5*x", "z*(next(w) - 0.3*w) = 0"};
  const Model model = build(source);
  const std::vector<double> off = {1.0, 5.0, 2.0, 5.0, 0.0}, on = {1.0, 1.5, 2.0, 5.0, 1.0};
  expect_near(linearize(model, off).eigenvalues, {0.5, 1.0}, 1e-13);
  expect_near(linearize(model, on).eigenvalues, {0.3, 0.5}, 1e-13);
}

/// Index 1: x1' = −x1 + 2y, x2' = −x1 − x2, y = 2 x2 − 3u; with y put in, (λ + 1)² = −4.
TEST(Linearize, MatricesOfALinearModel) {
  Source source;
  source.states = {{"x1", 0.0}, {"x2", 0.0}};
  source.inputs = {{"u", Number(0.0)}};
  source.algebraic = {{"y", 0.0}};
  source.equations = {"der(x1) = -x1 + 2*y", "der(x2) = -x1 - x2", {"sensor", "y = 2*x2 - 3*u"}};
  const Linearization result = linearize(build(source), std::vector<double>{-1.0, -1.0, 1.0, 0.0, 0.0, 0.0});
  Eigen::MatrixXd E(3, 3), A(3, 3), B(3, 1), C(1, 3);
  E << 1, 0, 0, 0, 1, 0, 0, 0, 0;
  A << -1, 0, 2, -1, -1, 0, 0, 2, -1;
  B << 0, 0, -3;
  C << 0, 0, 1;
  EXPECT_EQ(Eigen::MatrixXd(result.E), E);
  EXPECT_EQ(Eigen::MatrixXd(result.A), A);
  EXPECT_EQ(Eigen::MatrixXd(result.B), B);
  EXPECT_EQ(Eigen::MatrixXd(result.C), C);
  EXPECT_EQ(Eigen::MatrixXd(result.D), Eigen::MatrixXd::Zero(1, 1));
  EXPECT_EQ(result.equations, (std::vector<std::string>{"eq1", "eq2", "sensor"}));
  EXPECT_EQ(result.unknowns, (std::vector<std::string>{"x1", "x2", "y"}));
  EXPECT_EQ(result.inputs, (std::vector<std::string>{"u"}));
  EXPECT_EQ(result.outputs, (std::vector<std::string>{"y"}));
  expect_near(result.eigenvalues, {{-1.0, -2.0}, {-1.0, 2.0}}, 1e-13);
}

/// The entries are difference quotients over a step of 1, since f is affine in each signal; the mode is
/// that of the point. Here f1 = (1 + z)·ẋ·y + x·u − 3, f2 = x·y·u − z·ẋ, all numbers exact.
TEST(Linearize, EntriesAreDifferences) {
  Source source;
  source.states = {{"x", 1.0}};
  source.inputs = {{"u", Number(2.0)}};
  source.algebraic = {{"y", 1.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"(1 + z)*der(x)*y + x*u = 3", "x*y*u = z*der(x)"};
  const Model model = build(source);
  for (const double z : {0.0, 1.0}) {
    const auto f = [z](std::vector<double> v) {
      return Eigen::Vector2d((1.0 + z) * v[0] * v[3] + v[1] * v[2] - 3.0, v[1] * v[3] * v[2] - z * v[0]);
    };
    const std::vector<double> v = {0.5, 1.5, 2.0, -0.75, z};
    const auto difference = [&](std::size_t row) -> Eigen::VectorXd {
      std::vector<double> moved = v;
      moved[row] += 1.0;
      return f(moved) - f(v);
    };
    const Linearization result = linearize(model, v);
    const Eigen::MatrixXd E = result.E, A = result.A, B = result.B;
    EXPECT_EQ(Eigen::VectorXd(E.col(0)), difference(0)) << "z = " << z;
    EXPECT_EQ(Eigen::VectorXd(E.col(1)), Eigen::VectorXd::Zero(2)) << "z = " << z;
    EXPECT_EQ(Eigen::VectorXd(-A.col(0)), difference(1)) << "z = " << z;
    EXPECT_EQ(Eigen::VectorXd(-A.col(1)), difference(3)) << "z = " << z;
    EXPECT_EQ(Eigen::VectorXd(-B.col(0)), difference(2)) << "z = " << z;
  }
}

/// Index 2: x is prescribed and y is its rate, so nothing moves freely. x' = y, x = 1.
TEST(Linearize, HigherIndexHasFewerFiniteEigenvalues) {
  Source source;
  source.states = {{"x1", 1.0}, {"x2", 1.0}};
  source.algebraic = {{"y", 0.0}};
  source.equations = {"der(x1) = y", "x1 = 1", "der(x2) = -5*x2 + y"};
  const Linearization result = linearize(build(source), std::vector<double>{0.0, -5.0, 1.0, 1.0, 0.0});
  ASSERT_TRUE(result.eigenvalues_computed) << result.eigenvalues_note;
  expect_near(result.eigenvalues, {-5.0}, 1e-12);
}

/// Negative control: one equation twice says nothing about y, and an equation short is not square.
TEST(Linearize, SaysWhyThereAreNoEigenvalues) {
  Source source;
  source.states = {{"x", 1.0}};
  source.algebraic = {{"y", 0.0}};
  source.equations = {"der(x) = y", "2*der(x) = 2*y"};
  const Linearization twice = linearize(build(source), std::vector<double>{0.0, 1.0, 0.0});
  EXPECT_FALSE(twice.eigenvalues_computed);
  EXPECT_NE(twice.eigenvalues_note.find("singular"), std::string::npos) << twice.eigenvalues_note;
  EXPECT_TRUE(twice.eigenvalues.empty());
  source.equations.pop_back();
  const Linearization one = linearize(build(source), std::vector<double>{0.0, 1.0, 0.0});
  EXPECT_FALSE(one.eigenvalues_computed);
  EXPECT_FALSE(one.eigenvalues_note.empty());
}

/// sqrt(max(h, 0)) is 0 for good where h < 0: no slope of the root plays a part. At h = 0 itself it does.
TEST(Linearize, ARootThatIsZeroForGood) {
  Source source;
  source.states = {{"h", -1.0}, {"q", 2.0}};
  source.equations = {"der(h) = -h*q", "der(q) = sqrt(max(h, 0)) - q"};
  expect_near(linearize(build(source), 0.0).eigenvalues, {-2.0, -1.0}, 1e-13);
  source.equations = {"der(h) = -h*q", "der(q) = sqrt(h) - q"};
  source.states = {{"h", 0.0}, {"q", 2.0}};
  EXPECT_THROW((void)linearize(build(source), 0.0), InvalidModel);
}

/// x' = −x², x(0) = 1: x = 1/(1 + t), and the linearisation −2x there.
TEST(Linearize, AtAPointReachedByARun) {
  Source source;
  source.states = {{"x", 1.0}};
  source.equations = {"der(x) = -x^2"};
  source.experiment.rtol = source.experiment.atol = 1e-9;
  const Model model = build(source);
  for (const double time : {0.5, 1.0}) {
    const Linearization result = linearize(model, time);
    EXPECT_EQ(result.time, time);
    expect_near(result.eigenvalues, {-2.0 / (1.0 + time)}, 1e-6);
  }
}

}  // namespace linearize_test
}  // namespace mti
