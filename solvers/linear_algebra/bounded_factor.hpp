#pragma once

#include <Eigen/SparseCore>

#include <vector>

#include "solvers/linear_algebra/lu_factor.hpp"

namespace mti {

/// w with what each part of it may be off.
struct BoundedSolution {
  Eigen::VectorXd w, error;
};

/// A factorised matrix whose solutions come with bounds: A w = b for b known up to e ≥ 0, refined once, with
///
///     |A⁻¹| (e + |A w − b| + 8 ε (|A| |w| + |b|)),
///
/// so that a part of w within its bound may be 0.
/// Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., (7.31).
class BoundedFactor {
 public:
  /// A from triplets (repeated ones add up).
  BoundedFactor(int size, std::vector<Eigen::Triplet<double>> entries);

  [[nodiscard]] bool singular() const noexcept { return factor_.singular(); }
  [[nodiscard]] BoundedSolution solve(const Eigen::VectorXd& b, const Eigen::VectorXd& e) const;

 private:
  std::vector<Eigen::Triplet<double>> entries_;
  LuFactor factor_;
};

}  // namespace mti
