#pragma once

#include <vector>

#include "solvers/admissibility/admissibility.hpp"
#include "solvers/admissibility/dependencies.hpp"

namespace mti {

/// Why a candidate was rejected, in terms of binaries: as long as the binaries of one list keep their values,
/// every other candidate is rejected as well. Each list is a reason of its own, ascending.
///
/// A broken row depends on its own binaries and on those of the equations that give its unknowns, as far back
/// as the order of the Taylor coefficient that decided reaches; all other equations may change. `A` is the
/// list that stands for "depends on everything".
[[nodiscard]] std::vector<std::vector<int>> reasons_of(const Admissibility& verdict, const Model& model,
                                                       const Dependencies& influence);

/// The binaries that the coefficient of this order of a constraint depends on in the mode, ascending; the mode has a graph of
/// its blocks.
[[nodiscard]] std::vector<int> binaries_behind(const ModeSystem& system, const Model& model,
                                               const Dependencies& influence, int constraint, int order);

/// The same of its signals, without the binaries by which the constraint is what it is in the mode.
[[nodiscard]] std::vector<int> binaries_behind_signals(const ModeSystem& system, const Model& model,
                                                       const Dependencies& influence, int constraint,
                                                       int order);

/// The same of what the block of an equation is solved for.
[[nodiscard]] std::vector<int> binaries_behind_equation(const ModeSystem& system, const Model& model,
                                                        const Dependencies& influence, int equation);

/// For each invariant of the model that is false in the mode, its binaries, ascending.
[[nodiscard]] std::vector<std::vector<int>> binaries_of_broken_invariants(const Model& model,
                                                                          const Mode& mode);

}  // namespace mti
