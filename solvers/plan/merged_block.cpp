#include "solvers/plan/merged_block.hpp"

#include <algorithm>

namespace mti {

SolutionBlock merged(std::span<const SolutionBlock> blocks) {
  SolutionBlock whole;
  const bool differentiated = std::any_of(blocks.begin(), blocks.end(),
                                          [](const SolutionBlock& block) { return block.differentiated(); });
  const auto append = [](std::vector<int>& to, const std::vector<int>& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (const SolutionBlock& block : blocks) {
    append(whole.equations, block.equations);
    append(whole.unknowns, block.unknowns);
    whole.linear = whole.linear && block.linear;
    if (!differentiated) continue;
    const std::vector<int> zeros(block.equations.size(), 0);
    append(whole.c, block.differentiated() ? block.c : zeros);
    append(whole.e, block.differentiated() ? block.e : zeros);
  }
  return whole;
}

}  // namespace mti
