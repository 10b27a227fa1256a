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

OrbitStability stability_of(std::vector<Multiplier> all, bool free_period, double rtol) {
  if (free_period && !all.empty()) {
    constexpr double usual = 1e-3;
    const double rounding = std::min(1e4 * rtol, 0.1);  // of the multiplier 1
    const auto off = [](const Multiplier& one) { return std::abs(one.value - 1.0); };
    const auto nearest = std::ranges::min_element(all, {}, off);
    if (off(*nearest) <= std::max(usual, rounding)) all.erase(nearest);
  }
  OrbitStability result;
  result.stable =
      std::ranges::all_of(all, [](const Multiplier& one) { return std::abs(one.value) < 1.0 - one.error; });
  result.marginal = !result.stable && std::ranges::all_of(all, [](const Multiplier& one) {
    return std::abs(one.value) <= 1.0 + one.error;
  });
  result.multipliers = std::move(all);
  return result;
}

}  // namespace mti
