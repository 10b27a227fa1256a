#include "solvers/motion/branches.hpp"

#include <algorithm>
#include <cmath>

#include "mti/common/at.hpp"

namespace mti {

bool is_on_another_branch(const Motion& motion, const Signature& signature, std::span<const double> before) {
  constexpr double tolerances = 1e4, part = 0.05;  // what relaxed steps, and a steep signal, may be off
  const Accuracy& accuracy = motion.accuracy();
  const ModeSystem& system = motion.system();
  if (!system.plan) return false;
  for (const SolutionBlock& block : system.plan->blocks) {
    if (block.linear) continue;
    for (const int row : block.unknowns) {
      if (row < signature.algebraic_row(0)) continue;  // a slope: that of a state that is fast at an end
      const double was = before[at(row)], is = motion.v()[at(row)], change = std::abs(is - was);
      if (change > tolerances * std::max(accuracy.of(row, was), accuracy.of(row, is)) &&
          change > part * (std::abs(was) + std::abs(is)))
        return true;
    }
  }
  return false;
}

}  // namespace mti
