#include "solvers/motion/algebraic_jumps.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "mti/common/at.hpp"

namespace mti {

std::vector<ImpulsivePart> algebraic_jumps(const Motion& motion, const Instant& here,
                                           const Signature& signature) {
  constexpr double own_accuracy = 8.0;
  const Accuracy& accuracy = motion.accuracy();
  std::vector<ImpulsivePart> jumps;
  for (const int row : motion.system().plan->algebraic_states) {
    const int derivative = row - signature.n();
    const double x = here.v[at(row)], moved = motion.v()[at(row)];
    const double error = accuracy.of(row, x) + accuracy.of(row, moved);
    const double slope = std::abs(here.v[at(derivative)]);
    if (std::abs(moved - x) > own_accuracy * error + slope * here.time_uncertainty)
      jumps.push_back({derivative, {moved - x, error}, 1.0});
  }
  return jumps;
}

std::vector<ImpulsivePart> impulses_at_beginning(const Motion& motion, const Instant& here,
                                                 const Signature& signature) {
  std::vector<ImpulsivePart> parts = algebraic_jumps(motion, here, signature);
  std::ranges::copy(motion.restart().impulsive_parts(), std::back_inserter(parts));
  std::ranges::stable_sort(parts, {}, &ImpulsivePart::row);
  return parts;
}

}  // namespace mti
