#pragma once

#include <Eigen/LU>
#include <Eigen/SparseLU>

#include <memory>
#include <vector>

#include "solvers/linear_algebra/equilibration.hpp"

namespace mti {

/// The factorised square matrix of one block: A w = b, with rows and columns equilibrated before pivoting
/// (solvers/linear_algebra/equilibration.hpp).
///
/// Blocks of one unknown are a division, small ones dense, large ones sparse. `singular()` is decided
/// relative to the equilibrated matrix, so units do not matter: where least squares of logarithms find none in which it is
/// regular, those of the largest term of the determinant decide. A dense one is singular if a pivot is below the rank
/// tolerance, a sparse one if the inverse is found to be larger than its reciprocal (an estimate from below).
class LuFactor {
 public:
  LuFactor() = default;
  /// A from triplets (positions within the block, repeated ones add up).
  LuFactor(int size, const std::vector<Eigen::Triplet<double>>& entries);
  /// A block of one unknown, A = `slope` ≠ 0.
  explicit LuFactor(double slope) : size_(1), slope_(slope) {}

  [[nodiscard]] int size() const noexcept { return size_; }
  [[nodiscard]] bool singular() const noexcept { return singular_; }
  /// For a block of one unknown.
  [[nodiscard]] double slope() const noexcept { return slope_; }
  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  /// Aᵀ w = b.
  [[nodiscard]] Eigen::VectorXd solve_transposed(const Eigen::VectorXd& b) const;
  /// |A⁻¹| e for e ≥ 0: what errors e of the right-hand side can do to the solution. For large sparse
  /// blocks an estimate from e and from three of its multiples by numbers without pattern instead of the exact sum.
  [[nodiscard]] Eigen::VectorXd magnify(const Eigen::VectorXd& e) const;

 private:
  /// What more than one unknown takes; factors of one, which are most, go without and are a few numbers.
  struct Matrix {
    Eigen::VectorXd row_scale, column_scale;
    Eigen::MatrixXd inverse_magnitude;
    std::unique_ptr<Eigen::FullPivLU<Eigen::MatrixXd>> dense;
    std::unique_ptr<Eigen::PartialPivLU<Eigen::MatrixXd>> regular;  ///< of one that is clearly regular
    std::unique_ptr<Eigen::SparseLU<Eigen::SparseMatrix<double>>> sparse;
  };
  void factorise(Equilibration equilibrated);
  [[nodiscard]] bool is_clearly_regular(const Eigen::MatrixXd& scaled, Matrix& matrix) const;
  void factorise_dense(const Eigen::MatrixXd& scaled, Matrix& matrix);
  void factorise_sparse(const Eigen::SparseMatrix<double>& scaled, Matrix& matrix);

  int size_ = 0;
  double slope_ = 0.0;
  bool singular_ = false;
  std::shared_ptr<const Matrix> matrix_;
};

}  // namespace mti
