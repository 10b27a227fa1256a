#include "solvers/flow/chebyshev_grid.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mti/common/at.hpp"

namespace mti {
namespace {

int nearest_position(double i) {
  const double tau = 0.5 * (1.0 - std::cos(std::numbers::pi * i / ChebyshevGrid::degree));
  return static_cast<int>(std::lround(std::ldexp(tau, ChebyshevGrid::exponent)));
}

double tau_of(const ChebyshevGrid::Point& point) {
  return std::ldexp(static_cast<double>(point.position), -ChebyshevGrid::exponent);
}

}  // namespace

ChebyshevGrid::ChebyshevGrid() {
  for (int i = 0; i <= degree; ++i) points_.push_back({nearest_position(i), true});
  for (int i = 0; i < degree; ++i) points_.push_back({nearest_position(i + 0.5), false});
  std::ranges::sort(points_, {}, &Point::position);
  Eigen::MatrixXd at_nodes(degree + 1, degree + 1), at_others(degree + 1, degree);
  Eigen::Index node = 0, other = 0;
  for (const Point& point : points_)
    if (point.is_node)
      at_nodes.col(node++) = basis(tau_of(point), 0);
    else
      at_others.col(other++) = basis(tau_of(point), 0);
  coefficients_ = at_nodes.inverse();
  between_ = coefficients_ * at_others;
}

const ChebyshevGrid& ChebyshevGrid::shared() {
  static const ChebyshevGrid grid;
  return grid;
}

/// T_{k+1} = 2s T_k − T_{k−1}, differentiated as often as is asked for: T⁽ʲ⁾_{k+1} = 2s T⁽ʲ⁾_k + 2j T⁽ʲ⁻¹⁾_k − T⁽ʲ⁾_{k−1}.
Eigen::VectorXd ChebyshevGrid::basis(double tau, int k) {
  const double s = 2.0 * tau - 1.0;
  Eigen::VectorXd lower, current = Eigen::VectorXd::Zero(degree + 1);
  for (int j = 0; j <= k; ++j) {
    lower = current;
    current.setZero();
    if (j == 0) current[0] = 1.0;
    current[1] = j == 0 ? s : j == 1 ? 1.0 : 0.0;
    for (int i = 1; i < degree; ++i)
      current[i + 1] = 2.0 * s * current[i] + 2.0 * j * lower[i] - current[i - 1];
  }
  return std::exp2(k) * current;
}

}  // namespace mti
