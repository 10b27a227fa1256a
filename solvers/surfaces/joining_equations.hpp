#pragma once

#include <cstddef>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "mti/model/signature.hpp"
#include "mti/multilinear/row_map.hpp"

namespace mti {

/// The signals of a row, ascending.
[[nodiscard]] std::vector<int> signals_of(const RowMap& map, int row);

/// Those of some rows.
[[nodiscard]] std::vector<int> signals_of(const RowMap& map, std::span<const int> rows);

/// Equations R(v) = 0 of any kind, as what joins signals with each other.
///
/// An equation that holds a signal which no other one holds and which is not asked for says nothing of the others if the
/// signal's coefficient is a constant, or if it is an ẋ or y that only this row of f determines. Such an equation is
/// left out, and so again until there is none: of dynamics, der(x) = … goes first. y = x·w stays whatever determines w,
/// for it says that y vanishes with x.
class JoiningEquations {
 public:
  /// Beyond so many equations that are joined to one question nothing is known: work grows with the third power.
  static constexpr std::size_t most_joined = 64;
  /// Beyond so many that are looked at before those that only define a signal are left out, neither.
  static constexpr std::size_t most_visited = 1024;

  /// No equations.
  JoiningEquations() = default;
  /// Of these rows of f, which outlives it, to be asked for some of the signals `asked`, ascending.
  JoiningEquations(const RowMap& f, std::span<const int> rows, std::span<const int> asked,
                   const Signature& signature);

  [[nodiscard]] const RowMap& f() const noexcept { return *f_; }
  /// One of them multiplies signals or holds a function.
  [[nodiscard]] bool are_nonlinear() const noexcept { return nonlinear_; }
  [[nodiscard]] bool is_nonlinear(int row) const;
  /// The rows of f that join these signals, ascending as they do, with each other or with themselves; none beyond the bounds.
  [[nodiscard]] std::vector<int> joined_to(std::span<const int> signals) const;

 private:
  const RowMap* f_ = nullptr;
  std::unordered_set<int> determined_;  ///< ẋ and y that occur in one row of f
  std::vector<int> rows_;               ///< ascending
  bool nonlinear_ = false;
  std::unordered_map<int, std::vector<int>> rows_with_;  ///< by signal
};

}  // namespace mti
