#pragma once

#include <span>

#include "solvers/plan/solution_plan.hpp"

namespace mti {

/// The blocks of one stage merged into a single block, so that null vectors show how they depend on each other. It is
/// linear if all of them are; it has orders if one of them has, 0 where a block has none.
[[nodiscard]] SolutionBlock merged(std::span<const SolutionBlock> blocks);

}  // namespace mti
