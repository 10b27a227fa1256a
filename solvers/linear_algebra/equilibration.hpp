#pragma once

#include <Eigen/SparseCore>

#include <cmath>
#include <vector>

namespace mti {

/// What brings a size to 1; nothing (a factor of 1) where it is 0 or not finite.
[[nodiscard]] inline double reciprocal_or_one(double size) {
  return size > 0.0 && std::isfinite(size) ? 1.0 / size : 1.0;
}

/// A square matrix in units of its own, B = R A C with diagonal R and C: whatever the units of equations and
/// unknowns, the same B comes out, so that its pivots can be compared with the rank tolerance.
///
/// R and C first are powers of 2 that minimise
///
///     Σ (log |r_i a_ij c_j|)²          over the entries a_ij ≠ 0
///
/// [Curtis, Reid, J. Inst. Maths Applics 10 (1972) 118-124], then bring rows and at last columns to a largest
/// entry of 1.
///
/// All entries count in that sum, those that decide nothing as well. A conducting diode of 10⁻⁹ Ω beside blocking ones of
/// 10⁻¹⁵ S, whose voltages are 10²⁴ of its own, pulls their units so far apart that pivots of a well-conditioned matrix look
/// like rounding. So a matrix counts as singular only if it is so too in the units of the largest term of its determinant
/// (`Units::largest_term`, solvers/linear_algebra/largest_assignment.hpp), where no small pivot is due to units.
struct Equilibration {
  enum class Units { least_squares, largest_term };

  /// From triplets (repeated ones add up). Not `finite` either where the determinant has no term in whose units to see it.
  Equilibration(int size, const std::vector<Eigen::Triplet<double>>& entries,
                Units units = Units::least_squares);

  bool finite = true;  ///< every entry is; otherwise B is not to be used
  Eigen::SparseMatrix<double> B;
  Eigen::VectorXd row_scale, column_scale;

 private:
  /// The largest sizes of rows and columns, and whether all are finite.
  void measure();
  void scale(const Eigen::VectorXd& rows, const Eigen::VectorXd& columns);
  template <class Use>
  void for_entries(Use use);

  Eigen::VectorXd row_size_, column_size_;
};

}  // namespace mti
