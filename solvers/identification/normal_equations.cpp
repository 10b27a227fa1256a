#include "solvers/identification/normal_equations.hpp"

#include <algorithm>
#include <vector>

#include "solvers/budget/check_budget.hpp"

namespace mti {

NormalEquations normal_equations(const Eigen::MatrixXd& angle, const RegressionData& data,
                                 const ProjectedFit& fit) {
  const Eigen::Index N = angle.rows(), r = angle.cols(), T = data.W.rows();
  NormalEquations result{Eigen::MatrixXd::Zero(N * r, N * r), Eigen::VectorXd::Zero(N * r),
                         Eigen::VectorXd::Zero(N * r)};
  const Eigen::MatrixXd pull = fit.residual * fit.Phi;  // T × r
  std::vector<Eigen::MatrixXd> shares;                  // Qᵀ D of each support
  for (const ColumnSupport& support : fit.supports)
    shares.emplace_back(Eigen::MatrixXd::Zero(support.Q.cols(), N * r));
  Eigen::MatrixXd D;
  const auto each_block = [&](auto&& work) {
    for (Eigen::Index first = 0; first < T; first += slope_block) {
      check_budget();
      const Eigen::Index rows = std::min(slope_block, T - first);
      product_slopes(angle, data.W.middleRows(first, rows), D);
      work(first, rows);
    }
  };
  each_block([&](Eigen::Index first, Eigen::Index rows) {
    for (Eigen::Index k = 0; k < r; ++k)
      result.g.segment(k * N, N) += D.middleCols(k * N, N).transpose() * pull.col(k).segment(first, rows);
    result.full += D.colwise().squaredNorm().transpose();
    for (std::size_t s = 0; s < shares.size(); ++s)
      shares[s].noalias() += fit.supports[s].Q.middleRows(first, rows).transpose() * D;
  });
  for (Eigen::Index k = 0; k < r; ++k) result.full.segment(k * N, N) *= fit.Phi.col(k).squaredNorm();
  std::vector<Eigen::MatrixXd> grams(shares.size(), Eigen::MatrixXd::Zero(N * r, N * r));
  each_block([&](Eigen::Index first, Eigen::Index rows) {
    for (std::size_t s = 0; s < shares.size(); ++s) {
      const Eigen::MatrixXd outside = D - fit.supports[s].Q.middleRows(first, rows) * shares[s];
      grams[s].selfadjointView<Eigen::Lower>().rankUpdate(outside.transpose());
    }
  });
  for (std::size_t s = 0; s < grams.size(); ++s) {
    const Eigen::MatrixXd phi = fit.Phi(fit.supports[s].outputs, Eigen::all);
    const Eigen::MatrixXd weight = phi.transpose() * phi;
    for (Eigen::Index k = 0; k < r; ++k)
      for (Eigen::Index l = 0; l <= k; ++l)
        result.H.block(k * N, l * N, N, N) += weight(k, l) * grams[s].block(k * N, l * N, N, N);
  }
  return result;
}

}  // namespace mti
