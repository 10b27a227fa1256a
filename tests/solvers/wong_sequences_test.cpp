// The oracle of linear restarts against other methods: the Laplace transform on a circle around all finite
// eigenvalues, the limit of implicit Euler steps, and pencils whose answer is known.

#include "tests/solvers/wong_sequences.hpp"
#include "tests/solvers/dense_algebra.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/solvers/laplace_coefficient.hpp"
#include "tests/solvers/random_pencil.hpp"

namespace mti::test {
namespace wong_sequences_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Real = long double;
using RealMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using RealVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

double largest_eigenvalue(const WongForm& form) { return std::max(1.0, spectral_radius(form.J)); }

/// Danger: a wrong sign or power of N, a basis that is not complete; they would go unseen if program and
/// oracle shared them.
TEST(WongSequences, AgreeWithTheLaplaceTransform) {
  int compared = 0, with_impulses = 0;
  for (unsigned seed = 0; seed < 300; ++seed)
    for (int index = 1; index <= 3; ++index) {
      const std::optional<RandomPencil> pencil = draw_sparse_pencil(index, seed);
      if (!pencil) continue;
      const Real radius = 8 * largest_eigenvalue(pencil->form);
      const LinearRestart found = restart(pencil->form, pencil->x_minus, pencil->b);
      const double scale = 1.0 + pencil->x_minus.norm() + found.x_plus.norm() + found.impulses.norm();
      // Rounding of the oracle: condition · 10⁻¹⁶; of the transform: 10⁻¹⁹ · radius^(index + 1).
      const double bound = 1e-13 * pencil->form.condition * pencil->form.condition * scale;
      EXPECT_LE((laplace_coefficient(*pencil, -1, radius) - found.x_plus).norm(), bound)
          << index << " " << seed;
      for (int m = 0; m < index; ++m) {
        const VectorXd expected =
            m < found.impulses.cols() ? VectorXd(found.impulses.col(m)) : VectorXd::Zero(pencil->E.rows());
        EXPECT_LE((laplace_coefficient(*pencil, m, radius) - expected).norm(), bound)
            << index << " " << seed << " impulse " << m;
        with_impulses += expected.norm() > 1e-3 ? 1 : 0;
      }
      ++compared;
    }
  EXPECT_GE(compared, 600);
  EXPECT_GE(with_impulses, 300);
}

/// x after index + 1 implicit Euler steps of length h is a power series of h: Neville's scheme towards h = 0.
VectorXd euler_limit(const RandomPencil& pencil, int index, Real longest) {
  constexpr int levels = 6;  // more would lose to rounding, 10⁻¹⁹ h^(1 − index)
  const RealMatrix E = pencil.E.cast<Real>(), A = pencil.A.cast<Real>();
  const RealVector b = pencil.b.front().cast<Real>();
  std::vector<RealVector> table;
  for (int level = 0; level < levels; ++level) {
    const Real h = std::ldexp(longest, -level);
    const Eigen::FullPivLU<RealMatrix> step(E + h * A);
    RealVector x = pencil.x_minus.cast<Real>();
    for (int k = 0; k <= index; ++k) x = step.solve(RealVector(E * x + h * b));
    table.push_back(x);
    for (std::size_t k = table.size() - 1; k-- > 0;) {
      const Real ratio = std::ldexp(Real(1), static_cast<int>(table.size() - 1 - k));
      table[k] = (ratio * table[k + 1] - table[k]) / (ratio - 1);
    }
  }
  return table[0].cast<double>();
}

/// "The limit of an implicit Euler step of length h → 0 defines the restart."
TEST(WongSequences, AgreeWithTheLimitOfImplicitEuler) {
  int compared = 0;
  for (unsigned seed = 1000; seed < 1100; ++seed)
    for (int index = 1; index <= 3; ++index) {
      std::optional<RandomPencil> pencil = draw_sparse_pencil(index, seed);
      if (!pencil) continue;
      pencil->b.resize(1);
      const LinearRestart found = restart(pencil->form, pencil->x_minus, pencil->b);
      const auto longest = static_cast<Real>(0.05 / largest_eigenvalue(pencil->form));
      EXPECT_LE((euler_limit(*pencil, index, longest) - found.x_plus).norm(),
                1e-7 * (1.0 + found.x_plus.norm() + pencil->x_minus.norm() + found.impulses.norm()))
          << index << " " << seed;
      ++compared;
    }
  EXPECT_GE(compared, 200);
}

/// Mosterman's hydraulic actuator, (33) and (42), with the printed values.
TEST(WongSequences, HydraulicActuator) {
  MatrixXd E(4, 4), A(4, 4);
  E << 0, 0, 0, 0, -1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0;
  A << -5, 0, -0.999911, 0, 0, 0, 0.2, 0, -1, -1, 0, 0, 0, 0, 0, -1;
  const std::optional<WongForm> form = wong_form(E, A);
  ASSERT_TRUE(form);
  EXPECT_EQ(form->index, 1);
  const LinearRestart found = restart(*form, VectorXd::Unit(4, 0) * 3.0, {VectorXd::Zero(4)});
  EXPECT_LE((found.x_plus - Eigen::Vector4d(1, -1, -5.000445039608525, 0)).norm(), 1e-12);
}

/// Two inertias engaged: momentum is kept, J1 (w⁺ − w1⁻) = −weight. Minimum norm would give w⁺ = 5.
TEST(WongSequences, TwoInertias) {
  const double J1 = 0.1, J2 = 0.4;
  MatrixXd E = MatrixXd::Zero(3, 3), A = MatrixXd::Zero(3, 3);
  E(0, 0) = J1, A(0, 2) = 1.0;
  E(1, 1) = J2, A(1, 2) = -1.0;
  A(2, 0) = 1.0, A(2, 1) = -1.0;
  const std::optional<WongForm> form = wong_form(E, A);
  ASSERT_TRUE(form);
  EXPECT_EQ(form->index, 2);
  const LinearRestart found = restart(*form, Eigen::Vector3d(0, 10, 0), {VectorXd::Zero(3)});
  EXPECT_LE((found.x_plus - Eigen::Vector3d(8, 8, 0)).norm(), 1e-13);
  ASSERT_EQ(found.impulses.cols(), 1);
  EXPECT_NEAR(found.impulses(2, 0), -0.8, 1e-13);
  EXPECT_EQ(found.order(2, 1e-9), 1);
  EXPECT_EQ(found.order(0, 1e-9), 0);
}

/// x = b, v = ẋ, a = v̇ with b = 3t² − t: x jumps from 2, v is −2 δ and 6t − 1, a is −2 δ' − (1 + v⁻) δ and 6.
TEST(WongSequences, DifferentiatorOfIndexThree) {
  MatrixXd E = MatrixXd::Zero(3, 3), A = MatrixXd::Identity(3, 3);
  E(1, 0) = E(2, 1) = -1.0;
  const std::optional<WongForm> form = wong_form(E, A);
  ASSERT_TRUE(form);
  EXPECT_EQ(form->index, 3);
  EXPECT_EQ(form->V.cols(), 0);
  const std::vector<VectorXd> b = {VectorXd::Zero(3), -VectorXd::Unit(3, 0), 6.0 * VectorXd::Unit(3, 0)};
  const double v_minus = 5.0;
  const LinearRestart found = restart(*form, Eigen::Vector3d(2, v_minus, 7), b);
  EXPECT_LE((found.x_plus - Eigen::Vector3d(0, -1, 6)).norm(), 1e-13);
  ASSERT_EQ(found.impulses.cols(), 2);
  EXPECT_LE((found.impulses.col(0) - Eigen::Vector3d(0, -2, -1 - v_minus)).norm(), 1e-13);
  EXPECT_LE((found.impulses.col(1) - Eigen::Vector3d(0, 0, -2)).norm(), 1e-13);
  const std::vector<VectorXd> motion = derivatives(*form, found.x_plus, b, 2);
  EXPECT_LE((motion[1] - Eigen::Vector3d(-1, 6, 0)).norm(), 1e-13);
  EXPECT_LE((motion[2] - Eigen::Vector3d(6, 0, 0)).norm(), 1e-13);
}

/// Negative control: a pencil that is singular for every s has no form.
TEST(WongSequences, SingularPencilsHaveNoForm) {
  MatrixXd E(2, 2), A(2, 2);
  E << 1, 2, 2, 4;
  A << 3, 1, 6, 2;
  EXPECT_FALSE(wong_form(E, A));
  A(1, 1) = 2.5;
  EXPECT_TRUE(wong_form(E, A));
}

/// Along the motion E x^(k+1) + A x^(k) = b^(k).
TEST(WongSequences, DerivativesFulfilTheEquation) {
  for (unsigned seed = 2000; seed < 2100; ++seed)
    for (int index = 1; index <= 3; ++index) {
      const std::optional<RandomPencil> pencil = draw_sparse_pencil(index, seed);
      if (!pencil) continue;
      const LinearRestart found = restart(pencil->form, pencil->x_minus, pencil->b);
      const std::vector<VectorXd> x = derivatives(pencil->form, found.x_plus, pencil->b, 3);
      EXPECT_LE((x[0] - found.x_plus).norm(), 1e-12 * pencil->form.condition * (1.0 + x[0].norm()));
      for (std::size_t k = 0; k < 3; ++k) {
        VectorXd residual = pencil->E * x[k + 1] + pencil->A * x[k];
        if (k < pencil->b.size()) residual -= pencil->b[k];
        EXPECT_LE(residual.norm(), 1e-12 * pencil->form.condition * (1.0 + x[k + 1].norm() + x[k].norm()));
      }
    }
}

}  // namespace wong_sequences_test
}  // namespace mti::test
