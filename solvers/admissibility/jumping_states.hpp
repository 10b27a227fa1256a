#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "mti/common/at.hpp"
#include "mti/model/signal_rows.hpp"

namespace mti {

/// Which states the restart of a candidate may move, and what decides where to:
///
///     x_j⁺ = x_j⁻                     whatever z is, or
///     x_j⁺ = X_j(x⁻, u, pre(z), z_C)
///
/// with C the binaries of all equations and laws (`rise`, `fall`) that x_j is joined with, directly or through others: by ẋ and y,
/// and by x where it may jump, for an equation that has an ẋ or y of its own whatever z is only reads x. x jumps where a law says so, or
/// where a mode leaves some equation without an ẋ or y of its own, so
/// that it, or a derivative of it, constrains x: not where each block of the equations of C can be matched with its ẋ and
/// y at every vertex of its binaries. A matrix that numbers make singular in some mode,
/// although structure does not, is not foreseen here.
///
/// Read off the unfrozen rows once per model, which must outlive it; `redundant` rows of f, ascending, follow from the
/// others in every mode and constrain nothing. Binaries are indices 0 … q−1, ascending.
class JumpingStates {
 public:
  explicit JumpingStates(const SignalRows& rows, std::span<const int> redundant = {});

  /// Whether every equation that this one is joined with has an ẋ or y of its own in every mode: structure leaves none
  /// of them without a solution.
  [[nodiscard]] bool is_matched_in_every_mode(int equation) const {
    return unmatched_[at(set_of_equation_[at(equation)])] == 0;
  }
  [[nodiscard]] bool may_jump(int state) const { return jumps_[at(set_of_state_[at(state)])] != 0; }
  /// Some state may jump whose x⁺ depends on these binaries.
  [[nodiscard]] bool may_move_by(std::span<const int> binaries) const {
    return std::ranges::any_of(set_of_state_, [&](int set) {
      return std::ranges::any_of(
          binaries, [&](int binary) { return std::ranges::binary_search(binaries_[at(set)], binary); });
    });
  }
  /// The binaries that x⁺ of the state, or of the states in an equation of f and of those that it is joined with, depends on; none if
  /// none jumps.
  [[nodiscard]] std::span<const int> of_state(int state) const {
    return binaries_[at(set_of_state_[at(state)])];
  }
  [[nodiscard]] std::vector<int> of_equation(int row) const;

 private:
  const SignalRows& rows_;
  std::vector<int> set_of_state_, set_of_equation_;  ///< what is joined by signals
  std::vector<char> unmatched_, jumps_;              ///< by set
  std::vector<std::vector<int>> binaries_;           ///< by set; empty where nothing jumps
};

}  // namespace mti
