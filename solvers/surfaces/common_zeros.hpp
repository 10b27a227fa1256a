#pragma once

#include <Eigen/Core>

#include <span>
#include <utility>
#include <vector>

#include "mti/multilinear/row_map.hpp"

namespace mti {

/// A row of a map that outlives it.
struct MapRow {
  const RowMap* map = nullptr;
  int row = 0;

  [[nodiscard]] double value(std::span<const double> v) const { return map->value(row, v); }
  [[nodiscard]] double magnitude(std::span<const double> v) const { return map->magnitude(row, v); }
};

/// The set {v : r_1(v) = … = r_m(v) = 0} of some rows, in the units D = diag(scale) of the given signals; other
/// signals are held.
class CommonZeros {
 public:
  /// |r_i| ≤ this · (magnitude of r_i + |D∇r_i|) is zero: rounding.
  static constexpr double is_zero = 1e-12;

  CommonZeros(std::vector<MapRow> rows, std::span<const int> signals, std::span<const double> scale)
      : rows_(std::move(rows)), signals_(signals.begin(), signals.end()), scale_(scale) {}

  /// Steps of Gauss and Newton, each the shortest that solves J dv = −r in these units; false if they come to no zero.
  [[nodiscard]] bool move_to_zero(std::vector<double>& v) const;
  /// D∇ of a row, by place in the signals.
  [[nodiscard]] Eigen::VectorXd gradient(const MapRow& row, std::span<const double> v) const;
  /// An orthonormal basis of what the gradients of the rows span at v.
  [[nodiscard]] Eigen::MatrixXd normals(std::span<const double> v) const;

 private:
  /// D∇r_i of unit length as columns, and r_i/|D∇r_i|.
  struct Linearised {
    Eigen::MatrixXd gradients;
    Eigen::VectorXd values;
    bool zero = true;  ///< each value is
  };
  [[nodiscard]] Linearised linearise(std::span<const double> v) const;

  std::vector<MapRow> rows_;
  std::vector<int> signals_;  ///< ascending
  std::span<const double> scale_;
};

}  // namespace mti
