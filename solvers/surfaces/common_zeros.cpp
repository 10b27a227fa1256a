#include "solvers/surfaces/common_zeros.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"

namespace mti {
namespace {

/// Gradients of unit length depend on each other where what one adds to the others is shorter than this.
constexpr double independent_above = 1e-9;

Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factorised(const Eigen::MatrixXd& gradients) {
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(independent_above);
  qr.compute(gradients);
  return qr;
}

/// The first columns of Q.
Eigen::MatrixXd basis_of(const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& qr) {
  return qr.householderQ() * Eigen::MatrixXd::Identity(qr.rows(), qr.rank());
}

}  // namespace

Eigen::VectorXd CommonZeros::gradient(const MapRow& row, std::span<const double> v) const {
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(std::ssize(signals_));
  row.map->gradient(row.row, v, [&](int signal, double slope) {
    const auto found = std::ranges::lower_bound(signals_, signal);
    if (found != signals_.end() && *found == signal)
      gradient[found - signals_.begin()] += slope * scale_[at(signal)];
  });
  return gradient;
}

CommonZeros::Linearised CommonZeros::linearise(std::span<const double> v) const {
  Linearised linearised{Eigen::MatrixXd::Zero(std::ssize(signals_), std::ssize(rows_)),
                        Eigen::VectorXd::Zero(std::ssize(rows_))};
  for (Eigen::Index i = 0; i < std::ssize(rows_); ++i) {
    const MapRow& row = rows_[at(i)];
    const Eigen::VectorXd own = gradient(row, v);
    const double length = own.norm(), value = row.value(v);
    // A comparison that a value or a gradient which is not finite fails.
    if (!(std::abs(value) <= is_zero * (row.magnitude(v) + length)) || !std::isfinite(length))
      linearised.zero = false;
    linearised.values[i] = length > 0.0 ? value / length : value;
    if (length > 0.0) linearised.gradients.col(i) = own / length;
  }
  return linearised;
}

Eigen::MatrixXd CommonZeros::normals(std::span<const double> v) const {
  if (rows_.empty()) return Eigen::MatrixXd::Zero(std::ssize(signals_), 0);
  return basis_of(factorised(linearise(v).gradients));
}

/// With Gᵀ = (QR Πᵀ)ᵀ the shortest dv with Gᵀ dv = −r is Q y, R₁₁ᵀ y = −(Πᵀ r)₁: rows that depend on others have no
/// part in the step, and fail the test if they are not zero with these. The step after the test is for the last digits.
bool CommonZeros::move_to_zero(std::vector<double>& v) const {
  constexpr int most_steps = 20;
  bool found = rows_.empty();
  for (int step = 0; step < most_steps && !found; ++step) {
    check_budget();
    const Linearised here = linearise(v);
    if (!here.gradients.allFinite() || !here.values.allFinite()) return false;
    found = here.zero;
    const auto qr = factorised(here.gradients);
    const Eigen::Index rank = qr.rank();
    const Eigen::VectorXd values = qr.colsPermutation().transpose() * here.values;
    const Eigen::VectorXd along = qr.matrixR()
                                      .topLeftCorner(rank, rank)
                                      .triangularView<Eigen::Upper>()
                                      .transpose()
                                      .solve(-values.head(rank));
    const Eigen::VectorXd dv = basis_of(qr) * along;
    for (std::size_t i = 0; i < signals_.size(); ++i)
      v[at(signals_[i])] += dv[static_cast<Eigen::Index>(i)] * scale_[at(signals_[i])];
  }
  return found;
}

}  // namespace mti
