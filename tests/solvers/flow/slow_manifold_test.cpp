#include "solvers/flow/slow_manifold.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "mti/build/build.hpp"
#include "solvers/flow/fast_states.hpp"
#include "tests/solvers/dense_algebra.hpp"

namespace mti {
namespace slow_manifold_test {

constexpr double wide_gap = 1000.0, nothing_slower = 0.0;

/// Orthogonal, from a random matrix.
Eigen::MatrixXd basis(int size, std::mt19937& random) {
  std::normal_distribution<double> entry;
  Eigen::MatrixXd X(size, size);
  for (double& value : X.reshaped()) value = entry(random);
  return test::singular_values(X).U;
}

/// M = T Λ T⁻¹: as many states as Λ has beyond its gap, and the fast left eigenvectors are regular in their columns.
TEST(FastStates, AreAsManyAsEigenvaluesBeyondTheGap) {
  std::mt19937 random(4);
  for (int trial = 0; trial < 40; ++trial) {
    const int size = 2 + trial % 6, fast = 1 + trial % (size - 1);
    Eigen::VectorXd lambda(size);
    for (int i = 0; i < size; ++i) lambda[i] = i < fast ? -1e6 * (1 + i) : 0.5 * (i - size);
    const Eigen::MatrixXd T = basis(size, random);
    const Eigen::MatrixXd M = T * lambda.asDiagonal() * T.transpose();
    const auto [found, rate] = fast_states(M, size, 0.0, wide_gap, 1.0);
    ASSERT_EQ(static_cast<int>(found.size()), fast) << trial;
    EXPECT_NEAR(rate, 1e6, 1e-3) << trial;
    Eigen::MatrixXd left(fast, fast);
    for (int j = 0; j < fast; ++j)
      for (int k = 0; k < fast; ++k) left(k, j) = T(found[static_cast<std::size_t>(j)], k);
    EXPECT_GT(std::abs(left.determinant()), 1e-4) << trial;
    EXPECT_TRUE(fast_states(M, size, 1e9, wide_gap, nothing_slower).states.empty()) << trial;
  }
}

/// No gap, fast motions that grow or swing, and generators in the gap leave nothing to be split.
TEST(FastStates, AreNoneWhereNothingRelaxesFast) {
  Eigen::Matrix4d spread = Eigen::Vector4d(-100.0, -1.0, 0.0, 0.0).asDiagonal();
  spread(2, 3) = 0.2;
  spread(3, 2) = -0.2;
  const Eigen::Matrix2d grows = Eigen::Vector2d(1e6, -1.0).asDiagonal();
  Eigen::Matrix2d swings;
  swings << 0.0, 1e6, -1e6, 0.0;
  EXPECT_TRUE(fast_states(spread, 2, 0.0, wide_gap, nothing_slower).states.empty());
  EXPECT_EQ(fast_states(spread, 2, 0.0, 10.0, nothing_slower).states, std::vector<int>{0});
  EXPECT_TRUE(fast_states(grows, 2, 0.0, wide_gap, nothing_slower).states.empty());
  EXPECT_TRUE(fast_states(swings, 2, 0.0, wide_gap, nothing_slower).states.empty());
  Eigen::Matrix3d driven = Eigen::Matrix3d::Zero();
  driven(0, 0) = -1e4;
  driven(0, 1) = 1e4;
  driven(1, 2) = 1e3;
  driven(2, 1) = -1e3;
  EXPECT_TRUE(fast_states(driven, 1, 0.0, wide_gap, nothing_slower).states.empty());
  driven(1, 2) = 1.0;
  driven(2, 1) = -1.0;
  EXPECT_EQ(fast_states(driven, 1, 0.0, wide_gap, nothing_slower).states, std::vector<int>{0});
}

struct OneMode {
  explicit OneMode(const Source& source) : model(build(source)) {}
  Model model;
  ModeSystem system{SignalRows(model), Mode{}};
  AffineMode mode = *AffineMode::of(model, system, SeriesProgram::of(model, system));
};

/// i = G (u − x), C x' = i − g x with u = A sin wt on the slow manifold is its phasor, i = (g + jwC)/(1 + (g + jwC)/G)·u.
TEST(SlowManifold, GivesACurrentOfCancellingVoltagesAllItsDigits) {
  constexpr double C = 1e-3, g = 0.01, w = 2.0 * std::numbers::pi * 50.0;
  for (const double G : {1e6, 1e9, 1e12, 1e15}) {
    Source source;
    source.parameters = {{"G", G}};
    source.inputs = {{.name = "u", .form = SineSource{1.0, 50.0, 0.0, 0.0}}};
    source.states = {{"x", 0.0}};
    source.algebraic = {{"i"}};
    source.equations = {"1e-3*der(x) = i - 0.01*x", "i = (u - x)*G"};
    source.constraints = {"u - x <= 0", "x <= 0"};
    const OneMode of(source);
    const std::vector<double> v(static_cast<std::size_t>(of.model.signature.size()), 0.0);
    const auto found = SlowManifold::of(of.mode, v, {0});
    ASSERT_TRUE(found.has_value()) << G;
    const int slot = of.mode.program().place(*of.model.signature.find("i"));
    // 1/(1/Y + 1/G) with Y = g + jwC: real and imaginary parts.
    const double square = g * g + w * w * C * C, re = g / square + 1.0 / G, im = -w * C / square;
    const double p = re / (re * re + im * im), q = -im / (re * re + im * im);
    // w = (x, p, q, 1) with u = p, u' = w q.
    EXPECT_NEAR(static_cast<double>(found->C(slot, 1)), p, 1e-14 * p) << G;
    EXPECT_NEAR(static_cast<double>(found->C(slot, 2)), q, 1e-14 * q) << G;
    EXPECT_LE(found->C_error(slot, 1), 1e-12 * std::abs(p)) << G;
    EXPECT_EQ(static_cast<double>(found->C(slot, 0)), -G) << G;
    // u - x, behind the slots and d, is i/G.
    ASSERT_EQ(of.mode.affine_constraints(), (std::vector<int>{0, 1}));
    const Eigen::Index difference = found->C.rows() - 2;
    ASSERT_EQ(difference, static_cast<Eigen::Index>(of.mode.program().slots().size()) + 1);
    EXPECT_NEAR(static_cast<double>(found->C(difference, 1)), p / G, 1e-14 * p / G) << G;
    EXPECT_NEAR(static_cast<double>(found->C(difference, 2)), q / G, 1e-14 * q / G) << G;
    EXPECT_LE(found->C_error(difference, 1), 1e-12 * std::abs(p) / G) << G;
    EXPECT_EQ(static_cast<double>(found->C(difference, 0)), -1.0) << G;
    EXPECT_NEAR(static_cast<double>(found->M(0, 0)), -(G + g) / C, 1e-12 * G / C) << G;
  }
}

/// Random networks of capacitors, some joined by small resistances: the same motion in both coordinates, C w = C_s (d, w_s),
/// and d decays by itself.
TEST(SlowManifold, SaysTheSameInOtherCoordinates) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> some(0.5, 2.0);
  for (int trial = 0; trial < 30; ++trial) {
    const int nodes = 3 + trial % 4;
    Source source;
    source.inputs = {{.name = "u", .form = SineSource{1.0, 0.3, 0.2, 0.0}}};
    std::vector<std::string> flows(static_cast<std::size_t>(nodes), "0");
    for (int k = 0; k < nodes; ++k) {
      const std::string x = "x" + std::to_string(k), j = "j" + std::to_string(k);
      source.states.push_back({x, some(random)});
      source.algebraic.push_back({j});
      const double G = k % 2 == 0 ? 1e7 * some(random) : some(random);
      const std::string before = k == 0 ? "u" : "x" + std::to_string(k - 1);
      source.equations.push_back(j + " = (" + before + " - " + x + ")*" + std::to_string(G));
      flows[static_cast<std::size_t>(k)] += " + " + j;
      if (k > 0) flows[static_cast<std::size_t>(k) - 1] += " - " + j;
    }
    for (int k = 0; k < nodes; ++k)
      source.equations.push_back("der(x" + std::to_string(k) + ") = " + flows[static_cast<std::size_t>(k)]);
    const OneMode of(source);
    const std::vector<double> v(static_cast<std::size_t>(of.model.signature.size()), 0.0);
    const auto plain = *of.mode.matrices<long double>(v);
    const std::vector<int> e =
        fast_states(plain.M.cast<double>(), of.mode.states(), 0.0, wide_gap, nothing_slower).states;
    ASSERT_FALSE(e.empty()) << trial;
    const auto found = SlowManifold::of(of.mode, v, e);
    ASSERT_TRUE(found.has_value()) << trial;
    // T (x_e, w_s) = (d, w_s): M̃ T = T M, C̃ T = C.
    using Long = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
    const auto size = plain.M.rows();
    Long T = Long::Identity(size, size);
    for (std::size_t j = 0; j < e.size(); ++j)
      T.row(e[j]) -= found->Q.row(static_cast<Eigen::Index>(j)).cast<long double>();
    const long double norm = plain.M.cwiseAbs().maxCoeff();
    EXPECT_LE((found->M * T - T * plain.M).cwiseAbs().maxCoeff(), 1e-14L * norm) << trial;
    const Long C = found->C.topRows(plain.C.rows()) * T;
    EXPECT_LE((C - plain.C).cwiseAbs().maxCoeff(), 1e-14L * norm) << trial;
    for (const int i : e)
      for (Eigen::Index k = 0; k < size; ++k)
        if (std::ranges::find(e, static_cast<int>(k)) == e.end()) {
          EXPECT_EQ(static_cast<double>(found->M(i, k)), 0.0) << trial;
        }
  }
}

}  // namespace slow_manifold_test
}  // namespace mti
