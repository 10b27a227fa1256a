#pragma once

#include <set>
#include <vector>

#include "solvers/laws/law_structure.hpp"
#include "solvers/laws/transition_laws.hpp"
#include "solvers/restart/restart.hpp"

namespace mti {

/// Stage −1 of a plan with laws in the place of the rows that they replace (formula in
/// solvers/laws/transition_laws.hpp), for positions that are settled: Δx, Dirac weights and what else the laws
/// determine. Enters x⁺ into v and the series.
[[nodiscard]] Restart balance_under_laws(const RestartPlace& place, const DueLaws& laws, Surfaces surfaces);

/// Which rows and signals such a balance is about.
struct LawRows {
  std::set<int> replaced = {};  ///< rows of f that the laws put out of force
  std::set<int> held = {};  ///< rows of ẋ of states that only such rows hold, and no law: they do not jump
  std::vector<char> weighted = {};  ///< by row of S: in laws the signal stands for the weight of its impulse
  std::vector<int> absent = {};     ///< rows of ẋ of absent states that a law gives a value
};
[[nodiscard]] LawRows rows_under_laws(const RestartPlace& place, const DueLaws& laws);

}  // namespace mti
