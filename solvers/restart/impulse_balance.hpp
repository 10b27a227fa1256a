#pragma once

#include <vector>

#include "solvers/restart/restart.hpp"

namespace mti {

/// Stage −1 of a plan: Δx and Dirac weights, for positions that are settled (formula in solvers/restart/restart.hpp).
/// Blocks that multiply impulses with each other are taken together with those that use their weights, and
/// balanced by orders of magnitude (solvers/restart/scaled_impulses.hpp). Enters x⁺ into v and the series.
/// Equations that are `done` (by row of f; empty: none) and their unknowns are as `found` has them.
[[nodiscard]] Restart balance(const RestartPlace& place, const std::vector<char>& done = {},
                              Restart found = {});

/// Puts v, and with it x in the series, back to what they were.
void put_back(const RestartPlace& place, const std::vector<double>& v);

}  // namespace mti
