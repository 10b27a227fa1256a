#pragma once

#include <span>
#include <vector>

#include "solvers/admissibility/switching_problem.hpp"

namespace mti {

/// Of the deciders A those that have one value in every motion that follows, and the others.
struct DecidedBinaries {
  Mode mode;              ///< with these values, and outputs that follow
  std::vector<int> open;  ///< the rest of A, which may slide or change
  bool by_single_flips;   ///< of some it was only seen that no single one of the others has a part in it
};

/// Binaries that rows decide which are off zero: with z_b = w row l has g_l > 0 by more than its error, and g_l depends on no
/// other binary than z_b and those decided before, as a thermostat far from its limits does. What slides has both values in
/// turn, so that such a binary does not: it has 1 − w, and 2^|A| sides are 2^|open|. Where many
/// are left, rows count that stay broken whichever single one of the others flips. `A` is ascending.
[[nodiscard]] DecidedBinaries decided_by_rows(const SwitchingProblem& problem, const Mode& before,
                                              std::span<const int> A);

}  // namespace mti
