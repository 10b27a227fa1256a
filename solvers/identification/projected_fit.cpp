#include "solvers/identification/projected_fit.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "solvers/budget/check_budget.hpp"
#include "solvers/identification/nonnegative_least_squares.hpp"

namespace mti {
namespace {

Eigen::MatrixXd thin_q(const Eigen::HouseholderQR<Eigen::MatrixXd>& qr, Eigen::Index columns) {
  return qr.householderQ() * Eigen::MatrixXd::Identity(qr.rows(), columns);
}

}  // namespace

std::optional<ProjectedFit> project(const Eigen::MatrixXd& angle, const RegressionData& data, Signs signs) {
  constexpr double dependent = 1e-9;
  check_budget();
  const Eigen::Index r = angle.cols(), n = data.Y.cols();
  Eigen::MatrixXd P = column_products(angle, data.W);
  if (P.rows() < r || !P.allFinite()) return std::nullopt;
  Eigen::VectorXd norms = P.colwise().norm();
  for (double& norm : norms)
    if (norm == 0.0) norm = 1.0;
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(P * norms.cwiseInverse().asDiagonal());
  check_budget();
  const Eigen::MatrixXd R = qr.matrixQR().topRows(r).triangularView<Eigen::Upper>();
  const Eigen::MatrixXd Q = thin_q(qr, r);
  const Eigen::MatrixXd c = Q.transpose() * data.Y;
  ProjectedFit fit;
  if (signs == Signs::any) {
    if (!(R.diagonal().cwiseAbs().minCoeff() > dependent)) return std::nullopt;
    const Eigen::MatrixXd scaled = R.triangularView<Eigen::Upper>().solve(c);
    fit.Phi = (norms.cwiseInverse().asDiagonal() * scaled).transpose();
    ColumnSupport& all = fit.supports.emplace_back();
    for (Eigen::Index j = 0; j < n; ++j) all.outputs.push_back(j);
    all.Q = Q;
  } else {
    fit.Phi.resize(n, r);
    std::map<std::vector<Eigen::Index>, std::vector<Eigen::Index>> outputs_of;
    for (Eigen::Index j = 0; j < n; ++j) {
      const Eigen::VectorXd phi = nonnegative_least_squares(R, c.col(j));
      fit.Phi.row(j) = phi.cwiseQuotient(norms).transpose();
      std::vector<Eigen::Index> columns;
      for (Eigen::Index k = 0; k < r; ++k)
        if (phi(k) > 0.0) columns.push_back(k);
      outputs_of[columns].push_back(j);
    }
    for (const auto& [columns, outputs] : outputs_of) {
      const Eigen::HouseholderQR<Eigen::MatrixXd> part(R(Eigen::all, columns));
      fit.supports.push_back({outputs, Q * thin_q(part, static_cast<Eigen::Index>(columns.size()))});
    }
  }
  check_budget();
  fit.residual = data.Y - P * fit.Phi.transpose();
  fit.cost = fit.residual.squaredNorm();
  if (!std::isfinite(fit.cost)) return std::nullopt;
  return fit;
}

}  // namespace mti
