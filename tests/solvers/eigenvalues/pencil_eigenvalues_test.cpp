#include "solvers/eigenvalues/pencil_eigenvalues.hpp"
#include "mti/common/at.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <random>
#include <vector>

namespace mti {
namespace pencil_eigenvalues_test {

using Complex = std::complex<double>;
using Dense = Eigen::MatrixXd;
using Triplets = std::vector<Eigen::Triplet<double>>;

SparseColumns sparse(const Dense& dense) {
  SparseColumns matrix = dense.sparseView();
  matrix.makeCompressed();
  return matrix;
}

SparseColumns from(int size, const Triplets& entries) {
  SparseColumns matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

SparseColumns unit(int size) {
  SparseColumns matrix(size, size);
  matrix.setIdentity();
  return matrix;
}

std::vector<Complex> values(const PencilSpectrum& spectrum) {
  std::vector<Complex> result;
  for (const Eigenvalue& eigenvalue : spectrum.values) result.push_back(eigenvalue.value);
  return result;
}

/// Largest distance in a pairing of the two lists, nearest first.
double distance(std::vector<Complex> found, const std::vector<Complex>& expected) {
  if (found.size() != expected.size()) return INFINITY;
  double largest = 0.0;
  for (const Complex& value : expected) {
    const auto nearest = std::ranges::min_element(
        found, {}, [&](const Complex& candidate) { return std::abs(candidate - value); });
    largest = std::max(largest, std::abs(*nearest - value));
    found.erase(nearest);
  }
  return largest;
}

Dense random_matrix(int rows, int columns, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  return Dense::NullaryExpr(rows, columns, [&] { return uniform(random); });
}

double share_of(const Eigenvalue& eigenvalue, int unknown) {
  for (const Participation& part : eigenvalue.participation)
    if (part.unknown == unknown) return part.share;
  return 0.0;
}

/// P (λ N − M) Q with diag(λ − λ_i), a nilpotent block of each given size, and random regular P, Q: the λ_i
/// are its finite eigenvalues, and it has the index of the largest block.
TEST(PencilEigenvalues, KnownSpectraOfAnyIndex) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  for (int trial = 0; trial < 60; ++trial) {
    const int finite = 1 + trial % 6;
    const std::vector<int> nilpotent = {1 + trial % 4, 1 + trial % 2};
    const int size = finite + nilpotent[0] + nilpotent[1];
    Dense N = Dense::Zero(size, size), M = Dense::Identity(size, size);
    std::vector<Complex> expected;
    for (int i = 0; i < finite; ++i) {
      expected.emplace_back(uniform(random) + 3.0 * i);  // apart, so that they are well conditioned
      N(i, i) = 1.0;
      M(i, i) = expected.back().real();
    }
    for (int first = finite, block = 0; block < 2; first += nilpotent[at(block++)])
      for (int i = 0; i + 1 < nilpotent[at(block)]; ++i) N(first + i, first + i + 1) = 1.0;
    const Dense P = random_matrix(size, size, random) + 3.0 * Dense::Identity(size, size),
                Q = random_matrix(size, size, random) + 3.0 * Dense::Identity(size, size);
    const PencilSpectrum spectrum =
        finite_eigenvalues(sparse(P * N * Q), sparse(P * M * Q), {.participation = true});
    ASSERT_TRUE(spectrum.computed) << spectrum.note;
    // Conditions of P and Q stay below some hundred, eigenvalues below 20.
    EXPECT_LE(distance(values(spectrum), expected), 1e-8) << "trial " << trial;
    for (const Eigenvalue& eigenvalue : spectrum.values) {
      EXPECT_LE(eigenvalue.residual, 1e-11);
      double sum = 0.0;
      for (const Participation& part : eigenvalue.participation) sum += part.share;
      EXPECT_NEAR(sum, 1.0, 1e-4) << "shares below 1e-6 are left out";
    }
  }
}

/// Shares from the vectors of a general dense solver, in pencils of index 1 with regular ∂f/∂y.
TEST(PencilEigenvalues, ParticipationIsThatOfTheReducedSystem) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 20; ++trial) {
    const int n = 4, p = 3;
    Dense E = Dense::Zero(n + p, n + p), A = random_matrix(n + p, n + p, random);
    E.topLeftCorner(n, n) = random_matrix(n, n, random) + 3.0 * Dense::Identity(n, n);
    A.bottomRightCorner(p, p) += 4.0 * Dense::Identity(p, p);
    const Dense reduced =
        E.topLeftCorner(n, n).inverse() *
        (A.topLeftCorner(n, n) -
         A.topRightCorner(n, p) * A.bottomRightCorner(p, p).inverse() * A.bottomLeftCorner(p, n));
    const Eigen::EigenSolver<Dense> solver(reduced);
    const Eigen::MatrixXcd right = solver.eigenvectors(), left = right.inverse();
    const PencilSpectrum spectrum = finite_eigenvalues(sparse(E), sparse(A), {.participation = true});
    ASSERT_EQ(spectrum.values.size(), 4U) << spectrum.note;
    for (const Eigenvalue& eigenvalue : spectrum.values) {
      Eigen::Index which = 0;
      const double off = (solver.eigenvalues().array() - eigenvalue.value).abs().minCoeff(&which);
      EXPECT_LE(off, 1e-10);
      const Eigen::VectorXd products = right.col(which).cwiseProduct(left.row(which).transpose()).cwiseAbs();
      for (int k = 0; k < n; ++k) EXPECT_NEAR(share_of(eigenvalue, k), products[k] / products.sum(), 1e-6);
      for (int k = n; k < n + p; ++k) EXPECT_LE(share_of(eigenvalue, k), 1e-6) << "no state";
      EXPECT_NEAR(eigenvalue.condition, products.sum(), 1e-6 * products.sum());
    }
  }
}

/// Other units of signals and equations change neither eigenvalues nor shares.
TEST(PencilEigenvalues, SharesDoNotDependOnUnits) {
  std::mt19937 random(3);
  const int size = 6;
  Dense E = Dense::Identity(size, size), A = random_matrix(size, size, random);
  E(5, 5) = 0.0;
  Eigen::VectorXd rows(size), columns(size);
  rows << 1e6, 3.0, 1e-5, 20.0, 1.0, 1e3;
  columns << 1e-4, 1.0, 7e5, 1e-3, 50.0, 1e2;
  const PencilSpectrum plain = finite_eigenvalues(sparse(E), sparse(A), {.participation = true});
  const PencilSpectrum scaled =
      finite_eigenvalues(sparse(rows.asDiagonal() * E * columns.asDiagonal()),
                         sparse(rows.asDiagonal() * A * columns.asDiagonal()), {.participation = true});
  ASSERT_EQ(plain.values.size(), 5U);
  ASSERT_EQ(scaled.values.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_LE(std::abs(plain.values[i].value - scaled.values[i].value), 1e-10);
    for (int k = 0; k < size; ++k)
      EXPECT_NEAR(share_of(plain.values[i], k), share_of(scaled.values[i], k), 2e-6);
  }
  // Negative control: entries of a right vector alone do change with the units.
  const auto part_of_first = [&](const Eigen::VectorXd& units) {
    const Eigen::EigenSolver<Dense> solver(
        Dense(units.cwiseInverse().asDiagonal() * Dense(A.topLeftCorner(5, 5)) * units.asDiagonal()));
    const Eigen::VectorXd sizes = solver.eigenvectors().col(0).cwiseAbs2();
    return sizes[0] / sizes.sum();
  };
  EXPECT_GT(std::abs(part_of_first(columns.head(5)) - part_of_first(Eigen::VectorXd::Ones(5))), 1e-3);
}

/// x_i' = −(i mod 97 + 1)·x_i + x_{i−1}: a chain is triangular, its rates are its eigenvalues.
TEST(PencilEigenvalues, ChainOfAHundredThousandLags) {
  const int size = 100'000;
  Triplets entries;
  for (int i = 0; i < size; ++i) {
    entries.emplace_back(i, i, -(i % 97 + 1.0));
    if (i > 0) entries.emplace_back(i, i - 1, 1.0);
  }
  const PencilSpectrum spectrum =
      finite_eigenvalues(unit(size), from(size, entries), {.participation = true});
  ASSERT_TRUE(spectrum.computed);
  EXPECT_EQ(spectrum.blocks, size);
  EXPECT_EQ(spectrum.largest_block, 1);
  std::vector<double> expected;
  for (int i = 0; i < size; ++i) expected.push_back(-(i % 97 + 1.0));
  std::sort(expected.begin(), expected.end());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(spectrum.values[i].value, Complex(expected[i]));
    ASSERT_EQ(spectrum.values[i].participation.size(), 1U);
  }
}

/// Diffusion on a rod between walls: eigenvalues −2 + 2 cos(kπ/(n + 1)). On a ring: −2 + 2 cos(2πk/n), twice
/// each.
TEST(PencilEigenvalues, DiffusionChainAndRingInClosedForm) {
  for (const bool ring : {false, true}) {
    const int size = 40;
    Triplets entries;
    for (int i = 0; i < size; ++i) {
      entries.emplace_back(i, i, -2.0);
      if (i > 0 || ring) entries.emplace_back(i, (i + size - 1) % size, 1.0);
      if (i + 1 < size || ring) entries.emplace_back(i, (i + 1) % size, 1.0);
    }
    std::vector<Complex> expected;
    for (int k = 0; k < size; ++k)
      expected.emplace_back(-2.0 + 2.0 * std::cos(ring ? 2.0 * std::numbers::pi * k / size
                                                       : std::numbers::pi * (k + 1) / (size + 1)));
    const PencilSpectrum spectrum = finite_eigenvalues(unit(size), from(size, entries));
    EXPECT_LE(distance(values(spectrum), expected), 1e-12);
    EXPECT_EQ(spectrum.largest_block, size);
  }
}

/// A long rod with algebraic fluxes (index 1): one block of 2n + 1 unknowns, of which n have dynamics.
struct Rod {
  SparseColumns E, A;
  explicit Rod(int n) {
    Triplets e, a;
    const int size = 2 * n + 1;
    for (int i = 0; i < n; ++i) {  // x_i' = q_i − q_{i+1}
      e.emplace_back(i, i, 1.0);
      a.emplace_back(i, n + i, 1.0);
      a.emplace_back(i, n + i + 1, -1.0);
    }
    for (int i = 0; i <= n; ++i) {  // 0 = x_{i−1} − x_i − q_i, zero outside
      if (i > 0) a.emplace_back(n + i, i - 1, 1.0);
      if (i < n) a.emplace_back(n + i, i, -1.0);
      a.emplace_back(n + i, n + i, -1.0);
    }
    E = from(size, e);
    A = from(size, a);
  }
};

std::vector<Complex> rod_spectrum(int n) {
  std::vector<Complex> result;
  for (int k = 1; k <= n; ++k)
    result.emplace_back(-4.0 * std::pow(std::sin(0.5 * std::numbers::pi * k / (n + 1)), 2));
  return result;
}

TEST(PencilEigenvalues, EliminatesAlgebraicSignalsSparsely) {
  const int n = 400;
  const Rod rod(n);
  const PencilSpectrum all = finite_eigenvalues(rod.E, rod.A, {.participation = true, .largest_dense = 450});
  ASSERT_TRUE(all.computed) << all.note;
  EXPECT_LE(distance(values(all), rod_spectrum(n)), 1e-12);
  // The slowest mode is a sine half-wave, left and right vectors alike: shares 2 sin²/(n + 1).
  const Eigenvalue& slowest = all.values.back();
  for (const int k : {0, 100, 199})
    EXPECT_NEAR(share_of(slowest, k),
                2.0 / (n + 1) * std::pow(std::sin(std::numbers::pi * (k + 1) / (n + 1)), 2), 2e-6);
}

TEST(PencilEigenvalues, NearestOnesOfALargeBlock) {
  for (const int n : {1000, 20000}) {
    const Rod rod(n);
    const PencilSpectrum too_large = finite_eigenvalues(rod.E, rod.A, {.largest_dense = 500});
    EXPECT_FALSE(too_large.computed);
    EXPECT_NE(too_large.note.find(std::to_string(2 * n + 1)), std::string::npos) << too_large.note;
    for (const double near : {0.0, -1.0}) {
      const PencilSpectrum some =
          finite_eigenvalues(rod.E, rod.A, {.count = 6, .near = near, .participation = n == 1000});
      ASSERT_TRUE(some.computed) << some.note;
      std::vector<Complex> expected = rod_spectrum(n);
      std::ranges::sort(expected, {}, [&](const Complex& value) { return std::abs(value - near); });
      expected.resize(6);
      EXPECT_LE(distance(values(some), expected), 1e-11) << "n = " << n << " near " << near;
      for (const Eigenvalue& eigenvalue : some.values) EXPECT_LE(eigenvalue.residual, 1e-13);
      if (n == 1000 && near == 0.0) {
        EXPECT_NEAR(share_of(some.values.back(), 499),
                    2.0 / (n + 1) * std::pow(std::sin(std::numbers::pi * 500 / (n + 1)), 2), 2e-6);
      }
    }
  }
}

/// A ring of oscillators around a complex shift: x' = y, y' = −x − 0.1 y + ¼(neighbours' y differences),
/// whose modes k have λ² + (0.1 + ½(1 − cos(2πk/n)))λ + 1 = 0, twice each.
TEST(PencilEigenvalues, ComplexShiftAndDoubleEigenvalues) {
  const int n = 600;
  Triplets entries;
  std::vector<Complex> all;
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, n + i, 1.0);
    entries.emplace_back(n + i, i, -1.0);
    entries.emplace_back(n + i, n + i, -0.1 - 0.5);
    entries.emplace_back(n + i, n + (i + 1) % n, 0.25);
    entries.emplace_back(n + i, n + (i + n - 1) % n, 0.25);
    const double damping = 0.1 + 0.5 * (1.0 - std::cos(2.0 * std::numbers::pi * i / n));
    const Complex root = std::sqrt(Complex(damping * damping - 4.0));
    all.push_back(0.5 * (-damping + root));
    all.push_back(0.5 * (-damping - root));
  }
  const Complex near(-0.05, 1.1);
  const PencilSpectrum some =
      finite_eigenvalues(unit(2 * n), from(2 * n, entries), {.count = 5, .near = near});
  ASSERT_TRUE(some.computed) << some.note;
  std::ranges::sort(all, {}, [&](const Complex& value) { return std::abs(value - near); });
  all.resize(5);  // one of mode 0, two of modes ±1 and ±2
  EXPECT_LE(distance(values(some), all), 1e-9);
}

/// Controls: a singular pencil is said to be, structurally or by its numbers; and an infinite eigenvalue is
/// no finite one however the block is solved.
TEST(PencilEigenvalues, SaysSoWhereThePencilIsSingular) {
  Dense E = Dense::Zero(2, 2), A = Dense::Ones(2, 2);
  EXPECT_NE(finite_eigenvalues(sparse(E), sparse(A)).note.find("singular"), std::string::npos) << "numbers";
  A(1, 0) = 0.0;
  A(1, 1) = 0.0;
  EXPECT_NE(finite_eigenvalues(sparse(E), sparse(A)).note.find("singular"), std::string::npos) << "structure";
  A << 1, 1, 1, 2;
  const PencilSpectrum regular = finite_eigenvalues(sparse(E), sparse(A));
  EXPECT_TRUE(regular.computed);
  EXPECT_TRUE(regular.values.empty());
  E << 1, 1, 1, 1;
  A << 1, 1, 1, 1;
  EXPECT_FALSE(finite_eigenvalues(sparse(E), sparse(A)).computed) << "λE − A = (λ − 1)·ones";
  E << 0, 1, 0, 0;
  A << 1, 0, 0, 1;
  const PencilSpectrum nilpotent = finite_eigenvalues(sparse(E), sparse(A));
  EXPECT_TRUE(nilpotent.computed);
  EXPECT_TRUE(nilpotent.values.empty());
}

/// A double eigenvalue with one vector: its condition says that shares mean little.
TEST(PencilEigenvalues, DefectiveEigenvaluesHaveALargeCondition) {
  Dense A(2, 2);
  A << 0, 1, -1, -2;  // (λ + 1)²
  const PencilSpectrum spectrum = finite_eigenvalues(unit(2), sparse(A), {.participation = true});
  ASSERT_EQ(spectrum.values.size(), 2U);
  EXPECT_GT(spectrum.values[0].condition, 1e6);
  A << 0, 1, -1, -3;
  EXPECT_LT(finite_eigenvalues(unit(2), sparse(A), {.participation = true}).values[0].condition, 10.0);
}

}  // namespace pencil_eigenvalues_test
}  // namespace mti
