#pragma once

#include <vector>

#include "solvers/admissibility/admissibility.hpp"
#include "solvers/admissibility/switching_problem.hpp"

namespace mti {

/// Why a candidate was turned down, as reasons_of() (solvers/admissibility/conflicts.hpp) says, with fewer binaries:
///
///     g_l rises with D^k g_l,    D^(k+1) g_l tells whether it only touches, and depends on binaries C that D^k g_l does not
///
/// Where l turns the mode down for all values of C, whatever they make of D^(k+1) g_l, C is no part of the reason. Of equal
/// rooms in a row each rises by its own heater; with the heaters beside it in every reason the fewest flips would be those of a
/// covering of the row, which takes long to find.
///
/// Rows without binaries in common are judged in one mode, at most `most_ahead` binaries of each; `looks` is how many modes
/// may be judged, and becomes what is left of them. `base`: a verdict at the instant to compare with.
[[nodiscard]] std::vector<std::vector<int>> sharper_reasons(const SwitchingProblem& problem,
                                                            const Admissibility& verdict,
                                                            const Admissibility& base, int& looks);

}  // namespace mti
