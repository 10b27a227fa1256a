#include "solvers/fitting/estimate_statistics.hpp"

#include <Eigen/SVD>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <utility>

namespace mti {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// Most residuals have no derivative by the parameter: with it they would be of no use to the others.
bool is_mostly_unknown(const ResidualPoint& point, Index parameter) {
  return 2 * point.jacobian.col(parameter).array().isFinite().count() < point.residuals.size();
}

/// The residuals whose derivatives by these parameters are known, and J of the parameters that no bound holds.
ResidualPoint usable(const ResidualPoint& point, const std::vector<Index>& open) {
  std::vector<Index> rows;
  for (Index i = 0; i < point.residuals.size(); ++i)
    if (std::ranges::all_of(open, [&](Index j) { return std::isfinite(point.jacobian(i, j)); }))
      rows.push_back(i);
  return {.residuals = point.residuals(rows), .jacobian = point.jacobian(rows, open)};
}

/// A basis of the space of the columns of V in which each vector has an entry 1 where the others have 0: vectors with few
/// entries.
MatrixXd reduced_basis(MatrixXd V) {
  for (Index k = 0; k < V.cols(); ++k) {
    Index row = 0, column = 0;
    V.rightCols(V.cols() - k).cwiseAbs().maxCoeff(&row, &column);
    V.col(k).swap(V.col(k + column));
    V.col(k) /= V(row, k);
    for (Index other = 0; other < V.cols(); ++other)
      if (other != k) V.col(other) -= V(row, other) * V.col(k);
  }
  return V;
}

/// `scaled` as changes of columns of length 1; `lengths` of the columns, 0 counting as 1.
FreeDirection direction_of(const VectorXd& scaled, const VectorXd& lengths, const VectorXd& p,
                           const std::vector<Index>& open) {
  const double least = 1e-4 * scaled.cwiseAbs().maxCoeff();  // smaller entries are rounding of J
  VectorXd change(scaled.size());
  for (Index k = 0; k < scaled.size(); ++k) {
    const double size = std::abs(p(open[static_cast<std::size_t>(k)]));
    change(k) = scaled(k) / lengths(k) / (size > 0.0 ? size : 1.0);
  }
  Index first = 0;
  const double largest = change.cwiseAbs().maxCoeff();
  while (std::abs(scaled(first)) < least) ++first;
  change /= change(first) > 0.0 ? largest : -largest;
  FreeDirection direction;
  for (Index k = 0; k < change.size(); ++k) {
    if (std::abs(scaled(k)) < least) continue;
    direction.parameters.push_back(static_cast<int>(open[static_cast<std::size_t>(k)]));
    direction.changes.push_back(change(k));
  }
  return direction;
}

/// σ² of residuals of which `rank` parameters have taken their part.
double variance_of(const VectorXd& residuals, double rank, const StatisticsOptions& options) {
  const auto count = static_cast<double>(residuals.size());
  const bool squares = options.loss.kind == Loss::Kind::squares;
  if (squares && options.noise_is_known) return 1.0;
  if (!(count > rank)) return no_number;
  double pulls = 0.0, slopes = 0.0;
  for (const double r : residuals) {
    const double pull = options.loss.weight(r) * r;
    pulls += pull * pull;
    slopes += options.loss.slope(r);
  }
  const double slope = slopes / count;
  return slope > 0.0 ? pulls / (count - rank) / (slope * slope) : no_number;
}

}  // namespace

double two_sided_quantile(double confidence, double degrees_of_freedom) {
  const double below = 0.5 + 0.5 * confidence;
  if (std::isinf(degrees_of_freedom)) return boost::math::quantile(boost::math::normal(), below);
  if (!(degrees_of_freedom > 0.0)) return no_number;
  return boost::math::quantile(boost::math::students_t(degrees_of_freedom), below);
}

EstimateStatistics statistics_of(const VectorXd& p, const std::vector<char>& is_held,
                                 const ResidualPoint& point, const StatisticsOptions& options) {
  // How much of a parameter may lie in a free direction, by rounding of J.
  const double mixed = std::sqrt(options.rank_tolerance);
  EstimateStatistics result;
  result.is_known.assign(static_cast<std::size_t>(p.size()), 0);
  result.covariance = MatrixXd::Constant(p.size(), p.size(), no_number);
  std::vector<Index> open;
  for (Index j = 0; j < p.size(); ++j)
    if (is_held[static_cast<std::size_t>(j)] == 0 && !is_mostly_unknown(point, j)) open.push_back(j);
  const ResidualPoint used = usable(point, open);
  const VectorXd& residuals = used.residuals;
  const MatrixXd& J = used.jacobian;
  result.observations = static_cast<int>(residuals.size());
  const auto n = static_cast<Index>(open.size());
  const auto enter_noise = [&](double variance, Index rank) {
    result.noise = std::sqrt(variance);
    const auto left = static_cast<double>(residuals.size() - rank);
    result.quantile = two_sided_quantile(
        options.confidence, options.noise_is_known ? std::numeric_limits<double>::infinity() : left);
  };
  if (n == 0) {  // bounds hold all of them
    enter_noise(variance_of(residuals, 0.0, options), 0);
    return result;
  }
  VectorXd lengths = J.colwise().norm();
  for (double& length : lengths)
    if (length == 0.0) length = 1.0;
  // With rows of zeros there are as many right singular vectors as parameters.
  MatrixXd scaled = MatrixXd::Zero(std::max<Index>(J.rows(), n), n);
  scaled.topRows(J.rows()) = J * lengths.cwiseInverse().asDiagonal();
  const Eigen::JacobiSVD<MatrixXd> svd(scaled, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const VectorXd& sigma = svd.singularValues();
  Index rank = 0;
  while (rank < n && sigma(rank) > options.rank_tolerance * sigma(0)) ++rank;
  result.rank = static_cast<int>(rank);
  if (rank > 0) result.condition = sigma(0) / sigma(rank - 1);
  const double variance = variance_of(residuals, static_cast<double>(rank), options);
  enter_noise(variance, rank);
  const MatrixXd V = svd.matrixV().leftCols(rank), free = svd.matrixV().rightCols(n - rank);
  const MatrixXd C = variance * V * sigma.head(rank).cwiseAbs2().cwiseInverse().asDiagonal() * V.transpose();
  const auto is_determined = [&](Index k) { return free.cols() == 0 || free.row(k).norm() < mixed; };
  for (Index k = 0; k < n; ++k) {
    if (!is_determined(k)) continue;
    result.is_known[static_cast<std::size_t>(open[static_cast<std::size_t>(k)])] =
        std::isfinite(variance) ? 1 : 0;
    for (Index l = 0; l < n; ++l)
      if (is_determined(l))
        result.covariance(open[static_cast<std::size_t>(k)], open[static_cast<std::size_t>(l)]) =
            C(k, l) / (lengths(k) * lengths(l));
  }
  const MatrixXd directions = reduced_basis(free);
  for (Index k = 0; k < directions.cols(); ++k)
    result.free_directions.push_back(direction_of(directions.col(k), lengths, p, open));
  return result;
}

}  // namespace mti
