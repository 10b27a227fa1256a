#include "solvers/identification/cp_factors.hpp"

#include <cmath>

namespace mti {

Eigen::MatrixXd column_products(const Eigen::MatrixXd& angle, const Eigen::MatrixXd& W) {
  const Eigen::ArrayXXd cosine = angle.array().cos(), sine = angle.array().sin();
  Eigen::ArrayXXd P = Eigen::ArrayXXd::Ones(W.rows(), angle.cols());
  for (Eigen::Index k = 0; k < angle.cols(); ++k)
    for (Eigen::Index i = 0; i < angle.rows(); ++i) P.col(k) *= cosine(i, k) + sine(i, k) * W.col(i).array();
  return P;
}

Eigen::MatrixXd values_of(const CpFactors& factors, const Eigen::MatrixXd& W) {
  return column_products(factors.angle, W) * factors.Phi.transpose();
}

void product_slopes(const Eigen::MatrixXd& angle, const Eigen::Ref<const Eigen::MatrixXd>& W,
                    Eigen::MatrixXd& slopes) {
  const Eigen::Index N = angle.rows(), rows = W.rows();
  slopes.resize(rows, angle.size());
  Eigen::ArrayXXd factor(rows, N);
  Eigen::ArrayXd product(rows);
  for (Eigen::Index k = 0; k < angle.cols(); ++k) {
    product.setOnes();
    for (Eigen::Index i = 0; i < N; ++i) {
      slopes.col(k * N + i) = product;
      factor.col(i) = std::cos(angle(i, k)) + std::sin(angle(i, k)) * W.col(i).array();
      product *= factor.col(i);
    }
    product.setOnes();
    for (Eigen::Index i = N - 1; i >= 0; --i) {
      slopes.col(k * N + i).array() *=
          product * (std::cos(angle(i, k)) * W.col(i).array() - std::sin(angle(i, k)));
      product *= factor.col(i);
    }
  }
}

}  // namespace mti
