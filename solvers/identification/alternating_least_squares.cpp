#include "solvers/identification/alternating_least_squares.hpp"

#include <Eigen/Cholesky>

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/identification/nonnegative_least_squares.hpp"

namespace mti {
namespace {

/// P⁽⁰⁾ … P⁽ᴺ⁾, the products of all factors from signal i on.
std::vector<Eigen::MatrixXd> products_from(const Eigen::MatrixXd& angle, const Eigen::MatrixXd& W) {
  std::vector<Eigen::MatrixXd> products(at(angle.rows() + 1));
  products.back() = Eigen::MatrixXd::Ones(W.rows(), angle.cols());
  for (Eigen::Index i = angle.rows() - 1; i >= 0; --i) {
    products[at(i)] = column_products(angle.row(i), W.col(i));
    products[at(i)].array() *= products[at(i + 1)].array();
  }
  return products;
}

/// (a, b) of the factors of one signal, 2 r numbers.
Eigen::VectorXd best_factors(const Eigen::MatrixXd& Z, const Eigen::MatrixXd& Phi, const Eigen::MatrixXd& Y,
                             Signs signs) {
  constexpr double ridge = 1e-13;
  const Eigen::Index r = Phi.cols();
  const Eigen::MatrixXd weight = Phi.transpose() * Phi, pull = Y * Phi;
  Eigen::MatrixXd gram = Z.transpose() * Z;
  Eigen::VectorXd right(2 * r);
  for (Eigen::Index half = 0; half < 2; ++half) {
    for (Eigen::Index other = 0; other < 2; ++other)
      gram.block(half * r, other * r, r, r).array() *= weight.array();
    for (Eigen::Index k = 0; k < r; ++k) right(half * r + k) = Z.col(half * r + k).dot(pull.col(k));
  }
  gram.diagonal().array() += ridge * gram.trace() + 1e-300;
  if (signs == Signs::any) return gram.ldlt().solve(right);
  const Eigen::LLT<Eigen::MatrixXd> factor(gram);  // gram = L Lᵀ: |Lᵀx − L⁻¹ right| is what counts
  return nonnegative_least_squares(factor.matrixU(), factor.matrixL().solve(right));
}

}  // namespace

std::optional<Eigen::MatrixXd> alternating_least_squares(const Eigen::MatrixXd& start,
                                                         const RegressionData& data, Signs signs,
                                                         int sweeps) {
  constexpr double worth_another = 0.99;
  const Eigen::Index N = start.rows(), r = start.cols();
  Eigen::MatrixXd angle = start;
  auto fit = project(angle, data, signs);
  for (int sweep = 0; fit && sweep < sweeps; ++sweep) {
    check_budget();
    const double before = fit->cost;
    const std::vector<Eigen::MatrixXd> behind = products_from(angle, data.W);
    Eigen::MatrixXd ahead = Eigen::MatrixXd::Ones(data.W.rows(), r), Phi = fit->Phi;
    Eigen::MatrixXd Z(data.W.rows(), 2 * r);
    for (Eigen::Index i = 0; i < N; ++i) {
      check_budget();
      Z.leftCols(r) = ahead.cwiseProduct(behind[at(i + 1)]);
      Z.rightCols(r) = data.W.col(i).asDiagonal() * Z.leftCols(r);
      const Eigen::VectorXd ab = best_factors(Z, Phi, data.Y, signs);
      for (Eigen::Index k = 0; k < r; ++k) {
        const double a = ab(k), b = ab(r + k), length = std::hypot(a, b);
        if (!(length > 0.0)) continue;  // the column is not wanted now: it stays as it is, and Φ decides
        double theta = std::atan2(b, a), sign = 1.0;
        if (theta > std::numbers::pi / 2.0 || theta <= -std::numbers::pi / 2.0) {
          theta -= std::copysign(std::numbers::pi, theta);
          sign = -1.0;
        }
        angle(i, k) = theta;
        Phi.col(k) *= sign * length;
      }
      ahead.array() *= column_products(angle.row(i), data.W.col(i)).array();
    }
    fit = project(angle, data, signs);
    if (fit && !(fit->cost < worth_another * before)) break;
  }
  if (!fit) return std::nullopt;
  return angle;
}

}  // namespace mti
