#pragma once

#include <span>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/model/model.hpp"
#include "mti/multilinear/row_map.hpp"

namespace mti {

/// Which binaries an event can influence: the set A of docs/theory.md, "Which binaries may change".
///
/// Read off the unfrozen S and Φ once per model. Binaries are indices 0 … q−1, ascending.
class Dependencies {
 public:
  explicit Dependencies(const Model& model);

  [[nodiscard]] std::span<const int> of_equation(int row) const { return equation_binaries_[at(row)]; }
  [[nodiscard]] std::span<const int> of_constraint(int row) const { return constraint_binaries_[at(row)]; }
  /// The binaries of all equations that hold the unknown ẋ or y (row of S): what can make them determine it.
  [[nodiscard]] std::vector<int> of_unknown(int row) const;
  /// In some mode states might jump: not every equation can be matched with an ẋ or y that occurs in it
  /// whatever the binaries are. (Without that, no mode needs differentiation.)
  [[nodiscard]] bool states_may_jump() const noexcept { return states_may_jump_; }
  /// For a triggered constraint: its own binaries; if it has none, those in the equations that determine
  /// the lowest of g_l, Dg_l, D²g_l, … that depends on a binary.
  [[nodiscard]] std::vector<int> of_trigger(int constraint) const;

 private:
  void find_sure_matching(const RowMap& f);

  const Signature& signature_;
  bool states_may_jump_ = false;
  std::vector<std::vector<int>> equation_binaries_, constraint_binaries_;
  std::vector<std::vector<int>> equation_signals_, constraint_signals_;  ///< rows of S: ẋ, x, y
  std::vector<std::vector<int>> block_of_unknown_;  ///< for each ẋ, y (row of S): equations solved together
};

}  // namespace mti
