#pragma once

#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/model/signal_rows.hpp"
#include "solvers/admissibility/comparisons.hpp"
#include "solvers/admissibility/jumping_states.hpp"

namespace mti {

/// Which binaries an event can influence: the set A of docs/theory.md, "Which binaries may change".
///
/// Read off the unfrozen rows once per model, which must outlive it. Rows that follow from others in every mode determine
/// nothing (solvers/plan/redundant_in_every_mode.hpp). Binaries are indices 0 … q−1, ascending. Not to be shared between
/// threads.
class Dependencies {
 public:
  explicit Dependencies(const SignalRows& rows) : rows_(rows) {}

  [[nodiscard]] std::span<const int> of_equation(int row) const { return rows_.f.binaries(row); }
  [[nodiscard]] std::span<const int> of_constraint(int row) const { return rows_.g.binaries(row); }
  /// The binaries of all equations that hold the unknown ẋ or y (row of S): what can make them determine it.
  [[nodiscard]] std::vector<int> of_unknown(int row) const;
  /// The binaries that the values of a constraint's signals may depend on, in whatever mode; its own are not among them.
  [[nodiscard]] std::vector<int> of_signals(int constraint) const;
  /// What moves x as a mode begins.
  [[nodiscard]] const JumpingStates& jumps() const {
    if (!jumps_) jumps_.emplace(rows_, redundant());
    return *jumps_;
  }
  [[nodiscard]] const std::vector<Comparison>& comparisons() const {
    if (!comparisons_) comparisons_ = comparisons_of(rows_);
    return *comparisons_;
  }
  /// For a triggered constraint: its own binaries; if it has none, those in the equations that determine
  /// the lowest of g_l, Dg_l, D²g_l, … that depends on a binary.
  [[nodiscard]] const std::vector<int>& of_trigger(int constraint) const;

 private:
  [[nodiscard]] std::vector<int> find_of_trigger(int constraint) const;
  /// The equations that determine the unknown and were not visited before; their signals are to be looked at next.
  [[nodiscard]] std::vector<int> open_block(int unknown, std::set<int>& visited,
                                            std::vector<int>& open) const;
  /// Rows of f that follow from others in every mode, ascending.
  [[nodiscard]] const std::vector<int>& redundant() const;
  /// For each ẋ, y (row of S): equations that may determine it. Found when a constraint without binaries asks for it.
  [[nodiscard]] const std::vector<std::vector<int>>& blocks_of_unknowns() const;

  const SignalRows& rows_;
  /// Nothing until they are asked for, as not every run does.
  mutable std::optional<std::vector<int>> redundant_;
  mutable std::optional<JumpingStates> jumps_;
  mutable std::optional<std::vector<Comparison>> comparisons_;
  mutable std::vector<std::vector<int>> blocks_of_unknowns_;
  mutable std::unordered_map<int, std::vector<int>> of_triggers_;  ///< by constraint
};

}  // namespace mti
