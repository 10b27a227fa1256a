#include "solvers/linear_algebra/krylov_schur.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Jacobi>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace mti {
namespace {

using Eigen::Index;
using ComplexMatrix = Eigen::MatrixXcd;
using ComplexVector = Eigen::VectorXcd;

constexpr double ritz_accuracy = 1e-12, ritz_rounding = 1e-15;
constexpr int most_restarts = 300;

/// Exchanges diagonal entries i and i + 1 of the triangular T of a Schur form.
void exchange(ComplexMatrix& T, ComplexMatrix& Q, Index i) {
  Eigen::JacobiRotation<std::complex<double>> rotation;
  rotation.makeGivens(T(i, i + 1), T(i + 1, i + 1) - T(i, i));
  T.applyOnTheLeft(i, i + 1, rotation.adjoint());
  T.applyOnTheRight(i, i + 1, rotation);
  Q.applyOnTheRight(i, i + 1, rotation);
  T(i + 1, i) = 0.0;
}

/// The largest ones first.
void sort_by_magnitude(ComplexMatrix& T, ComplexMatrix& Q) {
  for (Index end = T.rows() - 1; end > 0; --end)
    for (Index i = 0; i < end; ++i)
      if (std::abs(T(i, i)) < std::abs(T(i + 1, i + 1))) exchange(T, Q, i);
}

/// Vector of the i-th eigenvalue of a triangular matrix.
ComplexVector vector_of(const ComplexMatrix& T, Index i) {
  ComplexVector y = ComplexVector::Zero(T.rows());
  y[i] = 1.0;
  const double least = 1e-16 * std::max(T.cwiseAbs().maxCoeff(), 1e-300);
  for (Index k = i - 1; k >= 0; --k) {
    std::complex<double> sum = 0.0;
    for (Index j = k + 1; j <= i; ++j) sum += T(k, j) * y[j];
    std::complex<double> difference = T(i, i) - T(k, k);
    if (std::abs(difference) < least) difference = least;
    y[k] = sum / difference;
  }
  return y.normalized();
}

/// Op V_j = V_{j+1} H with orthonormal columns V.
class Basis {
 public:
  Basis(const std::function<ComplexVector(const ComplexVector&)>& apply, int size, Index most)
      : apply_(apply),
        V_(ComplexMatrix::Zero(size, most + 1)),
        H_(ComplexMatrix::Zero(most + 1, most)),
        most_(most) {
    std::mt19937 random(20250607);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    ComplexVector v(size);
    for (Index i = 0; i < size; ++i) v[i] = uniform(random);
    // Applied twice, so that little is left of what the operator makes zero.
    for (int k = 0; k < 2; ++k) {
      const ComplexVector next = apply(v);
      if (!(next.norm() > 0.0)) break;
      v = next.normalized();
    }
    V_.col(0) = v.normalized();
  }

  /// Up to the full length; false where the space is invariant before that.
  bool extend() {
    for (; length_ < most_; ++length_) {
      ComplexVector w = apply_(V_.col(length_));
      const double size = w.norm();
      const auto known = V_.leftCols(length_ + 1);
      for (int pass = 0; pass < 2; ++pass) {
        const ComplexVector part = known.adjoint() * w;
        w -= known * part;
        H_.col(length_).head(length_ + 1) += part;
      }
      const double rest = w.norm();
      H_(length_ + 1, length_) = rest;
      constexpr double nothing = 1e-14;
      if (!(rest > nothing * size)) {
        ++length_;
        return false;
      }
      V_.col(length_ + 1) = w / rest;
    }
    return true;
  }

  /// Keeps the first `kept` Schur vectors and the vector that continues them.
  void shrink(const ComplexMatrix& T, const ComplexMatrix& Q, const ComplexVector& remainder, Index kept) {
    const ComplexMatrix turned = V_.leftCols(length_) * Q.leftCols(kept);
    V_.leftCols(kept) = turned;
    V_.col(kept) = V_.col(length_).eval();
    H_.setZero();
    H_.topLeftCorner(kept, kept) = T.topLeftCorner(kept, kept);
    H_.row(kept).head(kept) = remainder.head(kept).transpose();
    length_ = kept;
  }

  [[nodiscard]] Index length() const { return length_; }
  [[nodiscard]] ComplexMatrix projected() const { return H_.topLeftCorner(length_, length_); }
  [[nodiscard]] ComplexVector last_row() const { return H_.row(length_).head(length_).transpose(); }
  [[nodiscard]] ComplexVector combine(const ComplexVector& y) const { return V_.leftCols(length_) * y; }

 private:
  const std::function<ComplexVector(const ComplexVector&)>& apply_;
  ComplexMatrix V_, H_;
  Index most_, length_ = 0;
};

}  // namespace

namespace {

KrylovSchur search(const std::function<ComplexVector(const ComplexVector&)>& apply, int size, int count) {
  constexpr Index least_basis = 40;
  const Index most = std::min<Index>(size, std::max<Index>(2 * count + 20, least_basis));
  Basis basis(apply, size, most);
  KrylovSchur result;
  for (int restart = 0;; ++restart) {
    const bool whole = !basis.extend() || basis.length() == size;
    const Eigen::ComplexSchur<ComplexMatrix> schur(basis.projected());
    ComplexMatrix T = schur.matrixT(), Q = schur.matrixU();
    sort_by_magnitude(T, Q);
    const ComplexVector remainder = Q.transpose() * basis.last_row();
    const Index wanted = std::min<Index>(count, basis.length());
    Index good = 0;
    while (good < wanted && std::abs(remainder[good]) <=
                                ritz_accuracy * std::abs(T(good, good)) + ritz_rounding * std::abs(T(0, 0)))
      ++good;
    result.converged = whole || good == wanted;
    if (!result.converged && restart < most_restarts) {
      basis.shrink(T, Q, remainder, wanted + (basis.length() - wanted) / 2);
      continue;
    }
    const Index found = result.converged ? wanted : good;
    result.values = T.diagonal().head(found);
    result.vectors.resize(size, found);
    for (Index i = 0; i < found; ++i) result.vectors.col(i) = basis.combine(Q * vector_of(T, i));
    return result;
  }
}

}  // namespace

KrylovSchur largest_eigenvalues(const std::function<ComplexVector(const ComplexVector&)>& apply, int size,
                                int count) {
  KrylovSchur result = search(apply, size, count);
  // One start vector meets one vector of a multiple eigenvalue. What is left beside those found is searched
  // until nothing there is as large.
  constexpr int most_copies = 20;
  for (int round = 0; round < most_copies && result.values.size() > 0; ++round) {
    const Index found = result.values.size();
    if (found >= size) break;
    const ComplexMatrix known = Eigen::HouseholderQR<ComplexMatrix>(result.vectors).householderQ() *
                                ComplexMatrix::Identity(size, found);
    const auto beside = [&](const ComplexVector& w) -> ComplexVector {
      const auto without = [&known](const ComplexVector& v) -> ComplexVector {
        return v - known * (known.adjoint() * v);
      };
      return without(apply(without(w)));
    };
    const KrylovSchur more = search(beside, size, count);
    Eigen::VectorXd sizes = result.values.cwiseAbs();
    std::sort(sizes.begin(), sizes.end(), std::greater<>());
    const double least = sizes[std::min<Index>(count, found) - 1];
    Index missed = 0;
    constexpr double slightly_less = 1.0 - 1e-8;
    while (missed < more.values.size() &&
           std::abs(more.values[missed]) >= least * (found < count ? 1e-10 : slightly_less))
      ++missed;
    result.converged = result.converged && more.converged;
    if (missed == 0) break;
    result.values.conservativeResize(found + missed);
    result.values.tail(missed) = more.values.head(missed);
    result.vectors.conservativeResize(Eigen::NoChange, found + missed);
    result.vectors.rightCols(missed) = more.vectors.leftCols(missed);
  }
  return result;
}

}  // namespace mti
