#pragma once

#include <span>

#include "solvers/solution_plan.hpp"

namespace mti {

/// Blocks of one stage as a single one, so that null vectors show what they have to do with each other. It is
/// linear if all of them are; it has orders if one of them has, 0 where a block has none.
[[nodiscard]] SolutionBlock merged(std::span<const SolutionBlock> blocks);

}  // namespace mti
