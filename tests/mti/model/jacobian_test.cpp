#include "mti/model/jacobian.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "mti/build/build.hpp"
#include "mti/common/fault.hpp"

namespace mti {
namespace jacobian_test {

SparseColumns sparse(const Eigen::MatrixXd& dense) {
  SparseColumns matrix = dense.sparseView();
  matrix.makeCompressed();
  return matrix;
}

/// Two columns over three signals: f(−1, 1, 3) and J by hand, column 1 being (½ + ½v₁)v₂ and column 2
/// (½ − ½v₁)v₃. At the point column 1 is 0 with derivatives (½, 0, 0), column 2 is 3 with (−1.5, 0, 1).
TEST(Jacobian, NumbersByHand) {
  Eigen::MatrixXd S(3, 2), Phi(3, 2), J(3, 3);
  S << 0.5, -0.5, 1, 0, 0, 1;
  Phi << 2, 0, 4, 6, 0, 8;
  J << 1, 0, 0, -7, 0, 6, -12, 0, 8;
  const CpMap map(sparse(S), sparse(Phi));
  Jacobian f(map, {{0, 1, 2}, {2, 0}});
  f.evaluate(std::vector<double>{-1.0, 1.0, 3.0});
  EXPECT_EQ((std::vector<double>{f.value().begin(), f.value().end()}), (std::vector<double>{0, 18, 24}));
  EXPECT_EQ(Eigen::MatrixXd(f.matrix(0)), J);
  Eigen::MatrixXd some(3, 2);
  some << J.col(2), J.col(0);
  EXPECT_EQ(Eigen::MatrixXd(f.matrix(1)), some) << "columns in the order that was asked for";
}

/// f is affine in each signal: a difference over a step of 1 is the derivative.
TEST(Jacobian, IsTheDifferenceOverAStepOfOne) {
  Source source;
  source.states = {{"x", 0.0}, {"w", 0.0}};
  source.inputs = {{"u", Number(0.0)}};
  source.algebraic = {{"y", 0.0}};
  source.binaries = {{"z", 0.0}};
  source.equations = {"der(x)*y + 2*x*u*z = 1", "der(w) = x*w*(1 - z)*(3 + 2*u)", "y*x = u + der(x)*w"};
  const Model model = build(source);
  const Signature& signature = model.signature;
  const std::vector<std::vector<int>> groups = {derivative_rows(signature), state_rows(signature),
                                                input_rows(signature), algebraic_rows(signature),
                                                binary_rows(signature)};
  Jacobian f(model.f(), groups);
  ASSERT_EQ(f.groups(), 5U);
  std::mt19937 random(7);
  std::uniform_int_distribution<int> whole(-4, 4);  // sums and products of these are exact
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<double> v(at(signature.size()));
    for (double& entry : v) entry = whole(random);
    f.evaluate(v);
    const std::vector<double> here(f.value().begin(), f.value().end());
    Jacobian there = f;
    for (std::size_t group = 0; group < groups.size(); ++group)
      for (std::size_t c = 0; c < groups[group].size(); ++c) {
        std::vector<double> moved = v;
        moved[at(groups[group][c])] += 1.0;
        there.evaluate(moved);
        for (int row = 0; row < f.rows(); ++row)
          EXPECT_NEAR(f.matrix(group).coeff(row, static_cast<int>(c)), there.value()[at(row)] - here[at(row)],
                      1e-9);
      }
  }
}

/// What stays: the pattern, the places in memory, and with them what a solver has factorised symbolically.
TEST(Jacobian, KeepsPatternAndPlaces) {
  Source source;
  source.states = {{"x", 0.0}};
  source.algebraic = {{"y", 0.0}};
  source.equations = {"der(x) = x*y", "y = x"};
  const Model model = build(source);
  Jacobian f(model.f(), {state_rows(model.signature)});
  f.evaluate(std::vector<double>{0.0, 2.0, 3.0});
  const double* const place = f.matrix(0).valuePtr();
  const auto entries = f.matrix(0).nonZeros();
  f.evaluate(std::vector<double>{0.0, 0.0, 0.0});
  EXPECT_EQ(f.matrix(0).valuePtr(), place);
  EXPECT_EQ(f.matrix(0).nonZeros(), entries) << "the derivative −y is 0 here and stays stored";
  EXPECT_EQ(f.matrix(0).coeff(0, 0), 0.0);
}

TEST(Jacobian, RefusesRowsThatAreNotThere) {
  const CpMap map(sparse(Eigen::MatrixXd::Ones(2, 1)), sparse(Eigen::MatrixXd::Ones(1, 1)));
  EXPECT_THROW(Jacobian(map, {{2}}), InvalidModel);
  EXPECT_THROW(Jacobian(map, {{-1}}), InvalidModel);
  EXPECT_NO_THROW(Jacobian(map, {{0, 1}, {}}));
}

}  // namespace jacobian_test
}  // namespace mti
