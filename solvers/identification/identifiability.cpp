#include "solvers/identification/identifiability.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "mti/common/at.hpp"
#include "solvers/identification/normal_equations.hpp"

namespace mti {
namespace {

using Entry = std::pair<int, int>;

/// The largest entries of a direction, by their size.
std::vector<Entry> named(const Eigen::VectorXd& direction, const std::vector<Entry>& entries) {
  constexpr std::size_t most_named = 6;
  constexpr double counts = 0.1;
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto size = [&](std::size_t p) { return std::abs(direction(static_cast<Eigen::Index>(p))); };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  std::vector<Entry> result;
  for (const std::size_t p : order)
    if (result.size() < most_named && size(p) >= counts * size(order.front())) result.push_back(entries[p]);
  return result;
}

}  // namespace

Identifiability identifiability(const CpFactors& factors, const RegressionData& data, Signs signs) {
  constexpr double free = 1e-12;  // of σ²
  Identifiability result;
  const auto fit = project(factors.angle, data, signs);
  if (!fit) return {std::numeric_limits<double>::infinity(), {}};
  const NormalEquations equations = normal_equations(factors.angle, data, *fit);
  std::vector<Entry> entries;
  std::vector<Eigen::Index> places;
  for (Eigen::Index k = 0; k < factors.angle.cols(); ++k)
    for (Eigen::Index i = 0; i < factors.angle.rows(); ++i) {
      const double value = factors.angle(i, k);
      const Eigen::Index place = k * factors.angle.rows() + i;
      const bool bound = signs == Signs::nonnegative && (value <= 0.0 || value >= std::numbers::pi / 2.0);
      if (bound || !(equations.full(place) > 0.0)) continue;
      entries.emplace_back(static_cast<int>(i), static_cast<int>(k));
      places.push_back(place);
    }
  if (places.empty()) return result;
  const Eigen::MatrixXd H = equations.H.selfadjointView<Eigen::Lower>();
  const Eigen::VectorXd scale = equations.full(places).cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = scale.asDiagonal() * Eigen::MatrixXd(H(places, places)) * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scaled);
  const Eigen::VectorXd& squares = eigen.eigenvalues();
  const double largest = squares.maxCoeff();
  result.condition =
      squares(0) > 0.0 ? std::sqrt(largest / squares(0)) : std::numeric_limits<double>::infinity();
  for (Eigen::Index d = 0; d < squares.size() && squares(d) <= free * largest; ++d)
    result.free_directions.push_back(named(eigen.eigenvectors().col(d), entries));
  return result;
}

}  // namespace mti
