#include "solvers/identification/nonnegative_least_squares.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// The least-squares solution on some columns; nothing if they depend on each other.
std::optional<Eigen::VectorXd> solve_on(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                        const std::vector<Eigen::Index>& columns) {
  constexpr double dependent = 1e-11;
  const Eigen::MatrixXd part = A(Eigen::all, columns);
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(part);
  for (Eigen::Index k = 0; k < part.cols(); ++k)
    if (!(std::abs(qr.matrixQR()(k, k)) > dependent * part.col(k).norm())) return std::nullopt;
  return qr.solve(b);
}

}  // namespace

Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  constexpr double negligible = 1e-14;
  const Eigen::Index n = A.cols();
  Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
  std::vector<Eigen::Index> used;
  std::vector<bool> barred(at(n), false);  // depends on those in use
  for (Eigen::Index exchanges = 0; exchanges < 3 * n; ++exchanges) {
    const Eigen::VectorXd gradient = A.transpose() * (b - A * x);
    Eigen::Index entering = -1;
    double steepest = 0.0;
    for (Eigen::Index k = 0; k < n; ++k) {
      if (barred[at(k)] || std::ranges::find(used, k) != used.end()) continue;
      const double slope = gradient(k) / A.col(k).norm();
      if (slope > steepest && slope > negligible * b.norm()) {
        steepest = slope;
        entering = k;
      }
    }
    if (entering < 0) break;
    used.push_back(entering);
    auto solution = solve_on(A, b, used);
    if (!solution || (*solution)(solution->size() - 1) <= 0.0) {
      used.pop_back();
      barred[at(entering)] = true;
      continue;
    }
    std::fill(barred.begin(), barred.end(), false);
    // Towards the solution as far as nothing becomes negative; what reaches zero leaves. Each turn removes one at least.
    while (solution && solution->minCoeff() <= 0.0) {
      double part = 1.0;
      for (Eigen::Index p = 0; p < solution->size(); ++p) {
        const double from = x(used[at(p)]), to = (*solution)(p);
        if (to <= 0.0) part = std::min(part, from / (from - to));
      }
      std::vector<Eigen::Index> stay;
      for (Eigen::Index p = 0; p < solution->size(); ++p) {
        double& value = x(used[at(p)]);
        const double to = (*solution)(p);
        const bool leaves = to <= 0.0 && value / (value - to) <= part;
        value = leaves ? 0.0 : value + part * (to - value);
        if (!leaves) stay.push_back(used[at(p)]);
      }
      used = std::move(stay);
      if (used.empty()) break;
      solution = solve_on(A, b, used);
    }
    if (!solution) break;
    for (std::size_t p = 0; p < used.size(); ++p) x(used[p]) = (*solution)(static_cast<Eigen::Index>(p));
  }
  return x;
}

}  // namespace mti
