#pragma once

// Columns of a CP map while they are merged and fitted; private to mti/reduction.

#include <Eigen/Core>

#include <cstdint>
#include <utility>
#include <vector>

#include "mti/multilinear/cp_map.hpp"

namespace mti::reduction {

/// Π (1 − |S| + S v_i) times a coefficient for each row; both lists ascend.
struct Column {
  std::vector<std::pair<int, double>> factors;  ///< signal, S ≠ 0
  std::vector<std::pair<int, double>> weights;  ///< row, Φ ≠ 0
};

[[nodiscard]] std::vector<Column> columns_of(const CpMap& map);
[[nodiscard]] CpMap map_of(const std::vector<Column>& columns, int signals, int rows);

/// A group of columns as a tensor: one 2 × K matrix of factors for each of `signals`, and the coefficients,
/// |rows| × K.
struct ColumnGroup {
  std::vector<int> signals, rows;
  std::vector<Eigen::MatrixXd> factors;
  Eigen::MatrixXd weights;

  [[nodiscard]] int columns() const { return static_cast<int>(weights.cols()); }
};
[[nodiscard]] ColumnGroup group_of(const std::vector<Column>& columns);
[[nodiscard]] std::vector<Column> columns_of(const ColumnGroup& group);

/// The triangular factor R of the Khatri–Rao product of some matrices with K columns: RᵀR is the Hadamard
/// product of their Gram matrices, but R does not square the numbers. At most K × K.
[[nodiscard]] Eigen::MatrixXd khatri_rao_factor(const std::vector<Eigen::MatrixXd>& factors, int columns);

/// ‖Σ_k ⊗_i a_ik ⊗ Φ_k‖
[[nodiscard]] double norm(const ColumnGroup& group);
/// ‖T_a − T_b‖ of groups on the same signals and rows.
[[nodiscard]] double distance(const ColumnGroup& a, const ColumnGroup& b);

/// Step 1 of reduce_rank. Over a signal of `kept`, ascending, columns are merged where that loses nothing at its
/// values 0 and 1.
void merge_exactly(std::vector<Column>& columns, const std::vector<int>& kept);

/// The smallest rank that the unfoldings do not exclude for an error of at most `budget`.
[[nodiscard]] int least_rank(const ColumnGroup& group, double budget, std::uint64_t seed);
/// A group of `rank` columns within `budget` of `target`; without columns if none was found.
[[nodiscard]] ColumnGroup fit(const ColumnGroup& target, int rank, double budget, std::uint64_t seed);

}  // namespace mti::reduction
