#pragma once

#include <span>
#include <vector>

#include "mti/model/model.hpp"
#include "solvers/mode_sets/mode_space.hpp"
#include "solvers/multimode/multimode_offsets.hpp"

namespace mti {

/// In which modes structure lets a motion be found: what ModeSystem::structurally_solvable says of one mode,
/// of all modes at once.
///
/// (ẋ, y) are matched with the equations for given x; where that leaves equations or a slope over, every
/// state counts once, whether x or ẋ occurs (equations may be differentiated). A mode is not solvable where
/// an equation is left, or a state, or a y that a constraint of the mode holds. Of discrete models x is
/// always given. Errors: ModeSetTooLarge, also when more than `nodes` nodes of diagrams have been looked at.
struct SolvableModes {
  ModeSpace space;
  std::vector<ModeSet> absent = {};  ///< of each signal (all x, then all y): where it occurs in no equation
  std::vector<ModeSet> undetermined =
      {};                         ///< of each signal: where it is left open and keeps its value; not absent
  ModeSet over_determined = {};   ///< modes with an equation too many
  ModeSet lacking = {};           ///< modes with an unknown too many
  ModeSet under_determined = {};  ///< those of them without an equation too many
  std::vector<ModeSet> surplus = {};  ///< of each equation: where it is in an over-determined part
  std::vector<ModeSet> open = {};     ///< of each signal: where it is in an under-determined part

  [[nodiscard]] ModeSet unsolvable() const { return over_determined | under_determined; }
};
/// Equation i is taken for none in the modes left_out[i]; `left_out` may be empty.
[[nodiscard]] SolvableModes solvable_modes(const Model& model, long long nodes,
                                           std::span<const ModeSet> left_out = {});

/// A mode of `set` that is considered, with pre(z) = z: `like` with as few changes as the diagrams show at
/// once. `set` holds such a mode.
[[nodiscard]] Mode mode_within(const ModeSet& set, const ModeSpace& space, const Signature& signature,
                               Mode like);

/// The set of this mode alone, pre(z) being z.
[[nodiscard]] ModeSet only_mode(const Mode& mode, const ModeSpace& space);

}  // namespace mti
