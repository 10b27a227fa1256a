#include "solvers/linear_algebra/bounded_factor.hpp"

#include <cmath>
#include <utility>

#include "mti/common/rounding.hpp"

namespace mti {

BoundedFactor::BoundedFactor(int size, std::vector<Eigen::Triplet<double>> entries)
    : entries_(std::move(entries)), factor_(size, entries_) {}

BoundedSolution BoundedFactor::solve(const Eigen::VectorXd& b, const Eigen::VectorXd& e) const {
  BoundedSolution solution{factor_.solve(b), {}};
  Eigen::VectorXd left, size;
  const auto measure = [&] {
    left = -b;
    size = b.cwiseAbs();
    for (const Eigen::Triplet<double>& entry : entries_) {
      const double part = entry.value() * solution.w[entry.col()];
      left[entry.row()] += part;
      size[entry.row()] += std::abs(part);
    }
  };
  measure();
  solution.w -= factor_.solve(left);
  measure();
  constexpr double rounded = 8.0 * machine_epsilon;
  solution.error = factor_.magnify(e + left.cwiseAbs() + rounded * size);
  return solution;
}

}  // namespace mti
