#pragma once

#include <Eigen/Core>

#include <span>
#include <vector>

namespace mti {

/// Polynomials of degree 16 on [0, 1] through values at points of a grid of 2⁻⁹ that are nearest to the Chebyshev nodes
/// (1 − cos(πi/16))/2, both ends included, so that exponentials of halved steps lead from one to the next:
///
///     p(τ) = Σ_k c_k T_k(2τ − 1) .
///
/// The points nearest to (1 − cos(π(i + ½)/16))/2 lie between them: there p is compared with what it interpolates.
class ChebyshevGrid {
 public:
  static constexpr int degree = 16;
  static constexpr int exponent =
      9;  ///< of the grid: the first two nodes stay apart, with a point between them

  ChebyshevGrid();
  /// Made when it is first asked for: it is the same for all runs, and not every run needs it.
  [[nodiscard]] static const ChebyshevGrid& shared();

  /// A node or a point between two of them, ascending; the first is 0, the last 2⁹.
  struct Point {
    int position = 0;
    bool is_node = false;
  };
  [[nodiscard]] const std::vector<Point>& points() const noexcept { return points_; }
  /// (nodes × points between): values at nodes, as a row, times this are p there.
  [[nodiscard]] const Eigen::MatrixXd& between() const noexcept { return between_; }
  /// (nodes × coefficients): values at nodes, as a row, times this are c.
  [[nodiscard]] const Eigen::MatrixXd& coefficients() const noexcept { return coefficients_; }
  /// d^k/dτ^k of T_0 … T_16 at τ.
  [[nodiscard]] static Eigen::VectorXd basis(double tau, int k);

 private:
  std::vector<Point> points_;
  Eigen::MatrixXd between_, coefficients_;
};

}  // namespace mti
