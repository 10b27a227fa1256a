#pragma once

#include <vector>

#include "solvers/multimode/all_modes.hpp"

namespace mti {

/// What structure says of entering mode z' from mode z (docs/all-modes.md, "Mode changes").
///
/// The sets hold pairs of modes: variable k of z is their variable 2k, that of z' is 2k + 1. Both modes are
/// considered and regular. Signals are counted x first, then y.
///
/// A row that z' differentiates, c_i > 0, constrains values at the entry. If it is the same row in z, it
/// holds already, with all its derivatives; else it is new, and what its block solves one stage below the
/// leading system changes: of a state with d_j = 1 the value jumps, of a signal with d_j = 0 there is an
/// impulse; blocks that take these follow. A state that keeps a value of its own in z, since its
/// derivative or nothing of it occurs there, but not in z', jumps too. All of this is generic: at an event a
/// new row may happen to hold.
struct ModeChanges {
  std::vector<ModeSet> jumps;     ///< of each signal: pairs for which the state's value jumps; none for y
  std::vector<ModeSet> impulses;  ///< of each signal: pairs for which it carries an impulse
  std::vector<ModeSet> new_rows;  ///< of each equation: pairs for which it constrains values anew
  ModeSet any_jump, any_impulse;
};

/// Pairs with z in `before` and z' in `after`.
[[nodiscard]] ModeChanges mode_changes(const AllModes& modes, const Model& model, const ModeSet& before,
                                       const ModeSet& after);

/// The sets of a ModeSpace as sets of pairs that say the same of z, or of z'.
[[nodiscard]] ModeSet of_before(const ModeSet& set, const ModeSpace& space);
[[nodiscard]] ModeSet of_after(const ModeSet& set, const ModeSpace& space);

/// Modes z' in which a law leaves signals undetermined or contradicts the model, by structure: the balance of
/// the entry (stage −1 of the leading system) with the law's equations in the place of the rows it replaces.
struct LawParts {
  int transition = 0;  ///< index in Model::transitions
  ModeSet under_determined, over_determined;
  std::vector<ModeSet> signals;        ///< of each signal: modes in which it is left undetermined
  std::vector<ModeSet> equations;      ///< of each row of f: modes in which it is part of a contradiction
  std::vector<ModeSet> law_equations;  ///< the same for the law's own
};
[[nodiscard]] std::vector<LawParts> law_parts(const AllModes& modes, const Model& model);

}  // namespace mti
