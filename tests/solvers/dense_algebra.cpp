#include "tests/solvers/dense_algebra.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <unsupported/Eigen/MatrixFunctions>

namespace mti::test {

using Eigen::MatrixXd;

SingularValues singular_values(const MatrixXd& M) {
  const Eigen::JacobiSVD<MatrixXd> svd(M, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.matrixU(), svd.matrixV(), svd.singularValues()};
}

MatrixXd inverse(const MatrixXd& M) { return Eigen::FullPivLU<MatrixXd>(M).inverse(); }

MatrixXd exponential(const MatrixXd& M) { return M.exp(); }

double spectral_radius(const MatrixXd& M) {
  return M.rows() == 0 ? 0.0 : M.eigenvalues().cwiseAbs().maxCoeff();
}

}  // namespace mti::test
