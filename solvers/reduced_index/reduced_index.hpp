#pragma once

#include "mti/source/source.hpp"

namespace mti {

/// The model rewritten so that all modes have one structure of index 0 in f(ẋ, x, u, y, z) = 0: the same unknowns lead in every
/// mode, c_i = 0, and what differs stands in branches. Other tools, which keep one structure, can then run it.
///
/// With the offsets c_i, d_j of each mode (Σ-method for all modes at once, solvers/multimode), for signals x_j:
///
///     x_j, der_x_j, …          replicates, up to max d_j; where d_j < k the k-th is 0
///     0 = if c_i = 2 then f_i'' elseif c_i = 1 then f_i' else f_i              every equation, as differentiated as it leads
///     0 = if c_i > k then f_i^(k) else x − s                                    what it binds, with the signal that it gives
///     der(s) = der_x                                                            states of what no equation gives
///     when … then s = after                                                     where a mode begins that binds states anew
///
/// A state x that is one in all modes stays what it is. Where an equation binds states by no constant coefficient, none of them
/// is chosen; all are put back on it along its gradient (LowerRow). Restarts are RestartRows; where a new constraint is the
/// boundary at which the mode changes, it holds by itself. A model of one structure comes back as it is.
///
/// Source of the idea: reduced-index mode-independent structure (RIMIS), Benveniste, Caillaud, Malandain, Thibault,
/// Algorithms for the Structural Analysis of Multimode Modelica Models, Electronics 11 (2022) 2755, section 10.
///
/// Throws InvalidModel: `singular-modes`, `not-differentiable`, `no-state-selection`, `modes-too-large`,
/// `modelica-unwritable` where a restart is no formula, and what building it finds; ModeSetTooLarge.
[[nodiscard]] Source reduced_index(const Source& source);

}  // namespace mti
