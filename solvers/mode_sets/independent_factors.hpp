#pragma once

#include <cstddef>
#include <vector>

#include "solvers/mode_sets/mode_set.hpp"

namespace mti {

/// Sets without common variables whose intersection is `set`, by ascending least variable; `set` alone where
/// it is no such product, where that is not found, or where there are more than `most_factors`.
///
/// Factors that follow each other in the order of the variables are always found; factors whose variables
/// are interleaved, in parts of few variables.
[[nodiscard]] std::vector<ModeSet> independent_factors(const ModeSet& set, std::size_t most_factors);

}  // namespace mti
