#include "solvers/orbits/multipliers.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <utility>

namespace mti {

std::vector<Multiplier> multipliers_of(const Eigen::MatrixXd& M, std::span<const double> nominal,
                                       double part) {
  const Eigen::Map<const Eigen::VectorXd> units(nominal.data(), static_cast<Eigen::Index>(nominal.size()));
  const Eigen::MatrixXd scaled = units.cwiseInverse().asDiagonal() * M * units.asDiagonal();
  const double delta = part * std::max(1.0, scaled.norm()), twofold = std::sqrt(delta);
  const Eigen::EigenSolver<Eigen::MatrixXd> eigen(scaled);
  const Eigen::MatrixXcd right = eigen.eigenvectors(), left = right.inverse();
  std::vector<Multiplier> result;
  for (Eigen::Index i = 0; i < scaled.rows(); ++i) {
    const double simple = delta * left.row(i).norm() * right.col(i).norm();
    result.push_back(
        {eigen.eigenvalues()[i], simple < twofold ? simple : twofold});  // also where it is no number
  }
  std::ranges::sort(result, [](const Multiplier& a, const Multiplier& b) {
    return std::pair(-std::abs(a.value), a.value.imag()) < std::pair(-std::abs(b.value), b.value.imag());
  });
  return result;
}

}  // namespace mti
