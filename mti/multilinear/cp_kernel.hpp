#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mti/multilinear/cp_map.hpp"
#include "mti/multilinear/row_map.hpp"

namespace mti {

/// PositionProjection of the non-zeros of a sparse matrix, column-compressed, rows ascending in each column.
struct SparsePattern {
  int rows = 0, cols = 0;
  std::vector<int> column_start;  ///< cols + 1 entries
  std::vector<int> row;           ///< row of each non-zero

  [[nodiscard]] std::size_t nonzeros() const noexcept { return row.size(); }
  friend bool operator==(const SparsePattern&, const SparsePattern&) = default;
};

/// Value and Jacobian of a CP map with its functions, arranged for speed: no allocation, no division, cost linear in the
/// non-zeros of S and Φ.
///
///     ∂f_j/∂v_b = Σ_k Φ_jk · S_bk · Π_{i≠b} (1 − |S_ik| + S_ik v_i)                        (8)
///
/// The product without b comes from prefix and suffix products, so a factor may be 0. Source: the paper,
/// equations (6) to (8).
class CpKernel {
 public:
  /// Scratch of one evaluation; one per thread.
  struct Workspace {
    std::vector<double> prefix;
  };

  CpKernel() = default;
  explicit CpKernel(const CpMap& map);
  /// The listed rows of a map of products alone, each of whose terms has columns of its own: what CpKernel(map) computes of
  /// them, to the last bit, without a map in between. A mode that a run comes to for the first time is made of few numbers.
  CpKernel(const RowMap& map, std::span<const int> rows, int signals);
  /// Whether that holds of the rows: no function, few terms, and no two of a row whose first signals are the same, so that
  /// there is one order only in which they are added up.
  [[nodiscard]] static bool suits(const RowMap& map, std::span<const int> rows);

  [[nodiscard]] Workspace workspace() const { return {std::vector<double>(longest_column_ + 1)}; }
  [[nodiscard]] int rows() const noexcept { return rows_; }
  [[nodiscard]] int signals() const noexcept { return signals_; }
  /// Non-zeros of the Jacobian (rows × signals).
  [[nodiscard]] const SparsePattern& pattern() const noexcept { return pattern_; }

  /// f(v): v has signals() entries, f rows() entries. Not finite where a function has no value.
  void value(std::span<const double> v, std::span<double> f) const noexcept;
  /// f(v) and its Jacobian, J in the order of pattern().
  void value_and_jacobian(std::span<const double> v, std::span<double> f, std::span<double> J,
                          Workspace& workspace) const noexcept;
  /// f(v) and its total derivative along dv/dt = rate, with dz/dt = 0 where rate says so:
  ///     Df(v) = Jf(v) · dv/dt                                                             (9), (25)
  /// by the product rule inside each column; no Jacobian is formed.
  void value_and_rate(std::span<const double> v, std::span<const double> rate, std::span<double> f,
                      std::span<double> Df) const noexcept;

 private:
  struct Factor {
    double S;
    std::int32_t signal;
  };
  struct Weight {
    double Phi;
    std::int32_t row;
  };

  /// Asks for what a column touches some columns before it is evaluated.
  class Prefetch;

  int rows_ = 0, signals_ = 0;
  std::size_t longest_column_ = 0;
  std::vector<std::int32_t> factor_start_{0}, weight_start_{0};
  std::vector<Factor> factors_;
  std::vector<Weight> weights_;
  /// weight · φ(v_signal) in a row.
  struct Function {
    ElementaryFunction phi;
    double Phi;
    std::int32_t signal, row, slot;
  };
  std::vector<Function> functions_;
  std::vector<std::int32_t> slot_;  ///< for each column: factors × weights positions in J
  SparsePattern pattern_;
};

}  // namespace mti
