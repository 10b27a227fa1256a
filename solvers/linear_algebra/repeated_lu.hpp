#pragma once

#include <span>
#include <vector>

#include "mti/common/at.hpp"
#include "solvers/linear_algebra/lu_factor.hpp"

namespace mti {

/// LU factors of a square matrix that comes again and again with other numbers, as a Jacobian along a motion.
///
/// As LuFactor, which finds the units of rows and columns; these are kept, only that rows and then columns are brought to a
/// largest entry of 1 anew each time. Small matrices are factorised in place with complete pivoting, and nothing is
/// allocated after the first time.
class RepeatedLu {
 public:
  using Entries = std::vector<Eigen::Triplet<double>>;

  /// Forgets the units.
  void begin() { known_units_ = false; }
  /// From triplets; repeated ones add up. False if the matrix is singular: a pivot is below the rank tolerance.
  [[nodiscard]] bool factorise(int size, const Entries& entries);
  /// b := A⁻¹ b.
  void solve(std::span<double> b) const;

 private:
  static constexpr int largest_in_place = 80;

  [[nodiscard]] bool is_large() const noexcept { return size_ > largest_in_place; }
  [[nodiscard]] bool find_units(const Entries& entries, Equilibration::Units units);
  [[nodiscard]] bool decompose(const Entries& entries);
  [[nodiscard]] bool normalise();
  [[nodiscard]] bool eliminate();
  void compress();
  [[nodiscard]] double& entry(int row, int column) { return matrix_[at(row) * at(size_) + at(column)]; }

  int size_ = 0;
  bool known_units_ = false;
  struct Entry {
    int column;
    double value;
  };
  std::vector<double> matrix_;  ///< row by row; later the factors of the permuted matrix
  /// Their non-zeros left and right of the diagonal: of row i those from starts_[2i], and those from starts_[2i + 1].
  std::vector<Entry> entries_;
  std::vector<int> starts_;
  std::vector<double> row_unit_, column_unit_, row_scale_, column_scale_;
  std::vector<int> row_order_, column_order_;
  mutable std::vector<double> permuted_;
  LuFactor large_;
};

}  // namespace mti
