#include "solvers/eigenvalues/dense_pencil.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"

namespace mti {
namespace {

using Matrix = Eigen::MatrixXd;
using Complex = Eigen::MatrixXcd;

/// What is below this part of its matrix counts as zero in a rank.

double power_of_two(double size) { return std::exp2(-std::round(std::log2(size))); }

/// Scales rows and columns: alternately, so that those of |E|² + |A|² come near sums of 1 whatever units they
/// had (Lemonnier and Van Dooren, SIAM J. Matrix Anal. Appl. 28 (2006) 253-263), then rows by their largest
/// entries in E, so that its rank does not depend on how fast a motion is. `columns` are the scales of columns.
void equilibrate(Matrix& E, Matrix& A, Eigen::VectorXd& columns) {
  const auto size = E.rows();
  columns.setOnes(size);
  Eigen::VectorXd rows = Eigen::VectorXd::Ones(size);
  const Matrix squares = E.cwiseAbs2() + A.cwiseAbs2();
  const auto invert = [](Eigen::VectorXd& scales, const Eigen::VectorXd& sums) {
    for (Eigen::Index i = 0; i < scales.size(); ++i) scales[i] = sums[i] > 0.0 ? 1.0 / sums[i] : 1.0;
  };
  constexpr int rounds = 20;
  for (int round = 0; round < rounds; ++round) {
    invert(rows, squares * columns);
    invert(columns, squares.transpose() * rows);
  }
  for (Eigen::Index k = 0; k < size; ++k) columns[k] = power_of_two(1.0 / std::sqrt(columns[k]));
  E = E * columns.asDiagonal();
  A = A * columns.asDiagonal();
  for (Eigen::Index i = 0; i < size; ++i) {
    const double in_E = E.row(i).cwiseAbs().maxCoeff();
    const double largest = in_E > 0.0 ? in_E : A.row(i).cwiseAbs().maxCoeff();
    if (!(largest > 0.0)) continue;
    const double scale = power_of_two(largest);
    E.row(i) *= scale;
    A.row(i) *= scale;
  }
}

/// One deflation and what it takes to go back from the vectors of the smaller pencil.
struct Deflation {
  Matrix Q;                  ///< Q* E = (E₁; 0)
  Matrix E1, A1;             ///< upper rows
  Eigen::VectorXd A2_scale;  ///< of the rows of A₂
  Matrix V1, V2;             ///< null space of A₂, and the rest
  Matrix A2_V2;              ///< regular
};

/// Rows of E in echelon form, then the null space of the rows of A beside its zeros; nothing if these are
/// dependent: then the pencil is singular.
std::optional<Deflation> deflate(const Matrix& A, const Eigen::ColPivHouseholderQR<Matrix>& E_factor) {
  const Eigen::Index size = A.rows(), rank = E_factor.rank();
  Deflation step;
  step.Q = E_factor.householderQ();
  const Matrix echelon = E_factor.matrixR().topRows(rank).triangularView<Eigen::Upper>();
  step.E1 = echelon * E_factor.colsPermutation().transpose();
  const Matrix rotated = step.Q.transpose() * A;
  step.A1 = rotated.topRows(rank);
  Matrix A2 = rotated.bottomRows(size - rank);
  const double noise = machine_epsilon * static_cast<double>(size) * A.cwiseAbs().maxCoeff();
  step.A2_scale.resize(A2.rows());
  for (Eigen::Index i = 0; i < A2.rows(); ++i) {
    const double largest = A2.row(i).cwiseAbs().maxCoeff();
    if (!(largest > noise)) return std::nullopt;
    step.A2_scale[i] = 1.0 / largest;
  }
  A2 = step.A2_scale.asDiagonal() * A2;
  Eigen::ColPivHouseholderQR<Matrix> A2_factor(A2.transpose());
  A2_factor.setThreshold(rank_tolerance);
  if (A2_factor.rank() < size - rank) return std::nullopt;
  const Matrix range = A2_factor.householderQ();
  step.V2 = range.leftCols(size - rank);
  step.V1 = range.rightCols(rank);
  step.A2_V2 = A2 * step.V2;
  return step;
}

/// Scales s_i, powers of two, that make rows and columns of S⁻¹ A S alike.
Eigen::VectorXd balance(Matrix& A) {
  const auto size = A.rows();
  Eigen::VectorXd scales = Eigen::VectorXd::Ones(size);
  constexpr int most_rounds = 20;
  bool changed = true;
  for (int round = 0; changed && round < most_rounds; ++round) {
    changed = false;
    for (Eigen::Index i = 0; i < size; ++i) {
      const double own = std::abs(A(i, i));
      const double column = A.col(i).cwiseAbs().sum() - own, row = A.row(i).cwiseAbs().sum() - own;
      if (!(column > 0.0) || !(row > 0.0)) continue;
      const double scale = std::exp2(std::round(0.5 * std::log2(row / column)));
      constexpr double worth_it = 0.95;
      if (!(column * scale + row / scale < worth_it * (column + row))) continue;
      A.col(i) *= scale;
      A.row(i) /= scale;
      scales[i] *= scale;
      changed = true;
    }
  }
  return scales;
}

/// Takes the vectors of the last pencil back through the deflations.
///
///     r = V₁ r₁,    l* = (l₁*, l₂*) Q*,    l₂* A₂ V₂ = l₁* (λE₁ − A₁) V₂,    l* E = l₁* E₁
void take_back(const std::vector<Deflation>& steps, const Matrix& E_last, DenseSpectrum& spectrum) {
  if (steps.empty()) return;
  const Complex E_transposed = E_last.transpose().cast<std::complex<double>>();
  Complex left = E_transposed.partialPivLu().solve(spectrum.left_E.transpose()).transpose();
  for (std::size_t k = steps.size(); k-- > 0;) {
    const Deflation& step = steps[k];
    spectrum.right = step.V1 * spectrum.right;
    if (k == 0) {
      spectrum.left_E = left * step.E1;
      break;
    }
    const Complex defect =
        spectrum.values.asDiagonal() * (left * (step.E1 * step.V2)) - left * (step.A1 * step.V2);
    const Complex system = step.A2_V2.transpose().cast<std::complex<double>>();
    const Complex lower = system.partialPivLu().solve(defect.transpose()).transpose();
    Complex both(left.rows(), step.Q.rows());
    both << left, lower * step.A2_scale.asDiagonal();
    left = both * step.Q.transpose();
  }
}

}  // namespace

DenseSpectrum solve_ordinary(Matrix A, bool vectors) {
  DenseSpectrum spectrum;
  if (A.rows() == 0) return spectrum;
  const Eigen::VectorXd scales = balance(A);
  const Eigen::EigenSolver<Matrix> solver(A, vectors);
  spectrum.values = solver.eigenvalues();
  if (!vectors) return spectrum;
  spectrum.right = scales.asDiagonal() * solver.eigenvectors();
  spectrum.left_E = solver.eigenvectors().partialPivLu().inverse() * scales.cwiseInverse().asDiagonal();
  return spectrum;
}

std::optional<DenseSpectrum> solve_dense(const Matrix& E, const Matrix& A, bool vectors) {
  Matrix E_k = E, A_k = A;
  Eigen::VectorXd columns;
  equilibrate(E_k, A_k, columns);
  const double norm = E_k.size() > 0 ? E_k.norm() : 0.0;
  std::vector<Deflation> steps;
  while (E_k.rows() > 0) {
    Eigen::ColPivHouseholderQR<Matrix> factor(E_k);
    const double pivot = factor.maxPivot();
    factor.setThreshold(pivot > 0.0 ? std::min(rank_tolerance * norm / pivot, 1.0) : 1.0);
    if (factor.rank() == E_k.rows()) {
      A_k = factor.solve(A_k).eval();
      break;
    }
    std::optional<Deflation> step = deflate(A_k, factor);
    if (!step) return std::nullopt;
    E_k = step->E1 * step->V1;
    A_k = step->A1 * step->V1;
    if (!vectors) {
      steps.clear();
    } else {
      steps.push_back(*std::move(step));
    }
  }
  DenseSpectrum spectrum = solve_ordinary(std::move(A_k), vectors);
  if (!vectors || spectrum.values.size() == 0) return spectrum;
  take_back(steps, E_k, spectrum);
  spectrum.right = columns.asDiagonal() * spectrum.right;
  spectrum.left_E = spectrum.left_E * columns.cwiseInverse().asDiagonal();
  return spectrum;
}

void set_participation(Eigenvalue& eigenvalue, const Eigen::VectorXcd& right, const Eigen::VectorXcd& left_E,
                       const std::vector<int>& unknowns) {
  constexpr double least_share = 1e-6;
  const Eigen::VectorXcd products = left_E.cwiseProduct(right);
  const double sum = products.cwiseAbs().sum();
  eigenvalue.condition = std::max(sum / std::abs(products.sum()), 1.0);
  if (!std::isfinite(eigenvalue.condition)) eigenvalue.condition = std::numeric_limits<double>::infinity();
  if (!(sum > 0.0) || !std::isfinite(sum)) return;
  for (Eigen::Index k = 0; k < products.size(); ++k)
    if (const double share = std::abs(products[k]) / sum; share >= least_share)
      eigenvalue.participation.push_back({unknowns[at(k)], share});
  std::stable_sort(eigenvalue.participation.begin(), eigenvalue.participation.end(),
                   [](const Participation& a, const Participation& b) { return a.share > b.share; });
}

}  // namespace mti
