#pragma once

#include <Eigen/Dense>
#include <Eigen/SparseLU>

// What many sources use of Eigen with matrices of double is compiled once, in compiled_eigen.cpp: a sixth of the time of
// a build. Precompiled headers include this; no source has to.

// NOLINTBEGIN(bugprone-macro-parentheses): `extern template` cannot stand in parentheses.
#define MTI_COMPILED_EIGEN(declaration)                                                                      \
  namespace Eigen {                                                                                          \
  declaration class PartialPivLU<MatrixXd>;                                                                  \
  declaration class FullPivLU<MatrixXd>;                                                                     \
  declaration class HouseholderQR<MatrixXd>;                                                                 \
  declaration class ColPivHouseholderQR<MatrixXd>;                                                           \
  declaration class CompleteOrthogonalDecomposition<MatrixXd>;                                               \
  declaration class LLT<MatrixXd>;                                                                           \
  declaration class LDLT<MatrixXd>;                                                                          \
  declaration class JacobiSVD<MatrixXd>;                                                                     \
  declaration class RealSchur<MatrixXd>;                                                                     \
  declaration class EigenSolver<MatrixXd>;                                                                   \
  declaration class SelfAdjointEigenSolver<MatrixXd>;                                                        \
  declaration class SparseLU<SparseMatrix<double>, COLAMDOrdering<int>>;                                     \
  declaration EigenSolver<MatrixXd>& EigenSolver<MatrixXd>::compute(const EigenBase<MatrixXd>&, bool);       \
  declaration SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute(                   \
      const EigenBase<MatrixXd>&, int);                                                                      \
  declaration void FullPivLU<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;                       \
  declaration void FullPivLU<MatrixXd>::_solve_impl(const MatrixXd&, MatrixXd&) const;                       \
  declaration void PartialPivLU<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;                    \
  declaration void PartialPivLU<MatrixXd>::_solve_impl(const MatrixXd&, MatrixXd&) const;                    \
  declaration void HouseholderQR<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;                   \
  declaration void ColPivHouseholderQR<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;             \
  declaration void ColPivHouseholderQR<MatrixXd>::_solve_impl(const MatrixXd&, MatrixXd&) const;             \
  declaration void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const; \
  declaration void LDLT<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;                            \
  declaration void HouseholderSequence<MatrixXd, VectorXd>::evalTo(MatrixXd&) const;                         \
  namespace internal {                                                                                       \
  declaration struct general_matrix_matrix_product<Index, double, ColMajor, false, double, ColMajor, false,  \
                                                   ColMajor, 1>;                                             \
  declaration struct general_matrix_matrix_product<Index, double, RowMajor, false, double, ColMajor, false,  \
                                                   ColMajor, 1>;                                             \
  declaration struct general_matrix_matrix_product<Index, double, ColMajor, false, double, RowMajor, false,  \
                                                   ColMajor, 1>;                                             \
  }                                                                                                          \
  }
// NOLINTEND(bugprone-macro-parentheses)

MTI_COMPILED_EIGEN(extern template)
