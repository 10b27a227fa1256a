#pragma once

#include "solvers/restart/restart.hpp"
#include "solvers/restart/transition_laws.hpp"

namespace mti {

/// Stage −1 of a plan with laws in the place of the rows that they replace (formula in
/// solvers/restart/transition_laws.hpp), for positions that are settled: Δx, Dirac weights and what else the laws
/// determine. Enters x⁺ into v and the series.
[[nodiscard]] Restart balance_under_laws(const RestartPlace& place, const DueLaws& laws);

}  // namespace mti
