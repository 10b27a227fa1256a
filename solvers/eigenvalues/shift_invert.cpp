#include "solvers/eigenvalues/shift_invert.hpp"

#include <Eigen/SparseLU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "solvers/eigenvalues/dense_pencil.hpp"
#include "solvers/linear_algebra/krylov_schur.hpp"

namespace mti {
namespace {

using Number = std::complex<double>;
using Sparse = Eigen::SparseMatrix<Number>;
using Vector = Eigen::VectorXcd;
using ShiftedFactor = Eigen::SparseLU<Sparse, Eigen::COLAMDOrdering<int>>;

/// E and A with rows divided by their largest entries.
struct Pencil {
  Sparse E, A;
  double E_norm, A_norm;

  Pencil(const SparseColumns& E_, const SparseColumns& A_) {
    Eigen::VectorXd largest = Eigen::VectorXd::Zero(E_.rows());
    for (const SparseColumns* matrix : {&E_, &A_})
      for (int k = 0; k < matrix->outerSize(); ++k)
        for (SparseColumns::InnerIterator entry(*matrix, k); entry; ++entry)
          largest[entry.row()] = std::max(largest[entry.row()], std::abs(entry.value()));
    for (double& row : largest) row = row > 0.0 ? 1.0 / row : 1.0;
    E = SparseColumns(largest.asDiagonal() * E_).cast<Number>();
    A = SparseColumns(largest.asDiagonal() * A_).cast<Number>();
    E_norm = E.norm();
    A_norm = A.norm();
  }

  /// A − σE; nothing if it is singular to working precision.
  [[nodiscard]] std::unique_ptr<ShiftedFactor> factor(Number shift) const {
    auto result = std::make_unique<ShiftedFactor>();
    Sparse matrix = A - shift * E;
    matrix.makeCompressed();
    result->compute(matrix);
    if (result->info() != Eigen::Success) return nullptr;
    const Vector probe = result->solve(Vector::Ones(matrix.rows()));
    return probe.allFinite() ? std::move(result) : nullptr;
  }

  [[nodiscard]] double residual(Number value, const Vector& right) const {
    return (A * right - value * (E * right)).norm() / ((A_norm + std::abs(value) * E_norm) * right.norm());
  }
};

/// λ, r and l* E by inverse iteration close to where they were found, from both sides.
class Refinement {
 public:
  Refinement(const Pencil& pencil, Number value, Vector right)
      : pencil_(pencil), value_(value), right_(std::move(right)) {}

  void run(bool from_left) {
    constexpr double beside = 1e-10;
    const double scale = std::max(std::abs(value_), pencil_.A_norm / pencil_.E_norm * 1e-3);
    const auto factor = pencil_.factor(value_ + beside * scale * Number(0.8, 0.6));
    if (!factor) return;
    constexpr int rounds = 2;
    for (int round = 0; round < rounds; ++round) {
      const Vector next = factor->solve(pencil_.E * right_);
      if (!next.allFinite() || !(next.norm() > 0.0)) break;
      right_ = next.normalized();
    }
    const Vector image = pencil_.E * right_;
    if (image.squaredNorm() > 0.0) value_ = image.dot(pencil_.A * right_) / image.squaredNorm();
    if (!from_left) return;
    Vector left = image;
    for (int round = 0; round < rounds; ++round) {
      const Vector next = factor->adjoint().solve(round == 0 ? left : Vector(pencil_.E.adjoint() * left));
      if (!next.allFinite() || !(next.norm() > 0.0)) break;
      left = next.normalized();
    }
    left_E_ = (pencil_.E.adjoint() * left).conjugate();
  }

  [[nodiscard]] Number value() const { return value_; }
  [[nodiscard]] const Vector& right() const { return right_; }
  [[nodiscard]] const Vector& left_E() const { return left_E_; }

 private:
  const Pencil& pencil_;
  Number value_;
  Vector right_, left_E_;
};

}  // namespace

NearestEigenvalues nearest_eigenvalues(const SparseColumns& E, const SparseColumns& A,
                                       std::complex<double> shift, int count, bool participation,
                                       const std::vector<int>& unknowns) {
  const auto size = static_cast<int>(A.rows());
  const Pencil pencil(E, A);
  NearestEigenvalues result;
  if (!(pencil.E_norm > 0.0)) {
    result.singular = pencil.factor(0.0) == nullptr;
    result.converged = !result.singular;
    return result;
  }
  // A shift on an eigenvalue would drown all others: it is moved off by a part that costs no accuracy.
  const double scale = std::max(std::abs(shift), pencil.A_norm / pencil.E_norm);
  std::unique_ptr<ShiftedFactor> factor;
  Number sigma = shift;
  constexpr int most_tries = 4;
  for (int attempt = 0; attempt < most_tries && !factor; ++attempt) {
    sigma = shift + 1e-7 * scale * static_cast<double>(attempt + 1) * Number(0.8, attempt == 0 ? 0.0 : 0.6);
    factor = pencil.factor(sigma);
  }
  if (!factor) {
    result.singular = true;
    return result;
  }
  const auto apply = [&](const Vector& w) -> Vector { return factor->solve(pencil.E * w); };
  constexpr int beyond = 2;  // the partner of the last one
  const KrylovSchur found = largest_eigenvalues(apply, size, std::min(count + beyond, size));
  result.converged = found.converged;
  const double largest = found.values.size() > 0 ? found.values.cwiseAbs().maxCoeff() : 0.0;
  constexpr double infinite = 1e-10;
  for (Eigen::Index i = 0; i < found.values.size(); ++i) {
    if (!(std::abs(found.values[i]) > infinite * largest)) continue;
    Refinement refinement(pencil, sigma + 1.0 / found.values[i], found.vectors.col(i));
    refinement.run(participation);
    Eigenvalue eigenvalue;
    eigenvalue.value = refinement.value();
    eigenvalue.residual = pencil.residual(refinement.value(), refinement.right());
    eigenvalue.condition = std::numeric_limits<double>::quiet_NaN();
    if (participation && refinement.left_E().size() > 0)
      set_participation(eigenvalue, refinement.right(), refinement.left_E(), unknowns);
    constexpr double good = 1e-9;
    if (eigenvalue.residual > good) {
      result.converged = false;
      continue;
    }
    result.values.push_back(std::move(eigenvalue));
  }
  return result;
}

}  // namespace mti
